"""Layers of TensorFlow as one row of the scope view."""
from support import wire
from support.models import FLOAT, a_type, attr

CALL = 'StatefulPartitionedCall/'
RECORDED = [CALL + 'sequential_1/dense_1/MatMul', CALL + 'gradient_tape/sequential_1/dense_1/MatMul',
            CALL + 'sequential_1/predictions_1/MatMul', CALL + 'Add', 'sequential/dense/kernel',
            'sequential/predictions/kernel']


def record(name, micros):
    return wire.message(_1=name, _2=1000, _4=micros)


def training_step(tfprof):
    variable = attr('dtype', a_type(FLOAT))
    tfprof.file('g', wire.graph(*(
        wire.node(name, 'VarHandleOp', dims=[3, 2], attrs=variable) if name.endswith('kernel') else
        wire.node(name, 'MatMul') for name in RECORDED)))
    tfprof.file('r', wire.run_metadata({wire.CPU: [record(name, 10 ** i) for i, name in enumerate(RECORDED[:4])]}))


def rows(tfprof, *words, **options):
    """Name -> own and total micros and parameters; children sum to their parents."""
    root = tfprof('scope', 'g', 'r', *words, select='micros,params', order_by='name', max_rows=0, format='json',
                  **options).ok().json()['root']
    found, pending = {}, [root]
    while pending:
        node = pending.pop()
        for figure in ('exec_micros', 'parameters'):
            own = 0 if node is root else node[figure]
            assert node['total_' + figure] == own + sum(child['total_' + figure] for child in node['children'])
        found[node['name']] = node['total_exec_micros'], node['total_parameters']
        pending += node['children']
    return found


def test_a_layer_is_one_row(tfprof):
    training_step(tfprof)
    found = rows(tfprof)
    assert found['_TFProfRoot'] == (1111, 12)
    assert found['dense'] == (11, 6) and found['predictions'] == (100, 6)
    assert found['dense/(forward)'] == (1, 0) and found['dense/(backward)'] == (10, 0) and found['dense/kernel'] == (0, 6)
    assert found['(no layer)'] == (1000, 0)
    assert not any('PartitionedCall' in name or 'sequential' in name for name in found)


def test_raw_and_classic_keep_the_names(tfprof):
    training_step(tfprof)
    for options in ({'names': 'raw'}, {'classic': 'true'}):
        found = rows(tfprof, **options)
        assert found['_TFProfRoot'] == (1111, 12) and set(RECORDED) <= set(found)
        assert not any('(' in name for name in found)


def test_nodes_that_fold_to_one_name_all_count(tfprof):
    """A layer that is called twice."""
    names = [CALL + 'model/dense/MatMul', CALL + 'model/dense_1/MatMul', CALL + 'model/dense_2/MatMul']
    tfprof.file('g', wire.graph(wire.node('model/dense/kernel', 'VarHandleOp', dims=[2]),
                                *(wire.node(name, 'MatMul') for name in names)))
    tfprof.file('r', wire.run_metadata({wire.CPU: [record(name, 10) for name in names]}))
    found = rows(tfprof)
    assert found['dense'] == (30, 2)
    assert [found['dense/' + name] for name in ('MatMul', 'MatMul_1', 'MatMul_2')] == [(10, 0)] * 3


def test_strange_names_fold_without_loss(tfprof):
    names = ['gradients', 'gradients/a', 'gradients//b', 'StatefulPartitionedCall/', '/', 'PartitionedCall/PartitionedCall_1/x',
             'while/while', '_1/_2/_3', 'gradients/' + 'x/' * 500 + 'y']
    tfprof.file('g', wire.graph(*(wire.node(name, 'MatMul') for name in names)))
    tfprof.file('r', wire.run_metadata({wire.CPU: [record(name, 1) for name in names]}))
    assert rows(tfprof, max_depth=1000)['_TFProfRoot'][0] == len(names)


def test_comparisons_know_a_layer_whatever_its_number_is(tfprof):
    for folder, number in (('a', '1'), ('b', '2')):
        scope = 'sequential_%s/dense_%s/MatMul' % (number, number)
        tfprof.file(folder + '/graph.pb', wire.graph(wire.node('sequential/dense/kernel', 'VarHandleOp', dims=[2]),
                                                     wire.node(CALL + scope, 'MatMul')))
        tfprof.file(folder + '/run_meta_1', wire.run_metadata({wire.CPU: [record(CALL + scope, 10)]}))
    assert 'dense' not in tfprof('diff', 'a', 'b', select='micros', min_size=0, delta=0).ok().out
