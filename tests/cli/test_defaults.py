"""What nobody asked for is chosen to be useful; --classic does everything as TensorFlow's tfprof."""
from support import wire


def a_run(tfprof, types=30):
    """`types` op types, type_NN taking NN microseconds in the one step; half of the nodes never ran."""
    nodes = [wire.node('n%02d' % i, 'Type%02d' % i) for i in range(types)]
    nodes += [wire.node('idle/m%02d' % i, 'Idle%02d' % i) for i in range(types)]
    tfprof.file('g', wire.graph(*nodes))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('n%02d' % i, start=1000, micros=i + 1) for i in range(types)]}))
    return 'g', 'r'


def types(rows):
    return [row.split()[0] for row in rows if not row.startswith('...')]


def test_op_shows_the_twenty_most_expensive_and_says_what_is_left(tfprof):
    rows = tfprof('op', *a_run(tfprof)).ok().rows
    assert types(rows) == ['Type%02d' % i for i in range(29, 9, -1)]
    assert rows[-1] == '... 10 more rows, 30 rows of zeros: -max_rows 0'


def test_columns_without_data_are_left_out(tfprof):
    inputs = a_run(tfprof)
    legend = [line for line in tfprof('op', *inputs).ok().text.splitlines() if line.startswith('node name')]
    assert legend == ['node name | total execution time | cpu execution time']
    asked = tfprof('op', *inputs, select='accelerator_micros').ok().text
    assert 'node name | accelerator execution time' in asked


def test_what_is_asked_for_is_done_to_the_letter(tfprof):
    inputs = a_run(tfprof)
    rows = tfprof('op', *inputs, max_rows=0).ok().rows
    assert len(rows) == 60 and types(rows)[:30] == ['Type%02d' % i for i in range(29, -1, -1)]
    rows = tfprof('op', *inputs, max_rows=3, order_by='name').ok().rows
    assert types(rows) == ['Idle00', 'Idle01', 'Idle02'] and rows[-1] == '... 57 more rows: -max_rows 0'
    rows = tfprof('op', *inputs, max_depth=4, order_by='name').ok().rows
    assert types(rows) == [] and '5 rows of zeros' in rows[-1]
    assert types(tfprof('op', *inputs, show_name_regexes='Idle0[12]').ok().rows) == ['Idle01', 'Idle02']


def test_programs_get_every_row_and_the_number_left_out(tfprof):
    inputs = a_run(tfprof)
    whole = tfprof('op', *inputs, format='json').ok().json()
    assert len(whole['root']['children']) == 60 and whole['left_out'] == {'rows': 0, 'zeros': 0, 'deeper': 0}
    assert len(tfprof('op', *inputs, format='csv').ok().csv()) == 61
    cut = tfprof('op', *inputs, format='json', max_rows=7).ok().json()
    assert [row['name'] for row in cut['root']['children']][:2] == ['Type29', 'Type28']
    assert len(cut['root']['children']) == 7 and cut['left_out']['rows'] == 53


def test_markdown_says_what_is_left(tfprof):
    assert '... 10 more rows, 30 rows of zeros: -max_rows 0' in tfprof('op', *a_run(tfprof), format='markdown').ok().text


def test_a_tree_keeps_its_largest_rows_with_their_parents(tfprof):
    tfprof.file('g', wire.graph(*[wire.node('%s/x%d' % (scope, i), 'Add') for scope in 'abc' for i in range(3)]))
    times = {'a': 1, 'b': 100, 'c': 10}
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('%s/x%d' % (scope, i), start=1000, micros=time * (i + 1))
                                                  for scope, time in times.items() for i in range(3)]}))
    whole = tfprof('scope', 'g', 'r').ok()
    assert whole.names[:5] == ['_TFProfRoot', 'b', 'b/x2', 'b/x1', 'b/x0']
    cut = tfprof('scope', 'g', 'r', max_rows=4).ok()
    assert cut.names[:5] == ['_TFProfRoot', 'b', 'b/x2', 'b/x1', 'b/x0'] and cut.rows[-1] == '... 8 more rows: -max_rows 0'
    cut = tfprof('scope', 'g', 'r', max_rows=5).ok()
    assert cut.names[:6] == ['_TFProfRoot', 'b', 'b/x2', 'b/x1', 'b/x0', 'c']


def test_rows_below_the_depth_that_nobody_chose_are_counted(tfprof):
    name = '/'.join('s%d' % i for i in range(14))
    tfprof.file('g', wire.graph(wire.node(name, 'Add')))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats(name, start=1000, micros=5)]}))
    assert tfprof('scope', 'g', 'r').ok().rows[-1] == '... 5 rows deeper than 10: -max_depth 1000'
    assert '...' not in tfprof('scope', 'g', 'r', max_depth=10).ok().text
    assert '...' not in tfprof('scope', 'g', 'r', max_depth=20).ok().text


def test_order_is_by_what_is_shown_and_was_recorded(tfprof):
    variable = lambda name, size: wire.node(name, 'VariableV2', dims=[size])
    tfprof.file('g', wire.graph(variable('a', 1), variable('b', 9), variable('c', 4)))
    assert tfprof('scope', 'g').ok().names == ['_TFProfRoot', 'b', 'c', 'a']
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('c', start=1000, micros=5)]}))
    assert tfprof('scope', 'g', 'r').ok().names[:2] == ['_TFProfRoot', 'c']
    assert tfprof('scope', 'g', 'r', select='params').ok().names[:4] == ['_TFProfRoot', 'b', 'c', 'a']


def test_classic_is_tensorflows_order_columns_and_rows(tfprof):
    inputs = a_run(tfprof)
    classic = tfprof('op', *inputs, '--classic').ok()
    assert types(classic.rows) == ['Idle%02d' % i for i in range(11)]
    assert 'total execution time | accelerator execution time | cpu execution time' in classic.text
    scope = tfprof('scope', *inputs, '-classic').ok().names
    assert scope[:3] == ['_TFProfRoot', 'idle', 'idle/m00'] and len(scope) == 62


def test_every_table_obeys_max_rows(tfprof):
    inputs = a_run(tfprof)
    report = tfprof('summary', *inputs, format='json', max_rows=2).ok().json()
    assert all(len(top['items']) <= 2 for top in report['top'])
    text = tfprof('steps', *inputs, max_rows=1).ok().text
    assert text
