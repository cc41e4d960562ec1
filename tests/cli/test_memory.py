"""tfprof memory: known allocation sequences give known peaks, to the byte, in every format."""
import collections
import random
import re

import pytest
from support import wire
from support.wire import CPU, GPU, message

MODELS = ['mlp', 'resnet', 'resnet_gpu', 'seq2seq', 'seq2seq_gpu', 'transformer_step', 'functions', 'two_cpus']
UTF8 = {'LC_ALL': 'C.UTF-8', 'TERM': 'xterm'}


def allocator(name, records=(), in_use=None):
    """AllocatorMemoryUsed; records: (micros, bytes)."""
    return message(_1=name, _5=in_use, _6=[message(_1=t, _2=b) for t, b in records])


def output(size, address=None):
    return message(_1=0, _3=message(_4=message(_1=size, _2=size, _6=address)))


def ran(name, start, micros, memory=(), outputs=(), temp=None, persistent=None):
    stats = None if temp is None and persistent is None else message(_1=temp, _3=persistent)
    return message(_1=name, _2=start, _4=micros, _6=list(memory), _7=list(outputs), _12=stats)


GRAPH = wire.graph(wire.node('net/layer_1/MatMul', 'MatMul'),
                   wire.node('net/layer_1/Relu', 'Relu', ['net/layer_1/MatMul']),
                   wire.node('net/layer_2/MatMul', 'MatMul', ['net/layer_1/Relu']), wire.node('loss', 'Mean'))
LOG = wire.log_entry('net/layer_1/MatMul', frames=[
    wire.trace('/home/me/train.py', 3, 'main'), wire.trace('/home/me/net.py', 10, 'layer'),
    wire.trace('/usr/lib/python3/dist-packages/tensorflow/ops.py', 99, 'matmul')]) + wire.log_entry(
        'net/layer_2/MatMul', frames=[wire.trace('/home/me/train.py', 4, 'main'),
                                      wire.trace('/home/me/net.py', 10, 'layer')])
# 1000 were there before; the peak is 1000 + 300 + 50 + 7 at 1030.
STEP = wire.run_metadata({GPU: [
    ran('net/layer_1/MatMul', 1000, 20, [allocator('GPU_0_bfc', [(1005, 300), (1010, 40), (1012, -40), (1060, -300)],
                                                   in_use=1300)]),
    ran('net/layer_1/Relu', 1022, 10, [allocator('GPU_0_bfc', [(1025, 50), (1035, -50)], in_use=1350)]),
    ran('net/layer_2/MatMul', 1026, 10, [allocator('GPU_0_bfc', [(1030, 7)], in_use=1307)]),
    ran('loss', 1050, 20)]})


@pytest.fixture
def tool(tfprof):
    tfprof.file('g', GRAPH)
    tfprof.file('log', LOG)
    tfprof.file('s', STEP)

    def run(**options):
        return tfprof('memory', graph_path='g', run_meta_path='s', op_log_path='log', **options)
    run.tool = tfprof
    return run


def only(outcome):
    """The one device of the one step."""
    steps = outcome.ok().json()['steps']
    assert len(steps) == 1 and len(steps[0]['devices']) == 1
    return steps[0]['devices'][0]


def named(device):
    return {row['name']: row['bytes'] for row in device['rows']}


def check_sums(report):
    for step in report['steps']:
        for device in step['devices']:
            total = sum(row['bytes'] for row in device['rows']) + device['not_attributed']['bytes']
            assert total == device['moment']['bytes']
            assert device['moment']['bytes'] <= device['peak']['bytes']
            points = device['series']['points']
            assert max(b for _, b in points) == device['peak']['bytes']
            assert len(points) <= 720
            assert [t for t, _ in points] == sorted({t for t, _ in points})


# --- known sequences

def test_the_peak_and_what_was_live_then(tool):
    device = only(tool(format='json'))
    assert device['evidence'] == 'recorded' and device['allocator'] == 'GPU_0_bfc'
    assert device['peak'] == {'bytes': 1357, 'micros': 30, 'epoch_micros': 1030} == device['moment']
    assert named(device) == {'net/layer_1/MatMul': 300, 'net/layer_1/Relu': 50, 'net/layer_2/MatMul': 7}
    assert device['not_attributed']['bytes'] == 1000 == device['baseline_bytes']
    assert device['attributed_share'] == pytest.approx(357 / 1357)
    assert device['measured_peak']['bytes'] == 1350
    assert device['series'] == {'exact': True, 'points': [
        [0, 1000], [5, 1300], [10, 1340], [12, 1300], [25, 1350], [30, 1357], [35, 1307], [60, 1007]]}


@pytest.mark.parametrize('by, rows', [
    ('op', {'net/layer_1/MatMul': 300, 'net/layer_1/Relu': 50, 'net/layer_2/MatMul': 7}),
    ('scope', {'net/layer_1': 350, 'net/layer_2': 7}),
    ('type', {'MatMul': 307, 'Relu': 50}),
    ('code', {'/home/me/net.py:10:layer': 307, '(no call stack)': 50})])
def test_rows_by_what_is_asked(tool, by, rows):
    device = only(tool(format='json', by=by))
    assert named(device) == rows
    assert [r['bytes'] for r in device['rows']] == sorted(rows.values(), reverse=True)


def test_scopes_are_cut_to_max_depth(tool):
    assert named(only(tool(format='json', by='scope', max_depth=1))) == {'net': 357}


@pytest.mark.parametrize('at, total, rows', [
    (0, 1000, {}), (5, 1300, {'net/layer_1/MatMul': 300}), (11, 1340, {'net/layer_1/MatMul': 340}),
    (12, 1300, {'net/layer_1/MatMul': 300}), (35, 1307, {'net/layer_1/MatMul': 300, 'net/layer_2/MatMul': 7}),
    (60, 1007, {'net/layer_2/MatMul': 7})])
def test_another_moment(tool, at, total, rows):
    report = tool(format='json', at=at).ok().json()
    check_sums(report)
    device = report['steps'][0]['devices'][0]
    assert device['moment']['bytes'] == total and named(device) == rows
    assert device['peak']['bytes'] == 1357


def test_top_folds_the_rest_into_one_row(tool):
    device = only(tool(format='json', top=1))
    assert [(r['name'], r['bytes'], r.get('folded')) for r in device['rows']] == [
        ('net/layer_1/MatMul', 300, None), ('(2 others)', 57, 2)]
    assert len(only(tool(format='json', top=0))['rows']) == 3


def test_what_stays_and_what_is_temporary(tool):
    device = only(tool(format='json'))
    held, temporary = device['still_held'], device['temporaries']
    assert (held['bytes'], held['count']) == (7, 1)
    assert held['largest'][0] == {'name': 'net/layer_2/MatMul', 'op': 'MatMul', 'bytes': 7, 'count': 1,
                                  'begin_micros': 30, 'end_micros': None}
    assert [(t['name'], t['bytes'], t['begin_micros'], t['end_micros']) for t in temporary['largest']] == [
        ('net/layer_1/MatMul', 40, 10, 12)]


def test_formats_agree(tool):
    report = tool(format='json').ok().json()
    check_sums(report)
    device = report['steps'][0]['devices'][0]
    rows = tool(format='csv').ok().csv()
    assert {r['name']: int(r['bytes']) for r in rows if r['kind'] == 'live'} == named(device)
    assert sum(int(r['bytes']) for r in rows) == device['peak']['bytes'] == int(rows[0]['moment_bytes'])
    assert rows[-1]['kind'] == 'not_attributed' and rows[-1]['bytes'] == '1000'
    text = tool(format='text').ok().text
    assert re.search(r'peak +1\.36KB at 30us of 70us', text)
    assert re.search(r'attributed +26\.31% of it, 1\.00KB not', text)
    assert re.search(r'^  net/layer_1/MatMul +300B +22\.11% +1$', text, re.M)
    assert re.search(r'^  \(not attributed\) +1\.00KB +73\.69%$', text, re.M)
    assert re.search(r'leak candidates, still held: 7B in 1 blocks', text)
    assert '| net/layer\\_1/MatMul | 300B | 22.11% | 1 |' in tool(format='markdown').ok().text


def test_growth_from_step_to_step(tool):
    tool.tool.file('t', wire.run_metadata({GPU: [
        ran('loss', 5000, 9, [allocator('GPU_0_bfc', [(5001, 2000)], in_use=3500)])]}))
    report = tool.tool('memory', graph_path='g', run_meta_path='3=s,7=t', format='json').ok().json()
    growth = report['growth'][0]
    assert [(s['step'], s['peak_bytes'], s['grew_bytes'], s['baseline_bytes'], s['still_held_bytes'])
            for s in growth['steps']] == [(3, 1357, None, 1000, 7), (7, 3500, 2143, 1500, 2000)]
    one = tool.tool('memory', graph_path='g', run_meta_path='3=s,7=t', step=7, format='json').ok().json()
    assert [s['step'] for s in one['steps']] == [7] and one['growth'] == []
    assert 'from step to step' in tool.tool('memory', graph_path='g', run_meta_path='3=s,7=t').ok().text


def test_random_sequences_equal_a_naive_simulation(tfprof):
    rng = random.Random(5)
    tfprof.file('g', wire.graph(*[wire.node('n%d' % i) for i in range(5)]))
    for _ in range(15):
        runs, live = [], collections.defaultdict(list)
        for i in range(5):
            records = []
            for _ in range(rng.randrange(1, 12)):
                size, begin = rng.randrange(1, 10 ** rng.randrange(1, 12)), rng.randrange(1000, 1100)
                end = rng.choice([None, begin + rng.randrange(50)])
                records.append((begin, size))
                if end is not None:
                    records.append((end, -size))
                live['n%d' % i].append((begin, end, size))
            rng.shuffle(records)
            runs.append(ran('n%d' % i, 1000, 5, [allocator('cpu', records)]))
        tfprof.file('s', wire.run_metadata({CPU: runs}))

        def held(name, moment):
            return sum(s for b, e, s in live[name] if b <= moment and (e is None or moment < e))
        totals = {t: sum(held(n, t) for n in live) for t in range(1000, 1200)}
        peak = max(totals.values())
        moment = min(t for t, total in totals.items() if total == peak)
        device = only(tfprof('memory', graph_path='g', run_meta_path='s', format='json', top=0))
        assert (device['peak']['bytes'], device['peak']['epoch_micros']) == (peak, moment)
        assert named(device) == {n: held(n, moment) for n in live if held(n, moment)}
        assert device['not_attributed']['bytes'] == 0


# --- other evidence

def test_outputs_give_derived_lifetimes(tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b', inputs=['a']), wire.node('c', inputs=['b'])))
    tfprof.file('s', wire.run_metadata({CPU: [
        ran('a', 100, 10, outputs=[output(1000, 0x10)]), ran('b', 110, 10, outputs=[output(1000, 0x10)], temp=5),
        ran('c', 120, 10, outputs=[output(30, 0x20)], persistent=8)]}))
    device = only(tfprof('memory', 'g', 's', format='json'))
    assert device['evidence'] == 'derived' and device['allocator'] is None and device['baseline_bytes'] is None
    assert device['series']['points'] == [[0, 0], [10, 1005], [20, 1000], [30, 38]]
    assert named(device) == {'a': 1000, 'b': 5}
    assert device['not_attributed']['bytes'] == 0
    assert any(note.startswith('derived:') for note in device['notes'])
    assert any(note.startswith('missing: allocation records') for note in device['notes'])


def test_counters_alone_are_measured_and_not_attributed(tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    tfprof.file('s', wire.run_metadata({GPU: [ran('a', 100, 10, [allocator('GPU_0_bfc', in_use=500)]),
                                              ran('b', 120, 10, [allocator('GPU_0_bfc', in_use=900)])]}))
    device = only(tfprof('memory', 'g', 's', format='json'))
    assert device['evidence'] == 'measured' and device['rows'] == [] and device['still_held'] is None
    assert device['peak']['bytes'] == 900 == device['not_attributed']['bytes']
    assert device['attributed_share'] == 0


def test_measured_and_derived_are_not_added_up(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    tfprof.file('s', wire.run_metadata({CPU: [ran('a', 100, 10, [allocator('cpu', in_use=500)], [output(40, 1)])]}))
    devices = tfprof('memory', 'g', 's', format='json').ok().json()['steps'][0]['devices']
    assert [(d['evidence'], d['peak']['bytes']) for d in devices] == [('measured', 500), ('derived', 40)]


def test_sums_beyond_64_bits_stay_and_warn(tfprof):
    most = 2 ** 63 - 1
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    tfprof.file('s', wire.run_metadata({CPU: [ran('a', 100, 10, [allocator('cpu', [(101, most), (103, -most)])]),
                                              ran('b', 100, 10, [allocator('cpu', [(102, most)])])]}))
    outcome = tfprof('memory', 'g', 's', format='json').ok()
    assert only(outcome)['peak']['bytes'] == most
    assert 'exceeds 64 bits' in outcome.err


# --- recorded models

@pytest.mark.parametrize('model', MODELS)
@pytest.mark.parametrize('by', ['op', 'scope', 'type', 'code'])
def test_rows_add_up_on_recorded_models(tfprof, data, model, by):
    report = tfprof('memory', data / model, by=by, format='json').ok().json()
    check_sums(report)
    rows = tfprof('memory', data / model, by=by, format='csv').ok().csv()
    sums = collections.Counter()
    for row in rows:
        sums[row['step'], row['device'], row['allocator']] += int(row['bytes'])
    want = {(str(s['step']), d['device'], d['allocator'] or ''): d['peak']['bytes']
            for s in report['steps'] for d in s['devices']}
    assert dict(sums) == want
    text = tfprof('memory', data / model, by=by).ok().text
    assert text.count('  attributed  ') == len(want)
    at = tfprof('memory', data / model, by=by, format='json', at=50).ok().json()
    check_sums(at)


def test_a_cpu_run_is_recorded_and_says_its_attributed_share(tfprof, data):
    report = tfprof('memory', data / 'resnet', format='json').ok().json()
    assert [(s['step'], s['devices'][0]['peak']['bytes']) for s in report['steps']] == [
        (0, 5481096), (10, 5606496), (100, 5656160)]
    assert [s['grew_bytes'] for s in report['growth'][0]['steps']] == [None, 125400, 49664]
    for step in report['steps']:
        assert step['devices'][0]['attributed_share'] == 1
    assert 'attributed  100.00% of it' in tfprof('memory', data / 'resnet', step=0).ok().text


def test_a_gpu_run_and_its_saved_profile_agree(tfprof, data):
    def peaks(where):
        report = tfprof('memory', where, format='json').ok().json()
        return {(s['step'], d['device']): d['peak'] for s in report['steps'] for d in s['devices']
                if d['evidence'] == 'recorded' and 'gpu' in d['device']}
    run = peaks(data / 'resnet_gpu')
    assert run == peaks(data / 'resnet_gpu' / 'profile') and len(run) == 4
    saved = tfprof('memory', data / 'resnet_gpu' / 'profile', format='json').ok().json()
    assert {d['evidence'] for d in saved['steps'][0]['devices'] if 'cpu' in d['device']} == {'derived'}
    assert 'from a saved profile' in tfprof('memory', data / 'resnet_gpu' / 'profile').ok().text


def test_devices_can_be_chosen(tfprof, data):
    report = tfprof('memory', data / 'resnet_gpu', device_regexes='.*gpu:1', format='json').ok().json()
    assert {d['device'][-5:] for s in report['steps'] for d in s['devices']} == {'gpu:1'}
    tfprof('memory', data / 'resnet_gpu', device_regexes='.*tpu.*').fails(1, 'device_regexes')


# --- the plot

def plot(text):
    return [line for line in text.splitlines() if re.match(r' {2}.{10} [│└|+]', line)]


def test_the_plot_has_a_plain_form(tfprof, data):
    want = tfprof('memory', data / 'mlp', env=UTF8).ok().text
    lines = plot(want)
    assert len(lines) == 9 and '█' in lines[0] and '└' + '─' * 72 in lines[-1]
    for env in [{'LC_ALL': 'C'}, {'LC_ALL': '', 'LC_CTYPE': '', 'LANG': 'de_DE.ISO-8859-1'},
                {'LC_ALL': '', 'LC_CTYPE': '', 'LANG': ''}, UTF8 | {'TERM': 'dumb'}]:
        plain = tfprof('memory', data / 'mlp', env=env).ok().out
        assert plain.isascii() and len(plot(plain.decode())) == 9
    unicode = tfprof('memory', data / 'mlp', env={'LC_ALL': '', 'LC_CTYPE': '', 'LANG': 'en_US.utf8', 'TERM': 'xterm'})
    assert unicode.ok().text == want


def test_the_plot_follows_the_bytes(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    # A step of 720 us: full in the first half, a quarter in the second.
    tfprof.file('s', wire.run_metadata({CPU: [
        ran('a', 1000, 719, [allocator('cpu', [(1000, 100), (1000, 300), (1360, -300)])])]}))
    lines = plot(tfprof('memory', 'g', 's', env=UTF8).ok().text)
    bars = [line.split('│')[1] for line in lines[:-1]]
    assert bars == ['█' * 36] * 6 + ['█' * 72] * 2
    assert lines[0].split()[0] == '400B' and lines[4].split()[0] == '200B'


# --- bad input

def test_without_run_metadata_it_says_how_to_record_it(tool):
    tool.tool('memory', 'g').fails(3, 'no run metadata', 'FULL_TRACE', 'run_metadata=')


def test_without_memory_records_it_says_how_to_record_it(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    tfprof.file('s', wire.run_metadata({CPU: [wire.stats('a')]}))
    tfprof('memory', 'g', 's').fails(3, 'no memory records', 'FULL_TRACE')


def test_a_step_without_memory_is_left_out_with_a_warning(tool):
    tool.tool.file('t', wire.run_metadata({GPU: [wire.stats('loss')]}))
    outcome = tool.tool('memory', graph_path='g', run_meta_path='3=s,7=t', format='json').ok()
    assert [s['step'] for s in outcome.json()['steps']] == [3]
    assert 'no memory was recorded in step 7' in outcome.err
    tool.tool('memory', graph_path='g', run_meta_path='3=s,7=t', step=7).fails(3, 'step 7 has no memory records')


@pytest.mark.parametrize('options, words', [
    ({'step': 4}, ['no such step', '0']), ({'at': -2}, ['-at -2']), ({'top': -1}, ['-top -1']),
    ({'by': 'ops'}, ["'ops'", "did you mean 'op'"]), ({'at': 'x'}, ['whole number']),
    ({'device_regexes': '('}, ['device_regexes']), ({'output': 'timeline:outfile=t'}, ['timeline'])])
def test_bad_options(tool, options, words):
    tool(**options).fails(2, *words)


def test_by_code_needs_call_stacks(tool):
    tool.tool('memory', 'g', 's', by='code').fails(3, 'call stacks', 'write_op_log')


def test_help_shows_its_options_and_only_its_own(tfprof):
    text = tfprof('help', 'memory').ok().text
    for option in ['-by ', '-at ', '-top ', '-step ', '-max_depth ', '-device_regexes ', '-format ', '-graph_path ']:
        assert '  ' + option in text
    assert '-order_by' not in text and '-select' not in text
    for other in ['scope', 'info']:
        assert '  -by ' not in tfprof('help', other).ok().text


def test_it_works_at_the_prompt(tool):
    outcome = tool.tool(graph_path='g', run_meta_path='s', op_log_path='log', stdin=b'memory -by type -format csv\n')
    assert 'MatMul,307,' in outcome.ok().text
