"""Parameters, optimizer state, other: one definition in every report."""
from support import models, wire
from support.models import FLOAT, a_text, a_type, attr

INT64 = 9


def handle(name, dims, dtype=FLOAT):
    return wire.node(name, 'VarHandleOp', dims=dims, attrs=attr('dtype', a_type(dtype)) + attr('shared_name', a_text(name)))


def read(name):
    return wire.node(name + '/Read', 'ReadVariableOp', [name], attrs=attr('dtype', a_type(FLOAT)))


def training_graph():
    """A layer of 20 parameters with Adam (40 of slots, 2 powers), a global step, a saver and a placeholder."""
    nodes = [wire.node('x', 'Placeholder', dims=[16, 4], attrs=attr('dtype', a_type(FLOAT))), handle('net/w', [4, 5])]
    nodes += [handle('net/w/Adam', [4, 5]), handle('net/w/Adam_1', [4, 5]), handle('power_a', []), handle('power_b', [])]
    nodes += [handle('global_step', [], INT64), read('power_a'), read('power_b'), read('net/w')]
    nodes += [wire.node('net/y', 'MatMul', ['x', 'net/w/Read'], attrs=attr('T', a_type(FLOAT)))]
    nodes += [wire.node('lr', 'Const'), wire.node('grad', 'MatMul', ['x', 'net/y'], attrs=attr('transpose_a', models.a_bool(True)) + attr('T', a_type(FLOAT)))]
    nodes += [wire.node('train', 'ResourceApplyAdam', ['net/w', 'net/w/Adam', 'net/w/Adam_1', 'power_a/Read', 'power_b/Read', 'lr', 'lr', 'lr', 'lr', 'grad', '^x'],
                        attrs=attr('T', a_type(FLOAT)))]
    nodes += [wire.node('one', 'Const'), wire.node('count', 'AssignAddVariableOp', ['global_step', 'one'])]
    nodes += [wire.node('save/Const', 'PlaceholderWithDefault', ['one'], dims=[])]
    return wire.graph(*nodes)


def test_optimizer_slots_are_no_parameters_anywhere(tfprof):
    tfprof.file('g', training_graph())
    info = tfprof('info', 'g', format='json').ok().json()
    assert (info['parameters'], info['variables'], info['optimizer_state'], info['other_variables']) == (20, 1, 42, 1)
    summary = tfprof('summary', 'g', format='json').ok().json()
    model = summary['model']
    assert (model['params'], model['optimizer_state'], model['other_variables']) == (20, 42, 1)
    assert [top['total'] for top in summary['top'] if top['figure'] == 'params'] == [20, 20]
    params = tfprof('model', 'g', format='json').ok().json()['params']
    assert (params['total'], params['optimizer'], params['other']) == (20, 42, 1)
    for command in ('info', 'summary', 'model'):
        text = tfprof(command, 'g').ok().text
        assert 'parameters' in text and 'optimizer state' in text and 'other' in text, text


def test_scope_keeps_the_number_of_tensorflow_and_says_what_is_in_it(tfprof):
    tfprof.file('g', training_graph())
    assert '_TFProfRoot (--/20 params)' in tfprof('scope', 'g', select='params', max_depth=1).ok().text
    outcome = tfprof('scope', 'g', '--classic', select='params', max_depth=1).ok()
    assert '_TFProfRoot (--/128 params)' in outcome.text
    assert '128 = 20 parameters + 42 optimizer state + 1 other + 65 no variables' in outcome.err


def test_slots_of_reference_variables(tfprof):
    """TensorFlow 1: the variable is the input itself, its value goes through an Identity."""
    def variable(name, dims):
        return wire.node(name, 'VariableV2', dims=dims, attrs=attr('dtype', a_type(FLOAT))) + wire.node(name + '/read', 'Identity', [name])
    tfprof.file('g', wire.graph(variable('w', [7]), variable('accumulated', [7]), variable('rate', []), wire.node('grad', 'Const'),
                                wire.node('train', 'ApplyMomentum', ['w', 'accumulated', 'rate/read', 'grad', 'grad'])))
    info = tfprof('info', 'g', format='json').ok().json()
    assert (info['parameters'], info['optimizer_state'], info['other_variables']) == (7, 8, 0)


def test_optimizer_and_metrics_of_keras_3(tfprof):
    """They are put together of plain ops: names tell, moving averages stay parameters."""
    sizes = {'bn/gamma': [3], 'bn/moving_mean': [3], 'dense/kernel': [3, 2], 'adam/iteration': [], 'adam/learning_rate': [],
             'adam/dense_kernel_momentum': [3, 2], 'adam/dense_kernel_velocity': [3, 2], 'loss/total': [], 'loss/count': [],
             'dropout/seed_generator/seed_generator_state': [2], 'normalization/count': []}
    tfprof.file('g', wire.graph(*[handle(name, dims) for name, dims in sizes.items()]))
    info = tfprof('info', 'g', format='json').ok().json()
    assert (info['parameters'], info['variables'], info['optimizer_state'], info['other_variables']) == (13, 4, 14, 4)


def test_a_recorder_that_knows_says_what_a_variable_is(tfprof):
    def told(name, role):
        return wire.node(name, 'VarHandleOp', dims=[3], attrs=attr('dtype', a_type(FLOAT)) + attr('_tfprof_role', a_text(role)))
    tfprof.file('g', wire.graph(handle('w', [5]), told('mine/state', 'optimizer'), told('mine/metric', 'other')))
    info = tfprof('info', 'g', format='json').ok().json()
    params = tfprof('model', 'g', format='json').ok().json()['params']
    assert (info['parameters'], info['optimizer_state'], info['other_variables']) == (5, 3, 3)
    assert (params['total'], params['optimizer'], params['other']) == (5, 3, 3)


def test_a_variable_that_two_handles_open_counts_once(tfprof):
    again = wire.node('w_1', 'VarHandleOp', dims=[5], attrs=attr('dtype', a_type(FLOAT)) + attr('shared_name', a_text('w')))
    tfprof.file('g', wire.graph(handle('w', [5]), again))
    for command, path in (('info', ('parameters',)), ('summary', ('model', 'params')), ('model', ('params', 'total'))):
        report = tfprof(command, 'g', format='json').ok().json()
        for key in path:
            report = report[key]
        assert report == 5, command


def test_layers_add_up_to_the_total(tfprof):
    """A variable that no layer reads (Keras folds the statistics of Normalization into constants) has a row."""
    net = models.Net()
    x = net.dense(net.input('x', [2, 8]), 2, 8, 4)
    net.relu(x)
    net.variable('normalization/mean', [7])
    tfprof.file('g', wire.graph(*net.nodes))
    report = tfprof('model', 'g', format='json').ok().json()
    assert report['params']['total'] == net.params
    assert sum(layer['params'] for layer in report['layers']) == net.params
    assert [layer['params'] for layer in report['layers'] if 'normalization' in layer['name']] == [7]
