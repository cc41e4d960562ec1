"""Models that TensorFlow and Keras saved: shapes, float ops and parameters as TensorFlow says them."""
import json
import tarfile
from pathlib import Path

import pytest
from support import wire

RECORDED = Path(__file__).resolve().parent.parent / 'data' / 'models' / 'recorded.tar.xz'
with tarfile.open(RECORDED) as packed:
    NAMES = set(packed.getnames())
GRAPHS = sorted(name for name in NAMES if name.endswith(('.pb', '.meta'))
                and '%s.shapes.json' % name.rsplit('.', 1)[0] in NAMES)
SAVED = sorted({name.split('/')[0] for name in NAMES if '/saved_model/' in name})

# Where TensorFlow counts the body of a loop once, and leaves out what it knows no shape of.
COUNTED_ONCE = {'many_layers', 'rnn'}
# DataType: uint8, int16, int8, int32, int64, bool, uint16, uint32, uint64.
INTEGERS = {3, 4, 5, 6, 9, 10, 17, 22, 23}


@pytest.fixture(scope='module')
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp('models')
    with tarfile.open(RECORDED) as tar:
        tar.extractall(folder)
    return folder


@pytest.fixture(scope='module')
def load(recorded):
    return lambda *parts: json.loads(recorded.joinpath(*parts).read_text())


def nodes_of(done) -> dict:
    return {node['name']: node for node in done.json()['nodes']}


def contradicts(mine, shape) -> bool:
    """TensorFlow's number must be ours; where it has none we may know more."""
    return mine is None or len(mine) != len(shape) or any(d >= 0 and d != m for d, m in zip(shape, mine))


def test_there_is_something_to_compare():
    assert len(GRAPHS) >= 20 and len(SAVED) >= 10


@pytest.mark.parametrize('name', GRAPHS)
def test_shapes_and_float_ops_are_those_of_tensorflow(tfprof, recorded, load, name):
    stem = name.rsplit('.', 1)[0]
    nodes = nodes_of(tfprof('model', recorded / name, format='json', flops_rules='tensorflow').ok())
    problems = []
    for node, outputs in load(stem + '.shapes.json').items():
        have = nodes[node]['output_shapes']
        for i, shape in enumerate(outputs):
            mine = have[i] if i < len(have) else None
            if shape is not None and contradicts(mine, shape):
                problems.append('%s:%d is %r, not %r' % (node, i, mine, shape))
    flops = load(stem + '.flops.json')
    for node, count in flops['nodes'].items():
        if (nodes[node]['float_ops'] or 0) != max(count, 0):  # nothing gives -1 in TensorFlow, and 0 here
            problems.append('%s: %r float ops, not %r' % (node, nodes[node]['float_ops'], count))
    assert not problems, '\n'.join(problems[:10])
    # Where TensorFlow has no number for want of a shape there is a number or a reason; never a silent 0.
    for node, error in flops['errors'].items():
        mine = nodes[node]
        assert mine['float_ops'] is not None or mine['why'], node
        if 'NHWC' in error or 'data_format' in error:
            assert mine['float_ops'] is None, node


def of_integers(path) -> set:
    """The nodes of a graph or meta graph whose type T is one of integers or bool."""
    graph = path.read_bytes()
    if path.suffix == '.meta':
        graph = dict(wire.fields(graph))[2]
    found = set()
    for number, node in wire.fields(graph):
        if number == 1:
            attrs = dict(tuple(value for _, value in wire.fields(entry)) for n, entry in wire.fields(node) if n == 5)
            if b'T' in attrs and dict(wire.fields(attrs[b'T'])).get(6) in INTEGERS:
                found.add(dict(wire.fields(node))[1].decode())
    return found


@pytest.mark.parametrize('name', GRAPHS)
def test_full_rules_count_no_less(tfprof, recorded, load, name):
    """Whatever TensorFlow counts in a node, the full rules count too, but for its known mistakes and integers."""
    nodes = nodes_of(tfprof('model', recorded / name, format='json').ok())
    integers = of_integers(recorded / name)
    for node, count in load(name.rsplit('.', 1)[0] + '.flops.json')['nodes'].items():
        if count > 0 and nodes[node]['op'] != 'AddN' and node not in integers:  # AddN counts control inputs
            assert nodes[node]['float_ops'], node


@pytest.mark.parametrize('name', SAVED)
def test_parameters_count_once(tfprof, recorded, load, name):
    facts = load(name, 'facts.json')
    if 'params' not in facts:
        pytest.skip('TensorFlow says nothing of its parameters')
    report = tfprof('model', recorded / name / 'saved_model', format='json').ok().json()
    assert {key: report['params'][key] for key in facts['params']} == facts['params']
    sizes = [variable['bytes'] for variable in report['variables']]
    assert sum(sizes) == report['params']['bytes']


@pytest.mark.parametrize('name', SAVED)
def test_the_signature_counts_as_tensorflow_does(tfprof, recorded, load, name):
    facts = load(name, 'facts.json')
    want = facts.get('signature_flops', {}).get('batch_1', {}).get('by_op')
    if not want:
        pytest.skip('TensorFlow says nothing of its signature')
    report = tfprof('model', recorded / name / 'saved_model', batch=1, format='json', flops_rules='tensorflow').ok()
    have = report.json()['float_ops']['by_op']
    if 'unrolled_flops' in facts:
        assert have['MatMul'] == facts['unrolled_flops']['by_op']['MatMul']['flops'], 'every step of the loop counts'
    elif name in COUNTED_ONCE:
        assert all(have[op] >= figures['flops'] for op, figures in want.items())
    else:
        assert have == {op: figures['flops'] for op, figures in want.items() if figures['flops']}


def test_tags_choose_the_graph(tfprof, recorded, load):
    folder = recorded / 'tf1_signature'
    for name, batch in (('serve', {}), ('serve.batch_1', {'batch': 1})):
        want = load('tf1_signature', name + '.flops.json')['nodes']
        nodes = nodes_of(tfprof('model', folder / 'saved_model', tag='serve', flops_rules='tensorflow', format='json',
                                **batch).ok())
        for node, count in want.items():
            assert (nodes[node]['float_ops'] or 0) == max(count, 0), node
    tfprof('model', folder / 'saved_model', tag='train', format='json').ok()


def test_every_model_prints_in_every_format(tfprof, recorded):
    for name in GRAPHS + ['%s/saved_model' % name for name in SAVED]:
        report = tfprof('model', recorded / name, format='json').ok().json()
        rows = tfprof('model', recorded / name, format='csv').ok().csv()
        assert [row['name'] for row in rows] == [node['name'] for node in report['nodes']]
        for row, node in zip(rows, report['nodes']):
            assert row['float_ops'] == ('' if node['float_ops'] is None else str(node['float_ops']))
        # What runs is what is counted, layer by layer and op by op.
        total = sum(node['float_ops'] * node['times'] for node in report['nodes'] if node['float_ops'])
        assert total == (report['float_ops']['total'] or 0) == sum(report['float_ops']['by_op'].values())
        assert total == sum(layer['float_ops'] or 0 for layer in report['layers'])
        assert 'float ops' in tfprof('model', recorded / name).ok().text
