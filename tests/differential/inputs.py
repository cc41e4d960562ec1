"""Random inputs: graphs, the run metadata of several steps, op logs. Each follows from its random number generator alone.

Most of what is drawn is what TensorFlow writes; some of it is what it never would (cycles, records of nodes that are not
there, negative times), for a file may hold anything.
"""
from tensorflow.compat.v1 import GraphDef, RunMetadata
from tensorflow.compat.v1.profiler import OpLogProto

# By family, so that each is drawn as often as another.
OPS = (
    ('VariableV2', 'VarHandleOp', 'Variable', 'ReadVariableOp', 'AssignVariableOp', 'Assign'),
    ('MatMul', 'BatchMatMulV2', 'Einsum', 'SparseTensorDenseMatMul'),
    ('Conv2D', 'DepthwiseConv2dNative', 'Conv2DBackpropFilter', 'MaxPool', 'AvgPool', 'BiasAdd'),
    ('FusedBatchNorm', 'FusedBatchNormV3', 'BatchNorm', 'BatchNormWithGlobalNormalization', '_FusedConv2D'),
    ('Relu', 'Add', 'AddV2', 'Mul', 'Sum', 'Mean', 'Softmax', 'L2Loss', 'Square'),
    ('Const', 'Placeholder', 'Identity', 'Reshape', 'ConcatV2', 'Split', 'Transpose', 'StridedSlice'),
    ('Enter', 'Merge', 'Switch', 'NextIteration', 'Exit', 'LoopCond', 'While', 'If'),
    ('PartitionedCall', 'StatefulPartitionedCall', 'twice', 'SymbolicGradient'),
    ('NoOp', 'Send', 'Recv', '_HostRecv', 'RandomUniform', 'IteratorGetNext', 'Op With Blanks'),
)
PARTS = ('a', 'b', 'c', 'A', 'a_1', 'layer', 'layer_1', 'conv2d', 'w', 'while', 'cond', 'gradients', 'w_grad', 'a_grad',
         'Adam', 'x.y', 'm-n', '0', 'read', 'GradientDescent', 'mul_grad', '_under', 'batchnorm')
CPU, GPU = '/job:localhost/replica:0/task:0/device:CPU:0', '/job:localhost/replica:0/task:0/device:GPU:0'
DEVICES = (CPU, CPU, CPU, GPU, GPU, '/device:GPU:0/stream:all', '/device:GPU:0/stream:all', '/device:GPU:0/stream:7',
           '/gpu:0/stream:all', '/gpu:0/memcpy', '/job:worker/replica:0/task:1/device:CPU:0', '/job:worker/task:1/gpu:1',
           '/device:GPU:1/stream:all', '/cpu:0', '/device:TPU:0', 'nowhere')
ALLOCATORS = ('cpu', 'mklcpu', 'GPU_0_bfc', 'GPU_1_bfc', 'gpu_host_bfc', '')
TYPES = ('_trainable_variables', '_checkpoint_variables', 'mine', 'Conv2D', 'mine/too')
FILES = ('/home/me/train.py', '/home/me/model.py', '/usr/lib/python3/site-packages/layers.py', 'a.py', '', 'notes.txt')
FUNCTIONS = ('<module>', 'main', 'build', 'dense', 'a_function_of_a_very_long_name', 'exactly_twenty_chars', '')
SIZES = (0, 1, 1, 3, 8, 100, 1024, 999999, 1000000, 123456789)
HUGE = ((1 << 62), (1 << 63) - 1, (1 << 40), -(1 << 62))
ODD_NAMES = ('', '/', 'a//b', '/a', 'a/', '_TFProfRoot', '_SOURCE', 'RecvTensor', 'x_MEMCPY', 'a b', 'a:b', '^a')


class InputMaker:
    """Draws the parts of one case's input."""

    def __init__(self, rng):
        self.rng = rng
        self.odd = rng.random() < .12  # names, shapes and times that no run has
        self.huge = rng.random() < .03
        self.names = []

    def often(self, share):
        return self.rng.random() < share

    def size(self):
        if self.huge and self.often(.3):
            return self.rng.choice(HUGE)
        if self.odd and self.often(.1):
            return -self.rng.choice(SIZES)
        return self.rng.choice(SIZES)

    # --- the graph

    def name(self):
        rng = self.rng
        if self.odd and self.often(.06):
            return rng.choice(ODD_NAMES)
        if self.names and self.often(.25):  # a neighbour, or something inside of a node
            given = rng.choice(self.names)
            return rng.choice(('%s/%s' % (given, rng.choice(PARTS)), '%s_1' % given, given.rpartition('/')[0] or given,
                               'gradients/%s_grad/%s' % (given, rng.choice(PARTS)), given))
        return '/'.join(rng.choice(PARTS) for _ in range(rng.choice((1, 1, 2, 2, 3, 4))))

    def shape(self, shape):
        kind = self.rng.random()
        if kind < .12:
            shape.unknown_rank = True
        elif kind > .2:
            for _ in range(self.rng.choice((1, 1, 2, 2, 3, 4))):
                size = self.rng.choice((1, 2, 3, 5, 8, 32, 100, -1, 1024))
                shape.dim.add(size=0 if self.odd and self.often(.1) else size)

    def node(self, graph, name):
        rng = self.rng
        node = graph.node.add(name=name, op=rng.choice(rng.choice(OPS)))
        if self.odd and self.often(.03):
            node.op = ''
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 5))):
            if not self.names:
                break
            source = rng.choice(self.names[-12:] if self.often(.7) else self.names)
            if self.often(.05):
                source = 'nobody/%s' % rng.choice(PARTS)
            form = rng.random()
            node.input.append('^' + source if form < .1 else '%s:%d' % (source, rng.choice((0, 1, 2))) if form < .3 else source)
        if self.often(.3):
            node.device = rng.choice(DEVICES)
        if 'Var' in node.op and self.often(.9) or self.often(.15):
            self.shape(node.attr['shape'].shape)
        if self.often(.8):
            shapes = node.attr['_output_shapes'].list
            for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 3))):
                self.shape(shapes.shape.add())
        if self.often(.15):
            node.attr['data_format'].s = rng.choice((b'NHWC', b'NCHW'))
        if self.odd and self.often(.05):
            node.attr['shape'].i = 3

    def graph(self):
        graph = GraphDef()
        for _ in range(self.rng.choice((1, 3, 8, 8, 15, 15, 30, 60))):
            name = self.name()
            if name in self.names and not (self.odd and self.often(.1)):
                continue
            self.node(graph, name)
            self.names.append(name)
        if self.often(.15):  # loops: a node of the front gets one of the back as input
            for _ in range(self.rng.choice((1, 1, 2))):
                self.rng.choice(graph.node[:4]).input.append(self.rng.choice(graph.node[-4:]).name)
        if self.often(.1):
            function = graph.library.function.add()
            function.signature.name = 'twice'
            function.signature.input_arg.add(name='x', type=1)
            function.signature.output_arg.add(name='y', type=1)
            function.node_def.add(name='mul', op='Mul').input.extend(('x', 'x'))
            function.ret['y'] = 'mul:z:0'
        return graph

    # --- steps

    def memory(self, record):
        rng = self.rng
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            used = record.memory.add(allocator_name=rng.choice(ALLOCATORS), total_bytes=self.size(),
                                     peak_bytes=self.size(), live_bytes=self.size(), allocator_bytes_in_use=self.size())
            for _ in range(rng.choice((0, 0, 1, 2))):
                used.allocation_records.add(alloc_micros=rng.randrange(1, 3000), alloc_bytes=self.size())
        if self.often(.3):
            record.memory_stats.temp_memory_size = self.size()
            record.memory_stats.persistent_memory_size = self.size()
            record.memory_stats.device_temp_memory_size = self.size()
        for slot in range(rng.choice((0, 0, 1, 1, 2, 3))):
            output = record.output.add(slot=rng.choice((slot, slot, 0, 5)))
            if self.often(.9):
                output.tensor_description.dtype = 1
                for _ in range(rng.choice((0, 1, 2))):
                    output.tensor_description.shape.dim.add(size=rng.choice((1, 2, 8)))
            if self.often(.8):
                about = output.tensor_description.allocation_description
                about.requested_bytes, about.allocated_bytes = self.size(), self.size()
                about.allocator_name = rng.choice(ALLOCATORS)
                about.ptr = rng.randrange(1 << 40)

    def record(self, device, name):
        rng = self.rng
        record = device.node_stats.add(node_name=name)
        start = rng.randrange(1, 3000) if self.often(.9) else rng.choice((0, 1, 1500000000000000))
        record.all_start_micros = -start if self.odd and self.often(.05) else start
        record.op_start_rel_micros = rng.choice((0, 1, 5))
        record.op_end_rel_micros = self.size() if self.often(.1) else rng.choice((0, 0, 1, 2, 10, 100, 1500, 20000, 2000000))
        record.all_end_rel_micros = rng.choice((0, 5, 2000000))
        if self.often(.3):
            record.timeline_label = '%s = %s(%s)' % (name, rng.choice(rng.choice(OPS)), rng.choice(PARTS))
        if self.often(.6):
            self.memory(record)

    def step(self):
        rng = self.rng
        run = RunMetadata()
        for _ in range(rng.choice((1, 1, 2, 3, 4))):
            device = run.step_stats.dev_stats.add(device='' if self.odd and self.often(.03) else rng.choice(DEVICES))
            share = rng.choice((.2, .6, 1))
            for name in self.names:
                if not self.often(share):
                    continue
                for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
                    self.record(device, name + rng.choice(('', '', '', '', ':MatMul', ':MEMCPYHtoD', '__copy')))
            for _ in range(rng.choice((0, 0, 1, 2))):
                self.record(device, rng.choice(('_SOURCE', 'RecvTensor', 'edge_3:MEMCPYHtoD', 'unknown/%s' % rng.choice(PARTS),
                                                'unknown', '_Recv', 'x_MEMCPY_y', 'edge_5_node')))
            if self.often(.4):
                device.node_stats.sort(key=lambda _: rng.random())
        return run

    def steps(self):
        numbers = self.rng.choice(((), (0,), (0,), (4,), (0, 1), (1, 2, 9), (3, 7), (0, 10, 100)))
        if self.odd and self.often(.2):
            numbers = numbers[::-1]
        if self.odd and self.often(.1):
            numbers += numbers[:1]  # a step that is given twice
        return [(number, self.step()) for number in numbers]

    # --- the op log

    def trace(self, entry, strings):
        rng = self.rng
        stack = [(FILES[0], rng.choice((10, 11)), FUNCTIONS[0])] + [
            (rng.choice(FILES), rng.randrange(1, 6), rng.choice(FUNCTIONS)) for _ in range(rng.choice((0, 1, 1, 2, 3, 5)))]
        for file, line, function in stack:
            trace = entry.code_def.traces.add(lineno=line, file_id=strings(file), function_id=strings(function))
            if self.often(.3):
                trace.line_id = strings('x = %s(y)' % function)
            if self.odd and self.often(.05):
                trace.file_id = 999

    def op_log(self, traces=True):
        if self.often(.1):
            return None
        rng, log = self.rng, OpLogProto()
        known = {}

        def strings(text):
            return known.setdefault(text, len(known) + 1)

        traced = traces and self.often(.8)
        for name in self.names:
            if not self.often(.85):
                continue
            entry = log.log_entries.add(name=name)
            if self.often(.4):
                entry.float_ops = self.size()
            if self.often(.3):
                entry.types.extend(rng.sample(TYPES, rng.choice((1, 1, 2))))
            if traced and self.often(.9):
                self.trace(entry, strings)
        if self.often(.1):
            log.log_entries.add(name='not/there', float_ops=3, types=['mine'])
        for text, number in known.items():
            log.id_to_string[number] = text
        return log
