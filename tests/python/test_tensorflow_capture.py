"""Recording with real TensorFlow, and life in one process with it."""
import os
import subprocess
import sys
import time

import pytest

tf = pytest.importorskip('tensorflow')

import tfprof  # noqa: E402
from package_paths import EXAMPLE, REPOSITORY  # noqa: E402

v1 = tf.compat.v1
OUT = {'select': ['micros'], 'output': 'none'}


def session_model():
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.float32, [4, 8], 'x')
        with v1.variable_scope('layer'):
            w = v1.get_variable('w', [8, 3], use_resource=True)
        y = tf.reduce_sum(tf.matmul(x, w))
        start = v1.global_variables_initializer()
    return graph, x, y, start


def test_profile_context(tmp_path):
    graph, x, y, start = session_model()
    with tfprof.ProfileContext(tmp_path, trace_steps=[2], dump_steps=[3], debug=True) as context:
        context.add_auto_profiling('op', OUT, '2,4')
        with v1.Session(graph=graph) as session:
            session.run(start)
            for step in range(1, 8):
                if step == 6:
                    context.dump_next_step()
                session.run(y, {x: [[1.] * 8] * 4})
    assert {path.name for path in tmp_path.iterdir()} == {
        'profile_3', 'profile_6', 'graph.pb', 'run_meta_2', 'run_meta_3', 'run_meta_4', 'run_meta_6'}
    assert sorted(context.get_profiles('op')) == [2, 4]
    assert context.get_profiles('op')[4].total_exec_micros > 0
    assert [step['step'] for step in tfprof.load(tmp_path / 'profile_6').info()['steps']] == [2, 3, 4, 6]
    assert context.profiler.profile_python(OUT).total_exec_micros > 0
    with pytest.raises(ValueError, match='no auto profiling'):
        context.get_profiles('scope')
    assert v1.Session.run.__name__ == 'run' and 'tfprof' not in v1.Session.run.__module__


def test_profile_context_without_steps_traces_each_fetch_once_after_ten_runs(tmp_path):
    graph, x, y, start = session_model()
    with graph.as_default():
        other = y * 2.
    feed = {x: [[1.] * 8] * 4}
    with tfprof.ProfileContext(tmp_path) as context:
        with v1.Session(graph=graph) as session:
            session.run(start)
            for _ in range(10):
                session.run(y, feed)
            assert not os.listdir(tmp_path)  # nothing within the first ten
            session.run(y, feed)
            assert os.listdir(tmp_path) == ['profile_11']
            for _ in range(15):
                session.run(y, feed)
            for _ in range(20):
                session.run([other], feed)
    assert {path.name for path in tmp_path.iterdir()} == {'profile_11', 'profile_37'}
    assert context.profiler.profile_operations(OUT).total_exec_micros > 0


@pytest.mark.parametrize('arguments', [
    {'profile_dir': ''}, {'profile_dir': None}, {'profile_dir': 3}, {'trace_steps': [1.5]}, {'trace_steps': ['a']},
    {'trace_steps': [-1]}, {'trace_steps': [True]}, {'trace_steps': 'x'}, {'dump_steps': [None]},
    {'dump_steps': [2, -3]}])
def test_profile_context_checks_its_arguments(arguments):
    with pytest.raises(ValueError):
        tfprof.ProfileContext(**{'profile_dir': 'run', **arguments})
    assert not os.path.exists('run')


def test_profile_context_that_is_not_enabled(tmp_path):
    graph, x, y, start = session_model()
    with tfprof.ProfileContext(tmp_path / 'none', trace_steps=[0], dump_steps=[0], enabled=False,
                               debug=True) as context:
        context.add_auto_profiling('op', OUT, [0])
        context.dump_next_step()
        with v1.Session(graph=graph) as session:
            session.run(start)
    assert context.profiler is None and not (tmp_path / 'none').exists()


def test_steps_that_are_not_traced_cost_nothing(tmp_path):
    """Below 1 % of a step: what the context adds to a call is compared with the call itself."""
    context = tfprof.ProfileContext(tmp_path, trace_steps=[10 ** 9])
    begin = time.perf_counter()
    for _ in range(10000):
        context._next_step()
    added = (time.perf_counter() - begin) / 10000
    graph, x, y, start = session_model()
    with v1.Session(graph=graph) as session:
        session.run(start)
        feed = {x: [[1.] * 8] * 4}
        session.run(y, feed)
        begin = time.perf_counter()
        for _ in range(200):
            session.run(y, feed)
        step = (time.perf_counter() - begin) / 200
    # This step takes a fraction of a millisecond, far less than any that is worth a profile.
    assert added < .01 * max(step, .001), (added, step)


def test_write_op_log_has_source_text(tmp_path):
    graph, x, y, start = session_model()
    tfprof.write_op_log(graph, tmp_path / 'new', add_trace=True)
    (tmp_path / 'new' / 'graph.pb').write_bytes(graph.as_graph_def(add_shapes=True).SerializeToString())
    run = tfprof.load(tmp_path / 'new')
    names = [node.name for node in run.code(select=['params'], max_depth=50).walk()]
    assert any(name.startswith('test_tensorflow_capture.py') and 'session_model:w = v1.get_var' in name
               for name in names), names
    assert run.scope(account_type_regexes=['_trainable_variables'], select=['params']).total_parameters == 24
    # And TensorFlow reads it.
    log = v1.profiler.OpLogProto.FromString((tmp_path / 'new' / 'tfprof_log').read_bytes())
    entry = next(entry for entry in log.log_entries if entry.name == 'MatMul')
    assert entry.float_ops == 2 * 4 * 8 * 3
    assert any(log.id_to_string[trace.file_id] == __file__ for trace in entry.code_def.traces)


def test_own_op_log_wins(tmp_path):
    graph, x, y, start = session_model()
    own = v1.profiler.OpLogProto()
    own.log_entries.add(name='MatMul', float_ops=5, types=['mine'])
    root = tfprof.profile(graph, op_log=own, options={'account_type_regexes': ['mine'], 'select': ['float_ops'],
                                                      'output': 'none'})
    assert root.total_float_ops == 5


def test_tracer(tmp_path):
    w = tf.Variable(tf.ones([8, 3]), name='w')

    @tf.function
    def inner(x):
        return tf.nn.relu(tf.matmul(x, w))

    @tf.function
    def step(x):
        return tf.reduce_sum(inner(x)) + tf.reduce_sum(inner(x * 2.))

    tracer = tfprof.Tracer(tmp_path, steps='2,4', functions=[step])
    for number in range(6):
        with tracer.step(number):
            step(tf.ones([4, 8]))
    assert {path.name for path in tmp_path.iterdir()} == {
        'graph.pb', 'run.json', 'tfprof_log', 'run_meta_2', 'run_meta_4', 'captures'}
    run = tfprof.load(tmp_path)
    scope = run.scope(select=['micros', 'params', 'float_ops'], names='raw')
    assert scope.find('StatefulPartitionedCall_1/MatMul').exec_micros > 0
    assert scope.find('StatefulPartitionedCall/MatMul').float_ops == 2 * 4 * 8 * 3
    assert scope.find('w').parameters == 24
    assert run.scope(account_type_regexes=['_trainable_variables'], select=['params']).total_parameters == 24
    code = [node.name for node in run.code(select=['micros'], max_depth=100).walk() if node.total_exec_micros]
    assert any('test_tensorflow_capture.py' in name and ':inner' in name for name in code), code


def test_keras_callback(tmp_path):
    import numpy
    model = tf.keras.Sequential([tf.keras.layers.Input([8]), tf.keras.layers.Dense(16, activation='relu'),
                                 tf.keras.layers.Dense(2)])
    model.compile('sgd', 'mse')
    callback = tfprof.keras.ProfileCallback(tmp_path, steps=[2, 5])
    model.fit(numpy.zeros([64, 8], 'float32'), numpy.zeros([64, 2], 'float32'), batch_size=16, epochs=2, verbose=0,
              callbacks=[callback])
    assert {path.name for path in tmp_path.iterdir()} == {
        'graph.pb', 'run.json', 'tfprof_log', 'run_meta_2', 'run_meta_5', 'captures'}
    run = tfprof.load(tmp_path)
    assert run.scope(account_type_regexes=['_trainable_variables'], select=['params']).total_parameters == \
        model.count_params()
    assert run.scope(select=['micros']).total_exec_micros > 0
    for command in ('summary', 'scope', 'graph', 'op', 'code', 'info', 'advise'):
        done = subprocess.run([sys.executable, '-m', 'tfprof', command, str(tmp_path)], capture_output=True,
                              env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
        assert done.returncode == 0 and done.stdout, (command, done.stderr)
    # A step that is not chosen costs next to nothing.
    begin = time.perf_counter()
    for batch in range(10000):
        callback.on_train_batch_begin(batch)
        callback.on_train_batch_end(batch)
    assert (time.perf_counter() - begin) / 10000 < 20e-6


def test_models(tmp_path):
    model = tf.keras.Sequential([tf.keras.layers.Input([8]), tf.keras.layers.Dense(16), tf.keras.layers.Dense(2)])
    dense = 2 * 8 * 16 + 16 + 2 * 16 * 2 + 2
    assert tfprof.flops(model) == dense and tfprof.flops(model, batch=4) == 4 * dense
    assert tfprof.summary(model)['model']['params'] == model.count_params()
    tf.saved_model.save(model, str(tmp_path / 'saved'))
    assert tfprof.flops(tmp_path / 'saved') == dense
    assert tfprof.model(tmp_path / 'saved', batch=1)['params']['total'] == model.count_params()


SAME_SCRIPT = '''
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tensorflow as tf
{IMPORT}
v1 = tf.compat.v1
v1.disable_eager_execution()
x = tf.ones([4, 8])
w = v1.get_variable('w', [8, 3])
y = tf.nn.relu(tf.matmul(x, w))
builder = profiler.ProfileOptionBuilder
profiler.profile(v1.get_default_graph(), options=builder.trainable_variables_parameter())
profiler.profile(v1.get_default_graph(), options=builder.float_operation())
profiler.profile(v1.get_default_graph(), cmd='op', options=builder(builder.float_operation()).select(
    ['params', 'float_ops']).order_by('params').build())
opts = builder(builder.float_operation()).with_node_names(show_name_regexes=['.*py.*']).with_max_depth(30)
node = profiler.profile(v1.get_default_graph(), cmd='code', options=opts.build())
p = profiler.Profiler(v1.get_default_graph())
p.profile_graph(options=builder(builder.float_operation()).with_min_float_operations(0).select(['params']).build())
print('total', node.total_float_ops)
'''


def reports(text):
    """Everything from the legend lines on, as the Doc: block has words of its own."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith('Doc:'):
            inside = False
        inside = inside or line.startswith(('node name |', 'total '))
        # Blank lines between reports, and TensorFlow's notes on options, are no part of one.
        if inside and line.strip() and not line.startswith(('Note:', '====', '-')):
            lines.append(line.rstrip())
    return lines


def test_the_same_script_both_ways(tmp_path):
    out = []
    for line in ('profiler = tf.compat.v1.profiler', 'import tfprof as profiler'):
        script = tmp_path / 'script.py'
        script.write_text(SAME_SCRIPT.replace('{IMPORT}', line))
        done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300,
                              env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
        assert done.returncode == 0, done.stderr[-2000:]
        out.append(reports(done.stdout))
    assert len(out[0]) > 15 and out[0] == out[1]


@pytest.mark.parametrize('order', ['import tfprof, tensorflow', 'import tensorflow, tfprof'])
def test_either_order_of_import(order):
    script = '''
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
%s
root = tfprof.profile(%r, %r, options={'show_name_regexes': ['.*[a-z].*'], 'output': 'none', 'select': ['micros']})
assert root.total_exec_micros > 0
import tensorflow as tf
assert tf.strings.regex_full_match('abc', '[a-c]+').numpy()
assert tf.compat.v1.GraphDef.FromString(open(%r, 'rb').read()).node
''' % (order, str(EXAMPLE / 'graph.pb'), str(EXAMPLE / 'run_meta_0'), str(EXAMPLE / 'graph.pb'))
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True, timeout=300, cwd=REPOSITORY,
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stderr[-2000:]
