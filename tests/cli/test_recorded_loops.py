"""Float ops of what ran: loops, branches and functions are inlined before they run, and ops fused."""
from support import models, wire
from support.models import FLOAT, INT32, a_func, a_type, a_types, attr, body_node

ROUNDS = 50
PRODUCT = 2 * 16 * 32 * 32  # of one round


def labelled(name, op, runs):
    """Records of one node, with the label that names its op."""
    return [wire.message(_1=name, _2=1000 + 10 * i, _4=5, _8='[cpu 1.0MB 2.0MB] %s = %s(a, b)' % (name, op)) for i in range(runs)]


def looping_graph(extra=()):
    """x = tanh(x w), as often as a tensor says: the graph cannot tell."""
    attrs = attr('T', a_types([INT32, FLOAT, FLOAT, INT32])) + attr('body', a_func('body')) + attr('cond', a_func('cond'))
    nodes = [wire.node('x', 'Placeholder', dims=[16, 32], attrs=attr('dtype', a_type(FLOAT))),
             wire.node('w', 'Placeholder', dims=[32, 32], attrs=attr('dtype', a_type(FLOAT))),
             wire.node('n', 'Placeholder', dims=[], attrs=attr('dtype', a_type(INT32))), models.const('zero', 0),
             wire.node('while', 'While', ['zero', 'x', 'w', 'n'], attrs=attrs)]
    names = ['i', 'h', 'w', 'n']
    body = models.function('body', names, {'a': 'add:z:0', 'b': 'while/Tanh:y:0', 'c': 'w', 'd': 'n'}, [
        body_node('while/MatMul', 'MatMul', ['h', 'w'], attr('T', a_type(FLOAT))),
        body_node('while/Tanh', 'Tanh', ['while/MatMul:product:0'], attr('T', a_type(FLOAT))),
        body_node('one', 'Const', [], attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([], [1]))),
        body_node('add', 'AddV2', ['i', 'one:output:0'], attr('T', a_type(INT32)))])
    cond = models.function('cond', names, {'go': 'while/Less:z:0'}, [
        body_node('while/Less', 'Less', ['i', 'n'], attr('T', a_type(INT32)))])
    return models.with_library(wire.graph(*nodes, *extra), body, cond)


def run_of_loop(product='MatMul'):
    records = labelled('while/cond/_0/while/Less', 'Less', ROUNDS + 1) + labelled('while/body/_1/while/Tanh', 'Tanh', ROUNDS)
    if product:
        records += labelled('while/body/_1/while/MatMul', product, ROUNDS)
    return wire.run_metadata({wire.CPU: records + labelled('while/body/_1/add', 'AddV2', ROUNDS)})


def float_ops(tfprof, *words, **options):
    return tfprof('op', 'g', 'r', *words, select='float_ops,occurrence', format='json', **options).ok().json()['root']


EXPECTED = ROUNDS * (PRODUCT + 16 * 32)  # counting rounds is arithmetic on integers


def test_a_loop_counts_the_rounds_that_ran(tfprof):
    tfprof.file('g', looping_graph())
    tfprof.file('r', run_of_loop())
    assert float_ops(tfprof)['total_float_ops'] == EXPECTED
    summary = tfprof('summary', 'g', 'r', format='json').ok().json()
    assert summary['float_ops'] == EXPECTED


def test_the_rate_follows(tfprof):
    tfprof.file('g', looping_graph())
    tfprof.file('r', run_of_loop())
    root = tfprof('scope', 'g', 'r', select='float_ops,micros,flop_rate', format='json').ok().json()['root']
    assert root['total_exec_micros'] == 5 * (4 * ROUNDS + 1) and root['total_float_ops'] == EXPECTED


def test_what_never_ran_does_not_count(tfprof):
    """Copies that tracing made, and what the optimizer of graphs folded away."""
    copy = wire.node('copy', 'MatMul', ['x', 'w'], attrs=attr('T', a_type(FLOAT)))
    tfprof.file('g', looping_graph([copy]))
    tfprof.file('r', run_of_loop())
    assert float_ops(tfprof)['total_float_ops'] == EXPECTED


def test_a_recording_may_have_the_inlined_nodes_in_its_graph(tfprof):
    """As the package records: the nodes are there, of the op that ran, but without their inputs."""
    inlined = [wire.node('while/body/_1/while/MatMul', '_MklMatMul'), wire.node('while/body/_1/while/Tanh', 'Tanh')]
    tfprof.file('g', looping_graph(inlined))
    tfprof.file('r', run_of_loop('_MklMatMul'))
    assert float_ops(tfprof)['total_float_ops'] == EXPECTED


def test_a_fused_kernel_does_what_it_took_in(tfprof):
    """The product never runs by itself: the kernel has the name of the last op that it took in."""
    tfprof.file('g', looping_graph())
    records = labelled('while/body/_7/while/Tanh', '_FusedMatMul', 3) + labelled('while/cond/_6/while/Less', 'Less', 4)
    tfprof.file('r', wire.run_metadata({wire.CPU: records}))
    assert float_ops(tfprof)['total_float_ops'] == 3 * (PRODUCT + 16 * 32)


def test_what_cannot_be_counted_is_said(tfprof):
    tfprof.file('g', looping_graph())
    records = labelled('while/body/_1/while/Tanh', 'Tanh', 2) + labelled('made/by/the/runtime', 'MatMul', 1)
    tfprof.file('r', wire.run_metadata({wire.CPU: records}))
    outcome = tfprof('op', 'g', 'r', select='float_ops').ok()
    assert 'at least' in outcome.err and 'made/by/the/runtime' in outcome.err


def test_a_loop_of_frames_counts_its_rounds(tfprof):
    """TensorFlow 1: the nodes of the loop are in the graph and run many times."""
    f = attr('frame_name', models.a_text('loop')) + attr('T', a_type(FLOAT))
    constant = attr('is_constant', models.a_bool(True))
    tfprof.file('g', wire.graph(
        wire.node('x', 'Placeholder', dims=[16, 32], attrs=attr('dtype', a_type(FLOAT))),
        wire.node('w', 'Placeholder', dims=[32, 32], attrs=attr('dtype', a_type(FLOAT))),
        wire.node('go', 'Placeholder', dims=[], attrs=attr('dtype', a_type(10))),
        wire.node('l/Enter', 'Enter', ['x'], attrs=f), wire.node('l/Enter_1', 'Enter', ['w'], attrs=f + constant),
        wire.node('l/Enter_2', 'Enter', ['go'], attrs=f + constant),
        wire.node('l/Merge', 'Merge', ['l/Enter', 'l/NextIteration'], attrs=attr('T', a_type(FLOAT)) + attr('N', models.a_int(2))),
        wire.node('l/LoopCond', 'LoopCond', ['l/Enter_2']),
        wire.node('l/Switch', 'Switch', ['l/Merge', 'l/LoopCond'], attrs=attr('T', a_type(FLOAT))),
        wire.node('l/MatMul', 'MatMul', ['l/Switch:1', 'l/Enter_1'], attrs=attr('T', a_type(FLOAT))),
        wire.node('l/NextIteration', 'NextIteration', ['l/MatMul'], attrs=attr('T', a_type(FLOAT))),
        wire.node('l/Exit', 'Exit', ['l/Switch'], attrs=attr('T', a_type(FLOAT)))))
    tfprof.file('r', wire.run_metadata({wire.CPU: labelled('l/MatMul', 'MatMul', 9) + labelled('l/Exit', 'Exit', 1)}))
    assert float_ops(tfprof)['total_float_ops'] == 9 * PRODUCT


CALLED = attr('_tfprof_called', models.a_bool(True))
F = attr('T', a_type(FLOAT))


def called(name, op, inputs):
    return wire.node(name, op, inputs, attrs=F + CALLED)


def layer_graph(mark):
    """layer/MatMul, then two sums, as the package records them."""
    inputs = [wire.node('x', 'Placeholder', dims=[16, 32], attrs=attr('dtype', a_type(FLOAT))),
              wire.node('w', 'Placeholder', dims=[32, 32], attrs=attr('dtype', a_type(FLOAT)))]
    nodes = [('layer/MatMul', 'MatMul', ['x', 'w']), ('layer/BiasAdd', 'AddV2', ['layer/MatMul', 'x']),
             ('layer/add', 'AddV2', ['layer/BiasAdd', 'x']), ('next/Neg', 'Neg', ['layer/add'])]
    return wire.graph(*inputs, *(wire.node(*node, attrs=F + (CALLED if mark else b'')) for node in nodes))


def by_name(tfprof):
    root = tfprof('scope', 'g', 'r', select='float_ops', format='json', max_rows=0, order_by='name').ok().json()['root']
    found, pending = {}, [root]
    while pending:
        node = pending.pop()
        found[node['name']] = node.get('float_ops')
        pending += node.get('children', [])
    return root['total_float_ops'], found


def test_an_optimizers_name_is_that_of_what_it_replaced(tfprof):
    tfprof.file('g', layer_graph(mark=False))
    tfprof.file('r', wire.run_metadata({wire.CPU: [
        *labelled('layer/MatMul', 'MatMul', 1), *labelled('next/Neg', 'Neg', 1),
        *labelled('layer/ArithmeticOptimizer/AddOpsRewrite_Leaf_0_add', 'AddN', 1),
        *labelled('layer/ArithmeticOptimizer/AddOpsRewrite_add', 'AddN', 1)]}))
    total, found = by_name(tfprof)
    assert total == PRODUCT + 3 * 16 * 32
    assert found['layer/ArithmeticOptimizer/AddOpsRewrite_add'] == 2 * 16 * 32, 'with the sum that went into it'


def test_what_was_merged_counts_where_it_went(tfprof):
    """The sums never ran under their names; the recorder says that they were called."""
    tfprof.file('g', layer_graph(mark=True))
    tfprof.file('r', wire.run_metadata({wire.CPU: labelled('layer/MatMul', '_FusedMatMul', 1) + labelled('next/Neg', 'Neg', 1)}))
    total, found = by_name(tfprof)
    assert total == PRODUCT + 3 * 16 * 32
    assert found['layer/MatMul'] == PRODUCT + 2 * 16 * 32 and found['next/Neg'] == 16 * 32, 'the fused kernel of the layer'


def test_without_the_recorders_mark_nothing_is_guessed(tfprof):
    """Sessions run parts of graphs."""
    tfprof.file('g', layer_graph(mark=False))
    tfprof.file('r', wire.run_metadata({wire.CPU: labelled('layer/MatMul', 'MatMul', 1)}))
    assert by_name(tfprof)[0] == PRODUCT


def test_a_call_that_ran_as_one_node_counts_what_is_in_it(tfprof):
    """As XLA compiles it."""
    tfprof.file('g', wire.graph(
        wire.node('x', 'Placeholder', dims=[16, 32], attrs=attr('dtype', a_type(FLOAT))),
        wire.node('w', 'Placeholder', dims=[32, 32], attrs=attr('dtype', a_type(FLOAT))),
        called('call/MatMul', 'MatMul', ['x', 'w']), called('call/Neg', 'Neg', ['call/MatMul'])))
    tfprof.file('r', wire.run_metadata({wire.CPU: labelled('call', '_XlaRun', 1)}))
    total, found = by_name(tfprof)
    assert total == found['call'] == PRODUCT + 16 * 32


def test_what_a_body_computes_for_nothing_does_not_count(tfprof):
    names = ['i', 'h', 'w', 'n']
    attrs = attr('T', a_types([INT32, FLOAT, FLOAT, INT32])) + attr('body', a_func('body')) + attr('cond', a_func('cond'))
    body = models.function('body', names, {'a': 'add:z:0', 'b': 'h', 'c': 'w', 'd': 'n'}, [
        body_node('unused', 'MatMul', ['h', 'w'], F),
        body_node('one', 'Const', [], attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([], [1]))),
        body_node('add', 'AddV2', ['i', 'one:output:0'], attr('T', a_type(INT32)))])
    cond = models.function('cond', names, {'go': 'Less:z:0'}, [
        body_node('Less', 'Less', ['i', 'n'], attr('T', a_type(INT32)))])
    tfprof.file('g', models.with_library(wire.graph(
        wire.node('x', 'Placeholder', dims=[16, 32], attrs=attr('dtype', a_type(FLOAT))),
        wire.node('w', 'Placeholder', dims=[32, 32], attrs=attr('dtype', a_type(FLOAT))), models.const('zero', 0),
        models.const('five', 5), wire.node('Neg', 'Neg', ['x'], attrs=F),
        wire.node('while', 'While', ['zero', 'x', 'w', 'five'], attrs=attrs)), body, cond))
    assert tfprof('model', 'g', format='json').ok().json()['float_ops']['total'] == 16 * 32


def test_a_node_that_is_called_like_what_a_loop_carries_keeps_its_float_ops(tfprof):
    """`while/h` stands for the carried `h`, and is a node of the graph too; of a graph that a node is left out of, names are looked up."""
    loop = PRODUCT + 16 * 32  # counted once
    twins = [wire.node('while/h', 'MatMul', ['x', 'w'], attrs=F)]
    for name, nodes in (('all', twins), ('twice', [*twins, *twins])):
        tfprof.file(name, looping_graph(nodes))
        assert tfprof('op', name, select='float_ops', format='json').ok().json()['root']['total_float_ops'] == PRODUCT + loop, name


def test_a_node_that_is_there_twice_changes_nothing(tfprof):
    """Then the names of a graph are looked up anew; otherwise the nodes are those that were read for the report."""
    extra = [wire.node('tower/dense/MatMul', 'MatMul', ['x:0', 'w'], attrs=attr('T', a_type(FLOAT))),
             wire.node('tower/_1/Relu', 'Relu', ['tower/dense/MatMul', '^while'], attrs=attr('T', a_type(FLOAT))),
             wire.node('tower/_/Relu', 'Tanh', ['tower/_1/Relu:0'], attrs=attr('T', a_type(FLOAT)))]
    records = [*labelled('tower/dense/MatMul', '_FusedMatMul', 2), *labelled('tower/_1/Relu', 'Relu', 3),
               *labelled('tower/_/Relu', 'Tanh', 1),
               *labelled('tower/dense/ArithmeticOptimizer/FoldTranspose_MatMul', 'MatMul', 1)]
    tfprof.file('g', looping_graph(extra))
    tfprof.file('twice', looping_graph([*extra, extra[0]]))
    tfprof.file('r', wire.run_metadata({wire.CPU: records}) + run_of_loop())
    rows = [tfprof('scope', graph, 'r', select='float_ops,macs,moved_bytes', max_rows=0, max_depth=100, flops='native', format='csv').ok().out
            for graph in ('g', 'twice')]
    assert rows[0] == rows[1] and rows[0].count(b'\n') > 10
