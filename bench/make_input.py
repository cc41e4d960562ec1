#!/usr/bin/env python3
"""Writes the profile of an imaginary, realistic training run, of any size, for the benchmark.

    make_input.py --nodes N --out DIR [--steps K] [--seed S] [--chain] [--deep]

DIR gets graph.pb (GraphDef), run_meta_0.. (RunMetadata), tfprof_log (OpLogProto) and expected.json, the totals that
any correct reader must find. The same arguments always give the same bytes. Only the standard library is used; the
protobuf wire format is written by hand, node by node, so memory stays small whatever N is.

The model: data-parallel towers of residual convolution layers (LAYER below, about 60 nodes each, with initializers,
gradients and updates), some of them executed three times as in a loop.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
from collections import namedtuple
from functools import lru_cache, partial
from itertools import islice

FLOAT, INT32, STRING, INT64 = 1, 3, 7, 9
LAYERS_PER_TOWER = 64
STAGES = ((56, 64), (28, 128), (14, 256), (7, 512))  # image size and channels of the four stages of a tower
BATCH = 32
EPOCH_MICROS = 1_700_000_000_000_000
LIBRARY = '/usr/lib/python3/site-packages/tensorflow/python/'
JOB = '/job:localhost/replica:0/task:0'
DEVICES = {'cpu': JOB + '/device:CPU:0', 'gpu': JOB + '/device:GPU:0', 'all': '/device:GPU:0/stream:all',
           'stream': '/device:GPU:0/stream:13', 'memcpy': '/device:GPU:0/memcpy'}


def variable(name, shape, first='Initializer/zeros'):
    """Lines of a variable with its assignment and reader; `first` names its initial value."""
    own = f'{name}/{first} - Const {shape} .\n' if first.endswith('zeros') else ''
    return own + (f'{name} - VariableV2 {shape} gpu\n{name}/Assign {name},{name}/{first} Assign {shape} .\n'
                  f'{name}/read {name} Identity {shape} gpu\n')


def joined(scope, *outputs):
    """Lines of the `tuple` scope that waits for all outputs of a gradient before it hands them on."""
    lines = f'{scope}/tuple/group_deps {",".join("^" + tensor.partition(":")[0] for tensor, _ in outputs)} NoOp - gpu\n'
    for i, (tensor, shape) in enumerate(outputs):
        end = '_%d' % i if i else ''
        lines += f'{scope}/tuple/control_dependency{end} {tensor},^{scope}/tuple/group_deps Identity {shape} gpu\n'
    return lines


# One node a line: name, inputs, op, output shapes, where it runs ('.': not in a step; 'kernel': gpu, with a kernel).
GLOBAL = 'train/learning_rate - Const scalar cpu'
FILLER = 'summaries/value_{k} train/learning_rate ScalarSummary scalar cpu'  # makes up the exact number of nodes
LAYER = '''{I}/shape - Const vector .
{I}/min - Const scalar .
{I}/max - Const scalar .
{I}/RandomUniform {I}/shape RandomUniform filter .
{I}/sub {I}/max,{I}/min Sub scalar .
{I}/mul {I}/RandomUniform,{I}/sub Mul filter .
{I} {I}/mul,{I}/min Add filter .
''' + variable('{W}', 'filter', 'Initializer/random_uniform') + variable('{W}/Momentum', 'filter') + (
    variable('{P}/biases', 'channel') + variable('{N}/gamma', 'channel') + variable('{N}/beta', 'channel')) + '''\
{P}/Conv2D {x},{W}/read Conv2D act kernel
{P}/BiasAdd {P}/Conv2D,{P}/biases/read BiasAdd act kernel
{N}/Fused {P}/BiasAdd,{N}/gamma/read,{N}/beta/read FusedBatchNorm act,channel,channel,channel,channel kernel
{P}/Relu {N}/Fused Relu act kernel
{P}/add {P}/Relu,{x} Add act kernel
{W}/l2_regularizer/scale - Const scalar gpu
{W}/l2_regularizer/L2Loss {W}/read L2Loss scalar kernel
{W}/l2_regularizer {W}/l2_regularizer/scale,{W}/l2_regularizer/L2Loss Mul scalar kernel
gradients/{P}/Relu_grad/ReluGrad {dy},{P}/Relu ReluGrad act kernel
gradients/{N}/Fused_grad/Grad gradients/{P}/Relu_grad/ReluGrad,{P}/BiasAdd,{N}/gamma/read,{N}/Fused:1 \
FusedBatchNormGrad act,channel,channel kernel
''' + joined('gradients/{N}/Fused_grad', ('gradients/{N}/Fused_grad/Grad', 'act'),
           ('gradients/{N}/Fused_grad/Grad:1', 'channel'), ('gradients/{N}/Fused_grad/Grad:2', 'channel')) + '''\
{B}/BiasAddGrad gradients/{N}/Fused_grad/tuple/control_dependency BiasAddGrad channel kernel
''' + joined('{B}', ('gradients/{N}/Fused_grad/tuple/control_dependency', 'act'), ('{B}/BiasAddGrad', 'channel')) + '''\
{C}/ShapeN {x},{W}/read ShapeN vector,vector cpu
{C}/BackpropInput {C}/ShapeN,{W}/read,{B}/tuple/control_dependency Conv2DBackpropInput act kernel
{C}/BackpropFilter {x},{C}/ShapeN:1,{B}/tuple/control_dependency Conv2DBackpropFilter filter kernel
''' + joined('{C}', ('{C}/BackpropInput', 'act'), ('{C}/BackpropFilter', 'filter')) + '''\
gradients/{W}/l2_regularizer_grad/Mul {W}/read,{W}/l2_regularizer/scale Mul filter kernel
gradients/AddN_{k} {dy},{C}/tuple/control_dependency AddN act kernel
gradients/AddN_{k}_weights {C}/tuple/control_dependency_1,gradients/{W}/l2_regularizer_grad/Mul AddN filter kernel
train/update_{W}/Apply {W},{W}/Momentum,gradients/AddN_{k}_weights,train/learning_rate ApplyMomentum filter kernel
train/update_{P}/biases/Apply {P}/biases,train/learning_rate,{B}/tuple/control_dependency_1 ApplyGradientDescent \
channel kernel
train/update_{N}/gamma/Apply {N}/gamma,train/learning_rate,gradients/{N}/Fused_grad/tuple/control_dependency_1 \
ApplyGradientDescent channel kernel
train/update_{N}/beta/Apply {N}/beta,train/learning_rate,gradients/{N}/Fused_grad/tuple/control_dependency_2 \
ApplyGradientDescent channel kernel'''
TOWER = '''{T}/images - Placeholder input cpu
{T}/labels - Placeholder labels cpu
{T}/pool/indices - Const vector cpu
{T}/pool {x},{T}/pool/indices Mean pooled kernel
''' + variable('{T}/logits/weights', 'dense') + '''\
{T}/logits/MatMul {T}/pool,{T}/logits/weights/read MatMul logits kernel
{T}/softmax {T}/logits/MatMul Softmax logits kernel
{T}/loss {T}/softmax,{T}/labels SparseSoftmaxCrossEntropyWithLogits scalar kernel
gradients/{T}/loss_grad/mul {T}/loss,{T}/softmax Mul logits kernel
gradients/{T}/logits/MatMul_grad/MatMul gradients/{T}/loss_grad/mul,{T}/logits/weights/read MatMul pooled kernel
gradients/{T}/pool_grad/Shape {x} Shape vector cpu
gradients/{T}/pool_grad/Tile gradients/{T}/logits/MatMul_grad/MatMul,gradients/{T}/pool_grad/Shape Tile act kernel'''


def varint(n):
    """A number in 7-bit groups; negative ones as 64-bit two's complement."""
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


SMALL = [varint(n) for n in range(1 << 14)]  # lengths and tags: a table, since encoding them is most of the work


def number(field, n):
    """A varint field; proto3 leaves zeros out."""
    return SMALL[field << 3] + (SMALL[n] if 0 < n < 16384 else varint(n)) if n else b''


def data(field, payload):
    """A string, bytes or message field."""
    size = len(payload)
    return SMALL[field << 3 | 2] + (SMALL[size] if size < 16384 else varint(size)) + payload


def shape_proto(dims):
    return b''.join(data(2, number(1, d)) for d in dims)


def attr(key, value):
    return data(5, data(1, key.encode()) + data(2, value))


def attr_type(key, dtype):
    return attr(key, number(6, dtype))


def attr_text(key, text):
    return attr(key, data(2, text.encode()))


def attr_bool(key, value):
    return attr(key, b'\x28' + SMALL[int(value)])  # members of a oneof are written even when zero


LOCKING, FORMAT, ONES = attr_bool('use_locking', True), attr_text('data_format', 'NHWC'), data(1, data(3, b'\1\1\1\1'))
CONV = attr('strides', ONES) + attr('dilations', ONES) + FORMAT + attr_text('padding', 'SAME')
NORM, PAIR = FORMAT + attr_bool('is_training', True), attr('N', b'\x18\x02')
OP_ATTRS = {'Conv2D': CONV, 'Conv2DBackpropInput': CONV, 'Conv2DBackpropFilter': CONV, 'FusedBatchNorm': NORM,
            'FusedBatchNormGrad': NORM, 'Assign': LOCKING + attr_bool('validate_shape', True), 'ApplyMomentum': LOCKING,
            'ApplyGradientDescent': LOCKING, 'AddN': PAIR, 'ShapeN': PAIR, 'RandomUniform': attr_type('T', INT32),
            'MatMul': attr_bool('transpose_a', False) + attr_bool('transpose_b', False),
            'VariableV2': attr_text('container', '') + attr_text('shared_name', ''),
            'Mean': attr_bool('keep_dims', False) + attr_type('Tidx', INT32)}


def dims_of(key, stage):
    """The dimensions behind the shape words of the node tables."""
    size, channels = STAGES[stage]
    return {'act': (BATCH, size, size, channels), 'filter': (3, 3, channels, channels), 'channel': (channels,),
            'scalar': (), 'vector': (4,), 'input': (-1, 56, 56, 64), 'labels': (-1,), 'pooled': (BATCH, channels),
            'dense': (channels, 1000), 'logits': (BATCH, 1000)}[key]


def elements(dims):
    product = 1
    for d in dims:
        product *= BATCH if d < 0 else d
    return product


def float_ops_of(op, count, stage):
    """Float ops of one execution, from the number of output elements; 0 where TensorFlow has no rule."""
    size, channels = STAGES[stage]
    if op == 'Conv2DBackpropFilter':
        return 2 * BATCH * size * size * channels * channels * 9
    per_element = {'Conv2D': 18 * channels, 'Conv2DBackpropInput': 18 * channels, 'BiasAdd': 1, 'Add': 1, 'Sub': 1,
                   'Mul': 1, 'AddN': 1, 'Softmax': 5, 'MatMul': 2 * channels, 'Mean': size * size,
                   'BiasAddGrad': BATCH * size * size - 1, 'L2Loss': 27 * channels * channels - 1}
    return count * per_element.get(op, 0)


def attrs_of(op, dtype, shapes):
    """The attributes that real graphs carry."""
    out = attr('_output_shapes', data(1, b''.join(data(7, shape_proto(s)) for s in shapes))) + OP_ATTRS.get(op, b'')
    if op in ('Const', 'VariableV2', 'Placeholder', 'RandomUniform'):
        out += attr_type('dtype', dtype)
    elif op != 'NoOp':
        out += attr_type('T', dtype)
    if op == 'Const':  # a scalar or vector in full, anything larger as one repeated zero
        content = bytes(4 * elements(shapes[0]) if elements(shapes[0]) <= 4 else 4)
        out += attr('value', data(8, number(1, dtype) + data(2, shape_proto(shapes[0])) +
                                  data(4 if dtype == INT32 else 5, content)))
    elif op in ('VariableV2', 'Placeholder'):
        out += attr('shape', data(7, shape_proto(shapes[0])))
    return out


class Spec:
    """Everything about one line of a node table, in one stage, that is the same in every layer; encoded once."""

    def __init__(self, line, row, stage):
        name, _, self.op, shapes, self.place = line.split()
        self.row = row
        shapes = [dims_of(key, stage) for key in shapes.split(',')] if shapes != '-' else []
        dtype = {'ShapeN': INT32, 'Shape': INT32, 'ScalarSummary': STRING}.get(self.op, FLOAT)
        dtype = INT64 if name.endswith('labels') else INT32 if shapes == [(4,)] else dtype
        count = elements(shapes[0]) if shapes else 0
        device = '' if self.place == '.' else '/device:%s:0' % ('CPU' if self.place == 'cpu' else 'GPU')
        self.graph_op = data(2, self.op.encode())
        self.graph_tail = (data(4, device.encode()) if device else b'') + attrs_of(self.op, dtype, shapes)
        self.colocated = self.op in ('Assign', 'Identity') or self.op.startswith('Apply')
        self.float_ops = float_ops_of(self.op, count, stage)
        is_variable = self.op == 'VariableV2'
        self.params = count if is_variable else 0
        self.log = number(2, self.float_ops)
        self.log += data(3, b'_trainable_variables') if is_variable and 'Momentum' not in name else b''
        heavy = self.float_ops // 20_000_000
        self.host_micros, self.kernel_micros = 6 + 20 * bool(self.float_ops), 4 + min(900, heavy)
        self._memory(dtype, shapes, is_variable)

    def _memory(self, dtype, shapes, is_variable):
        """What one execution asks for: new buffers, unless the op forwards or owns them; scratch space for Conv2D."""
        allocator = b'cpu' if self.place == 'cpu' else b'GPU_0_bfc'
        sizes = [elements(s) * (8 if dtype == INT64 else 4) for s in shapes]
        fresh = 0 if self.op in ('Identity', 'Placeholder') or is_variable else sum(sizes)
        temp, persistent = (sum(sizes) // 2 if self.op.startswith('Conv2D') else 0), sum(sizes) * is_variable
        self.requested = fresh + temp + persistent
        self.memory = data(1, allocator) + number(2, fresh) + number(3, fresh) + number(4, fresh) if fresh else b''
        self.memory_stats = data(12, number(1, temp) + number(3, persistent)) if temp or persistent else b''
        self.outputs = [(number(1, slot), number(1, dtype) + data(2, shape_proto(s)),
                         number(1, size) + number(2, -(-size // 256) * 256) + data(3, allocator))
                        for slot, (s, size) in enumerate(zip(shapes, sizes))]


@lru_cache(maxsize=None)
def table(text, stage):
    """A node table as (template of its names and inputs, specs)."""
    lines = text.split('\n')
    names = '\n'.join(','.join(line.split()[:2]).removesuffix(',-') for line in lines)
    return names, [Spec(line, row, stage) for row, line in enumerate(lines)]


class Stacks:
    """Python call stacks as the op log holds them: strings once in a table, frames with their numbers."""

    def __init__(self):
        self.ids = {}
        self.cache = {}
        self.outer = (self._frame('train.py', 412, '<module>', 'tf.app.run()') +
                      self._frame(LIBRARY + 'platform/app.py', 48, 'run', '_sys.exit(main(_sys.argv[:1]))') +
                      self._frame('train.py', 403, 'main', 'train(FLAGS)') +
                      self._frame('train.py', 268, 'train', 'loss = tower_loss(scope, images, labels)'))
        self.inner = (self._frame(LIBRARY + 'framework/op_def_library.py', 787, '_apply_op_helper', 'op_def=op_def)') +
                      self._frame(LIBRARY + 'util/deprecation.py', 454, 'new_func', 'return func(*args, **kwargs)') +
                      self._frame(LIBRARY + 'framework/ops.py', 3160, 'create_op', 'op_def=op_def)') +
                      self._frame(LIBRARY + 'framework/ops.py', 1625, '__init__', 'self._traceback = stack()'))

    def _frame(self, path, line, function, text):
        file_id, function_id, line_id = (self.ids.setdefault(s, len(self.ids) + 1) for s in (path, function, text))
        return data(1, number(2, line) + number(5, -1) + number(6, file_id) + number(7, function_id) +
                    number(8, line_id))

    def code(self, spec, stage, block):
        """The CodeDef of one node; a few thousand different ones, as in real programs."""
        key = spec.op, spec.row, stage, block
        if key not in self.cache:
            lower = spec.op.lower()
            wrapper = LIBRARY + ('ops/gen_nn_ops.py' if spec.float_ops else 'ops/gen_array_ops.py')
            self.cache[key] = data(4, self.outer +
                self._frame('model.py', 40 + stage, 'inference', 'net = stage(net, %d)' % stage) +
                self._frame('model.py', 90 + block, 'stage', 'net = block_%d(net)' % block) +
                self._frame('model.py', 140 + spec.row, 'residual_block', 'net = %s(net, k=%d)' % (lower, spec.row)) +
                self._frame(wrapper, 1000 + spec.row, lower, 'result = _op("%s", name=name)' % spec.op) + self.inner)
        return self.cache[key]

    def table(self):
        return b''.join(data(2, number(1, i) + data(2, text.encode())) for text, i in self.ids.items())


class StepWriter:
    """One run_meta file. A device's size comes before its records, so the records go to side files first."""

    def __init__(self, folder, step, rng):
        self.path = os.path.join(folder, 'run_meta_%d' % step)
        self.spools = {key: open('%s.%s' % (self.path, key), 'w+b') for key in DEVICES}
        self.rng, self.clock, self.buffers = rng, EPOCH_MICROS + step * 10_000_000, 0
        self.totals = dict.fromkeys(('micros', 'cpu_micros', 'accelerator_micros', 'requested_bytes', 'float_ops',
                                     'run_count', 'records'), 0)
        for key in ('cpu', 'gpu'):
            self._put(key, data(1, b'_SOURCE') + number(2, self.clock) + number(5, 2))

    def _put(self, key, record):
        self.spools[key].write(data(2, record))
        self.totals['records'] += 1

    def run(self, name, inputs, spec):
        """One execution: the executor's record and, for kernels, what the GPU tracer saw."""
        self.clock += 2
        micros = int(self.rng.random() * spec.host_micros)
        label = b'%b = %b(%b)' % (name, spec.op.encode(), b', '.join(inputs))
        host = 'cpu' if spec.place == 'cpu' else 'gpu'
        self._put(host, data(1, name) + number(2, self.clock) + number(3, micros and 1) + number(4, micros) +
                  number(5, micros + 2) + self._memory(spec) + data(8, label) + number(9, self.clock - 3) +
                  number(10, 7001 + self.clock % 4) + spec.memory_stats + number(13, self.clock * 1000) +
                  number(14, 1000 * bool(micros)) + number(15, micros * 1000) + number(16, micros * 1000 + 2000) +
                  number(17, self.clock * 1000 - 3000))
        totals = self.totals
        totals['cpu_micros'] += micros or 1  # readers raise 0 to 1
        totals['requested_bytes'] += spec.requested
        totals['float_ops'] += spec.float_ops
        totals['run_count'] += 1
        if spec.place == 'kernel':
            self._kernel(name, spec)

    def _memory(self, spec):
        out = b''
        if spec.memory:
            history = data(6, number(1, self.clock + 1) + number(2, spec.requested))
            out = data(6, spec.memory + number(5, 1_000_000_000 + self.buffers * 4096) + history)
        for slot, tensor, allocation in spec.outputs:
            self.buffers += 1
            allocation += number(4, self.buffers) + number(6, 0x7f3a00000000 + self.buffers * 4096)
            out += data(7, slot + data(3, tensor + data(4, allocation)))
        return out

    def _kernel(self, name, spec):
        micros = 1 + int(spec.kernel_micros * (0.5 + self.rng.random()))
        label = b'%b:%b' % (name, spec.op.encode())
        record = (data(1, label) + number(2, self.clock + 9) + number(4, micros) + number(5, micros) +
                  data(8, label + b' regs:32 shm:0 grid:64,1,1 block:1024,1,1'))
        self._put('all', record)
        self._put('stream', record)
        self.totals['accelerator_micros'] += micros

    def copy(self, name, direction):
        """A memory copy; such records add no time to the node that asked for it."""
        label = name + b':MEMCPY' + direction
        self._put('memcpy', data(1, label) + number(2, self.clock + 1) + number(4, 11) + number(5, 11) +
                  data(8, label + b' num_bytes: 4096 destination: 0 async: true'))

    def close(self):
        """Joins the side files into one RunMetadata; returns the step's totals."""
        heads = []
        for key, device in DEVICES.items():
            name = data(1, device.encode())
            heads.append(b'\x0a' + varint(len(name) + self.spools[key].tell()) + name)
        size = sum(map(len, heads)) + sum(spool.tell() for spool in self.spools.values())
        with open(self.path, 'wb') as out:
            out.write(b'\x0a' + varint(size))
            for head, spool in zip(heads, self.spools.values()):
                out.write(head)
                spool.seek(0)
                shutil.copyfileobj(spool, out, 1 << 20)
                spool.close()
                os.remove(spool.name)
        self.totals['micros'] = self.totals['cpu_micros'] + self.totals['accelerator_micros']
        return self.totals


Block = namedtuple('Block', 'text names stage kind runs', defaults=(0, 0, 1))  # a node table and how to fill it in


def model(nodes, deep):
    """Yields the blocks of a model of at least `nodes` nodes; whole towers and layers as long as they fit."""
    yield Block(GLOBAL, {})
    room, k = nodes - 1, 0
    layer_size, tower_size = (text.count('\n') + 1 for text in (LAYER, TOWER))
    for tower in range(nodes):
        layers = min(LAYERS_PER_TOWER, (room - tower_size) // layer_size)
        if layers < 1:
            break
        room -= tower_size + layers * layer_size
        top, stage = 'tower_%02d' % tower, 0
        x = top + '/images'
        for i in range(layers):
            stage, block = i * len(STAGES) // layers, i // 2
            nest = '/in' * (8 * i) if deep else ''
            scope = '%s%s/resnet_stage_%d/residual_block_%d/conv_%d' % (top, nest, stage, block, i % 2)
            dy = 'gradients/AddN_%d' % (k + 1) if i + 1 < layers else 'gradients/%s/pool_grad/Tile' % top
            names = {'P': scope, 'W': scope + '/weights', 'N': scope + '/BatchNorm', 'x': x, 'dy': dy, 'k': k,
                     'I': scope + '/weights/Initializer/random_uniform',
                     'B': 'gradients/%s/BiasAdd_grad' % scope, 'C': 'gradients/%s/Conv2D_grad' % scope}
            yield Block(LAYER, names, stage, block % 8, 3 if i % 16 == 5 else 1)
            x, k = scope + '/add', k + 1
        yield Block(TOWER, {'T': top, 'x': x}, stage)
    for k in range(room):
        yield Block(FILLER, {'k': k})


def rows(nodes, deep, chain):
    """Yields (name, inputs, spec, block) of each node. A chain makes each node the input of the next one."""
    before = []
    for block in model(nodes, deep):
        template, specs = table(block.text, block.stage)
        for line, spec in zip(template.format(**block.names).encode().split(b'\n'), specs):
            name, *inputs = line.split(b',')
            yield name, before if chain else inputs, spec, block
            before = [name]


def write(args):
    """Writes all files; returns what goes into expected.json."""
    stacks, rng = Stacks(), random.Random(args.seed)
    path = partial(os.path.join, args.out)
    steps = [StepWriter(args.out, step, rng) for step in range(args.steps)]
    params = edges = never_ran = 0
    with open(path('graph.pb'), 'wb') as graph, open(path('tfprof_log'), 'wb') as log:
        for name, inputs, spec, block in islice(rows(args.nodes, args.deep, args.chain), args.nodes):
            node = data(1, name) + spec.graph_op + b''.join([data(3, i) for i in inputs]) + spec.graph_tail
            if spec.colocated and inputs:
                node += attr('_class', data(1, data(2, b'loc:@' + inputs[0].partition(b':')[0])))
            graph.write(data(1, node))
            log.write(data(1, data(1, name) + spec.log + stacks.code(spec, block.stage, block.kind)))
            params += spec.params
            edges += len(inputs)
            if spec.place == '.':
                never_ran += spec.float_ops
                continue
            for step in steps:
                for _ in range(block.runs):
                    step.run(name, inputs, spec)
                if spec.op in ('Placeholder', 'Conv2D'):
                    step.copy(name, b'HtoD')
        graph.write(data(4, number(1, 24)))  # versions.producer
        log.write(stacks.table())
    totals = [step.close() for step in steps]
    for step in totals:
        step['float_ops'] += never_ran
    return {'nodes': args.nodes, 'edges': edges, 'params': params, 'steps': totals}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--nodes', type=int, required=True, help='exact number of graph nodes')
    parser.add_argument('--out', required=True, help='folder for the files, made if missing')
    parser.add_argument('--steps', type=int, default=1, help='number of run_meta files (default 1)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--chain', action='store_true', help='one chain through all nodes: the deepest graph view')
    parser.add_argument('--deep', action='store_true', help='name scopes nested hundreds of levels deep')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    expected = write(args)
    files = ['graph.pb', 'tfprof_log'] + ['run_meta_%d' % step for step in range(args.steps)]
    expected['bytes'] = {name: os.path.getsize(os.path.join(args.out, name)) for name in files}
    expected['arguments'] = {'seed': args.seed, 'chain': args.chain, 'deep': args.deep}
    with open(__file__, 'rb') as source:  # tells a cache that the generator has changed since
        expected['generator'] = hashlib.sha256(source.read()).hexdigest()
    with open(os.path.join(args.out, 'expected.json'), 'w') as out:  # last: its presence says the others are whole
        json.dump(expected, out, indent=1)


if __name__ == '__main__':
    main()
