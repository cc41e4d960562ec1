"""Twenty models of several kinds: parameters are Keras' own count, float ops agree, whatever the input is."""
import pytest

tf = pytest.importorskip('tensorflow')

import tfprof  # noqa: E402

K = tf.keras
L = K.layers


def sequential(shape, *layers, dtype='float32'):
    return lambda: K.Sequential([L.Input(shape, dtype=dtype), *(make() for make in layers)])


def functional(build, *shapes, dtype='float32'):
    def make():
        inputs = [L.Input(shape, dtype=dtype) for shape in shapes]
        return K.Model(inputs[0] if len(inputs) == 1 else inputs, build(*inputs))
    return make


def residual(x):
    y = L.Conv2D(8, 3, padding='same')(x)
    y = L.BatchNormalization()(y)
    y = L.Activation('relu')(y)
    y = L.Conv2D(3, 1)(y)
    return L.Dense(5)(L.GlobalAveragePooling2D()(L.Add()([x, y])))


def inception(x):
    parts = [L.Conv2D(4, 1)(x), L.Conv2D(4, 3, padding='same')(x), L.MaxPooling2D(3, 1, padding='same')(x)]
    return L.Flatten()(L.Concatenate()(parts))


def self_attention(x):
    y = L.MultiHeadAttention(2, 4)(x, x)
    x = L.LayerNormalization()(L.Add()([x, y]))
    y = L.Dense(8)(L.Dense(16, activation='gelu')(x))
    return L.LayerNormalization()(L.Add()([x, y]))


def transformer(tokens):
    return L.Dense(7, activation='softmax')(self_attention(L.Embedding(50, 8)(tokens)))


def attention(query, value):
    return L.Dense(3)(L.Attention()([query, value]))


def seq2seq(source, target):
    _, *state = L.LSTM(6, return_state=True)(source)
    return L.Dense(4)(L.LSTM(6, return_sequences=True)(target, initial_state=state))


def siamese(left, right):
    tower = K.Sequential([L.Dense(8, activation='relu'), L.Dense(4)])
    return L.Dense(1)(L.Subtract()([tower(left), tower(right)]))


def recommender(tokens):
    users, items = L.Embedding(30, 4)(tokens[:, 0]), L.Embedding(40, 4)(tokens[:, 1])
    return L.Dense(1)(L.Concatenate()([users, items]))


def causal_attention(x):
    return L.Dense(3)(L.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True))


def masked_recurrent(tokens):
    return L.Dense(2)(L.LSTM(5)(L.Embedding(20, 4, mask_zero=True)(tokens)))


def nested(x):
    block = K.Sequential([L.Dense(6, activation='tanh'), K.Sequential([L.Dense(4), L.LayerNormalization()])])
    return L.Dense(2)(L.Concatenate()([block(x), L.Dense(3)(x)]))


def shared_twice(x):
    dense = L.Dense(8, activation='relu')
    return L.Dense(1)(L.Add()([dense(dense(x)), dense(x), dense(x)]))  # the last two are computed once


def two_outputs(x):
    y = L.Dense(8, activation='swish')(x)
    return [L.Dense(3, activation='softmax', name='kind')(y), L.Dense(1, name='size')(y)]


def sums(x):
    a, b, c = L.Dense(4)(x), L.Dense(4)(x), L.Dense(4)(x)
    return a * 2. + b * 2. + c * 2. + (a + b) / 3.  # factors are taken out before this runs


class Own(K.Model):
    """A model with a call of its own."""

    def __init__(self):
        super().__init__()
        self.first, self.last = L.Dense(8, activation='relu'), L.Dense(3)
        self.scale = self.add_weight(shape=(8,), initializer='ones', name='scale')

    def call(self, x):
        return self.last(self.first(x) * self.scale)


class OwnRecurrent(K.Model):
    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.head = L.Embedding(20, 4), L.GRU(5), L.Dense(2)

    def call(self, tokens):
        return self.head(self.cell(self.embed(tokens)))


class OwnLoop(K.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [L.Dense(8, activation='gelu') for _ in range(4)]
        self.norms = [L.LayerNormalization() for _ in range(4)]

    def call(self, x):
        for block, norm in zip(self.blocks, self.norms):
            x = x + norm(block(x))
        return x


class OwnWhile(K.Model):
    """A loop that stays one when it is traced."""

    def __init__(self):
        super().__init__()
        self.dense = L.Dense(8)

    def call(self, x):
        self.dense(x)  # what nobody uses does not run
        return tf.while_loop(lambda i, _: i < 7, lambda i, y: (i + 1, tf.nn.relu(self.dense(y) + y)), (0, x))[1]


def called(make, *shape, dtype='float32'):
    def build():
        model = make()
        model(tf.zeros([1, *shape], dtype))
        return model
    return build


# Name -> a maker. Every input has a known size but for the batch.
MODELS = {
    'mlp': sequential([8], lambda: L.Dense(16, activation='relu'), lambda: L.Dense(2)),
    'dropout': sequential([8], lambda: L.Dense(16), lambda: L.Dropout(.5), lambda: L.Dense(2)),
    'cnn': sequential([12, 12, 3], lambda: L.Conv2D(4, 3, activation='relu'), lambda: L.MaxPooling2D(), L.Flatten,
                      lambda: L.Dense(5)),
    'cnn with normalization': sequential([12, 12, 3], lambda: L.Conv2D(4, 3, strides=2, use_bias=False),
                                         L.BatchNormalization, L.ReLU, L.GlobalAveragePooling2D),
    'separable': sequential([12, 12, 3], lambda: L.SeparableConv2D(6, 3), lambda: L.DepthwiseConv2D(3), L.Flatten),
    'transposed': sequential([6, 6, 4], lambda: L.Conv2DTranspose(3, 3, strides=2), lambda: L.Conv2D(1, 1)),
    'conv1d': sequential([20, 4], lambda: L.Conv1D(6, 3, padding='causal'), L.GlobalMaxPooling1D, lambda: L.Dense(2)),
    'conv3d': sequential([6, 6, 6, 2], lambda: L.Conv3D(3, 3), L.GlobalAveragePooling3D),
    'residual': functional(residual, [12, 12, 3]),
    'inception': functional(inception, [8, 8, 3]),
    'lstm': sequential([10, 3], lambda: L.LSTM(6), lambda: L.Dense(2)),
    'gru of two layers': sequential([10, 3], lambda: L.GRU(6, return_sequences=True), lambda: L.GRU(4)),
    'bidirectional': sequential([10, 3], lambda: L.Bidirectional(L.LSTM(4)), lambda: L.Dense(2)),
    'time distributed': sequential([10, 3], lambda: L.SimpleRNN(5, return_sequences=True),
                                   lambda: L.TimeDistributed(L.Dense(4))),
    'sequence to sequence': functional(seq2seq, [7, 3], [5, 3]),
    'embedding': sequential([9], lambda: L.Embedding(30, 6), L.GlobalAveragePooling1D, lambda: L.Dense(2),
                            dtype='int32'),
    'recommender': functional(recommender, [2], dtype='int32'),
    'attention': functional(attention, [6, 8], [7, 8]),
    'transformer': functional(transformer, [6], dtype='int32'),
    'siamese': functional(siamese, [8], [8]),
    'subclassed': called(Own, 8),
    'subclassed recurrent': called(OwnRecurrent, 6, dtype='int32'),
    'depthwise': sequential([12, 12, 3], lambda: L.DepthwiseConv2D(3, activation='relu6'),
                            lambda: L.Conv2D(8, 1, activation='swish'), L.GlobalAveragePooling2D),
    'conv1d at the end': sequential([20, 4], lambda: L.Conv1D(6, 3, dilation_rate=2)),
    'bidirectional gru': sequential([10, 3], lambda: L.Bidirectional(L.GRU(4, return_sequences=True)),
                                    lambda: L.Conv1D(2, 3, activation='relu'), L.GlobalMaxPooling1D),
    'stacked cells': sequential([10, 3], lambda: L.RNN([L.LSTMCell(4), L.GRUCell(5)])),
    'convolutional lstm': sequential([4, 6, 6, 2], lambda: L.ConvLSTM2D(3, 3), L.Flatten, lambda: L.Dense(2)),
    'causal attention': functional(causal_attention, [6, 8]),
    'masked recurrent': functional(masked_recurrent, [7], dtype='int32'),
    'nested': functional(nested, [5]),
    'shared layer': functional(shared_twice, [8]),
    'two outputs': functional(two_outputs, [8]),
    'sums': functional(sums, [8]),
    'normalization and dropout': sequential([8], lambda: L.Dense(6), L.BatchNormalization, lambda: L.Dropout(.3),
                                            L.ELU, L.UnitNormalization, lambda: L.Dense(2)),
    'groups': sequential([8, 8, 4], lambda: L.Conv2D(8, 3, groups=2), lambda: L.GroupNormalization(2),
                         L.PReLU, lambda: L.UpSampling2D(interpolation='bilinear')),
    'subclassed loop': called(OwnLoop, 8),
    'subclassed while': called(OwnWhile, 8),
}


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """Each model once: itself, its SavedModel, its graph and a recording of one forward step."""
    found = {}

    def get(name):
        if name in found:
            return found[name]
        K.utils.set_random_seed(1)
        model = MODELS[name]()
        folder = tmp_path_factory.mktemp('model')
        specs = tfprof._models._specs(model, 1)
        batch = tf.nest.map_structure(lambda spec: tf.zeros(spec.shape, spec.dtype), specs)
        model(batch)
        model.export(str(folder / 'saved'), verbose=False)
        step = tf.function(lambda x: model(x, training=False))
        tracer = tfprof.Tracer(folder / 'run', steps=[2], functions=[step, model])
        for number in range(3):
            with tracer.step(number):
                step(batch)
        found[name] = model, folder
        return found[name]

    return get


def inputs_of(model, folder):
    return {'Keras': model, 'SavedModel': folder / 'saved', 'graph': folder / 'run' / 'graph.pb', 'run': folder / 'run'}


@pytest.mark.parametrize('name', MODELS)
def test_parameters(name, made):
    model, folder = made(name)
    count = model.count_params()
    assert count == sum(int(tf.size(weight)) for weight in model.weights)
    wrong = {}
    for kind, given in inputs_of(model, folder).items():
        if kind != 'run':
            wrong['model of ' + kind] = tfprof.model(given, batch=1)['params']['total']
        wrong['summary of ' + kind] = tfprof.summary(given)['model']['params']
    wrong = {kind: number for kind, number in wrong.items() if number != count}
    assert not wrong, (count, wrong)


@pytest.mark.parametrize('name', MODELS)
def test_float_ops_of_the_graph(name, made, caplog):
    model, folder = made(name)
    count = tfprof.flops(model)
    assert count > 0 and 'at least' not in caplog.text
    assert tfprof.flops(folder / 'run' / 'graph.pb') == count


@pytest.mark.parametrize('name', MODELS)
def test_float_ops_of_one_recorded_step(name, made):
    model, folder = made(name)
    run = tfprof.load(folder / 'run').scope(select=['float_ops'], max_depth=1)
    assert run.total_float_ops == tfprof.flops(model)


@pytest.mark.parametrize('name', MODELS)
def test_float_ops_of_the_saved_model(name, made):
    model, folder = made(name)
    assert tfprof.flops(folder / 'saved') == tfprof.flops(model)


@pytest.mark.parametrize('name', ['mlp', 'dropout', 'cnn with normalization', 'lstm', 'transformer'])
def test_parameters_of_a_recorded_training(name, made, tmp_path):
    model, _ = made(name)
    model.compile('adam', 'mse')
    batch = tf.nest.map_structure(lambda spec: tf.zeros([4, *spec.shape[1:]], spec.dtype),
                                  tfprof._models._specs(model, 1))
    model.fit(batch, tf.zeros([4, *model.output_shape[1:]]), batch_size=2, verbose=0,
              callbacks=[tfprof.keras.ProfileCallback(tmp_path, steps=[2])])
    assert tfprof.summary(tmp_path)['model']['params'] == model.count_params()
    assert tfprof.model(tmp_path / 'graph.pb')['params']['total'] == model.count_params()


def test_there_are_twenty():
    assert len(MODELS) >= 20
