"""Parameters in .keras archives are Keras' own, for every kind of layer."""
import pytest

tf = pytest.importorskip('tensorflow')

import tfprof  # noqa: E402
from test_tensorflow_twenty_models import MODELS, functional, sequential  # noqa: E402

K = tf.keras
L = K.layers


def frozen():
    model = K.Sequential([L.Input([8]), L.Dense(4), L.BatchNormalization(), L.Dense(2)])
    model.layers[0].trainable = False
    model.layers[1].trainable = False
    return model


def nested_twice(x):
    inner = K.Sequential([L.Dense(4), L.BatchNormalization()], name='inner')
    outer = K.Sequential([inner, L.Dense(3), L.Dense(3)], name='outer')
    return L.Dense(2)(outer(x))


def compiled():
    model = K.Sequential([L.Input([8]), L.Dense(4), L.Dropout(.5), L.Dense(2)])
    model.compile('adam', 'mse', metrics=['mae'])
    model.fit(tf.zeros([4, 8]), tf.zeros([4, 2]), verbose=0)
    return model


MORE = {
    'depthwise': sequential([12, 12, 3], lambda: L.DepthwiseConv2D(3, depth_multiplier=2), L.Flatten),
    'separable 1d': sequential([12, 3], lambda: L.SeparableConv1D(5, 3)),
    'transposed 3d': sequential([4, 4, 4, 2], lambda: L.Conv3DTranspose(3, 3)),
    'convolutional lstm': sequential([3, 8, 8, 2], lambda: L.ConvLSTM2D(4, 3)),
    'layer norm': sequential([8], L.LayerNormalization, lambda: L.GroupNormalization(4)),
    'normalization': sequential([8], L.Normalization, lambda: L.Dense(2)),
    'time distributed norm': sequential([3, 8], lambda: L.TimeDistributed(L.BatchNormalization())),
    'grouped queries': functional(lambda x: L.GroupQueryAttention(4, 4, 2)(x, x), [6, 8]),
    'einsum': sequential([6, 8], lambda: L.EinsumDense('abc,cd->abd', output_shape=(None, 5), bias_axes='d')),
    'ten of a kind': sequential([8], *[lambda: L.Dense(8)] * 12),
    'half precision': sequential([8], lambda: L.Dense(4, dtype='bfloat16'), lambda: L.Dense(2, dtype='float16')),
    'preactivation': sequential([8], L.PReLU, lambda: L.Dense(2)),
    'bidirectional gru': sequential([6, 3], lambda: L.Bidirectional(L.GRU(4, reset_after=False)), lambda: L.Dense(2)),
    'stacked cells': sequential([6, 3], lambda: L.RNN([L.LSTMCell(4), L.GRUCell(3)])),
    'frozen': frozen,
    'nested twice': functional(nested_twice, [8]),
    'compiled': compiled,
}
# Where the configuration does not tell what is trained.
UNKNOWN = {'subclassed', 'subclassed loop', 'subclassed recurrent', 'subclassed while', 'time distributed norm'}


@pytest.mark.parametrize('name', [*MODELS, *MORE])
def test_an_archive_counts_as_keras_does(name, tmp_path):
    model = {**MODELS, **MORE}[name]()
    path = str(tmp_path / 'm.keras')
    model.save(path)
    found = tfprof.model(path)
    assert found['params']['total'] == model.count_params()
    assert sum(layer['params'] for layer in found['layers']) == model.count_params()
    trained = sum(int(tf.size(w)) for w in model.trainable_weights)
    assert found['params']['trainable'] == (None if name in UNKNOWN else trained)
    if name not in UNKNOWN:
        flat = {}
        for layer in found['layers']:
            top = layer['name'].split('/')[0]
            flat[top] = flat.get(top, 0) + layer['params']
        assert {n: p for n, p in flat.items() if p} == {x.name: x.count_params() for x in model.layers if x.count_params()}
