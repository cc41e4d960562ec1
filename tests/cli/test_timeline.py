"""Timelines: -output timeline of the views, and the command `timeline` in both formats."""
import json
from collections import Counter, defaultdict

import pytest
from support import perfetto, wire

MODELS = ['mlp', 'resnet_gpu', 'seq2seq_gpu', 'two_cpus', 'functions']
EXECUTIONS, SCHEDULING = 'Op execution threads: ', 'Op scheduling threads: '
CPU, GPU = wire.CPU.lower(), wire.GPU.lower()
REBUILT, MEASURED = 'rebuilt from allocation records', 'measured by the allocator at the end of ops'


class Chrome:
    """A trace in JSON, checked while it is read."""

    def __init__(self, path):
        self.document = json.loads(path.read_bytes())
        events = self.document['traceEvents']
        self.process = {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'}
        self.labels = {self.process[e['pid']]: e['args']['labels'] for e in events if e['name'] == 'process_labels'}
        self.bars = [e for e in events if e['ph'] == 'X']
        self.counts = defaultdict(list)
        for e in events:
            assert set(e) >= {'ph', 'name', 'pid'} and e['pid'] in self.process
            if e['ph'] == 'C':
                ((origin, value),) = e['args'].items()
                assert origin.split()[0] in ('rebuilt', 'measured', 'derived')
                self.counts[self.process[e['pid']], e['name'], origin].append((e['ts'], value))
        self.flows = {ph: {e['id']: e for e in events if e['ph'] == ph} for ph in 'st'}
        self.blocks = [(b, e) for b in events if b['ph'] == 'b' for e in events if e['ph'] == 'e' and e['id2'] == b['id2']]
        assert len(self.blocks) == sum(e['ph'] == 'b' for e in events) == sum(e['ph'] == 'e' for e in events)
        assert {e['ph'] for e in events} <= set('MXCstbe')

    def by_process(self):
        out = defaultdict(list)
        for bar in self.bars:
            out[self.process[bar['pid']]].append(bar)
        return out


def nanos(micros) -> int:
    return round(micros * 1000)


def assert_lanes_are_disjoint(trace):
    lanes = defaultdict(list)
    for bar in trace.bars:
        assert bar['pid'] > 0 and bar['tid'] > 0 and bar['dur'] > 0 and bar['ts'] >= 0
        lanes[bar['pid'], bar['tid']].append((nanos(bar['ts']), nanos(bar['ts']) + nanos(bar['dur'])))
    for spans in lanes.values():
        spans.sort()
        assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:]))


def assert_flows_pair_up(trace):
    starts = {(b['pid'], b['tid'], b['ts']) for b in trace.bars}
    assert trace.flows['s'].keys() == trace.flows['t'].keys()
    for flow, begin in trace.flows['s'].items():
        end = trace.flows['t'][flow]
        assert begin['ts'] <= end['ts'] and begin['pid'] != end['pid']
        assert (begin['name'], begin['cat']) == (end['name'], end['cat'])
        for e in (begin, end):
            assert (e['pid'], e['tid'], e['ts']) in starts, 'an arrow that binds to no bar'


def assert_counters_follow(trace):
    for counts in trace.counts.values():
        times = [time for time, _ in counts]
        assert times == sorted(set(times)) and all(value >= 0 for _, value in counts)


def draw(tool, *words, to='t.json', **options) -> Chrome:
    tool('timeline', *words, '-o', to, **options).ok()
    return Chrome(tool.folder / to)


# --- what holds for every trace

@pytest.mark.parametrize('model', MODELS)
def test_bars_lanes_arrows_and_counters_are_sound(tfprof, data, model):
    trace = draw(tfprof, data / model)
    assert_lanes_are_disjoint(trace)
    assert_flows_pair_up(trace)
    assert_counters_follow(trace)
    steps = trace.document['otherData']['steps']
    assert sum(step['executions'] for step in steps) == len(trace.bars)
    assert sum(step['flows'] for step in steps) == len(trace.flows['s'])
    assert all(step['start_micros'] > 10**15 for step in steps)
    assert min(bar['ts'] for bar in trace.bars) < 1


@pytest.mark.parametrize('model, step', [('mlp', 0), ('resnet_gpu', 2), ('seq2seq_gpu', 0), ('two_cpus', 0), ('functions', 5)])
def test_durations_sum_to_the_figures_of_the_view(tfprof, data, model, step):
    options = {'step': step, 'max_depth': 100000}
    tfprof('graph', data / model, output='timeline:outfile=t', **options).ok()
    trace = Chrome(tfprof.folder / 't')
    sums = Counter()
    for process, bars in trace.by_process().items():
        sums[process.startswith(EXECUTIONS)] += sum(bar['dur'] for bar in bars)
    root = tfprof('graph', data / model, format='json', **options).ok().json()['root']
    assert sums[False] == root['total_cpu_exec_micros'] > 0
    assert sums[True] == root['total_accelerator_exec_micros']
    assert bool(sums[True]) == model.endswith('_gpu')


@pytest.mark.parametrize('model', MODELS)
def test_perfetto_says_the_same_as_json(tfprof, data, model):
    json_trace = draw(tfprof, data / model)
    tfprof('timeline', data / model, '-o', 't.pftrace').ok()
    trace = perfetto.Trace((tfprof.folder / 't.pftrace').read_bytes())
    want = Counter((json_trace.process[b['pid']], 'lane %02d' % b['tid'], b['name'], nanos(b['ts']), nanos(b['dur']))
                   for b in json_trace.bars)
    blocks = Counter((json_trace.process[b['pid']], 'block', b['name'], nanos(b['ts']),
                      nanos(e['ts']) - nanos(b['ts'])) for b, e in json_trace.blocks)

    def lane(track):
        return trace.names[track] if trace.names[track].startswith('lane') else trace.names[track].split()[0]
    got = Counter((trace.process_of(s.track), lane(s.track), s.name, s.start, s.end - s.start) for s in trace.slices)
    assert got == want + blocks
    def facts(args):
        return frozenset((k, v) for k, v in args.items() if k != 'name')
    assert Counter(facts(s.args) for s in trace.slices) == Counter(
        facts(e['args']) for e in json_trace.bars + [b for b, _ in json_trace.blocks])
    counts = {(trace.process_of(track), *trace.names[track].removesuffix(')').split(' (')): values
              for track, values in trace.counters.items()}
    assert counts == {process: [(nanos(time), value) for time, value in values]
                      for process, values in json_trace.counts.items()}
    assert all(unit == 3 for unit in trace.units.values())  # bytes
    begins = Counter(flow for s in trace.slices for flow in s.flows_out)
    ends = Counter(flow for s in trace.slices for flow in s.flows_in)
    assert begins == ends == Counter(json_trace.flows['s'].keys())
    assert sorted(trace.processes.values()) == sorted(json_trace.process.values())


def test_arguments_tell_about_the_op(tfprof, data):
    trace = draw(tfprof, data / 'mlp')
    rows = tfprof('graph', data / 'mlp', format='json', select='op_types,bytes,input_shapes', max_depth=1000).ok().json()
    nodes, todo = {}, [rows['root']]
    while todo:
        node = todo.pop()
        nodes[node['name']] = node
        todo += node.get('children', [])
    seen = Counter()
    for bar in trace.bars:
        node, args = nodes[bar['name']], bar['args']
        assert args['name'] == bar['name']
        # A view takes the name of what only ran for its type, as TensorFlow's does; the bar has the type that ran.
        assert args['op'] in node['op_types'] or node['name'] in node['op_types'] and args['op'] == '_Arg'
        assert args.get('scope', '') == bar['name'].rpartition('/')[0]
        assert args['bytes'] == node['requested_bytes']
        for part in filter(None, args.get('input_shapes', '').split('|')):
            position, _, dims = part.partition(':')
            want = node['input_shapes'][position]
            assert dims == ('unknown' if want.get('unknown_rank') else 'x'.join(str(d['size']) for d in want['dim']))
        seen.update(args.keys())
    assert {'op', 'scope', 'input_shapes', 'output_shape', 'bytes', 'code'} <= set(seen)
    lines = {bar['args']['code'] for bar in trace.bars if 'code' in bar['args']}
    assert lines and not any('site-packages' in line for line in lines)
    assert all(line.split(':')[1].isdigit() for line in lines)


# --- small inputs whose picture is known

def records(*changes):
    """AllocatorMemoryUsed.allocation_records: (time, bytes)."""
    return [wire.message(_1=time, _2=size) for time, size in changes]


def run(name, start, micros, changes=(), allocator='cpu', in_use=None, nanos=None) -> bytes:
    memory = wire.message(_1=allocator, _2=8, _3=8, _5=in_use, _6=records(*changes)) if changes else None
    return wire.message(_1=name, _2=start, _4=micros, _6=memory, _13=nanos and nanos[0], _15=nanos and nanos[1])


@pytest.fixture
def tool(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', 'Const', outputs=[[2, 3]]), wire.node('s/b', 'Neg', ['a']),
                                wire.node('s/c', 'Add', ['a', 's/b'])))
    return tfprof


def test_executions_that_start_together_all_appear(tool):
    tool.file('run_meta_0', wire.run_metadata({wire.CPU: [run('a', 1000, 10), run('s/b', 1000, 10), run('s/c', 1000, 3)]}))
    trace = draw(tool, 'g', 'run_meta_0')
    assert sorted((b['name'], b['ts'], b['dur']) for b in trace.bars) == [('a', 0, 10), ('s/b', 0, 10), ('s/c', 0, 3)]
    assert len({b['tid'] for b in trace.bars}) == 3


def test_a_bar_takes_the_first_free_lane(tool):
    tool.file('run_meta_0', wire.run_metadata(
        {wire.CPU: [run('a', 1000, 10), run('s/b', 1004, 2), run('s/c', 1006, 9), run('a', 1010, 1)]}))
    trace = draw(tool, 'g', 'run_meta_0')
    assert sorted((b['ts'], b['tid']) for b in trace.bars) == [(0, 1), (4, 2), (6, 2), (10, 1)]


def test_nanoseconds_are_kept_where_the_input_has_them(tool):
    tool.file('run_meta_0', wire.run_metadata({wire.CPU: [run('a', 1000, 10, nanos=(1000250, 10750)),
                                                          run('s/b', 1020, 5, nanos=(77, 5000)), run('s/c', 1030, 5)]}))
    trace = draw(tool, 'g', 'run_meta_0')
    assert [(b['ts'], b['dur']) for b in trace.bars] == [(0.25, 10.75), (20, 5), (30, 5)]
    tool('graph', 'g', 'run_meta_0', output='timeline:outfile=t').ok()
    assert [(b['ts'], b['dur']) for b in Chrome(tool.folder / 't').bars] == [(1000, 10), (1020, 5), (1030, 5)]


def test_streams_and_scheduling_are_processes_and_copies_are_not(tool):
    tool.file('run_meta_0', wire.run_metadata({
        wire.GPU: [run('a', 1000, 2)], '/device:GPU:0/stream:all': [run('a:Const', 1001, 8)],
        '/device:GPU:0/stream:7': [run('a:Const', 1001, 8)], '/device:GPU:0/memcpy': [run('a:MEMCPYHtoD', 1002, 1)]}))
    trace = draw(tool, 'g', 'run_meta_0')
    assert {p: [b['dur'] for b in bars] for p, bars in trace.by_process().items()} == {
        'step 0 /device:gpu:0/stream:all': [8], 'step 0 /device:gpu:0': [2]}
    assert trace.labels['step 0 /device:gpu:0'].startswith(SCHEDULING + GPU)


def test_arrows_join_an_op_and_its_consumers_elsewhere(tool):
    tool.file('run_meta_0', wire.run_metadata({wire.CPU: [run('a', 1000, 10), run('s/b', 1012, 5)],
                                               wire.CPU[:-1] + '1': [run('s/c', 1020, 5)]}))
    trace = draw(tool, 'g', 'run_meta_0')
    ends = {b['ts']: b['name'] for b in trace.bars}
    assert {(ends[s['ts']], ends[trace.flows['t'][i]['ts']]) for i, s in trace.flows['s'].items()} == {
        ('a', 's/c'), ('s/b', 's/c')}


def test_memory_over_time_of_every_device(tool):
    tool.file('run_meta_0', wire.run_metadata({
        wire.CPU: [run('a', 1000, 10, [(1001, 64), (1009, -64)]), run('s/b', 1020, 5, [(1021, 100)])],
        wire.GPU: [run('s/c', 1030, 5, [(1031, 256), (1040, -256)], 'GPU_0_bfc', 1256)]}))
    done = tool('timeline', 'g', 'run_meta_0', '-o', 't.json').ok()
    trace = Chrome(tool.folder / 't.json')
    assert trace.counts == {
        ('step 0 /device:cpu:0', 'Allocated Bytes cpu', REBUILT): [(0, 0), (1, 64), (9, 0), (21, 100)],
        ('step 0 /device:gpu:0', 'Allocated Bytes GPU_0_bfc', REBUILT + ', above a measured base'):
            [(0, 1000), (31, 1256), (40, 1000)],
        ('step 0 /device:gpu:0', 'Measured Bytes GPU_0_bfc', MEASURED): [(35, 1256)]}
    blocks = {b['name']: (b['ts'], e['ts'], b['args'].get('released', 'yes')) for b, e in trace.blocks}
    assert blocks == {'100B s/b': (21, 35, 'not within the step'), '256B s/c': (31, 40, 'yes')}
    memory = {m['allocator']: m for m in trace.document['otherData']['memory']}
    assert memory['cpu']['peak_bytes'] == 100 and 'measured_peak_bytes' not in memory['cpu']
    assert memory['GPU_0_bfc']['peak_bytes'] == memory['GPU_0_bfc']['measured_peak_bytes'] == 1256
    assert {m['evidence'] for m in memory.values()} == {'recorded'}
    assert 'peak memory of %s (cpu): 100B at 21us' % CPU in done.text
    assert 'peak memory of %s (GPU_0_bfc): 1.26KB at 31us' % GPU in done.text


def test_memory_that_was_only_measured_or_derived_says_so(tool):
    only_in_use = wire.message(_1='GPU_0_bfc', _5=512)
    tool.file('run_meta_0', wire.run_metadata({
        wire.CPU: [wire.stats('a', 1000, 10, output=64), wire.stats('s/b', 1020, 5)],
        wire.GPU: [wire.message(_1='s/c', _2=1030, _4=5, _6=only_in_use)]}))
    done = tool('timeline', 'g', 'run_meta_0', '-o', 't.json').ok()
    trace = Chrome(tool.folder / 't.json')
    assert trace.counts['step 0 /device:gpu:0', 'Allocated Bytes GPU_0_bfc', MEASURED] == [(35, 512)]
    derived = trace.counts['step 0 /device:cpu:0', 'Allocated Bytes', 'derived from output tensors and their consumers']
    assert derived[0] == (0, 0) and max(value for _, value in derived) == 64
    assert 'measured by the allocator' in done.text and 'derived from output tensors' in done.text
    assert {m['evidence'] for m in trace.document['otherData']['memory']} == {'measured', 'derived'}


def test_the_view_has_processes_as_in_tensorflow(tool):
    tool.file('run_meta_0', wire.run_metadata({wire.GPU: [run('a', 1000, 10, [(1001, 64), (1009, -64)], 'GPU_0_bfc')]}))
    done = tool('graph', 'g', 'run_meta_0', output='timeline:outfile=t').ok()
    trace = Chrome(tool.folder / 't')
    memory = 'mem usage on:%s GPU_0_bfc' % GPU
    assert list(trace.process.values()) == [SCHEDULING + GPU, memory, memory + ' allocations']
    assert trace.counts == {(memory, 'Allocated Bytes', REBUILT): [(1000, 0), (1001, 64), (1009, 0)]}
    assert [(b['ts'], e['ts']) for b, e in trace.blocks] == [(1001, 1009)]
    assert 'peak memory of %s (GPU_0_bfc): 64B at 1us' % GPU in done.text


def test_only_the_largest_blocks_are_drawn(tool):
    tool.file('run_meta_0', wire.run_metadata({wire.CPU: [run('a', 1000, 10, [(1001, n) for n in range(1, 200)])]}))
    trace = draw(tool, 'g', 'run_meta_0')
    assert sorted(b['args']['bytes'] for b, _ in trace.blocks) == list(range(184, 200))


def test_memory_that_was_not_recorded_is_not_zero(tool):
    tool.file('run_meta_0', wire.run_metadata({wire.CPU: [run('a', 1000, 10)]}))
    done = tool('timeline', 'g', 'run_meta_0', '-o', 't.json').ok()
    assert 'peak memory: n/a' in done.text and 'FULL_TRACE' in done.text
    trace = Chrome(tool.folder / 't.json')
    assert not trace.counts and 'bytes' not in trace.bars[0]['args']


# --- steps and names of files

@pytest.fixture
def two_steps(tool):
    for step, start in ((0, 1000), (7, 900000)):
        tool.file('run_meta_%d' % step, wire.run_metadata({wire.CPU: [run('a', start, 10), run('s/c', start + 20, 5 + step)]}))
    return tool


def test_steps_lie_side_by_side_in_one_file(two_steps):
    trace = draw(two_steps, 'g', 'run_meta_0', 'run_meta_7')
    assert {p: [(b['ts'], b['dur']) for b in bars] for p, bars in trace.by_process().items()} == {
        'step 0 /device:cpu:0': [(0, 10), (20, 5)], 'step 7 /device:cpu:0': [(0, 10), (20, 12)]}
    assert [(s['step'], s['start_micros']) for s in trace.document['otherData']['steps']] == [(0, 1000), (7, 900000)]
    assert '900000' in trace.labels['step 7 /device:cpu:0']


def test_one_step_can_be_chosen(two_steps):
    trace = draw(two_steps, 'g', 'run_meta_0', 'run_meta_7', step=7)
    assert list(trace.by_process()) == ['step 7 /device:cpu:0']


def test_the_view_writes_a_file_per_step(two_steps):
    files = ['g', 'run_meta_0', 'run_meta_7']
    done = two_steps('graph', *files, output='timeline:outfile=t').ok()
    assert {p.name for p in two_steps.folder.iterdir()} == {*files, 't_0', 't_7'}
    assert 't_0' in done.text and 't_7' in done.text and 'node name' not in done.text
    assert [b['ts'] for b in Chrome(two_steps.folder / 't_7').bars] == [900000, 900020]


def test_the_view_writes_exactly_the_file_for_one_step(two_steps):
    two_steps('graph', 'g', 'run_meta_0', 'run_meta_7', output='timeline:outfile=one', step=0).ok()
    two_steps('graph', 'g', 'run_meta_7', output='timeline:outfile=only').ok()
    two_steps('scope', 'g', 'run_meta_0', 'run_meta_7', output='timeline:outfile=scope').ok()
    assert {p.name for p in two_steps.folder.iterdir()} == {'g', 'run_meta_0', 'run_meta_7', 'one', 'only', 'scope'}
    assert [b['ts'] for b in Chrome(two_steps.folder / 'one').bars] == [1000, 1020]


# --- scope and code

@pytest.mark.parametrize('view', ['scope', 'code'])
def test_regions_nest_as_the_view_does(tfprof, data, view):
    options = {'max_depth': 1000, 'order_by': 'micros'}
    tfprof(view, data / 'resnet', output='timeline:outfile=t', **options).ok()
    trace = Chrome(tfprof.folder / 't')
    assert_lanes_are_disjoint(trace)
    root = tfprof(view, data / 'resnet', format='json', **options).ok().json()['root']
    want, todo = [], [(root, 0, 0)]
    while todo:
        node, depth, start = todo.pop()
        if not node['total_exec_micros']:
            continue
        want.append(('Scope:%d' % depth, node['name'], start, node['total_exec_micros']))
        for child in node.get('children', []):
            todo.append((child, depth + 1, start))
            start += child['total_exec_micros'] or 0
    assert Counter(want) == Counter((trace.process[b['pid']], b['name'], b['ts'], b['dur']) for b in trace.bars)


# --- filters

def test_filters_are_those_of_the_graph_view(tfprof, data):
    options = {'account_type_regexes': 'Conv2D.*,MatMul', 'max_depth': 5000}
    trace = draw(tfprof, data / 'resnet_gpu', step=1, **options)
    names = tfprof('graph', data / 'resnet_gpu', step=1, **options).ok().names
    assert {b['name'] for b in trace.bars} <= set(names) and len(trace.bars) > 20
    assert all(b['args']['op'].startswith(('Conv2D', 'MatMul')) for b in trace.bars)


def test_depth_does_not_hide_ops_unless_it_is_chosen(tfprof, data):
    deep = draw(tfprof, data / 'resnet_gpu', step=1)
    flat = draw(tfprof, data / 'resnet_gpu', step=1, max_depth=3)
    assert len(deep.bars) > 3 * len(flat.bars) > 0


# --- formats, files, errors

def test_the_format_follows_the_ending_or_the_option(two_steps):
    for words in (['t.pftrace'], ['t.perfetto-trace'], ['t.json', '--format', 'perfetto']):
        two_steps('timeline', 'g', 'run_meta_0', '-o', *words).ok()
        perfetto.Trace((two_steps.folder / words[0]).read_bytes())
    for words in (['t.json'], ['t.trace'], ['t.pftrace', '--format=chrome']):
        two_steps('timeline', 'g', 'run_meta_0', '-o', *words).ok()
        Chrome(two_steps.folder / words[0])


def test_formats_are_refused_where_they_do_not_belong(two_steps):
    for command in ('scope', 'op', 'info', 'save'):
        two_steps(command, 'g', '-o', 'r', format='perfetto').fails(2, 'perfetto', 'timeline', command)
    for other in ('json', 'csv', 'markdown'):
        two_steps('timeline', 'g', 'run_meta_0', '-o', 't', format=other).fails(2, 'chrome', 'perfetto')
    assert not (two_steps.folder / 'r').exists() and not (two_steps.folder / 't').exists()


def test_errors_say_what_to_do(two_steps):
    two_steps('timeline', 'g', 'run_meta_0').fails(2, '-o FILE')
    two_steps('timeline', 'g', '-o', 't').fails(3, 'run metadata', 'FULL_TRACE', '--run_meta_path')
    two_steps('scope', 'g', output='timeline:outfile=t').fails(3, 'run metadata', 'FULL_TRACE')
    two_steps('timeline', 'g', 'run_meta_0', '-o', 't', step=5).fails(2, '5', '0')
    two_steps('op', 'g', 'run_meta_0', output='timeline:outfile=t').fails(2, 'op view', 'graph, scope or code')
    two_steps('timeline', 'g', 'run_meta_0', '-o', 't', show_name_regexes='nothing').fails(1, 'nothing to draw')
    two_steps('timeline', 'g', 'run_meta_0', '-o', 'no/such/t').fails(3, 'no/such/t', 'cannot be written')
    assert not (two_steps.folder / 't').exists()


def test_a_failure_leaves_the_old_file(two_steps):
    two_steps.file('t', 'precious')
    two_steps('timeline', 'g', 'run_meta_0', '-o', 't', show_name_regexes='nothing').fails(1)
    assert (two_steps.folder / 't').read_text() == 'precious'


def test_a_trace_on_standard_output_stays_alone(two_steps):
    done = two_steps('timeline', 'g', 'run_meta_0', '-o', '/dev/stdout').ok()
    assert len([e for e in done.json()['traceEvents'] if e['ph'] == 'X']) == 2
    assert '2 executions' in done.err


def test_at_the_prompt_single_executions_are_there_too(two_steps):
    lines = b'timeline -o t.json\ngraph -output timeline:outfile=u\n'
    two_steps('g', 'run_meta_0', stdin=lines).ok()
    assert len(Chrome(two_steps.folder / 't.json').bars) == len(Chrome(two_steps.folder / 'u').bars) == 2


def test_a_saved_profile_gives_the_same_bars(two_steps):
    two_steps('save', 'g', 'run_meta_0', 'run_meta_7', '-o', 'p').ok()
    bars = [[(b['name'], b['ts'], b['dur'], b['pid'], b['tid']) for b in draw(two_steps, *words).bars]
            for words in (['g', 'run_meta_0', 'run_meta_7'], ['p'])]
    assert bars[0] == bars[1]


def test_names_of_any_kind_survive(tfprof):
    name = 'odd "name", with\\back slash <b>ünï'
    tfprof.file('g', wire.graph(wire.node(name)))
    tfprof.file('run_meta_0', wire.run_metadata({wire.CPU: [run(name, 1000, 10)]}))
    assert [b['name'] for b in draw(tfprof, 'g', 'run_meta_0').bars] == [name]
    tfprof('timeline', 'g', 'run_meta_0', '-o', 't.pftrace').ok()
    assert [s.name for s in perfetto.Trace((tfprof.folder / 't.pftrace').read_bytes()).slices] == [name]


def test_min_micros_is_about_each_execution(tool, tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b', inputs=['a'])))
    tfprof.file('run_meta_0', wire.run_metadata({wire.CPU: [run('a', 1000, 100), run('b', 1200, 5), run('a', 1300, 20)]}))
    done = tfprof('timeline', 'g', 'run_meta_0', '-o', 't.json', min_micros=20).ok()
    assert '2 executions' in done.text and '1 executions of less than 20 us were left out' in done.text
    assert sorted(bar['dur'] for bar in Chrome(tfprof.folder / 't.json').bars) == [20, 100]
    tfprof('timeline', 'g', 'run_meta_0', '-o', 't.pftrace', min_micros=20).ok()
    assert len(perfetto.Trace((tfprof.folder / 't.pftrace').read_bytes()).slices) == 2
    tfprof('timeline', 'g', 'run_meta_0', '-o', 'x', min_micros=101).fails(1, 'longest execution took 100 us')
    # In a view it compares totals, as in TensorFlow: b with its input a.
    tfprof('graph', 'g', 'run_meta_0', output='timeline:outfile=v', min_micros=20).ok()
    assert len(Chrome(tfprof.folder / 'v').bars) == 3
