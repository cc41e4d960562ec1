"""The network of this example, as it was recorded: line numbers in the code view are those of this file."""
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def _conv_bn_relu(x, filters, stride, training, name, relu=True):
    with tf1.variable_scope(name):
        w = tf1.get_variable('w', [3, 3, x.shape[-1], filters],
                             initializer=tf1.truncated_normal_initializer(stddev=0.1, seed=1))
        x = tf.nn.conv2d(x, w, stride, 'SAME')
        scale = tf1.get_variable('gamma', [filters], initializer=tf1.ones_initializer())
        offset = tf1.get_variable('beta', [filters], initializer=tf1.zeros_initializer())
        x, _, _ = tf1.nn.fused_batch_norm(x, scale, offset, is_training=training)
        return tf.nn.relu(x) if relu else x


def _dense(x, units, name, activation=None):
    with tf1.variable_scope(name):
        w = tf1.get_variable('w', [x.shape[-1], units],
                             initializer=tf1.random_normal_initializer(stddev=0.05, seed=2))
        b = tf1.get_variable('b', [units], initializer=tf1.zeros_initializer())
        x = tf.nn.bias_add(tf.matmul(x, w), b)
        return activation(x) if activation else x



# Another network stood here when this was recorded; the gap keeps the line numbers right.










def resnet(blocks=3, batch=32):
    """A CIFAR residual network with momentum: 6*blocks+2 layers."""
    x = tf1.placeholder(tf.float32, [batch, 32, 32, 3], name='images')
    y = tf1.placeholder(tf.int32, [batch], name='labels')
    h = _conv_bn_relu(x, 16, 1, True, 'stem')
    for stage, filters in enumerate((16, 32, 64)):
        for block in range(blocks):
            with tf1.variable_scope('unit_%d_%d' % (stage, block)):
                stride = 2 if stage and not block else 1
                r = _conv_bn_relu(h, filters, stride, True, 'sub1')
                r = _conv_bn_relu(r, filters, 1, True, 'sub2', relu=False)
                if stride == 2:
                    h = tf.nn.avg_pool2d(h, 2, 2, 'SAME')
                    h = tf.pad(h, [[0, 0], [0, 0], [0, 0], [filters // 4, filters // 4]])
                h = tf.nn.relu(h + r)
    h = tf.reduce_mean(h, [1, 2])
    logits = _dense(h, 10, 'logit')
    with tf1.name_scope('costs'):
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        decay = tf.add_n([tf.nn.l2_loss(v) for v in tf1.trainable_variables() if v.op.name.endswith('/w')])
        loss += 0.0002 * decay
    train = tf1.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    rng = np.random.RandomState(0)
    return train, {x: rng.rand(batch, 32, 32, 3), y: rng.randint(0, 10, [batch])}
