"""`tfprof.trace` and `tfprof.step` with JAX, on a CPU."""
import os
import subprocess
import sys

import pytest
import tfprof

jax = pytest.importorskip('jax')


@pytest.fixture(scope='module')
def program():
    import jax.numpy as jnp

    def loss(weights, x):
        with jax.named_scope('encoder'):
            return jnp.mean(jnp.tanh(x @ weights) ** 2)

    train_step = jax.jit(lambda weights, x: weights - 0.1 * jax.grad(loss)(weights, x))
    weights, x = jnp.ones([64, 32]), jnp.ones([16, 64])
    train_step(weights, x).block_until_ready()
    return lambda: train_step(weights, x)


def test_capture_with_numbered_steps(tmp_path, program):
    with tfprof.trace(tmp_path / 'run') as run:
        for number in (10, 11, 12):
            with tfprof.step(number):
                program()
    assert os.path.dirname(run.path) == str(tmp_path / 'run' / 'plugins' / 'profile')
    info = run.profile().info()
    assert [step['step'] for step in info['steps']] == [10, 11, 12]
    # Nobody held the results: they are waited for all the same.
    assert all(step['micros'] > 0 for step in info['steps'])
    scopes = {node.name for node in tfprof.load(tmp_path / 'run').scope(select=['micros'], max_depth=4).walk()}
    assert any(name.endswith('encoder/(forward)') for name in scopes)
    assert any(name.endswith('encoder/(backward)') for name in scopes)
    assert tfprof.load(run).info()['nodes'] == info['nodes']


def test_an_exception_goes_on_and_the_capture_stays(tmp_path, program):
    run = tfprof.trace(tmp_path)
    with pytest.raises(KeyError):
        with run:
            with tfprof.step(1):
                program()
                raise KeyError('mine')
    assert run.profile().info()['steps']
    with tfprof.trace(tmp_path) as again:  # another may follow
        program()
    assert again.path and again.profile().info()['nodes'] > 0


def test_one_at_a_time(tmp_path, program):
    with tfprof.trace(tmp_path / 'a') as run:
        with pytest.raises(RuntimeError, match='running already'):
            with tfprof.trace(tmp_path / 'b'):
                pass
        with pytest.raises(RuntimeError, match='not ended'):
            run.profile()
        program()
    assert run.profile().info()['nodes'] > 0


def test_arguments(tmp_path):
    for bad in (-1, 1.5, 'x', True):
        with pytest.raises(ValueError):
            tfprof.step(bad)
    with pytest.raises(ValueError):
        tfprof.trace('')
    with pytest.raises(ValueError, match='framework'):
        tfprof.trace(tmp_path, framework='other')


def test_without_a_framework(tmp_path):
    done = subprocess.run([sys.executable, '-c', 'import tfprof\nwith tfprof.step(1): print("ran")\nwith tfprof.trace("x"): pass'],
                          cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert done.stdout == 'ran\n' and 'neither jax nor tensorflow is imported' in done.stderr
    assert not (tmp_path / 'x').exists()
