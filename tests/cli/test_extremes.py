"""Inputs at the edge: correct answers, no crash, in reasonable time and memory.

With sanitizers a million becomes a hundred thousand.
"""
import pytest
from support import wire
from support.tool import Tool, is_sanitized, run


@pytest.fixture
def tfprof(classic):
    """What these tests look at are rows in TensorFlow's order."""
    return classic


MILLION = 100_000 if is_sanitized() else 1_000_000
MAX = 2**63 - 1
TOO_LARGE = 'exceed'


def short(number: int, text: bytes) -> bytes:
    """A length-delimited field whose length fits one byte: what a million records can be made of quickly."""
    return bytes([number << 3 | 2, len(text)]) + text


def many_nodes(names, inputs=None) -> bytes:
    """A GraphDef of nodes of type Add with 2 parameters each."""
    shape = wire.node('', dims=[2])[2:].partition(b'NoOp')[2]  # the attribute alone
    out = []
    for i, name in enumerate(names):
        source = inputs(i) if inputs else None
        out.append(short(1, short(1, name) + short(2, b'Add') + (short(3, source) if source else b'') + shape))
    return b''.join(out)


def many_runs(names) -> bytes:
    start = wire.field(2, 1000) + wire.field(4, 3)
    device = wire.field(1, wire.CPU) + b''.join(short(2, short(1, name) + start) for name in names)
    return wire.field(1, wire.field(1, device))


def many_entries(names) -> bytes:
    code = wire.field(4, wire.field(1, wire.trace('/home/me/main.py', 7, 'build')))
    return b''.join(wire.field(1, short(1, name) + wire.field(2, 5) + code) for name in names)


@pytest.fixture(scope='module')
def chain(binary, tmp_path_factory):
    """A million nodes, each the input of the next, that ran 3 us each and are built at one line of code."""
    tool = Tool(binary, tmp_path_factory.mktemp('chain'), '--classic')
    names = [b'n%d' % i for i in range(MILLION)]
    tool.file('graph', many_nodes(names, lambda i: names[i - 1] if i else None))
    tool.file('run_meta_0', many_runs(names))
    tool.file('log', many_entries(names))
    return tool


INPUTS = ['graph', 'run_meta_0', 'log']


@pytest.mark.parametrize('view', ['scope', 'graph', 'op', 'code'])
def test_a_chain_of_a_million_nodes(chain, view):
    done = chain(view, *INPUTS, '-max_depth', '1', format='json', timeout=60).ok() if view != 'op' else \
        chain(view, *INPUTS, '-max_depth', '0', format='csv', select='micros,params,float_ops', timeout=60).ok()
    if view == 'op':
        root = done.csv()[0]
        figures = [int(root['total_' + name]) for name in ('micros', 'params', 'float_ops')]
    else:
        root = done.json()['root']
        figures = [root['total_' + name] for name in ('exec_micros', 'parameters', 'float_ops')]
    assert figures == [3 * MILLION, 2 * MILLION, 5 * MILLION]


def test_every_row_of_a_chain_of_a_million_nodes(chain):
    done = chain('graph', *INPUTS, max_depth=10 * MILLION, format='csv', select='params', output='file:outfile=rows',
                 timeout=60).ok()
    assert done.out == b''
    with open(chain.folder / 'rows', encoding='utf-8') as f:
        lines = f.read().splitlines()
    assert len(lines) == MILLION + 2
    assert lines[1] == '_TFProfRoot,0,0,%d' % (2 * MILLION)
    assert lines[2] == 'n%d,1,2,%d' % (MILLION - 1, 2 * MILLION)
    assert lines[-1] == 'n0,%d,2,2' % MILLION


def test_a_chain_of_a_million_nodes_as_json(chain):
    """A million levels of nesting: more than readers take, but every bracket is closed."""
    chain('graph', 'graph', max_depth=10 * MILLION, format='json', outfile='tree', timeout=60).ok()
    text = (chain.folder / 'tree').read_bytes()
    assert text.count(b'"children":[') == MILLION
    assert text.rstrip().endswith(b']}' * 100 + b'}')


def test_a_million_nodes_in_one_scope(tfprof):
    names = [b'model/layer/n%07d' % (MILLION - 1 - i) for i in range(MILLION)]
    tfprof.file('g', many_nodes(names))
    root = tfprof('scope', 'g', max_depth=3, format='json', timeout=60).ok().json()['root']
    assert root['total_parameters'] == 2 * MILLION
    assert root['total_definition_count'] == MILLION + 2
    tfprof('scope', 'g', '-o', 'rows', format='csv', timeout=60).ok()
    lines = (tfprof.folder / 'rows').read_text().splitlines()
    assert len(lines) == MILLION + 4
    assert lines[4].startswith('model/layer/n0000000,3,') and lines[-1].startswith('model/layer/n%07d' % (MILLION - 1))


def test_a_million_scopes_of_one_node(tfprof):
    tfprof.file('g', many_nodes([b'scope%d/n' % i for i in range(MILLION // 2)]))
    root = tfprof('scope', 'g', max_depth=1, format='json', timeout=60).ok().json()['root']
    assert root['total_parameters'] == MILLION
    assert root['total_definition_count'] == MILLION // 2 * 2


def test_a_million_op_types(tfprof):
    tfprof.file('g', b''.join(short(1, short(1, b'n%d' % i) + short(2, b'Op%d' % i)) for i in range(MILLION)))
    done = tfprof('op', 'g', max_depth=2, select='occurrence', timeout=60).ok()
    assert [row.split()[0] for row in done.rows] == ['Op0', 'Op1', 'Op10']


def test_a_scope_of_ten_thousand_levels(tfprof):
    deep = '/'.join(['s'] * 10000)
    tfprof.file('g', wire.graph(wire.node(deep + '/leaf', dims=[7]), wire.node('top', dims=[2])))
    rows = tfprof('scope', 'g').ok().rows
    assert rows[0] == '_TFProfRoot (--/9 params)'
    assert rows[1] == '  s (0/7 params)' and len(rows) == 11  # nine levels, and top
    found = tfprof('scope', 'g', max_depth=20000, show_name_regexes='.*/leaf', format='csv').ok().csv()
    assert [(row['path'], row['params']) for row in found[1:]] == [(deep + '/leaf', '7')]
    tree = tfprof('scope', 'g', max_depth=20000, format='json', outfile='tree').ok()
    assert tree.out == b'' and (tfprof.folder / 'tree').read_bytes().count(b'"children":[') == 10001


def test_a_call_stack_of_ten_thousand_frames(tfprof):
    frames = [wire.trace('/a/rec.py', 5, 'f')] * 9999 + [wire.trace('/a/rec.py', 9, 'leaf')]
    tfprof.file('g', wire.graph(wire.node('a', dims=[3])))
    tfprof.file('l', wire.log_entry('a', frames=frames))
    rows = tfprof('code', 'g', 'l', select='params').ok().rows
    assert rows[:2] == ['_TFProfRoot (--/3 params)', '  rec.py:5:f (0/3 params)'] and len(rows) == 10
    found = tfprof('code', 'g', 'l', select='params', max_depth=20000, show_name_regexes='.*leaf').ok().rows
    assert found == ['_TFProfRoot (--/3 params)', '  rec.py:9:leaf (3/3 params)']


@pytest.mark.parametrize('name', ['x' * 1_000_000, 'ü' * 500_000], ids=['ascii', 'utf-8'])
def test_a_name_of_a_megabyte(tfprof, name):
    tfprof.file('g', wire.graph(wire.node(name, dims=[4]), wire.node('b', 'Add', [name])))
    assert tfprof('scope', 'g').ok().rows[2] == '  %s (4, 4/4 params)' % name
    assert tfprof('graph', 'g').ok().names == ['_TFProfRoot', 'b', name]
    assert tfprof('scope', 'g', format='json').ok().json()['root']['children'][1]['name'] == name
    assert tfprof('scope', 'g', show_name_regexes='x*|ü*').ok().names == ['_TFProfRoot', name]


def test_a_name_of_400000_slashes(tfprof):
    name = 'a/' * 200_000 + '/' * 200_000
    tfprof.file('g', wire.graph(wire.node(name, dims=[4]), wire.node(name + 'x', dims=[1])))
    rows = tfprof('scope', 'g').ok().rows
    assert rows[:2] == ['_TFProfRoot (--/5 params)', '  a (0/5 params)'] and len(rows) == 10
    tfprof('graph', 'g', output='none').ok()
    root = tfprof('scope', 'g', max_depth=1, format='json').ok().json()['root']
    assert root['total_definition_count'] == 400_001 + 1


@pytest.mark.parametrize('name', ['/', '//', '/a', 'a/', 'a//b', '_TFProfRoot', ' ', '.', 'a b/c d'])
def test_odd_names(tfprof, name):
    tfprof.file('g', wire.graph(wire.node('z', dims=[2]), wire.node(name, dims=[3])))
    assert tfprof('scope', 'g').ok().rows[0] == '_TFProfRoot (--/5 params)'
    assert name in [row['path'] for row in tfprof('scope', 'g', format='csv').ok().csv()]
    assert tfprof('graph', 'g').ok().rows[0] == '_TFProfRoot (--/5 params)'


# --- cycles, duplicates, nothing

def test_a_cycle_that_is_reached_counts_every_node_once(tfprof):
    nodes = [wire.node('out', inputs=['a'], dims=[1]), wire.node('a', inputs=['b'], dims=[2]),
             wire.node('b', inputs=['c', 'b'], dims=[4]), wire.node('c', inputs=['a'], dims=[8])]
    tfprof.file('g', wire.graph(*nodes))
    assert tfprof('graph', 'g').ok().rows == [
        '_TFProfRoot (--/15 params)', '  out (1, 1/15 params)', '    a (2, 2/14 params)', '      b (4, 4/12 params)',
        '        c (8, 8/8 params)']
    assert tfprof('scope', 'g').ok().rows[0] == '_TFProfRoot (--/15 params)'


def test_a_cycle_that_nothing_leads_to_is_left_out_of_the_graph_view_and_said(tfprof):
    nodes = [wire.node('a', inputs=['b'], dims=[2]), wire.node('b', inputs=['a'], dims=[4]), wire.node('c', dims=[8]),
             wire.node('self', inputs=['self'], dims=[16])]
    tfprof.file('g', wire.graph(*nodes))
    done = tfprof('graph', 'g').ok()
    assert done.names == ['_TFProfRoot', 'c']
    assert '3 nodes are left out' in done.err and 'cycle' in done.err
    assert tfprof('scope', 'g').ok().rows[0] == '_TFProfRoot (--/30 params)'
    assert 'cycle' not in tfprof('scope', 'g').ok().err


def test_a_cycle_of_a_million_nodes(chain):
    names = [b'n%d' % i for i in range(MILLION)]
    chain.file('ring', many_nodes(names, lambda i: names[i - 1]) + many_nodes([b'out'], lambda i: names[-1]))
    root = chain('graph', 'ring', max_depth=1, format='json', timeout=60).ok().json()['root']
    assert root['total_parameters'] == 2 * (MILLION + 1)


def test_of_duplicate_names_the_first_counts(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', 'First', dims=[2]), wire.node('a', 'Second', dims=[3]),
                                wire.node('b', inputs=['a', 'a'], dims=[4]), wire.node('a', 'Third')))
    assert tfprof('graph', 'g', select='params,op_types').ok().rows == [
        '_TFProfRoot (--/6 params, _TFGraphParent)', '  b (4, 4/6 params, NoOp)', '    a (2, 2/2 params, First)']
    assert tfprof('info', 'g', format='json').ok().json()['damage'] == {'duplicate node names': 2}


def test_a_graph_without_nodes(tfprof):
    tfprof.file('g', wire.graph())
    assert tfprof('scope', 'g').ok().rows == ['_TFProfRoot (--/0 params)']
    assert tfprof('graph', 'g').ok().rows == ['_TFProfRoot (--/0 params)']
    assert tfprof('op', 'g').ok().rows == []
    tfprof('code', 'g').fails(3, 'call stacks')
    for form in ('json', 'csv', 'markdown'):
        for view in ('scope', 'graph', 'op'):
            tfprof(view, 'g', format=form).ok()
    assert tfprof('info', 'g', format='json').ok().json()['nodes'] == 0


def test_run_metadata_without_records(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    tfprof.file('r', wire.run_metadata({wire.CPU: []}))
    done = tfprof('scope', 'g', 'r').ok()
    assert done.rows == ['_TFProfRoot (--/0us, --/0us, --/0us)', '  a (0us/0us, 0us/0us, 0us/0us)']


# --- many edges

def test_a_node_with_100000_inputs(tfprof):
    names = [b'n%d' % i for i in range(100_000)]
    tfprof.file('g', many_nodes(names) + wire.node('sum', 'AddN', [name.decode() for name in names]))
    done = tfprof('graph', 'g', format='csv', select='params').ok().csv()
    assert len(done) == 100_002
    assert done[1]['path'] == 'sum' and done[1]['total_params'] == '200000'
    assert tfprof('op', 'g', select='input_shapes,params', account_type_regexes='AddN').ok().rows


def test_a_node_with_100000_consumers(tfprof):
    tfprof.file('g', many_nodes([b'hub'] + [b'n%d' % i for i in range(100_000)], lambda i: b'hub' if i else None))
    root = tfprof('graph', 'g', max_depth=1, format='json').ok().json()['root']
    assert root['total_parameters'] == 2 * 100_001


# --- sums that do not fit 64 bits

def test_times_that_do_not_fit_stay_at_the_largest_number(tfprof):
    tfprof.file('g', wire.graph(wire.node('s/a'), wire.node('s/b')))
    records = [wire.stats('s/a', start=1, micros=MAX), wire.stats('s/b', micros=7)]
    tfprof.file('r', wire.run_metadata({wire.CPU: records}))
    for view in ('scope', 'graph', 'op'):
        done = tfprof(view, 'g', 'r', format='json').ok()
        assert MAX / 1e6 <= done.json()['root']['total_exec_micros'] < MAX / 1e6 + 10  # kept in picoseconds
        assert TOO_LARGE in done.err
        assert any(TOO_LARGE in warning for warning in done.json()['warnings'])


def test_times_of_one_node_that_do_not_fit(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('a', start=1, micros=MAX - 5)] * 2}))
    done = tfprof('scope', 'g', 'r', format='json').ok()
    assert done.json()['root']['children'][0]['exec_micros'] == pytest.approx(MAX / 1e6)  # kept in picoseconds
    assert 'r: figures of step 0 ' + TOO_LARGE in done.err
    assert tfprof('info', 'g', 'r', format='json').ok().json()['damage'] == {'saturated sums': 1}


def test_bytes_that_do_not_fit(tfprof):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    huge = dict(total=MAX, peak=MAX, live=MAX, output=MAX, temp=9, persistent=9)
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('a', **huge), wire.stats('b', **huge)]}))
    done = tfprof('scope', 'g', 'r', format='json').ok()
    root = done.json()['root']
    for name in ('requested', 'peak', 'residual', 'output'):
        assert root['total_%s_bytes' % name] == MAX
    assert TOO_LARGE in done.err


def test_parameters_and_float_ops_that_do_not_fit(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', dims=[MAX]), wire.node('b', dims=[MAX])))
    tfprof.file('l', wire.log_entry('a', MAX) + wire.log_entry('b', MAX))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('a')] * 3}))
    done = tfprof('scope', 'g', 'l', 'r', format='json').ok()
    assert done.json()['root']['total_parameters'] == MAX
    assert done.json()['root']['total_float_ops'] == MAX
    assert TOO_LARGE in done.err
    assert 'params' in tfprof('scope', 'g', 'l', 'r', select='params,float_ops').ok().text


def test_a_sum_that_just_fits_is_exact_and_without_a_warning(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', dims=[MAX - 7]), wire.node('b', dims=[7])))
    done = tfprof('scope', 'g', format='json').ok()
    assert done.json()['root']['total_parameters'] == MAX
    assert TOO_LARGE not in done.err


def test_a_profile_with_sums_that_do_not_fit(tfprof):
    execs = {0: (MAX, 5, MAX), 1: (MAX, 5, MAX)}
    tfprof.file('p', wire.profile(wire.profile_node(1, 'a', device=wire.CPU.lower(), execs=execs, float_ops=MAX),
                                  steps=[0, 1]))
    for step in (0, -1):
        done = tfprof('scope', 'p', format='json', step=step).ok()
        assert 0 < done.json()['root']['total_exec_micros'] <= MAX
        assert TOO_LARGE in done.err


@pytest.mark.parametrize('value', [-1, -2**63])
def test_negative_figures_do_no_harm(tfprof, value):
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    tfprof.file('r', wire.run_metadata({wire.CPU: [
        wire.stats('a', micros=value, total=value, peak=value, live=value, output=value),
        wire.stats('b', start=value, micros=value)]}))
    tfprof.file('l', wire.log_entry('a', value))
    for view in ('scope', 'graph', 'op'):
        tfprof(view, 'g', 'r', 'l', select='bytes,micros,float_ops,occurrence').ok()


# --- steps

def test_a_step_number_at_the_end_of_the_range(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('a', micros=5)]}))
    done = tfprof('scope', graph_path='g', run_meta_path='%d=r' % MAX, step=MAX, select='cpu_micros').ok()
    assert done.rows[1] == '  a (5us/5us)'


def test_a_thousand_steps(tfprof):
    tfprof.file('g', wire.graph(wire.node('a')))
    runs = [tfprof.file('r%d' % i, wire.run_metadata({wire.CPU: [wire.stats('a', micros=i)]})) for i in range(1, 1001)]
    done = tfprof('scope', graph_path='g', run_meta_path=runs, select='cpu_micros').ok()
    assert done.rows[1] == '  a (500us/500us)'  # 500.5, as integers


def test_memory_stays_small_when_a_length_promises_much(tfprof, binary):
    """A file of 40 bytes that speaks of 2^62 must not make the tool ask for that much memory."""
    if is_sanitized(binary):
        pytest.skip('sanitizers reserve address space')
    tfprof.file('g', wire.node('a') + b'\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x3f')
    limited = ['sh', '-c', 'ulimit -v 1000000; exec "$0" scope g', binary]
    run(limited, tfprof.folder).fails(3, 'longer than the rest')


def test_a_hundred_thousand_types_of_one_node(tfprof):
    types = ['type%05d' % i for i in range(100_000)]
    tfprof.file('g', wire.graph(wire.node('a'), wire.node('b')))
    tfprof.file('l', wire.log_entry('a', 1, types) + wire.log_entry('b', 1, ['type00001']))
    assert tfprof('op', 'g', 'l', account_type_regexes='type00001', select='occurrence').ok().rows[0].endswith('n/a|2')
    damage = tfprof('info', 'g', 'l', format='json').ok().json()['damage']
    assert damage == {'types or devices beyond 256 of one node': 100_000 - 256}


def test_a_profile_of_a_hundred_thousand_steps(tfprof):
    steps = b''.join(wire.varint(step) for step in range(100_000, 0, -1))
    tfprof.file('p', wire.profile_node(1, 'a') + wire.field(3, steps))
    assert len(tfprof('info', 'p', format='json').ok().json()['steps']) == 100_000


@pytest.mark.parametrize('freed, shares', [(-1, ['0.00%, 0.00%', 'inf%, inf%']), (-3, ['0.00%, 0.00%', '-50.00%, -50.00%'])])
def test_shares_of_memory_that_was_given_back(tfprof, freed, shares):
    """As TensorFlow has them: none for an op type with less than nothing, and of a sum of nothing an infinite one."""
    tfprof.file('g', wire.graph(wire.node('a', 'Free'), wire.node('b', 'Keep')))
    tfprof.file('s', wire.run_metadata({wire.CPU: [wire.stats('a', live=freed), wire.stats('b', live=1)]}))
    lines = tfprof('op', 'g', 's', select='residual_bytes', order_by='name', min_residual_bytes=-10).ok().text.splitlines()[-2:]
    assert [line.split('(')[1].rstrip(')') for line in lines] == shares
