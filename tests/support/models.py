"""Whole models as GraphDefs, built op by op: what a test counts by hand, tfprof must count too."""
import struct

from .wire import field, graph, message, node, shape, varint

FLOAT, INT32, RESOURCE = 1, 3, 20


def attr(name, value: bytes) -> bytes:
    return field(5, message(_1=name, _2=value))


def a_type(value) -> bytes:
    return message(_6=value)


def a_bool(value) -> bytes:
    return message(_5=int(value))


def a_int(value) -> bytes:
    return message(_3=value)


def a_text(value) -> bytes:
    return message(_2=value)


def a_shape(dims) -> bytes:
    return message(_7=shape(dims))


def a_ints(values) -> bytes:
    return message(_1=message(_3=b''.join(varint(v) for v in values)))


def a_types(values) -> bytes:
    return message(_1=message(_6=b''.join(varint(v) for v in values)))


def a_func(name) -> bytes:
    return message(_10=message(_1=name))


def int_tensor(dims, values) -> bytes:
    return message(_8=message(_1=INT32, _2=shape(dims), _4=struct.pack('<%di' % len(values), *values)))


def const(name, values) -> bytes:
    """An int32 constant: a number, or a list."""
    dims, values = ([], [values]) if isinstance(values, int) else ([len(values)], values)
    return node(name, 'Const', attrs=attr('dtype', a_type(INT32)) + attr('value', int_tensor(dims, values)))


def body_node(name, op, inputs=(), attrs=b'') -> bytes:
    """A node of a function: what node() writes, without its field."""
    return message(_1=name, _2=op, _3=list(inputs)) + attrs


def function(name, args, results: dict, nodes, types=FLOAT) -> bytes:
    """A FunctionDef; args: names, results: output -> reference."""
    signature = message(_1=name, _2=[message(_1=a, _3=types) for a in args], _3=[message(_1=r, _3=types) for r in results])
    return message(_1=signature, _3=list(nodes), _4=[message(_1=k, _2=v) for k, v in results.items()])


def with_library(nodes: bytes, *functions: bytes) -> bytes:
    return nodes + field(2, b''.join(field(1, f) for f in functions))


def saved_model(graph_def: bytes, inputs: dict, outputs: dict, tags=('serve',), name='serving_default') -> bytes:
    """inputs, outputs: key -> (tensor, dims)."""
    def tensors(number, named):
        return b''.join(field(number, message(_1=key, _2=message(_1=tensor, _2=FLOAT, _3=shape(dims))))
                        for key, (tensor, dims) in named.items())
    signature = message(_1=name, _2=tensors(1, inputs) + tensors(2, outputs) + field(3, 'tensorflow/serving/predict'))
    meta = message(_1=message(_4=list(tags), _5='2.21.0'), _2=graph_def, _5=signature)
    return message(_1=1, _2=meta)


class Net:
    """Adds ops with variables in NHWC, and counts what they cost by hand: products, parameters."""

    def __init__(self):
        self.nodes, self.products, self.params, self.count = [], 0, 0, 0

    def name(self, scope):
        self.count += 1
        return '%s_%d' % (scope, self.count)

    def add(self, name, op, inputs, attrs=b''):
        self.nodes.append(node(name, op, inputs, attrs=attrs + attr('T', a_type(FLOAT))))
        return name

    def input(self, name, dims, dtype=FLOAT):
        self.nodes.append(node(name, 'Placeholder', dims=dims, attrs=attr('dtype', a_type(dtype))))
        return name

    def variable(self, name, dims):
        self.nodes.append(node(name, 'VarHandleOp', dims=dims, attrs=attr('dtype', a_type(FLOAT)) + attr('shared_name', a_text(name))))
        self.nodes.append(node(name + '/Read', 'ReadVariableOp', [name], attrs=attr('dtype', a_type(FLOAT))))
        size = 1
        for dim in dims:
            size *= dim
        self.params += size
        return name + '/Read'

    def conv(self, x, size, inputs, outputs, kernel, stride=1, depthwise=False):
        """x has size x size pixels; returns the outcome and its size."""
        name = self.name('conv')
        out = -(-size // stride)
        dims = [kernel, kernel, inputs, 1 if depthwise else outputs]
        w = self.variable(name + '/w', dims)
        steps = attr('strides', a_ints([1, stride, stride, 1])) + attr('padding', a_text('SAME'))
        self.add(name + '/op', 'DepthwiseConv2dNative' if depthwise else 'Conv2D', [x, w], steps)
        self.products += out * out * outputs * kernel * kernel * (1 if depthwise else inputs)
        return name + '/op', out

    def norm(self, x, channels):
        name = self.name('bn')
        parts = [self.variable('%s/%s' % (name, part), [channels]) for part in ('gamma', 'beta', 'mean', 'variance')]
        self.params -= 2 * channels  # moving averages are kept, not learned; papers do not count them
        return self.add(name + '/op', 'FusedBatchNormV3', [x, *parts], attr('is_training', a_bool(False)) + attr('U', a_type(FLOAT)))

    def relu(self, x, op='Relu'):
        return self.add(self.name('relu') + '/op', op, [x])

    def sum(self, a, b):
        return self.add(self.name('add') + '/op', 'AddV2', [a, b])

    def pool(self, x, kernel, stride):
        steps = attr('ksize', a_ints([1, kernel, kernel, 1])) + attr('strides', a_ints([1, stride, stride, 1]))
        return self.add(self.name('pool') + '/op', 'MaxPool', [x], steps + attr('padding', a_text('SAME')))

    def mean(self, x, axes):
        name = self.name('mean')
        self.nodes.append(const(name + '/axes', axes))
        return self.add(name + '/op', 'Mean', [x, name + '/axes'])

    def dense(self, x, rows, inputs, outputs):
        """x is a matrix of rows x inputs."""
        name = self.name('dense')
        w, b = self.variable(name + '/w', [inputs, outputs]), self.variable(name + '/b', [outputs])
        self.products += rows * inputs * outputs
        return self.add(name + '/add', 'BiasAdd', [self.add(name + '/op', 'MatMul', [x, w]), b])

    def graph(self) -> bytes:
        return graph(*self.nodes)


def resnet50() -> Net:
    """He et al. 2015, table 1: stride in the first 1x1 convolution of a stage."""
    net = Net()
    x, size = net.conv(net.input('image', [1, 224, 224, 3]), 224, 3, 64, 7, 2)
    x, size = net.pool(net.relu(net.norm(x, 64)), 3, 2), 56
    channels = 64
    for stage, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            short = x
            if not block:
                short, _ = net.conv(x, size, channels, 4 * width, 1, stride)
                short = net.norm(short, 4 * width)
            y, inner = net.conv(x, size, channels, width, 1, stride)
            y, inner = net.conv(net.relu(net.norm(y, width)), inner, width, width, 3)
            y, inner = net.conv(net.relu(net.norm(y, width)), inner, width, 4 * width, 1)
            x, size, channels = net.relu(net.sum(net.norm(y, 4 * width), short)), inner, 4 * width
    net.dense(net.mean(x, [1, 2]), 1, 2048, 1000)
    return net


def mobilenet_v2() -> Net:
    """Sandler et al. 2018, table 2, width 1.0."""
    net = Net()
    x, size = net.conv(net.input('image', [1, 224, 224, 3]), 224, 3, 32, 3, 2)
    x, channels = net.relu(net.norm(x, 32), 'Relu6'), 32
    for expand, outputs, repeats, first_stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                   (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(repeats):
            stride, y, wide = (first_stride if i == 0 else 1), x, channels * expand
            if expand > 1:
                y, _ = net.conv(y, size, channels, wide, 1)
                y = net.relu(net.norm(y, wide), 'Relu6')
            y, inner = net.conv(y, size, wide, wide, 3, stride, depthwise=True)
            y, inner = net.conv(net.relu(net.norm(y, wide), 'Relu6'), inner, wide, outputs, 1)
            y = net.norm(y, outputs)
            x = net.sum(x, y) if stride == 1 and channels == outputs else y
            size, channels = inner, outputs
    x, size = net.conv(x, size, channels, 1280, 1)
    net.dense(net.mean(net.relu(net.norm(x, 1280), 'Relu6'), [1, 2]), 1, 1280, 1000)
    return net


def bert_base(length=128, layers=12, width=768, heads=12, vocabulary=30522) -> Net:
    """Devlin et al. 2018, BERT-base: embeddings, 12 encoder layers, the pooler."""
    net = Net()
    net.nodes += [const('axis', 0), const('last', [-1]), const('split', [length, heads, width // heads]),
                  const('order', [1, 0, 2]), const('flat', [length, width])]

    def lookup(name, rows):
        table = net.variable(name, [rows, width])
        net.nodes.append(node(name + '/op', 'GatherV2', [table, net.input(name + '/ids', [length], INT32), 'axis'],
                              attrs=attr('Tparams', a_type(FLOAT)) + attr('Tindices', a_type(INT32)) + attr('Taxis', a_type(INT32))))
        return name + '/op'

    def layer_norm(x):
        name = net.name('norm')
        keep = attr('keep_dims', a_bool(True))
        mean = net.add(name + '/mean', 'Mean', [x, 'last'], keep)
        var = net.add(name + '/var', 'Mean', [net.add(name + '/sq', 'SquaredDifference', [x, mean]), 'last'], keep)
        scaled = net.add(name + '/mul', 'Mul', [net.add(name + '/sub', 'Sub', [x, mean]), net.add(name + '/rsqrt', 'Rsqrt', [var])])
        gamma, beta = net.variable(name + '/gamma', [width]), net.variable(name + '/beta', [width])
        return net.add(name + '/out', 'AddV2', [net.add(name + '/scale', 'Mul', [scaled, gamma]), beta])

    def split_heads(x):
        name = net.name('heads')
        return net.add(name + '/t', 'Transpose', [net.add(name + '/r', 'Reshape', [x, 'split']), 'order'])

    x = layer_norm(net.sum(net.sum(lookup('words', vocabulary), lookup('types', 2)), lookup('positions', 512)))
    for _ in range(layers):
        q, k, v = (split_heads(net.dense(x, length, width, width)) for _ in range(3))
        name = net.name('attention')
        scores = net.add(name + '/scores', 'BatchMatMulV2', [q, k], attr('adj_y', a_bool(True)))
        mixed = net.add(name + '/mix', 'BatchMatMulV2', [net.add(name + '/soft', 'Softmax', [scores]), v])
        net.products += 2 * length * length * width
        joined = net.add(name + '/join', 'Reshape', [net.add(name + '/back', 'Transpose', [mixed, 'order']), 'flat'])
        x = layer_norm(net.sum(x, net.dense(joined, length, width, width)))
        h = net.add(net.name('act') + '/op', 'Erf', [net.dense(x, length, width, 4 * width)])
        x = layer_norm(net.sum(x, net.dense(h, length, 4 * width, width)))
    net.nodes += [const('first', [0, 0]), const('one', [1, width])]
    first = net.add('first_token', 'Slice', [x, 'first', 'one'])
    net.add('pooled', 'Tanh', [net.dense(first, 1, width, width)])
    return net
