"""Keras models and tf.functions: float ops of recurrent models, complete recordings, memory, layers, identity."""
import json
import logging
import os
import subprocess
import sys

import pytest

tf = pytest.importorskip('tensorflow')

import numpy  # noqa: E402

import tfprof  # noqa: E402

K = tf.keras
L = K.layers


def dense_model():
    return K.Sequential([L.Input([8]), L.Dense(16, activation='relu'), L.Dense(2)])


def fit(model, shape, folder, steps, batches, **options):
    """Trains with batches of 2 and gives the callback."""
    model.compile('adam', 'mse')
    callback = tfprof.keras.ProfileCallback(folder, steps=steps, **options)
    model.fit(numpy.zeros([2 * batches, *shape], 'float32'), numpy.zeros([2 * batches, 2], 'float32'), batch_size=2,
              verbose=0, callbacks=[callback])
    return callback


def about(folder):
    return json.loads((folder / 'run.json').read_text())


# --- float ops


@pytest.mark.parametrize('layer', [
    lambda: L.LSTM(16), lambda: L.GRU(16), lambda: L.SimpleRNN(16), lambda: L.Bidirectional(L.LSTM(8))])
def test_flops_of_recurrent_models_count_every_round(layer, tmp_path):
    model = K.Sequential([L.Input([50, 3]), layer(), L.Dense(2)])
    model.export(str(tmp_path / 'saved'), verbose=False)
    assert tfprof.flops(model) == tfprof.flops(tmp_path / 'saved')
    once = K.Sequential([L.Input([1, 3]), layer(), L.Dense(2)])
    assert tfprof.flops(model) > 40 * tfprof.flops(once)


def test_flops_of_an_open_length_say_at_least(caplog):
    model = K.Sequential([L.Input([None, 3], name='words'), L.LSTM(16), L.Dense(2)])
    least = tfprof.flops(model)
    assert 'at least %s float ops: loop ' % format(least, ',') in caplog.text and "'words:1=N'" in caplog.text
    caplog.clear()
    fixed = K.Sequential([L.Input([50, 3]), L.LSTM(16), L.Dense(2)])
    assert tfprof.flops(model, dim=['words:1=50']) == tfprof.flops(fixed) > least
    assert not caplog.text
    tfprof.summary(model)
    assert 'at least' in caplog.text and 'how often it runs is not known' in caplog.text


def test_flops_of_open_spatial_sizes(caplog):
    model = K.Sequential([L.Input([None, None, 3], name='image'), L.Conv2D(4, 3), L.GlobalAveragePooling2D()])
    try:
        tfprof.flops(model)
        assert 'at least' in caplog.text
    except tfprof.Error as error:
        caplog.clear()
        logging.getLogger('tfprof').warning('%s', error)
    assert "dim=['image:1=N', 'image:2=N']" in caplog.text and 'Conv2D' in caplog.text
    fixed = K.Sequential([L.Input([32, 32, 3]), L.Conv2D(4, 3), L.GlobalAveragePooling2D()])
    assert tfprof.flops(model, dim=['image:1=32', 'image:2=32']) == tfprof.flops(fixed)


def test_flops_of_tf_functions():
    function = tf.function(lambda x: tf.matmul(x, x))
    with pytest.raises(tfprof.Error, match='no trace yet: call it once'):
        tfprof.flops(function)
    function(tf.ones([3, 3]))
    assert tfprof.flops(function) == 2 * 27
    function(tf.ones([4, 4]))
    with pytest.raises(tfprof.Error, match='2 traces'):
        tfprof.flops(function)
    assert tfprof.flops(tf.function(lambda x: tf.matmul(x, x), input_signature=[tf.TensorSpec([5, 5])])) == 250


def test_flops_of_models_that_cannot_be_called():
    class Own(K.Model):
        def __init__(self):
            super().__init__()
            self.dense = L.Dense(3)

        def call(self, x):
            return self.dense(x)

    model = Own()
    with pytest.raises(tfprof.Error, match='no inputs yet: call it once'):
        tfprof.flops(model)
    model(tf.ones([2, 5]))
    assert tfprof.flops(model) == 2 * 15 + 3

    class Refusing(L.Layer):
        def call(self, x):
            if x.shape[1] is None:
                raise ValueError('a size is needed')
            return x * 2.

    inputs = L.Input([None])
    broken = K.Model(inputs, L.Lambda(lambda x: x)(inputs))
    broken.call = lambda x, training=None: Refusing()(x)
    with pytest.raises(tfprof.Error, match=r'cannot be called with \[1, \?\].*known sizes'):
        tfprof.flops(broken)


def test_what_never_runs_is_not_in_the_graph():
    """Keras' recurrent layers call their cell once more while they are traced."""
    model = K.Sequential([L.Input([5, 3]), L.SimpleRNN(4)])
    assert tfprof.model(model)['float_ops']['by_op']['MatMul'] == 5 * (2 * 3 * 4 + 2 * 4 * 4)


# --- complete recordings


def test_late_steps_are_as_complete_as_the_first(tmp_path):
    """TensorFlow's executor stops tracing what it has found cheap: fresh instances of the function are recorded."""
    weights = tf.Variable(tf.ones([8, 8]) / 8., name='weights')
    steps = [1, 10, 100, 1000]

    @tf.function
    def step(x):
        for _ in tf.range(50):
            x = tf.matmul(x, weights)
        return x

    tracer = tfprof.Tracer(tmp_path, steps=steps, functions=[step])
    for number in range(1001):
        with tracer.step(number):
            step(tf.ones([4, 8]))
    told = about(tmp_path)['steps']
    assert [told[str(number)]['executions'] for number in steps] == [251] * 4  # 5 ops a round, the condition once more
    assert [told[str(number)]['nodes_timed'] for number in steps] == [5] * 4
    assert told['1000']['nodes'] > 5 and told['1000']['types_not_timed']['Enter'] > 0
    names = set()
    for number in steps:
        proto = tf.compat.v1.RunMetadata.FromString((tmp_path / ('run_meta_%d' % number)).read_bytes())
        stats = proto.step_stats.dev_stats[0].node_stats
        names.add(tuple(sorted(record.node_name for record in stats)))
        # The making of the instance, tens of milliseconds, is not in the step.
        first, last = (pick(record.all_start_nanos for record in stats) for pick in (min, max))
        assert sum(record.op_end_rel_nanos for record in stats) < 50 * (last - first)
    assert len(names) == 1
    scope = tfprof.load(tmp_path).scope(select=['micros', 'occurrence'], step=1000, max_depth=100)
    assert scope.find('while/body/_1/while/MatMul').run_count == 50
    # The loop's ops have the call stack of the line that they come from.
    code = tfprof.load(tmp_path).code(select=['micros'], max_depth=100, step=1000)
    assert any('x = tf.matmul' in node.name and node.total_exec_micros >= 50 for node in code.walk())


def test_late_steps_of_fit_are_complete(tmp_path):
    fit(K.Sequential([L.Input([20, 8]), L.LSTM(16), L.Dense(2)]), [20, 8], tmp_path, [2, 60], 61)
    told = about(tmp_path)['steps']
    assert told['60']['nodes_timed'] == told['2']['nodes_timed'] > 200
    assert told['60']['nodes'] == told['2']['nodes']
    assert not {'MatMul', 'Mul', 'ReadVariableOp', 'TensorListPushBack'} & set(told['60']['types_not_timed'])
    info = tfprof.load(tmp_path).info()
    assert [step['step'] for step in info['steps']] == [2, 60]


def test_other_steps_keep_their_instance(tmp_path):
    """A recorded step must not slow down those after it, nor change results."""
    weights = tf.Variable(tf.ones([3, 3]))

    @tf.function
    def step(x):
        weights.assign_add(tf.ones([3, 3]))
        return tf.reduce_sum(tf.matmul(x, weights))

    from tensorflow.python.eager import context
    before = context.context().function_call_options.config_proto_serialized
    results = []
    tracer = tfprof.Tracer(tmp_path, steps=[1], functions=[step])
    for number in range(3):
        with tracer.step(number):
            results.append(float(step(tf.ones([1, 3]))))
    assert results == [18., 27., 36.]
    assert context.context().function_call_options.config_proto_serialized == before


def test_what_xla_compiles_is_not_compiled_again(tmp_path):
    @tf.function(jit_compile=True)
    def step(x):
        return tf.nn.relu(tf.matmul(x, x))

    tracer = tfprof.Tracer(tmp_path, steps=[3], functions=[step])
    for number in range(4):
        with tracer.step(number):
            step(tf.ones([8, 8]))
    assert step.experimental_get_tracing_count() == 1
    assert tfprof.load(tmp_path).scope(select=['micros']).total_exec_micros < 20000  # compiling takes far longer


# --- memory

MEMORY = '''
import os, sys
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tfprof
%s
import numpy
import tensorflow as tf
# One op at a time: what the allocator has in use is recorded when an op ends, and is then all that there was.
tf.config.threading.set_inter_op_parallelism_threads(1)
L = tf.keras.layers
model = tf.keras.Sequential([L.Input([8]), L.Dense(1000, name='wide'), L.Dense(2)])
model.compile('sgd', 'mse')
callback = tfprof.keras.ProfileCallback(sys.argv[1], steps=[3], memory=True)
model.fit(numpy.zeros([512, 8], 'float32'), numpy.zeros([512, 2], 'float32'), batch_size=128, verbose=0,
          callbacks=[callback])
'''


def run_script(script, *arguments, **environment):
    clean = {key: value for key, value in os.environ.items() if key != 'TF_CPU_ALLOCATOR_USE_BFC'}
    return subprocess.run([sys.executable, '-c', script, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, env={**clean, 'PYTHONPATH': os.pathsep.join(sys.path), **environment})


def test_memory_of_a_fit_on_the_cpu(tmp_path):
    done = run_script(MEMORY % 'tfprof.record_cpu_memory()', tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    device = tfprof.memory(tmp_path, step=3)['steps'][0]['devices'][0]
    assert device['evidence'] == 'recorded'
    wide = 128 * 1000 * 4  # the output of the wide layer; its gradient is as large
    assert device['peak']['bytes'] > wide
    # What the allocator itself counted; parameters and what else was there before are in both.
    assert abs(device['peak']['bytes'] - device['measured_peak']['bytes']) < .05 * device['peak']['bytes']
    owners = {row['name']: row['bytes'] for row in device['rows']}
    assert max(owners.values()) >= wide, owners
    # By layer of the model, as code.
    rows = tfprof.memory(tmp_path, step=3, by='code')['steps'][0]['devices'][0]['rows']
    assert {'sequential:1:wide', 'sequential:2:dense'} <= {row['name'] for row in rows}, rows
    scope = tfprof.load(tmp_path).scope(select=['bytes', 'peak_bytes'], max_depth=100)
    assert scope.total_requested_bytes > 2 * wide


def test_memory_that_comes_too_late(tmp_path):
    done = run_script(MEMORY % '', tmp_path)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith('RuntimeError: memory cannot be recorded') and 'TF_CPU_ALLOCATOR_USE_BFC=1' in last
    assert not os.listdir(tmp_path)


def test_memory_by_the_environment(tmp_path):
    done = run_script(MEMORY % '', tmp_path, TF_CPU_ALLOCATOR_USE_BFC='1')
    assert done.returncode == 0, done.stderr[-3000:]
    assert tfprof.memory(tmp_path)['steps'][0]['devices'][0]['peak']['bytes'] > 0


# --- code


def test_code_does_not_stop_at_fit(tmp_path):
    fit(dense_model(), [8], tmp_path, [2], 3)
    code = tfprof.load(tmp_path).code(select=['micros'], frames='user', max_depth=100)
    line = next(node for node in code.walk() if ':fit:model.fit(' in node.name)
    below = {node.name.split(':', 2)[2]: node.total_exec_micros for node in line.children}
    layers = [name for name in below if name.endswith(':Dense')]
    assert len(layers) == 2 and all(below[name] > 0 for name in layers), below
    assert any(name.endswith(':Adam') for name in below), below
    assert sum(below.values()) > .5 * line.total_exec_micros


def test_code_of_a_model_of_ones_own(tmp_path):
    class Own(K.Model):
        def __init__(self):
            super().__init__()
            self.first, self.last = L.Dense(4, name='first'), L.Dense(2, name='last')

        def call(self, x):
            hidden = self.first(x)
            hidden = tf.nn.softmax(hidden)
            return self.last(hidden)

    fit(Own(), [8], tmp_path, [2], 3)
    code = tfprof.load(tmp_path).code(select=['micros'], frames='user', max_depth=100)
    lines = {node.name.split(':', 2)[-1]: node for node in code.walk()}
    assert any(name.startswith('call:hidden = tf.nn') for name in lines), sorted(lines)
    assert 'first:Dense' in lines and 'last:Dense' in lines, sorted(lines)


# --- identity, and what never came


def test_a_run_has_an_identity(tmp_path):
    fit(dense_model(), [8], tmp_path / 'run', [1, 2], 3)
    first = about(tmp_path / 'run')
    assert first['format'] == 'tfprof run 1' and len(first['id']) == 32
    assert {name.partition('/')[0] for name in first['files']} | {'run.json'} == set(os.listdir(tmp_path / 'run'))
    # Another recording replaces it when its first step comes: no stale steps with a new graph.
    (tmp_path / 'run' / 'notes.txt').write_text('mine')
    fit(dense_model(), [8], tmp_path / 'run', [100], 3)
    assert about(tmp_path / 'run')['id'] == first['id']
    fit(dense_model(), [8], tmp_path / 'run', [3], 3)
    second = about(tmp_path / 'run')
    assert second['id'] != first['id'] and list(second['steps']) == ['3']
    assert set(os.listdir(tmp_path / 'run')) == {'graph.pb', 'tfprof_log', 'run_meta_3', 'run.json', 'notes.txt',
                                                      'captures'}
    assert os.listdir(tmp_path / 'run' / 'captures') == ['step_3.xplane.pb']


def test_a_folder_with_another_recording_is_refused(tmp_path):
    (tmp_path / 'run_meta_7').write_bytes(b'of somebody else')
    with pytest.raises(FileExistsError, match='holds another recording .run_meta_7'):
        tfprof.keras.ProfileCallback(tmp_path)
    with pytest.raises(FileExistsError):
        tfprof.Tracer(tmp_path)
    # A list that names files elsewhere deletes nothing there.
    (tmp_path / 'run').mkdir()
    (tmp_path / 'run' / 'run.json').write_text(json.dumps(
        {'format': 'tfprof run 1', 'id': 'x', 'files': ['../run_meta_7', 'captures/../../run_meta_7', 'other.txt', 3]}))
    (tmp_path / 'run' / 'other.txt').write_text('stays')
    fit(dense_model(), [8], tmp_path / 'run', [1], 2)
    assert (tmp_path / 'run_meta_7').exists() and (tmp_path / 'run' / 'other.txt').exists()


def test_steps_that_never_came(tmp_path, caplog):
    fit(dense_model(), [8], tmp_path, [2, 100, 1000], 3)
    assert 'training ended after step 3; never came: steps 100, 1000' in caplog.text
    caplog.clear()
    fit(dense_model(), [8], tmp_path, [1, 3], 3)
    assert not caplog.text


@pytest.mark.parametrize('steps', [[-1], [1.5], ['a'], 'x', [True], [], None])
def test_wrong_steps(steps, tmp_path):
    with pytest.raises(ValueError, match='steps'):
        tfprof.keras.ProfileCallback(tmp_path, steps=steps)


# --- layers as rows


def rows_of(report):
    return {node.name: node for node in report.walk()}


@pytest.mark.parametrize('make', [
    dense_model,
    lambda: K.Sequential([L.Input([8]), L.Reshape([4, 2]), L.LSTM(4), L.Dropout(.5), L.Dense(2)]),
    lambda: K.Sequential([L.Input([8]), K.Sequential([L.Dense(4), L.LayerNormalization()]), L.Dense(2)]),
])
def test_a_layer_is_one_row(make, tmp_path):
    model = make()
    fit(model, [8], tmp_path, [3], 4)
    run = tfprof.load(tmp_path)
    options = dict(select=['micros', 'params', 'float_ops'], order_by='name', max_depth=100, max_rows=0)
    rows = rows_of(run.scope(**options))
    for layer in model.layers:
        if layer.weights:
            row = rows[layer.name]
            assert row.total_parameters == layer.count_params()
            assert row.total_exec_micros > 0 and row.total_float_ops > 0
            below = {name for name in rows if name.startswith(layer.name + '/')}
            assert any('(forward)' in name for name in below) and any('(backward)' in name for name in below)
    assert not any('PartitionedCall/' in name or 'gradient_tape' in name for name in rows)
    raw = run.scope(names='raw', **options)
    assert any(node.name.startswith('StatefulPartitionedCall/gradient_tape') for node in raw.walk())
    for figure in ('total_exec_micros', 'total_parameters', 'total_float_ops'):
        assert getattr(rows['_TFProfRoot'], figure) == getattr(raw, figure)


def test_the_names_of_tensorflow_are_classic(tmp_path):
    """Profiler counts and names as TensorFlow does, tfprof.load as the command line."""
    fit(dense_model(), [8], tmp_path, [3], 4)
    profiler = tfprof.Profiler(tmp_path / 'graph.pb')
    profiler.add_step(3, tmp_path / 'run_meta_3')
    options = {'select': ['micros', 'params'], 'order_by': 'name', 'output': 'none', 'max_depth': 100}
    names = rows_of(profiler.profile_name_scope(options))
    assert any(name.startswith('StatefulPartitionedCall/gradient_tape') for name in names)
    once = tfprof.profile(tmp_path / 'graph.pb', tmp_path / 'run_meta_3', cmd='scope', options=options)
    assert set(rows_of(once)) == set(names)
