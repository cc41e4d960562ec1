"""Files that are missing, damaged or of the wrong kind: a clear error, nothing on stdout, and with --keep_going a
report of what can be read, with a warning."""
import gzip
import random

import pytest
from support import wire


@pytest.fixture
def tfprof(classic):
    """What these tests look at are rows in TensorFlow's order."""
    return classic


GRAPH = wire.graph(*[wire.node('n%d' % i, 'VariableV2', dims=[i + 1]) for i in range(20)])
HINT = '--keep_going reads past such damage'


@pytest.fixture
def mlp(data):
    return data / 'mlp'


def shows_part(tool, *words, said, **options):
    """Refused as it is; with --keep_going a report, and a warning that says the same."""
    tool(*words, **options).fails(3, HINT, *said)
    done = tool(*words, keep_going=True, **options).ok()
    for word in said:
        assert word in done.err
    assert 'warning:' in done.err and HINT not in done.err
    return done


def refused(tool, *words, said, **options):
    """Nothing can be read: the same error with and without --keep_going."""
    tool(*words, **options).fails(3, *said)
    tool(*words, keep_going=True, **options).fails(3, *said)


FLAGS = ['graph_path', 'run_meta_path', 'op_log_path', 'profile_path']


# --- not there, empty, nothing known

def test_a_missing_file(tfprof):
    refused(tfprof, 'scope', 'nowhere', said=['nowhere', 'No such file'])


@pytest.mark.parametrize('flag', FLAGS)
def test_a_missing_file_of_a_flag(tfprof, flag):
    refused(tfprof, 'scope', said=['nowhere', 'No such file'], **{flag: 'nowhere'})


def test_an_empty_file(tfprof):
    tfprof.file('empty', b'')
    refused(tfprof, 'scope', 'empty', said=['empty: the file is empty', 'cut short?'])
    for flag in FLAGS:
        refused(tfprof, 'scope', said=['empty: the file is empty'], **{flag: 'empty'})


def test_empty_standard_input(tfprof):
    refused(tfprof, 'scope', '-', said=['standard input: the file is empty'])


@pytest.mark.parametrize('seed', range(20))
@pytest.mark.parametrize('size', [1, 7, 100, 20000])
def test_random_bytes(tfprof, seed, size):
    tfprof.file('random', random.Random(seed).randbytes(size))
    for view in ('scope', 'info'):
        tfprof(view, 'random').fails(3, 'random')
    tfprof('scope', graph_path='random').fails(3, 'random')


def test_what_is_not_recognised_lists_what_would_be(tfprof):
    tfprof.file('notes', 'just some text, nothing else\n')
    refused(tfprof, 'scope', 'notes', said=['notes: not recognised', 'GraphDef', 'run metadata', 'op logs', 'profile'])


def test_a_directory_without_anything_known(tfprof):
    tfprof.file('d/notes', 'just some text\n')
    (tfprof.folder / 'void').mkdir()
    for folder in ('d', 'void'):
        refused(tfprof, 'scope', folder, said=[folder + ': the directory holds nothing that tfprof reads', 'run_meta'])


def test_a_directory_where_a_file_is_wanted(tfprof):
    (tfprof.folder / 'd').mkdir()
    for flag in ('run_meta_path', 'op_log_path', 'profile_path'):
        refused(tfprof, 'scope', said=['d: is a directory'], **{flag: 'd'})


# --- the wrong kind for its flag: the message names the right flag

@pytest.mark.parametrize('flag, file, right', [
    ('graph_path', 'run_meta_0', '--run_meta_path'), ('graph_path', 'tfprof_log', '--op_log_path'),
    ('graph_path', 'profile', '--profile_path'), ('run_meta_path', 'graph.pb', '--graph_path'),
    ('op_log_path', 'graph.pb', '--graph_path'), ('profile_path', 'graph.pb', '--graph_path'),
    ('profile_path', 'tfprof_log', '--op_log_path'), ('op_log_path', 'profile', '--profile_path')])
def test_a_file_of_the_wrong_kind_names_the_right_flag(tfprof, mlp, flag, file, right):
    refused(tfprof, 'scope', said=[file, 'give it with ' + right], **{flag: mlp / file})


def test_a_file_of_no_kind_for_a_flag(tfprof):
    tfprof.file('notes', 'just some text\n')
    refused(tfprof, 'scope', said=['notes: is no GraphDef'], graph_path='notes')


# --- cut short

def test_a_cut_graph_shows_the_nodes_before_the_cut(tfprof):
    tfprof.file('g', GRAPH[:200])
    said = ['g: a field is longer than the rest', 'at byte ', 'of 200', 'cut short']
    done = shows_part(tfprof, 'scope', 'g', said=said)
    assert set(done.names[1:]) < {'n%d' % i for i in range(20)} and len(done.names) > 4


@pytest.mark.parametrize('flags', [dict(run_meta_path='cut', graph_path='graph'), dict(run_meta_path='cut')])
def test_cut_run_metadata_counts_what_came_before_the_cut(tfprof, mlp, flags):
    tfprof.file('graph', (mlp / 'graph.pb').read_bytes())
    tfprof.file('cut', (mlp / 'run_meta_0').read_bytes()[:3000])
    done = shows_part(tfprof, 'op', said=['cut: a field is longer', 'of 3000'], format='json', **flags)
    whole = tfprof('op', graph_path='graph', run_meta_path=mlp / 'run_meta_0', format='json').ok().json()
    assert 0 < done.json()['root']['total_exec_micros'] < whole['root']['total_exec_micros']
    assert done.err.count('warning') == 1  # one cut is one warning, at however many levels it is seen


def test_a_cut_op_log_keeps_the_entries_before_the_cut(tfprof, mlp):
    frames = [wire.trace('/a/main.py', 3, 'main')]
    log = b''.join(wire.log_entry('n%d' % i, 10, frames=frames) for i in range(20))
    tfprof.file('g', GRAPH)
    tfprof.file('log', log[:len(log) // 2])
    done = shows_part(tfprof, 'code', 'g', said=['log: a field is longer'], op_log_path='log', select='float_ops')
    assert done.rows[1].startswith('  main.py:3:main')


def test_a_cut_profile_shows_the_nodes_before_the_cut(tfprof, mlp):
    tfprof.file('p', (mlp / 'profile').read_bytes()[:20000])
    done = shows_part(tfprof, 'scope', 'p', said=['p: a field is longer', 'at byte 19244 of 20000'])
    assert len(done.rows) > 10


@pytest.mark.parametrize('file', ['graph.pb', 'run_meta_0', 'tfprof_log', 'profile', 'graph.pbtxt'])
def test_a_cut_at_any_place_is_an_error_or_a_shorter_file(tfprof, mlp, file):
    content = (mlp / file).read_bytes()
    rng = random.Random(file)
    tfprof.file('g', (mlp / 'graph.pb').read_bytes())
    inputs = ['g', '--op_log_path=cut'] if file == 'tfprof_log' else ['cut']
    for cut in [0, 1, 2, 3, 5, 9, 17] + [rng.randrange(len(content)) for _ in range(25)]:
        tfprof.file('cut', content[:cut])
        done = tfprof('scope', *inputs)
        if done.status != 0:  # a cut between two records leaves a whole, shorter file
            done.fails(3, 'cut')
        going = tfprof('scope', *inputs, keep_going=True)
        assert going.status in (0, 3)


def test_every_cut_file_of_a_directory_is_named(tfprof):
    tfprof.file('d/graph', GRAPH[:200])
    tfprof.file('d/run_meta_3', wire.run_metadata({wire.CPU: [wire.stats('n%d' % i) for i in range(9)]})[:100])
    tfprof('scope', 'd').fails(3, 'd/graph', HINT)
    done = tfprof('scope', 'd', keep_going=True).ok()
    assert 'd/graph: a field is longer' in done.err and 'd/run_meta_3: a field is longer' in done.err


# --- damage inside

def test_a_huge_length_field(tfprof):
    tfprof.file('g', wire.node('a') + wire.node('b') + b'\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f')
    done = shows_part(tfprof, 'scope', 'g', said=['g: a field is longer than the rest of the message at byte 22'])
    assert done.names == ['_TFProfRoot', 'a', 'b']


def test_a_huge_length_inside_a_record_costs_that_record(tfprof):
    bad = wire.field(1, wire.message(_1='b', _2='NoOp') + b'\x2a\xff\xff\xff\xff\x0f')
    tfprof.file('g', wire.node('a') + bad + wire.node('c'))
    done = shows_part(tfprof, 'scope', 'g', said=['g: damaged graph node at byte 11', 'longer than the record'])
    assert done.names == ['_TFProfRoot', 'a', 'c']


def test_a_number_without_an_end(tfprof):
    bad = wire.field(1, wire.message(_1='b', _2='NoOp') + b'\x38' + b'\xff' * 11)
    tfprof.file('g', wire.graph(wire.node('a')) + bad)
    done = shows_part(tfprof, 'scope', 'g', said=['g: damaged graph node at byte', 'unreadable number'])
    assert done.names == ['_TFProfRoot', 'a']


def test_an_unknown_wire_type(tfprof):
    bad = wire.field(1, wire.message(_1='b', _2='NoOp') + b'\x3f')
    tfprof.file('g', wire.graph(wire.node('a')) + bad)
    shows_part(tfprof, 'scope', 'g', said=['g: damaged graph node at byte', 'unknown wire type'])


def test_a_damaged_execution_record_costs_that_record(tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    records = [wire.stats('a', micros=5), wire.stats('b') + b'\x32\xff\xff\xff\x7f', wire.stats('a', micros=7)]
    tfprof.file('r', wire.run_metadata({wire.CPU: records}))
    done = shows_part(tfprof, 'scope', 'g', 'r', said=['r: damaged execution record at byte'], select='cpu_micros')
    assert '  a (12us/12us)' in done.rows


def test_a_damaged_op_log_entry_costs_that_entry(tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    bad = wire.field(1, wire.message(_1='b', _2=9) + b'\x22\x7f')
    tfprof.file('l', wire.log_entry('a', 5) + bad + wire.log_entry('b', 7))
    done = shows_part(tfprof, 'scope', 'g', 'l', said=['l: damaged op log entry at byte'], select='float_ops')
    assert '  b (7/7 flops)' in done.rows


def test_a_damaged_profile_node_costs_that_node(tfprof):
    bad = wire.field(1, wire.message(_1=2, _2=wire.message(_1='b', _9='NoOp') + b'\x62\x7f'))
    tfprof.file('p', wire.profile(wire.profile_node(1, 'a'), bad, wire.profile_node(3, 'c')))
    done = shows_part(tfprof, 'scope', 'p', said=['p: damaged profile'])
    assert {'a', 'c'} <= set(done.names)


@pytest.mark.parametrize('name', [b'b\xff\xfe', b'\xc0\xafx', b'\xed\xa0\x80', b'end\xe2\x82'])
def test_invalid_utf8_in_a_name_is_shown_escaped(tfprof, name):
    tfprof.file('g', wire.graph(wire.node('good'), wire.field(1, wire.message(_1=name, _2='NoOp'))))
    done = shows_part(tfprof, 'scope', 'g', said=['g: a node name at byte 18 is not valid UTF-8'])
    assert '\\x' in done.out.decode('utf-8')  # the report itself is valid
    assert tfprof('scope', 'g', keep_going=True, format='json').ok().json()


def test_invalid_utf8_in_a_device_an_op_and_a_call_stack(tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.field(1, wire.message(_1='b', _2=b'Op\xff'))))
    shows_part(tfprof, 'op', 'g', said=['g: an op type at byte', 'not valid UTF-8'])
    tfprof.file('h', wire.graph(wire.node('a')))
    tfprof.file('r', wire.field(1, wire.field(1, wire.message(_1=b'/cpu\xff:0', _2=wire.stats('a')))))
    shows_part(tfprof, 'scope', 'h', 'r', said=['r: a device name at byte', 'not valid UTF-8'])
    tfprof.file('l', wire.log_entry('a', frames=[wire.trace(b'\xff.py', 1, 'f')]))
    shows_part(tfprof, 'code', 'h', 'l', said=['l: a call stack at byte', 'not valid UTF-8'], select='params')


def test_a_node_with_a_damaged_name_still_has_its_time(tfprof):
    tfprof.file('g', wire.graph(wire.field(1, wire.message(_1=b'b\xff', _2='NoOp'))))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats(b'b\xff', micros=9)]}))
    done = tfprof('scope', graph_path='g', run_meta_path='r', select='cpu_micros', keep_going=True).ok()
    assert done.rows[1:] == ['  b\\xff (9us/9us)']


@pytest.mark.parametrize('dims, said', [([4, -5], 'has a negative dimension'), ([-2], 'has a negative dimension'),
                                        ([2**40, 2**40], 'more elements than 64 bits can count'),
                                        ([2**63 - 1, 2], 'more elements than 64 bits can count')])
def test_an_impossible_dimension_makes_the_shape_unknown(tfprof, dims, said):
    tfprof.file('g', wire.graph(wire.node('a', dims=[2, 3]), wire.node('b', dims=dims), wire.node('c', outputs=[dims])))
    done = shows_part(tfprof, 'scope', 'g', said=['g: shape [%s] at byte ' % ', '.join(map(str, dims)), said])
    assert done.rows == ['_TFProfRoot (--/6 params)', '  a (2x3, 6/6 params)', '  b (0/0 params)', '  c (0/0 params)']


def test_an_unknown_dimension_is_no_damage(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', dims=[-1, 3]), wire.node('b', dims=[2])))
    done = tfprof('scope', 'g').ok()
    assert done.rows == ['_TFProfRoot (--/2 params)', '  a (-1x3, 0/0 params)', '  b (2, 2/2 params)']
    assert 'warning' not in done.err


def test_a_zero_dimension_among_huge_ones_is_no_overflow(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', dims=[2**31, 0, 2**31])))
    assert tfprof('scope', 'g').ok().rows[1] == '  a (2147483648x0x2147483648, 0/0 params)'


def test_an_impossible_dimension_in_a_profile(tfprof):
    tfprof.file('p', wire.profile(wire.profile_node(1, 'a', dims=[3, -7]), wire.profile_node(2, 'b', dims=[5])))
    done = shows_part(tfprof, 'scope', 'p', said=['p: shape [3, -7]', 'negative dimension'])
    assert done.rows[0] == '_TFProfRoot (--/5 params)'


# --- gzip

def test_gzip_cut_short(tfprof):
    packed = gzip.compress(GRAPH)
    tfprof.file('g', packed[:-60])
    shows_part(tfprof, 'scope', 'g', said=['g: the gzip data ends too early', 'cut short'])


def test_gzip_damaged(tfprof, mlp):
    packed = bytearray(gzip.compress((mlp / 'graph.pb').read_bytes()))
    packed[1500:1507] = b'\0' * 7
    tfprof.file('g', bytes(packed))
    done = shows_part(tfprof, 'scope', 'g', said=['g: the gzip data is damaged near byte'])
    assert len(done.rows) > 3


def test_gzip_of_nothing_and_of_nothing_known(tfprof):
    tfprof.file('g', gzip.compress(b''))
    refused(tfprof, 'scope', 'g', said=['g: the file is empty'])
    tfprof.file('g', gzip.compress(b'just some text\n'))
    refused(tfprof, 'scope', 'g', said=['g: not recognised'])
    tfprof.file('g', b'\x1f\x8b')
    refused(tfprof, 'scope', 'g', said=['g: the gzip data'])


def test_places_in_a_packed_file_are_said_to_be_of_the_unpacked_one(tfprof):
    tfprof.file('g', gzip.compress(wire.graph(wire.node('a'), wire.node('b', dims=[-5]))))
    tfprof('scope', 'g').fails(3, 'g (unpacked): shape [-5] at byte')


# --- text

@pytest.mark.parametrize('text, said', [
    ('node { name: "a" op: "A" }\nnode { name: "b"', "g:2:17: expected '}' to close the 'node' of line 2"),
    ('node { name: "a" op: "A" }\nnode { name: }', "g:2:14: expected a value for 'name', found '}'"),
    ('node { name: "a" op: "A" }\nnode { name: "b" op: "B\n" }', 'g:2:22: string is not closed on its line'),
    ('node { name: "a" op: "A" }\nnode { input: ["x", }', "g:2:"),
    ('node { name: "a" op: "A" }\n}', "g:2:1: expected a field name, found '}'"),
])
def test_unreadable_text_names_line_and_column_and_keeps_what_came_before(tfprof, text, said):
    tfprof.file('g', text)
    done = shows_part(tfprof, 'scope', 'g', said=[said])
    assert 'a' in done.names


def test_damage_in_a_list_of_messages_keeps_the_elements_before(tfprof):
    dims = 'node { name: "a" op: "A" attr { key: "shape" value { shape { dim: [{ size: 2 }, { size: 3 }, %s'
    for rest in ('x', '{ size: x', '{ size: 4', '{ size: 4 } {'):
        tfprof.file('g', dims % rest)
        done = shows_part(tfprof, 'scope', 'g', said=['g:1:'])
        assert done.names[1:] == ['a']
        assert '2x3' in done.rows[1]


def test_text_that_goes_too_deep(tfprof):
    tfprof.file('g', 'node { name: "a" op: "A" }\n' + 'node { attr { value { tensor {' * 400)
    tfprof('scope', 'g').fails(3, 'g:2:')


def test_a_value_out_of_range_in_text(tfprof):
    size = 'dim { size: 99999999999999999999 }'
    tfprof.file('g', 'node { name: "a" op: "A" attr { key: "shape" value { shape { %s } } } }' % size)
    tfprof('scope', 'g').fails(3, 'g:1:', 'out of range')


def test_places_in_text_that_is_well_formed_but_wrong(tfprof):
    tfprof.file('g', 'node { name: "a" op: "A" attr { key: "shape" value { shape { dim { size: -9 } } } } }')
    tfprof('scope', 'g').fails(3, 'g (in binary form): shape [-9]')


def test_a_damaged_text_graph_beside_a_good_binary_one_is_left_out(tfprof):
    tfprof.file('d/graph.pb', GRAPH)
    tfprof.file('d/graph.pbtxt', 'node { name: "a" op: }')
    assert 'graph.pbtxt is left out' in tfprof('scope', 'd').ok().err


# --- what the damage did is counted

def test_damage_is_counted_in_info(tfprof):
    bad = wire.field(1, wire.message(_1='b', _2='NoOp') + b'\x2a\xff\xff\xff\xff\x0f')
    tfprof.file('g', wire.node('a') + bad * 3 + wire.node('c', dims=[-9]))
    done = tfprof('info', 'g', keep_going=True, format='json').ok()
    assert done.json()['damage'] == {'damaged graph node': 3, 'negative dimension': 1}
    assert 'damaged graph node: 3 times in all' in done.err
    text = tfprof('info', 'g', keep_going=True).ok().text
    assert 'damaged graph node' in text.partition('Damage')[2]


def test_entries_of_unknown_nodes_are_counted_not_refused(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    tfprof.file('l', wire.log_entry('a', 5) + wire.log_entry('gone', 7) * 2)
    done = tfprof('info', 'g', 'l', format='json').ok()
    assert done.json()['damage'] == {'op log entries without a node': 2}


def test_what_has_no_name_is_counted_and_left_out(tfprof):
    names = list('abcdefghi')
    tfprof.file('g', wire.graph(*map(wire.node, names), wire.node('')))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('a'), wire.stats('')]}))
    assert tfprof('scope', 'g', 'r').ok().names == ['_TFProfRoot', *names]
    damage = tfprof('info', 'g', 'r', format='json').ok().json()['damage']
    assert damage == {'nodes without a name': 1, 'records without a node name': 1}


def test_a_damaged_call_stack_does_not_shift_the_others(tfprof):
    """Stacks are decoded once and remembered by their bytes: one that cannot be read must not be remembered."""
    def entry(name, code):
        return wire.field(1, wire.message(_1=name, _4=code))

    bad = b'\x0a\x7f'
    one, two = (wire.field(1, wire.trace('m.py', line, 'f')) for line in (1, 2))
    tfprof.file('g', wire.graph(*[wire.node(name, dims=[2]) for name in 'abcde']))
    tfprof.file('l', entry('a', bad) + entry('b', one) + entry('c', two) + entry('d', one) + entry('e', bad))
    done = shows_part(tfprof, 'code', 'g', 'l', said=['l: damaged op log entry at byte 0'], select='params')
    assert done.rows == ['_TFProfRoot (--/6 params)', '  m.py:1:f (4/4 params)', '  m.py:2:f (2/2 params)']


@pytest.mark.parametrize('name', ['host.xplane.pb', 'events.out.tfevents.1.host'])
@pytest.mark.parametrize('content', [b'', b'\xff' * 300, b'garbage'], ids=['empty', 'binary', 'text'])
def test_a_folder_with_a_file_that_is_not_what_its_name_says(tfprof, tmp_path, name, content):
    (tmp_path / 'run').mkdir()
    (tmp_path / 'run' / name).write_bytes(content)
    outcome = tfprof('scope', 'run')
    assert outcome.status == 3 and name in outcome.err
    (tmp_path / 'run' / 'graph.pbtxt').write_text('node { name: "a" op: "NoOp" }')
    assert '  a ' in tfprof('scope', 'run').ok().text
