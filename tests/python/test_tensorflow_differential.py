"""Random cases against TensorFlow's own tfprof (tests/differential), and what such cases have found."""
import os
import re
import subprocess
import sys

import pytest
from package_paths import REPOSITORY

tf = pytest.importorskip('tensorflow')

import tfprof  # noqa: E402
from protos import first_difference, rows  # noqa: E402

CASES = 300
theirs = tf.compat.v1.profiler
CPU, GPU = '/job:a/replica:0/task:0/device:CPU:0', '/job:a/replica:0/task:0/device:GPU:0'


def differential(*words):
    """A process of its own: workers are forked, which a process that has run TensorFlow must not do."""
    paths = [str(REPOSITORY / 'tests'), *filter(None, [os.environ.get('TFPROF_PACKAGE')])]
    return subprocess.run([sys.executable, '-m', 'differential', *words], capture_output=True, text=True,
                          cwd=REPOSITORY / 'tests', env={**os.environ, 'PYTHONPATH': os.pathsep.join(paths)})


def test_random_cases():
    done = differential(str(CASES), 'make test')
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert '%d cases' % CASES in done.stdout and 'unexplained: 0' in done.stdout
    equal = int(done.stdout.split(' equal in')[0].split()[-1])
    assert equal > 3 * CASES  # reports: else the cases are about other things


def test_every_named_difference_is_documented():
    source = (REPOSITORY / 'tests' / 'differential' / 'named.py').read_text()
    names = re.findall(r"^    \('([^']+)', \w+\),$", source, re.M)
    text = ' '.join((REPOSITORY / 'docs' / 'differences.md').read_text().split())
    assert len(names) > 20 and not [name for name in names if '*%s*' % name not in text]


# --- named: what was found


def graph_def(*nodes):
    graph = tf.compat.v1.GraphDef()
    for name, op, *inputs in nodes:
        graph.node.add(name=name, op=op).input.extend(inputs)
    return graph


def step(*records):
    """Records as (device, node, start, duration)."""
    run, devices = tf.compat.v1.RunMetadata(), {}
    for device, name, start, duration in records:
        if device not in devices:
            devices[device] = run.step_stats.dev_stats.add(device=device)
        devices[device].node_stats.add(node_name=name, all_start_micros=start, op_end_rel_micros=duration)
    return run


def view(graph, *steps, cmd='scope', log=None, **options):
    profiler = tfprof.Profiler(graph.SerializeToString(), log)
    for number, run in enumerate(steps):
        profiler.add_step(number, run)
    return profiler.profile({'select': ['micros'], 'output': 'none', 'flops': 'recorded', **options}, cmd)


def test_inputs_that_the_graph_does_not_have_are_of_unknown_shape():
    node, = view(graph_def(('y', 'Add', 'x', 'y'))).children
    assert sorted(node.input_shapes) == [0, 1] and node.input_shapes[0].unknown_rank


def test_a_record_of_another_device_is_no_run():
    """A mean is over the steps in which a node ran on its own device."""
    node, = view(graph_def(('x', 'Add')), step((GPU, 'x', 5, 10)), step((CPU, 'x', 5, 10))).children
    assert (node.exec_micros, node.run_count, list(node.devices)) == (10, 1, [GPU.lower()])


def test_negative_sums_are_hidden_as_in_tensorflow():
    run = step((CPU, 'x', 5, 10), (CPU, 'y', 5, 10))
    run.step_stats.dev_stats[0].node_stats[0].memory.add(allocator_name='cpu', live_bytes=-1)
    shown = [node.name for node in view(graph_def(('x', 'Add'), ('y', 'Add')), run).children]
    assert shown == ['y']


def test_what_took_no_time_is_not_expensive():
    profiler = tfprof.Profiler(graph_def(('x', 'Add'), ('y', 'Mul')).SerializeToString())
    profiler.add_step(0, step((CPU, 'x', 5, 10)))
    first, *_ = profiler.advise({'ExpensiveOperationChecker': {}}).checkers['ExpensiveOperationChecker'].reports
    assert first == 'top 1 operation type: Add, cpu: 10us, accelerator: 0us, total: 10us (100.00%)'


def test_an_output_that_the_view_does_not_have_is_named(tmp_path):
    with pytest.raises(ValueError, match='-output pprof is for call stacks'):
        view(graph_def(('x', 'Add')), output='pprof:outfile=%s' % (tmp_path / 'p'))


def test_a_file_without_a_name_is_a_frame_as_others(tmp_path):
    log = theirs.OpLogProto()
    traces = log.log_entries.add(name='x').code_def.traces
    traces.add(file_id=1, function_id=2, lineno=4)
    traces.add(file_id=1, function_id=2, lineno=5)
    log.id_to_string[1], log.id_to_string[2] = '', 'main'
    file = tmp_path / 'p'
    view(graph_def(('x', 'Add')), step((CPU, 'x', 5, 10)), cmd='code', log=log, output='pprof:outfile=%s' % file)
    sys.path.insert(0, str(REPOSITORY / 'tests'))
    from support import pprof
    sample, = pprof.read(file).samples
    assert sample.stack == [':main:4']


def test_start_at_nothing_shows_all_rows_of_the_op_view():
    """As TensorFlow: no pattern at all begins at the top of a list."""
    graph = graph_def(('x', 'Add'), ('y', 'Mul'))
    shown = view(graph, cmd='op', start_name_regexes=[], account_type_regexes=['.*'])
    everything = view(graph, cmd='op', start_name_regexes=['.*'], account_type_regexes=['.*'])
    assert len(shown.children) == 1 and first_difference(rows(everything, 'op'), rows(shown, 'op')) is None


def test_regexes_that_overlap_count_a_node_once():
    """docs/differences.md: in the op and code views TensorFlow counts it once per regex."""
    graph, run = graph_def(('x', 'Add')), step((CPU, 'x', 5, 10))
    options = {'account_type_regexes': ['Add', 'A.*'], 'output': 'none', 'select': ['micros'], 'max_depth': 10}
    assert view(graph, run, cmd='op', **options).total_exec_micros == 10
    built = tf.Graph()
    with built.as_default():
        tf.add(tf.compat.v1.placeholder(tf.float32, [2], 'p'), 1., name='x')
    options['account_type_regexes'] = ['AddV2', 'A.*']
    want = theirs.profile(built, run, cmd='op', options={**theirs.ProfileOptionBuilder.time_and_memory(), **options, 'min_bytes': 0})
    assert want.total_exec_micros == 20


# --- float ops of shapes that only a run tells


def open_graph():
    """Sizes are open: float ops are known when a step has told them."""
    v1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.float32, [None, 4], 'x')
        tf.matmul(x, tf.ones([4, 5]), name='mm')
        images = v1.placeholder(tf.float32, [None, 4, 4, 3], 'images')
        tf.nn.max_pool2d(images, 2, 2, 'SAME', name='pool')
        merged, _ = tf.raw_ops.Merge(inputs=[tf.identity(x), tf.identity(x)], name='merge')
        tf.add(merged, 1., name='add')
    return graph


def shaped_step(**outputs):
    run = step(*((CPU, name, 5, 10) for name in outputs))
    for record in run.step_stats.dev_stats[0].node_stats:
        for slot, dims in outputs[record.node_name]:
            output = record.output.add(slot=slot)
            for size in dims or ():
                output.tensor_description.shape.dim.add(size=size)
    return run


STEPS = {
    'as the op has them': dict(x=[(0, [7, 4])], mm=[(0, [7, 5])]),
    'a workspace': dict(images=[(0, [2, 4, 4, 3])], pool=[(0, [2, 2, 2, 3]), (1, [2, 2, 2, 3])]),
    'no workspace': dict(images=[(0, [2, 4, 4, 3])], pool=[(0, [2, 2, 2, 3])]),
    'half of a merge': dict(merge=[(0, [8, 4])], add=[(0, [8, 4])]),
    'a whole merge': dict(merge=[(0, [8, 4]), (1, [])], add=[(0, [8, 4])]),
    'another slot': dict(x=[(0, [7, 4])], mm=[(3, [7, 5])]),
    'more outputs': dict(x=[(0, [7, 4])], mm=[(0, [7, 5]), (1, [1])]),
    'no outputs': dict(x=[(0, [7, 4])], mm=[]),
    'no description': dict(x=[(0, [7, 4])], mm=[(0, None)]),
    'another shape': dict(x=[(0, [7, 4])], mm=[(0, [7, 6])]),
}


@pytest.mark.parametrize('told', STEPS)
def test_float_ops_after_add_step(told):
    log = theirs.OpLogProto()
    log.log_entries.add(name='mm', float_ops=3)
    log.log_entries.add(name='x', float_ops=5)
    options = {**theirs.ProfileOptionBuilder.float_operation(), 'min_float_ops': 0, 'account_displayed_op_only': False,
               'output': 'none'}
    for given in (None, log):
        both = theirs.Profiler(open_graph(), given), tfprof.Profiler(open_graph(), given)
        want, got = [], []
        for profiler, found in zip(both, (want, got)):
            profiler.add_step(0, shaped_step(**STEPS[told]))
            found += rows(profiler.profile_name_scope(dict(options)), 'scope')
        del both, profiler
        assert first_difference(want, got) is None


@pytest.mark.parametrize('told', [None, 'as the op has them'])
def test_float_ops_of_a_given_log_win_without_added_steps(told):
    log = theirs.OpLogProto()
    log.log_entries.add(name='mm', float_ops=3)
    log.log_entries.add(name='ones/mul', float_ops=5)
    options = {**theirs.ProfileOptionBuilder.float_operation(), 'min_float_ops': 0, 'output': 'none'}
    run = told and shaped_step(**STEPS[told])
    want, got = (rows(module.profile(open_graph(), run, log, 'scope', dict(options)), 'scope') for module in (theirs, tfprof))
    assert first_difference(want, got) is None
    assert any(row[1][0] == 'mm' and row[1][1][16] == 3 for row in got)
