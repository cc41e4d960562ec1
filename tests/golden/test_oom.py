"""Logs of allocations that failed, and MemoryDump files: the figures of every event, as expected/ says them."""
import json
from pathlib import Path

import pytest

from support.tool import run

OOM = Path(__file__).resolve().parent.parent / 'data' / 'oom'
CASES = json.loads((OOM / 'cases.json').read_text())


def differences(want, got, path='') -> list:
    """Where `got` lacks or contradicts `want`; more keys than expected are fine."""
    if isinstance(want, dict) and isinstance(got, dict):
        lacks = ['%s.%s is not there' % (path, key) for key in want if key not in got]
        return lacks + [d for key in want if key in got for d in differences(want[key], got[key], '%s.%s' % (path, key))]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [d for i in range(len(want)) for d in differences(want[i], got[i], '%s[%d]' % (path, i))]
    same = abs(want - got) <= 1e-6 if isinstance(want, float) and isinstance(got, float) else want == got
    return [] if same else ['%s is %r, not %r' % (path, got, want)]


def report(binary, args, folder=OOM, **more) -> dict:
    done = run([binary, 'oom', *map(str, args), '-format', 'json'], folder, **more)
    assert done.status == 0, done.err
    return json.loads(done.text)


@pytest.mark.parametrize('case', CASES, ids=[Path(case['expect']).stem for case in CASES])
def test_figures(binary, case):
    more = {'stdin': (OOM / case['stdin']).read_bytes()} if 'stdin' in case else {}
    got = report(binary, case['args'], **more)
    wrong = differences(json.loads((OOM / case['expect']).read_text()), got)
    assert not wrong, '\n'.join(wrong[:10])


def test_the_comparison_sees_a_changed_figure():
    want = json.loads((OOM / 'expected' / 'growth.json').read_text())
    assert not differences(want, json.loads(json.dumps(want)))
    for change in (lambda e: e.update(in_use_bytes=1), lambda e: e['chunks'].pop(), lambda e: e.pop('verdict')):
        got = json.loads(json.dumps(want))
        change(got['events'][0])
        assert differences(want, got)


@pytest.mark.parametrize('log', sorted(OOM.glob('*.log')), ids=lambda log: log.stem)
def test_windows_line_ends_change_nothing(binary, log, tmp_path):
    (tmp_path / log.name).write_bytes(log.read_bytes().replace(b'\n', b'\r\n'))
    want, got = report(binary, [log.name]), report(binary, [log.name], tmp_path)
    want.pop('bytes'), got.pop('bytes')
    assert want == got


@pytest.mark.parametrize('log', ['tf2_function.log', 'jax_larger.log', 'two_devices.log', 'tf1_synthetic.log'])
def test_a_log_that_ends_anywhere_is_read_to_there(binary, log, tmp_path):
    whole = (OOM / log).read_bytes()
    for end in range(0, len(whole), max(1, len(whole) // 40)):
        (tmp_path / log).write_bytes(whole[:end])
        for event in report(binary, [log], tmp_path)['events']:
            # A verdict stands only on a list that is all there.
            assert event['verdict'] in ('unknown', 'request_larger_than_pool') or 'chunks' not in event['missing']
            assert event['evidence']['line'] == event['line']


@pytest.mark.parametrize('dump', sorted(OOM.glob('*.dump')), ids=lambda dump: dump.stem)
def test_a_memory_dump_that_ends_anywhere_says_so(binary, dump, tmp_path):
    whole = dump.read_bytes()
    for end in range(40, len(whole), max(1, len(whole) // 30)):
        (tmp_path / 'x.dump').write_bytes(whole[:end])
        events = report(binary, ['x.dump'], tmp_path)['events']
        assert all(event['missing'][0] == 'request' for event in events)


def test_every_format_prints_every_log(binary):
    logs = [log.name for log in sorted(OOM.glob('*.log')) + sorted(OOM.glob('*.dump'))]
    for form in ('text', 'csv', 'markdown', 'html'):
        done = run([binary, 'oom', *logs, '-format', form], OOM)
        assert done.status == 0 and len(done.text) > 1000, form
        if form == 'csv':
            assert len(done.text.splitlines()) == 1 + len(report(binary, logs)['events'])


def test_the_first_line_is_the_verdict(binary):
    first = lambda log: run([binary, 'oom', log], OOM).text.splitlines()[0]
    assert first('tf2_function.log') == 'Too much is held: 98.00MiB of 100.00MiB in use, 4.00MiB wanted, 2.00MiB short.'
    assert first('tf2_fragmented.log').startswith('Fragmented: 8.00MiB wanted in one piece, 33.00MiB free in all')
    assert first('tf2_larger.log').startswith('The request is larger than the pool: 549.32MiB wanted, at most 100.00MiB')
    assert first('no_growth.log').startswith('The pool could not grow: 8.00MiB wanted')
    assert first('cut_head.log').startswith('Too much is held (by the totals')
    assert first('no_oom.log') == 'No allocation failed in these 120 lines.'


def test_what_cannot_be_read_is_named_and_the_rest_reported(binary):
    done = run([binary, 'oom', 'nowhere.log', 'growth.log', '-format', 'json'], OOM)
    assert done.status == 3 and 'nowhere.log' in done.err
    assert len(json.loads(done.text)['events']) == 2


def test_no_log_is_a_usage_error(binary):
    assert run([binary, 'oom'], OOM).status == 2


def test_a_log_is_found_in_its_middle_whatever_is_around_it(binary, tmp_path):
    noise = b''.join(b'step %d: loss 0.123 [%d/100] size=3 [[1 2] [3 4]] status: ok\n' % (i, i) for i in range(20000))
    (tmp_path / 'long.log').write_bytes(noise + (OOM / 'tf2_function.log').read_bytes() + b'\n' + noise)
    alone, (event,) = report(binary, ['tf2_function.log'])['events'][0], report(binary, ['long.log'], tmp_path)['events']
    assert event['line'] == alone['line'] + 20000
    for key in ('chunks', 'regions', 'verdict', 'short_by', 'op', 'program', 'hints', 'missing'):
        assert event[key] == alone[key], key


# As the allocator prints it where seven activations of the example's first stage fill a pool, and one twice as large is wanted.
HEAD = 'W1115 21:23:46.324068     950 bfc_allocator.cc:1] '
FULL = ''.join(HEAD + line + '\n' for line in [
    'Allocator (cpu) ran out of memory trying to allocate 1.00MiB (rounded to 1048576)requested by op unit_0_0/sub1/Conv2D',
    'Next region of size 4194304',
    *['InUse at %x of size 524288 next 1' % (0x100000 + i * 524288) for i in range(7)],
    'Free  at 480000 of size 524288 next 2', 'Summary of in-use Chunks by size: ',
    '7 Chunks of size 524288 totalling 3.50MiB', 'Sum Total of in-use chunks: 3.50MiB',
    'Total size in pool: 4.00MiB memory_limit_: 4.00MiB available size: 0B',
    'OOM when allocating tensor with shape[8,32,32,32] and type float on /cpu:0 by allocator cpu'])


def test_chunks_are_matched_with_the_tensors_of_a_run(binary, tmp_path):
    (tmp_path / 'full.log').write_text(FULL)
    run_folder = OOM.parents[2] / 'examples' / 'resnet'
    (event,) = report(binary, ['full.log', run_folder], tmp_path)['events']
    assert event['verdict'] == 'too_much_held' and event['short_by'] == 512 << 10
    (match,) = event['matches']
    assert match['size'] == 524288 and match['count'] == 7 and match['tensors'] > 7 and match['kind'] == 'gradient'
    assert {'node': 'stem/Conv2D', 'op': 'Conv2D', 'kind': 'activation', 'tensors': 1} in match['owners']
    help_by = {item['what']: item for item in event['help']}
    # 7 x 512 KiB and the request shrink with the batch of 8: (4 MiB / 4.5 MiB) x 8 = 7.1.
    assert help_by['smaller_batch']['batch'] == 7 and help_by['smaller_batch']['suffices']
    assert help_by['half_precision']['frees_bytes'] == (7 * 524288 + 1048576) // 2
    assert 0 < help_by['recompute']['frees_bytes'] <= 7 * 524288
    assert all(item['assumption'] for item in help_by.values())
    text = run([binary, 'oom', 'full.log', run_folder], tmp_path).text
    assert 'a batch of 7 in place of 8' in text and 'which is enough' in text


def test_a_run_without_memory_is_an_error(binary, tmp_path):
    (tmp_path / 'run').mkdir()
    (tmp_path / 'run' / 'graph.pbtxt').write_text('node { name: "a" op: "Add" }')
    (tmp_path / 'full.log').write_text(FULL)
    done = run([binary, 'oom', 'full.log', 'run'], tmp_path)
    assert done.status == 3 and 'no memory recorded' in done.err
