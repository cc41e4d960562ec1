"""Memory profiles: JAX's device_memory_profile, and other pprof files of bytes."""
import gzip
import json
from pathlib import Path

import pytest
from support import wire

DATA = Path(__file__).resolve().parents[1] / 'data' / 'memory'
FACTS = json.loads((DATA / 'facts.json').read_text())
TEXTS = ['', 'allocations', 'count', 'space', 'bytes', 'kind', 'buffer', 'device', 'cpu:0', '/home/a.py', 'f', 'cpu', 'nanoseconds']


def text(word):
    return TEXTS.index(word)


def profile(*samples, types=(('allocations', 'count'), ('space', 'bytes')), comment=None):
    """samples: (bytes, line or None); line 0 has no call stack."""
    out = wire.field(1, [wire.message(_1=text(name), _2=text(unit)) for name, unit in types])
    for size, line in samples:
        labels = [wire.message(_1=text('kind'), _2=text('buffer')), wire.message(_1=text('device'), _2=text('cpu:0'))]
        out += wire.field(2, wire.message(_1=[line] if line else None, _2=[1, size], _3=labels))
    for line in {line for _, line in samples if line}:
        out += wire.field(4, wire.message(_1=line, _4=wire.message(_1=1, _2=line)))
    out += wire.field(5, wire.message(_1=1, _2=text('f'), _4=text('/home/a.py')))
    strings = TEXTS + ([comment] if comment else [])
    return out + wire.field(6, strings) + (wire.field(13, len(TEXTS)) if comment else b'')


@pytest.mark.parametrize('name', FACTS)
def test_every_device_has_what_live_arrays_say(tfprof, name):
    live = tfprof('memory', DATA / (name + '.prof'), format='json').ok().json()['live']
    devices = {d['device']: d['bytes'] for d in live['devices'] if d['bytes'] is not None}
    assert devices == FACTS[name]
    assert live['bytes'] == sum(FACTS[name].values())
    assert live['source'] == 'JAX device memory profile'
    for device in live['devices']:
        if device['bytes'] is not None:
            assert sum(row['bytes'] for row in device['rows']) + device['not_attributed']['bytes'] == device['bytes']
    kinds = {kind['name']: kind for kind in live['kinds']}
    assert kinds['buffer']['bytes'] == live['bytes']
    assert kinds['executable']['bytes'] is None and kinds['executable']['count'] > 0  # not told, not 0


def test_the_report_says_what_it_is_and_whose_line_holds_the_memory(tfprof):
    done = tfprof('memory', DATA / 'after_gpu.prof').ok().text
    assert 'what was live when it was written. No time axis, no peak' in ' '.join(done.split())
    line = next(line for line in done.splitlines() if 'train.py:26:main' in line)
    assert '102.40KB' in line and ' 50' in line
    assert next(line for line in done.splitlines() if line.strip().startswith('executable')).split()[1] == 'n/a'
    types = tfprof('memory', DATA / 'after_gpu.prof', by='type').ok().text
    assert 'live, by kind' in types


def test_formats_agree(tfprof):
    rows = tfprof('memory', DATA / 'after_cpu.prof', format='csv').ok().csv()
    assert sum(int(row['bytes']) for row in rows) == sum(FACTS['after_cpu'].values())
    assert {row['evidence'] for row in rows} == {'snapshot'}
    assert {row['moment_micros'] for row in rows} == {''}
    for form in ('markdown', 'html'):
        assert 'train.py' in tfprof('memory', DATA / 'after_cpu.prof', format=form).ok().text


def test_diff_says_which_line_grew(tfprof):
    done = tfprof('diff', DATA / 'before_gpu.prof', DATA / 'after_gpu.prof', 'before', 'after', min_size='1B', frames='user').ok().text
    assert '_TfProfRoot (before:131KB after:233KB)' in done
    assert 'train.py:26:main (after:102KB) +102KB  added' in done
    tfprof('diff', DATA / 'before_gpu.prof', DATA / 'before_gpu.prof').ok()
    broken = tfprof('diff', DATA / 'before_gpu.prof', DATA / 'after_gpu.prof', min_size='1B', fail_if='bytes>+5%')
    assert broken.status == 1 and 'limit bytes>+5% is broken' in broken.err
    tfprof.file('graph.pbtxt', b'node { name: "a" op: "NoOp" }')
    tfprof('diff', DATA / 'before_gpu.prof', 'graph.pbtxt').fails(2, 'compared with memory profiles alone')


def test_the_code_view_has_the_whole_stacks(tfprof):
    root = tfprof('code', DATA / 'after_gpu.prof', frames='user', format='json').ok().json()['root']
    assert root['total_requested_bytes'] == FACTS['after_gpu']['cuda:0']
    assert root['total_residual_bytes'] == FACTS['after_gpu']['cuda:0']
    assert not root.get('total_peak_bytes')


def test_info_tells_what_there_is(tfprof):
    done = tfprof('info', DATA / 'after_gpu.prof').ok().text
    assert 'JAX device memory profile' in done and 'n/a' not in done.split('size not told')[0]
    info = tfprof('info', DATA / 'after_gpu.prof', format='json').ok().json()
    assert info['live_memory']['bytes'] == FACTS['after_gpu']['cuda:0']
    assert info['missing'] == []


@pytest.mark.parametrize('kind', ('scope', 'graph', 'advise', 'summary', 'kernels', 'steps'))
def test_other_kinds_say_what_such_a_file_cannot_tell(tfprof, kind):
    tfprof(kind, DATA / 'after_gpu.prof').fails(3, 'a memory profile says what was live at one moment', '`tfprof memory`')


def test_timelines_and_saved_profiles_too(tfprof):
    for kind in ('timeline', 'save'):
        tfprof(kind, DATA / 'after_gpu.prof', o='out.json').fails(3, 'a memory profile says what was live')


def test_options_that_need_time_or_scopes(tfprof):
    tfprof('memory', DATA / 'after_gpu.prof', at=5).fails(2, '-at 5: a memory profile is of one moment')
    tfprof('memory', DATA / 'after_gpu.prof', step=5).fails(2, '-step 5: ')
    tfprof('memory', DATA / 'after_gpu.prof', by='scope').fails(2, 'has no scopes')


def test_blocks_without_a_stack_are_a_row_of_their_own(tfprof):
    tfprof.file('m', gzip.compress(profile((300, 7), (40, 0))))
    live = tfprof('memory', 'm', format='json').ok().json()['live']
    assert live['bytes_without_stack'] == 40
    assert live['devices'][0]['not_attributed']['bytes'] == 40
    assert '(no call stack)' in tfprof('memory', 'm').ok().text


def test_pprof_of_other_things_is_named(tfprof):
    tfprof.file('m', gzip.compress(profile((1, 7), types=(('allocations', 'count'), ('cpu', 'nanoseconds')))))
    tfprof('memory', 'm').fails(3, 'is a pprof profile of allocations (count), cpu (nanoseconds), not of memory')


def test_what_tfprof_wrote_for_pprof_is_named(tfprof, data):
    tfprof('code', data / 'mlp', select='bytes', output='pprof:outfile=p.gz').ok()
    tfprof('memory', 'p.gz').fails(3, 'was written by tfprof for pprof', 'give what it was made from')


def test_in_a_directory_it_is_left_alone(tfprof):
    tfprof.file('run/graph.pbtxt', b'node { name: "a" op: "NoOp" }')
    tfprof.file('run/memory.prof', (DATA / 'after_gpu.prof').read_bytes())
    assert 'memory.prof' not in tfprof('scope', 'run').ok().err
    tfprof('memory', DATA).fails(3, 'a memory profile is read by itself')
    tfprof('memory', DATA / 'after_gpu.prof', DATA / 'before_gpu.prof').fails(2, 'diff OLD NEW')


def test_every_cut_is_answered(tfprof):
    packed = (DATA / 'after_gpu.prof').read_bytes()
    for size in range(1, len(packed), 97):
        tfprof.file('m', packed[:size])
        tfprof('memory', 'm').fails(3)
        assert tfprof('memory', 'm', '--keep_going').status in (0, 3)


def test_a_bomb_is_bounded(tfprof):
    """Two megabytes that unpack to a gigabyte of empty strings."""
    heads = wire.field(1, wire.message(_1=1, _2=2))
    tfprof.file('m', gzip.compress(heads + b'\x32\0' * (40 << 20), 6))
    tfprof('memory', 'm').fails(3, 'unpacks to more than')
    tfprof('memory', 'm', max_input='1GB').fails(3, 'has a table of more than')
