"""tfprof model: what it prints, how it is asked, and what the views show of a model."""
import pytest
from support import models, wire
from support.models import FLOAT, INT32, a_bool, a_func, a_ints, a_text, a_type, a_types, attr, body_node, const, function
from support.wire import graph, node

T = attr('T', a_type(FLOAT))
CONV = attr('strides', a_ints([1, 1, 1, 1])) + attr('padding', a_text('SAME')) + T


def dense_net(batch=-1) -> bytes:
    """x (batch, 6) times w (6, 4), plus b, relu."""
    net = models.Net()
    net.relu(net.dense(net.input('x', [batch, 6]), 1, 6, 4))
    return net.graph()


def served() -> bytes:
    return models.saved_model(dense_net(), {'features': ('x:0', [-1, 6])}, {'scores': ('relu_2/op:0', [-1, 4])})


# ---------------------------------------------------------------------------------------------- formats

def test_text_says_what_keras_says_and_more(tfprof):
    text = tfprof('model', tfprof.file('m', served()), batch=3).ok().text
    assert 'signature serving_default (counted here)' in text
    assert 'in  features' in text and '(?, 6)' in text
    assert 'parameters       28 (112B, all float32)' in text
    assert 'float ops        168 (full rules, batch 3)' in text  # 3 * (2 * 24 + 4 + 4)
    assert 'multiply-adds  72' in text
    assert 'memory, an estimate from shapes' in text and text.count('  assumes: ') == 3


def test_json_has_the_promised_fields(tfprof):
    report = tfprof('model', tfprof.file('m', served()), batch=3, format='json').ok().json()
    assert report['params'] | {'total': 28} == report['params']
    assert report['params']['trainable'] is None, 'the file does not say which are'
    assert report['float_ops']['rules'] == 'full' and report['float_ops']['total'] == 168
    assert report['float_ops']['by_op'] == {'MatMul': 144, 'BiasAdd': 12, 'Relu': 12}
    assert report['variables'] == [
        {'name': 'dense_1/w', 'shape': [6, 4], 'dtype': 'float32', 'bytes': 96, 'trainable': None},
        {'name': 'dense_1/b', 'shape': [4], 'dtype': 'float32', 'bytes': 16, 'trainable': None}]
    assert report['signatures'][0]['inputs'] == [
        {'name': 'features', 'tensor': 'x:0', 'dtype': 'float32', 'shape': [-1, 6]}]
    nodes = {n['name']: n for n in report['nodes']}
    assert nodes['dense_1/op'] == {'name': 'dense_1/op', 'op': 'MatMul', 'output_shapes': [[3, 4]], 'params': 0,
                                   'float_ops': 144, 'macs': 72, 'moved_bytes': 4 * (18 + 24 + 12), 'times': 1}


def test_csv_and_markdown(tfprof):
    path = tfprof.file('m', served())
    rows = {row['name']: row for row in tfprof('model', path, batch=3, format='csv').ok().csv()}
    assert rows['dense_1/op']['float_ops'] == '144' and rows['dense_1/op']['output_shapes'] == '(3, 4)'
    text = tfprof('model', path, batch=3, format='markdown').ok().text
    assert '| **total** | | 28 | 168 |' in text
    assert tfprof('model', path, batch=3, format='markdown', outfile='page.md').ok().out == b''
    assert (tfprof.folder / 'page.md').read_text() == text


def test_an_open_batch_is_not_guessed(tfprof):
    done = tfprof('model', tfprof.file('m', served()), format='json').ok().json()
    assert done['float_ops']['total'] is None and done['float_ops']['not_counted'] == 3
    nodes = {n['name']: n for n in done['nodes']}
    assert nodes['dense_1/op']['output_shapes'] == [[-1, 4]]
    assert nodes['dense_1/op']['float_ops'] is None and 'not known' in nodes['dense_1/op']['why']
    text = tfprof('model', 'm').ok().text
    assert '1 input is left open in some dimension: give -batch N (or -dim INPUT:AXIS=N)' in text
    assert 'float ops        n/a' in text


# ---------------------------------------------------------------------------------------------- options

def test_dimensions_by_name(tfprof):
    two = models.Net()
    two.add('sum', 'AddV2', [two.input('a', [-1, -1, 8]), two.input('b', [-1, 8])])
    path = tfprof.file('m', models.saved_model(two.graph(), {'left': ('a:0', None), 'right': ('b:0', None)},
                                               {'out': ('sum:0', None)}))
    done = tfprof('model', path, batch=2, dim='a:1=5,b:0=5', format='json').ok().json()
    assert done['float_ops']['total'] == 2 * 5 * 8
    done = tfprof('model', path, dim='left:0=2,left:1=5,right:0=5', format='json').ok().json()
    assert done['float_ops']['total'] == 2 * 5 * 8, 'by the names of the signature too'
    for bad in ('a', 'a:1', 'a:x=2', 'a:1=', 'a:1=-7', ':1=2'):
        tfprof('model', path, dim=bad).fails(2, 'dim')
    tfprof('model', path, dim='nobody:0=2').fails(2, 'nobody')
    tfprof('model', path, batch='many').fails(2, 'batch')


def test_tags_and_signatures_that_are_not_there(tfprof):
    path = tfprof.file('m', served())
    tfprof('model', path, tag='serve').ok()
    tfprof('model', path, tag='train').fails(2, 'no graph is tagged train; there are {serve}')
    tfprof('model', path, signature='serving_default').ok()
    tfprof('model', path, signature='predict').fails(2, 'predict', 'serving_default')


def test_rules_of_ones_own(tfprof):
    net = models.Net()
    net.add('mine', 'MyOp', [net.input('x', [4, 5])])
    path = tfprof.file('m', net.graph())
    before = tfprof('model', path, format='json').ok().json()
    assert before['float_ops']['total'] is None
    assert before['float_ops']['not_counted_by_op'] == {'MyOp': 1}
    rules = tfprof.file('rules', '# mine\nMyOp = 3 * n(in0)   # three a number\n')
    assert tfprof('model', path, flops_file=rules, format='json').ok().json()['float_ops']['by_op'] == {'MyOp': 60}
    for line, words in (('MyOp 3', ("rules:1: expected 'Op = formula'",)),
                        ('A = 1\nMyOp = 2 * elements(in0)', ('rules:2: MyOp: column', 'n, dim, rank')),
                        ('MyOp = n(weights)', ('a tensor: in0, in1',)), ('MyOp = (1', ("expected ')'", 'the end'))):
        tfprof.file('rules', line)
        tfprof('model', path, flops_file='rules').fails(2, *words)
    tfprof('model', path, flops_file='nowhere').fails(3, 'nowhere')


def test_what_is_no_model(tfprof):
    tfprof('model', 'nowhere').fails(3, 'nowhere')
    tfprof('model').fails(2)
    tfprof('model', tfprof.file('text', 'hello there\n')).fails(3, 'text')
    assert tfprof('model', tfprof.file('bare', dense_net(2)), format='json').ok().json()['signature'] is None
    (tfprof.folder / 'empty').mkdir()
    tfprof('model', 'empty').fails(3, 'empty')


# ---------------------------------------------------------------------------------------------- views

def test_views_count_from_the_graph(tfprof):
    path = tfprof.file('m', served())
    done = tfprof('scope', path, batch=3, select='params,float_ops,macs,moved_bytes,intensity', format='json',
                  max_depth=10).ok().json()
    assert done['root']['total_float_ops'] == 168 and done['root']['total_macs'] == 72
    assert done['root']['total_parameters'] == 28
    assert 'counted from the graph' in ' '.join(done['warnings']) + tfprof('scope', path, batch=3, select='float_ops').err
    op = tfprof('op', path, batch=3, select='float_ops,macs,moved_bytes,intensity', order_by='float_ops').ok()
    assert op.rows[0].startswith('MatMul') and '144' in op.rows[0]


def test_recorded_counts_win_unless_told_otherwise(tfprof):
    path = tfprof.file('g', dense_net(3))
    log = tfprof.file('log', wire.log_entry('dense_1/op', float_ops=1000))
    def total(**options):
        return tfprof('scope', graph_path=path, op_log_path=log, select='float_ops', format='json', max_depth=10,
                      **options).ok().json()['root']['total_float_ops']
    assert total() == total(flops='auto') == total(flops='recorded') == 1000
    assert total(flops='native') == 168
    assert total(flops='native', flops_rules='tensorflow') == 144 + 12
    assert tfprof('scope', path, select='float_ops', flops='recorded', format='json').ok().json()['root'][
        'total_float_ops'] in (None, 0)


def test_the_rate_needs_a_run(tfprof):
    path = tfprof.file('g', dense_net(3))
    run = tfprof.file('run', wire.run_metadata({wire.CPU: [wire.stats('dense_1/op', micros=2)]}))
    done = tfprof('op', graph_path=path, run_meta_path=run, select='micros,float_ops,flop_rate', order_by='micros').ok()
    row = next(row for row in done.rows if row.startswith('MatMul'))
    assert '72.00M' in row, '144 float ops in 2 microseconds'
    alone = tfprof('op', graph_path=path, select='float_ops,flop_rate', order_by='float_ops').ok()
    assert 'M/s' not in ' '.join(alone.rows)


def test_a_saved_model_in_the_other_commands(tfprof):
    (tfprof.folder / 'saved').mkdir()
    (tfprof.folder / 'saved' / 'saved_model.pb').write_bytes(served())
    for command in ('summary', 'info', 'scope', 'graph', 'op'):
        text = tfprof(command, 'saved').ok().text
        assert text, command
    assert 'dense_1' in tfprof('scope', 'saved', select='params', max_depth=10).ok().text
    assert '28' in tfprof('summary', 'saved').ok().text


# ---------------------------------------------------------------------------------------------- full rules, by hand

def const_shape(dims):
    return attr('dtype', a_type(FLOAT)) + attr('shape', models.a_shape(dims))


def counted(tfprof, nodes, name, rules='full'):
    path = tfprof.file('g', graph(*nodes))
    found = {n['name']: n for n in tfprof('model', path, format='json', flops_rules=rules).ok().json()['nodes']}
    return found[name]['float_ops']


def inputs(**dims):
    return [node(name, 'Placeholder', attrs=const_shape(d)) for name, d in dims.items()]


def test_products_use_the_true_inner_dimension(tfprof):
    # x^T y with x (2, 5, 3): 5 is summed over; TensorFlow takes the 3 that stands last.
    nodes = inputs(x=[2, 5, 3], y=[2, 5, 4]) + [node('m', 'BatchMatMulV2', ['x', 'y'], attrs=T + attr('adj_x', a_bool(1)))]
    assert counted(tfprof, nodes, 'm') == 2 * 5 * (2 * 3 * 4)
    assert counted(tfprof, nodes, 'm', 'tensorflow') == 2 * 3 * (2 * 3 * 4)


def test_control_inputs_are_no_addends(tfprof):
    nodes = inputs(x=[10]) + [node('c', 'NoOp'), node('a', 'AddN', ['x', 'x', 'x', '^c'], attrs=T + attr('N', models.a_int(3)))]
    assert counted(tfprof, nodes, 'a') == 20
    assert counted(tfprof, nodes, 'a', 'tensorflow') == 30


def test_nothing_costs_nothing(tfprof):
    nodes = inputs(x=[0]) + [node('l', 'L2Loss', ['x'], attrs=T), const('axis', 0),
                             node('s', 'Sum', ['x', 'axis'], attrs=T)]
    for rules in ('full', 'tensorflow'):
        assert counted(tfprof, nodes, 'l', rules) == 0 and counted(tfprof, nodes, 's', rules) == 0


def test_a_strided_backprop_costs_what_its_convolution_does(tfprof):
    # 7x7 pixels, stride 2: 4x4 are left; TensorFlow divides 49 by 4 instead.
    steps = attr('strides', a_ints([1, 2, 2, 1])) + attr('padding', a_text('SAME')) + T
    nodes = inputs(x=[1, 7, 7, 3], w=[3, 3, 3, 8], dy=[1, 4, 4, 8]) + [
        const('sx', [1, 7, 7, 3]), const('sw', [3, 3, 3, 8]), node('y', 'Conv2D', ['x', 'w'], attrs=steps),
        node('dx', 'Conv2DBackpropInput', ['sx', 'w', 'dy'], attrs=steps),
        node('dw', 'Conv2DBackpropFilter', ['x', 'sw', 'dy'], attrs=steps)]
    forward = 2 * 4 * 4 * 8 * 27
    assert [counted(tfprof, nodes, n) for n in ('y', 'dx', 'dw')] == [forward] * 3
    assert counted(tfprof, nodes, 'dx', 'tensorflow') == 2 * 147 * 216 // (3 * 4)


def test_channels_first_is_counted(tfprof):
    nchw = attr('data_format', a_text('NCHW')) + attr('padding', a_text('VALID')) + T
    nodes = inputs(x=[2, 3, 8, 8], w=[3, 3, 3, 5]) + [
        node('p', 'MaxPool', ['x'], attrs=nchw + attr('ksize', a_ints([1, 1, 2, 2])) + attr('strides', a_ints([1, 1, 2, 2]))),
        node('c', 'Conv2D', ['x', 'w'], attrs=nchw + attr('strides', a_ints([1, 1, 1, 1])))]
    assert counted(tfprof, nodes, 'p') == 4 * (2 * 3 * 4 * 4)
    assert counted(tfprof, nodes, 'p', 'tensorflow') is None
    assert counted(tfprof, nodes, 'c') == counted(tfprof, nodes, 'c', 'tensorflow') == 2 * 27 * (2 * 5 * 6 * 6)


@pytest.mark.parametrize('op, count', [('Relu', 60), ('Sigmoid', 240), ('Tanh', 60), ('Exp', 60), ('Erf', 60),
                                       ('Relu6', 120), ('LogSoftmax', 300)])
def test_activations_count(tfprof, op, count):
    nodes = inputs(x=[3, 20]) + [node('a', op, ['x'], attrs=T)]
    assert counted(tfprof, nodes, 'a') == count
    assert counted(tfprof, nodes, 'a', 'tensorflow') is None, 'TensorFlow counts nothing; so it is not 0 either'


def test_einsum_batch_norm_and_reductions_count(tfprof):
    nodes = inputs(a=[2, 7, 3, 4], b=[2, 9, 3, 4], c=[5, 4, 4, 8], g=[8]) + [
        node('e', 'Einsum', ['a', 'b'], attrs=T + attr('equation', a_text('bthd,bshd->bhts')) + attr('N', models.a_int(2))),
        node('n', 'FusedBatchNormV3', ['c', 'g', 'g', 'g', 'g'], attrs=T + attr('is_training', a_bool(0))),
        const('axes', [1, 2]), node('m', 'Max', ['c', 'axes'], attrs=T)]
    assert counted(tfprof, nodes, 'e') == 2 * (2 * 7 * 9 * 3 * 4)
    assert counted(tfprof, nodes, 'n') == 2 * (5 * 4 * 4 * 8) + 6 * 8
    assert counted(tfprof, nodes, 'm') == 5 * 16 * 8 - 5 * 8


def test_a_loop_counts_every_round(tfprof):
    """20 steps of (1, 24) x (24, 96): what an LSTM is made of. TensorFlow counts the body once."""
    cond = function('c', ['i', 'x', 'w'], {'r': 'less:z:0'}, [
        body_node('n', 'Const', attrs=attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([], [20]))),
        body_node('less', 'Less', ['i', 'n:output:0'])])
    body = function('b', ['i', 'x', 'w'], {'ri': 'add:z:0', 'rx': 'cut:output:0', 'rw': 'w'}, [
        body_node('one', 'Const', attrs=attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([], [1]))),
        body_node('add', 'AddV2', ['i', 'one:output:0']),
        body_node('mm', 'MatMul', ['x', 'w'], T),
        body_node('from', 'Const', attrs=attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([2], [0, 0]))),
        body_node('size', 'Const', attrs=attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([2], [1, 24]))),
        body_node('cut', 'Slice', ['mm:product:0', 'from:output:0', 'size:output:0'], T)])
    nodes = b''.join([const('zero', 0), *inputs(x=[1, 24], w=[24, 96]),
                      node('loop', 'While', ['zero', 'x', 'w'],
                           attrs=attr('cond', a_func('c')) + attr('body', a_func('b')) + attr('T', a_types([INT32, FLOAT, FLOAT])))])
    report = tfprof('model', tfprof.file('g', models.with_library(nodes, cond, body)), format='json').ok().json()
    assert report['float_ops']['by_op']['MatMul'] == 20 * 2 * 24 * 96
    times = {n['name']: n['times'] for n in report['nodes']}
    assert times['loop/mm'] == 20 and times['loop/less'] == 21


# ---------------------------------------------------------------------------------------------- published figures

def figures(tfprof, net):
    report = tfprof('model', tfprof.file('net', net.graph()), format='json').ok().json()
    assert report['float_ops']['not_counted'] == 0
    assert report['float_ops']['macs'] == net.products, 'exactly what the loop above adds up'
    return report


def test_resnet_50_costs_what_the_paper_says(tfprof):
    """He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition (2015), table 1: 3.8e9 multiply-adds."""
    net = models.resnet50()
    report = figures(tfprof, net)
    assert 3.75e9 < net.products < 3.9e9
    assert report['float_ops']['by_op']['Conv2D'] + report['float_ops']['by_op']['MatMul'] == 2 * net.products
    # 25.6 million parameters: the figure of torchvision and Keras, without and with moving averages.
    assert net.params == 25_557_032
    moving = 2 * 26_560  # channels that are normalised, means and variances
    assert report['params']['total'] == net.params + moving


def test_mobilenet_v2_costs_what_the_paper_says(tfprof):
    """Sandler et al.: MobileNetV2 (2018), table 4: 300M multiply-adds, 3.4M parameters."""
    net = models.mobilenet_v2()
    report = figures(tfprof, net)
    assert 295e6 < net.products < 305e6
    assert round(net.params / 1e6, 1) == 3.5 and net.params == 3_504_872, 'Keras gives 3,504,872 trainable; the paper rounds'
    assert report['float_ops']['by_op']['DepthwiseConv2dNative'] < 0.1 * report['float_ops']['total']


def test_bert_base_costs_what_is_said_of_it(tfprof):
    """Devlin et al.: BERT (2018): 110M parameters. Jiao et al.: TinyBERT (2019), table 1: 22.5e9 float ops for 128 tokens."""
    net = models.bert_base()
    report = figures(tfprof, net)
    assert abs(2 * net.products - 22.5e9) < 0.2e9
    assert net.params == report['params']['total'] == 109_482_240
    per_layer = 128 * (4 * 768 * 768 + 2 * 768 * 3072) + 2 * 128 * 128 * 768
    assert net.products == 12 * per_layer + 768 * 768


# ---------------------------------------------------------------------------------------------- the rules

def test_the_table_of_rules_can_be_read(tfprof):
    text = tfprof('help', 'flops').ok().text
    assert 'MatMul\n  full        2 * macs\n' in text and 'no float ops:' in text
    page = tfprof('help', 'flops', format='markdown').ok().text
    rows = [line for line in page.splitlines() if line.startswith('| ')]
    assert len(rows) > 90 and all(line.count('|') - line.count('\\|') == 5 for line in rows)


def test_a_rule_of_the_table_is_a_rule_of_a_file(tfprof):
    """The documentation says the language is the same: every formula that is printed can be given back."""
    formulas = [line[14:] for line in tfprof('help', 'flops').ok().text.splitlines() if line.startswith('  full ')]
    tfprof.file('rules', ''.join('Op%d = %s\n' % (i, f) for i, f in enumerate(formulas)))
    tfprof('model', tfprof.file('g', dense_net(2)), flops_file='rules').ok()
