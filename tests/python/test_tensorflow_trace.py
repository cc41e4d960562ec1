"""Captures of TensorFlow 2: `tfprof.trace`, and those that recorders keep beside their graph and op log."""
import json

import pytest
import tfprof

tf = pytest.importorskip('tensorflow')


@pytest.fixture(scope='module')
def train_step():
    weights = tf.Variable(tf.ones([64, 32]), name='weights')

    @tf.function
    def train_step(batch):
        with tf.name_scope('encoder'):
            loss = tf.reduce_sum(tf.tanh(tf.matmul(batch, weights)))
        weights.assign_sub(tf.ones_like(weights) * loss)
        return loss

    train_step(tf.ones([16, 64]))
    return train_step


def test_capture(tmp_path, train_step):
    with tfprof.trace(tmp_path, framework='tensorflow') as run:
        for number in (3, 4):
            with tfprof.step(number):
                train_step(tf.ones([16, 64]))
    info = run.profile().info()
    assert [step['step'] for step in info['steps']] == [3, 4]
    assert any(node.name.endswith('encoder/Tanh') for node in run.profile().scope(select=['micros'], max_depth=9).walk())


def record(folder, train_step):
    tracer = tfprof.Tracer(folder, steps=[2, 5], functions=[train_step])
    for number in range(6):
        with tracer.step(number):
            train_step(tf.ones([16, 64]))
    return json.loads((folder / 'run.json').read_text())['files']


def test_recorders_keep_the_capture(tmp_path, train_step):
    files = record(tmp_path, train_step)
    assert {'captures/step_2.xplane.pb', 'captures/step_5.xplane.pb', 'run_meta_2', 'run_meta_5'} <= set(files)
    run = tfprof.load(tmp_path)  # as without it
    assert [step['step'] for step in run.info()['steps']] == [2, 5]
    joined = tfprof.load(tmp_path / 'graph.pb', tmp_path / 'tfprof_log', tmp_path / 'captures')
    info = joined.info()
    assert [step['step'] for step in info['steps']] == [2, 5]
    assert info['coverage']['micros_with_call_stack'] > 0 and info['parameters'] == 64 * 32
    # Another recording replaces them.
    record(tmp_path, train_step)
    (tmp_path / 'captures' / 'mine').write_text('x')
    tracer = tfprof.Tracer(tmp_path, steps=[1], functions=[train_step])
    with tracer.step(1):
        train_step(tf.ones([16, 64]))
    assert sorted(path.name for path in (tmp_path / 'captures').iterdir()) == ['mine', 'step_1.xplane.pb']


def test_where_accelerators_ran_the_capture_is_the_recording(tmp_path, train_step, monkeypatch):
    from tfprof import _xspace, tracing
    host = b'\x0a\x0b\x12\x09/host:CPU'
    assert not _xspace.has_accelerators(host)
    assert not _xspace.has_accelerators(b'\x0a\x0f\x12\x0d/device:GPU:0')  # nothing ran there
    assert _xspace.has_accelerators(host + b'\x0a\x11\x12\x0d/device:GPU:0\x1a\x00')
    monkeypatch.setattr(tracing, 'has_accelerators', lambda content: True)
    files = record(tmp_path, train_step)
    assert {'graph.pb', 'tfprof_log', 'step_2.xplane.pb', 'step_5.xplane.pb'} == set(files)
    run = tfprof.load(tmp_path)
    info = run.info()
    assert [step['step'] for step in info['steps']] == [2, 5] and info['parameters'] == 64 * 32
    lines = [node.name for node in run.code(select=['micros'], max_depth=50, frames='user').walk() if node.total_exec_micros]
    assert any('test_tensorflow_trace.py' in name for name in lines)
