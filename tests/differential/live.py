"""Random programs: graphs that TensorFlow itself builds, and steps whose records tell the shapes that the graph leaves open.

They go through a tf.Graph, so that what the Python packages add, float ops above all, is compared too.
"""
import tensorflow as tf

from .inputs import InputMaker

v1 = tf.compat.v1
DEVICES = ('', '', '/cpu:0', '/gpu:0')


class LiveMaker(InputMaker):
    """Draws a program; its graph is imported again by whoever profiles it."""

    def tensor(self):
        return self.rng.choice(self.tensors)

    def like(self, *shape):
        """A tensor of a rank and sizes, or a new placeholder for one."""
        fitting = [t for t in self.tensors if t.shape.rank == len(shape) and t.shape[1:].as_list() == list(shape[1:])]
        if fitting and self.often(.8):
            return self.rng.choice(fitting)
        return v1.placeholder(tf.float32, None if self.often(.1) else shape, self.rng.choice(('x', 'images', 'y')))

    def layer(self):
        rng = self.rng
        kind = rng.randrange(9)
        if kind == 0:
            x = self.like(None, 8)
            w = v1.get_variable('w%d' % len(self.tensors), (8, rng.choice((4, 8))), use_resource=self.often(.5))
            return tf.matmul(tf.reshape(x, (-1, 8)) if x.shape.rank is None else x, w)
        if kind == 1:
            kernel = v1.get_variable('k%d' % len(self.tensors), (3, 3, 3, 3), use_resource=self.often(.5),
                                     trainable=self.often(.7))
            return tf.nn.conv2d(self.images(), kernel, rng.choice((1, 2)), 'SAME')
        if kind == 2:
            return rng.choice((tf.nn.max_pool2d, tf.nn.avg_pool2d))(self.images(), 2, 2, 'SAME')
        if kind == 3:
            return v1.nn.fused_batch_norm(self.images(), [1.] * 3, [0.] * 3)[0]
        if kind == 4:
            return tf.nn.bias_add(self.images(), [1.] * 3)
        if kind == 5:  # a branch and a loop of the old kind
            x = self.tensor()
            merged, _ = tf.raw_ops.Merge(inputs=[tf.identity(x), tf.identity(x)])
            return tf.add(merged, 1.)
        if kind == 6:
            return tf.reduce_sum(self.tensor())
        if kind == 7:
            parts = tf.split(self.like(None, 8), 2, 1)
            return tf.concat(parts, 0)
        return rng.choice((tf.nn.relu, tf.square, tf.nn.softmax, tf.identity, tf.negative))(self.tensor())

    def images(self):
        x = self.like(None, 4, 4, 3)
        return tf.reshape(x, (-1, 4, 4, 3)) if x.shape.rank is None else x

    def graph(self):
        graph = tf.Graph()
        with graph.as_default():
            self.tensors = [v1.placeholder(tf.float32, (None, 8), 'x')]
            for index in range(self.rng.choice((2, 4, 8))):
                with tf.name_scope(self.rng.choice(('layer', 'block', 'a/b'))), v1.variable_scope('v%d' % index), \
                        tf.device(self.rng.choice(DEVICES)):
                    try:
                        self.tensors.append(self.layer())
                    except ValueError:
                        continue  # sizes that do not fit
            if self.often(.3):
                tf.gradients(tf.reduce_sum(self.tensors[-1]), self.tensors[:1])
        self.shapes = {op.name: [output.shape for output in op.outputs] for op in graph.get_operations()}
        self.names = list(self.shapes)
        return graph.as_graph_def()

    def memory(self, record):
        """Outputs as the op has them, or one more or less, as kernels with a workspace record them."""
        super().memory(record)
        shapes = self.shapes.get(record.node_name, ())
        if not self.often(.85):
            return
        del record.output[:]
        for slot, shape in enumerate(shapes):
            output = record.output.add(slot=slot)
            rank = self.rng.choice((1, 2)) if shape.rank is None else shape.rank
            for place in range(rank):
                size = None if shape.rank is None else shape[place]
                output.tensor_description.shape.dim.add(size=self.batch if size is None else size)
        if self.often(.15):
            record.output.add(slot=len(shapes))
        elif record.output and self.often(.1):
            del record.output[-1]

    def step(self):
        self.batch = self.rng.choice((1, 2, 7))
        run = super().step()
        for device in run.step_stats.dev_stats:  # TensorFlow's package refuses names of tensors, and negative sizes
            for record in device.node_stats:
                record.node_name = record.node_name.replace(':', '_')
        return run
