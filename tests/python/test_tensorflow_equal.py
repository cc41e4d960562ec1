"""Our API against tf.compat.v1.profiler, both called live in this process on the same inputs.

Imported graphs have no call stacks, and TensorFlow mixes up the strings of a given log with its own: the code view is
compared on a model that is built here.
"""
import gc
import json
import random

import pytest

tf = pytest.importorskip('tensorflow')

import tfprof  # noqa: E402
from package_paths import VIEWS  # noqa: E402
from protos import first_difference, rows  # noqa: E402
from tensorflow.core.protobuf import config_pb2  # noqa: E402

theirs = tf.compat.v1.profiler
MODELS = sorted(folder.name for folder in VIEWS.iterdir() if (folder / 'cases.json').exists())
VIEW_METHODS = {'scope': 'profile_name_scope', 'graph': 'profile_graph', 'op': 'profile_operations',
                'code': 'profile_python'}
RANDOM_SETS = 40  # of each model
DEEPEST = 90  # protobuf gives up at 100 levels, and TensorFlow then returns half of the tree


class Theirs:
    """TensorFlow's Profiler, of which one may live at a time: the one before is deleted first, whoever holds it."""

    living = None

    def __init__(self, graph, op_log):
        if Theirs.living:
            Theirs.living.profiler = None
        gc.collect()
        self.profiler = theirs.Profiler(graph, op_log)
        Theirs.living = self

    def __getattr__(self, name):
        return getattr(self.profiler, name)


class Inputs:
    """One recorded model as TensorFlow's own objects."""

    def __init__(self, model):
        folder = VIEWS / model
        graph_def = tf.compat.v1.GraphDef.FromString((folder / 'graph.pb').read_bytes())
        self.graph_def = graph_def
        self.graph = self.imported()
        self.op_log = theirs.OpLogProto.FromString((folder / 'tfprof_log').read_bytes())
        for entry in self.op_log.log_entries:
            entry.ClearField('code_def')
        self.op_log.id_to_string.clear()
        self.runs = {int(path.name.split('_')[-1]): config_pb2.RunMetadata.FromString(path.read_bytes())
                     for path in folder.glob('run_meta_*')}
        self.cases = json.loads((folder / 'cases.json').read_text())

    def imported(self):
        graph = tf.Graph()
        with graph.as_default():
            tf.import_graph_def(self.graph_def, name='')
        return graph

    def profilers(self, steps):
        # A graph of its own each time: TensorFlow writes the shapes of a run into the graph that it is given.
        both = Theirs(self.imported(), self.op_log), tfprof.Profiler(self.graph, self.op_log)
        for step in steps:
            for profiler in both:
                profiler.add_step(step, self.runs[step])
        return both


def options_of(given):
    """A case's options: what is not named has the default of the command line."""
    return {'max_depth': 10, 'min_bytes': 0, 'min_micros': 0, 'min_params': 0, 'min_float_ops': 0, 'min_occurrence': 0,
            'order_by': 'name', 'account_type_regexes': ['.*'], 'start_name_regexes': ['.*'], 'trim_name_regexes': [],
            'show_name_regexes': ['.*'], 'hide_name_regexes': [], 'account_displayed_op_only': False,
            'select': ['micros'], 'step': -1, **given,
            'max_depth': min(given.get('max_depth', 10), DEEPEST), 'output': 'none'}


def compare(both, view, options):
    method = VIEW_METHODS[view]
    want, got = (getattr(profiler, method)(dict(options)) for profiler in both)
    return first_difference(rows(want, view), rows(got, view))


@pytest.mark.parametrize('model', MODELS)
def test_recorded_cases(model):
    inputs = Inputs(model)
    checked = 0
    by_steps = {}
    for case in inputs.cases:
        options = options_of(case['options'])
        # Here these sort, as docs/differences.md says.
        if case['view'] not in ('scope', 'graph', 'op') or not case['op_log'] or options['order_by'] in ('occurrence', 'depth') \
                or set(case['options']) - set(options) or 'num_hidden_ops' in options['select']:
            continue
        by_steps.setdefault(tuple(case['steps']), []).append((case, options))
    for steps, cases in by_steps.items():
        both = inputs.profilers(steps)
        for case, options in cases:
            difference = compare(both, case['view'], options)
            assert difference is None, (model, case['id'], case['view'], options, difference)
            checked += 1
    assert checked > 10


def random_options(rng, names, steps):
    figures = ['bytes', 'peak_bytes', 'residual_bytes', 'output_bytes', 'micros', 'accelerator_micros', 'cpu_micros',
               'params', 'float_ops']

    def pattern():
        name = rng.choice(names)
        return rng.choice(['.*', name, '.*%s.*' % name.split('/')[-1], name.split('/')[0] + '.*', '.*Mat.*', '.*grad.*'])

    options = options_of({
        'max_depth': rng.choice([1, 2, 3, 5, 10, 10000]),
        'order_by': rng.choice(['name', *figures]),
        'account_type_regexes': rng.choice([['.*'], ['.*'], ['_trainable_variables'], ['MatMul', 'Conv2D.*'],
                                            ['.*cpu.*'], ['.*gpu.*'], ['VariableV2', 'VarHandleOp']]),
        'start_name_regexes': [pattern()] if rng.random() < .3 else ['.*'],
        'trim_name_regexes': [pattern() for _ in range(rng.randrange(2))],
        'show_name_regexes': [pattern()] if rng.random() < .4 else ['.*'],
        'hide_name_regexes': [pattern() for _ in range(rng.randrange(2))],
        'account_displayed_op_only': rng.random() < .5,
        'select': rng.sample(figures + ['device', 'op_types', 'occurrence', 'input_shapes'], rng.randrange(1, 5)),
        'step': rng.choice([-1, *steps]),
    })
    for name in figures:
        if rng.random() < .15:
            options['min_' + name] = rng.choice([1, 10, 1000, 100000])
    if '.*' in options['trim_name_regexes'] or '.*' in options['hide_name_regexes']:
        options['trim_name_regexes'], options['hide_name_regexes'] = [], []  # ends TensorFlow's process in code
    return options


@pytest.mark.parametrize('model', MODELS)
def test_random_options(model):
    rng = random.Random('tfprof ' + model)
    inputs = Inputs(model)
    names = [node.name.replace('+', '.') for node in inputs.graph.as_graph_def().node]
    steps = sorted(inputs.runs)
    both = inputs.profilers(steps)
    for index in range(RANDOM_SETS):
        options = random_options(rng, names, steps)
        for view in ('scope', 'graph', 'op'):
            difference = compare(both, view, options)
            assert difference is None, (model, index, view, options, difference)


def build(layers):
    """A model with loops of code, scopes and gradients; run twice."""
    v1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.float32, [None, 8], 'x')
        y = x
        for index in range(layers):
            with v1.variable_scope('layer_%d' % index):
                y = dense(y, 8 + index)
        loss = tf.reduce_mean(tf.square(y))
        train = v1.train.GradientDescentOptimizer(.1).minimize(loss)
        start = v1.global_variables_initializer()
    return graph, x, train, start


def dense(x, width):
    w = tf.compat.v1.get_variable('w', [x.shape[1], width], use_resource=width % 2 == 0)
    return tf.nn.relu(tf.matmul(x, w))


@pytest.fixture
def live():
    # Two graphs from one line.
    (graph, x, train, start), (their_graph, *_) = (build(3) for _ in range(2))
    runs = {}
    with tf.compat.v1.Session(graph=graph) as session:
        session.run(start)
        for step in (3, 7):
            runs[step] = tf.compat.v1.RunMetadata()
            session.run(train, {x: [[1.] * 8] * step}, tf.compat.v1.RunOptions(trace_level=3), runs[step])
    return graph, their_graph, runs


def test_live_graph(live):
    graph, their_graph, runs = live
    both = Theirs(their_graph, None), tfprof.Profiler(graph)
    for step, run in runs.items():
        for profiler in both:
            profiler.add_step(step, run)
    rng = random.Random('live')
    names = [node.name for node in graph.as_graph_def().node]
    for index in range(100):
        options = random_options(rng, names, sorted(runs))
        for view in VIEW_METHODS:
            if view == 'code':  # which ends TensorFlow's process where these leave nothing
                options.update(trim_name_regexes=[], start_name_regexes=['.*'])
            difference = compare(both, view, options)
            assert difference is None, (index, view, options, difference)
    everything = both[1].profile_python(options_of({'max_depth': DEEPEST}))
    shown = [node.name for node in everything.walk()]
    assert any(':dense' in name for name in shown) and any('(gradient)' in name for name in shown), shown


def test_live_profile_counts_as_tensorflow(live):
    runs = live[2]
    for view in VIEW_METHODS:
        for make in ('trainable_variables_parameter', 'float_operation', 'time_and_memory'):
            options = {**getattr(tfprof.ProfileOptionBuilder, make)(), 'output': 'none', 'max_depth': DEEPEST}
            (graph, *_), (their_graph, *_) = (build(3) for _ in range(2))
            difference = first_difference(rows(theirs.profile(their_graph, runs[7], None, view, options), view),
                                          rows(tfprof.profile(graph, runs[7], None, view, options), view))
            assert difference is None, (view, make, difference)


def as_options_proto(options):
    from tensorflow.core.profiler import tfprof_options_pb2
    proto = tfprof_options_pb2.OptionsProto(
        min_peak_bytes=0, min_residual_bytes=0, min_output_bytes=0, min_accelerator_micros=0, min_cpu_micros=0,
        **{name: value for name, value in options.items() if name not in ('trim_name_regexes', 'hide_name_regexes')})
    return proto.SerializeToString()


@pytest.mark.parametrize('model', MODELS)
def test_saved_profile_goes_round(model, tmp_path):
    """TensorFlow's bytes are read by us and ours by TensorFlow; all say the same."""
    from tensorflow.core.profiler import tfprof_log_pb2, tfprof_output_pb2
    from tensorflow.python.util import _pywrap_tfprof
    inputs = Inputs(model)
    steps = sorted(inputs.runs)
    both = inputs.profilers(steps)
    options = options_of({'max_depth': DEEPEST, 'select': ['micros', 'bytes', 'params', 'float_ops']})
    want = rows(both[0].profile_name_scope(options), 'scope')
    saved, ours = both[0].serialize_to_string(), both[1].serialize_to_string()
    # TensorFlow's to us.
    assert first_difference(want, rows(tfprof.Profiler(saved).profile_name_scope(options), 'scope')) is None
    # Ours to us, through TensorFlow's own message, which keeps every field.
    proto = tfprof_log_pb2.ProfileProto.FromString(ours)
    assert sorted(proto.steps) == steps
    again = tfprof.Profiler(proto.SerializeToString()).profile_name_scope(options)
    assert first_difference(want, rows(again, 'scope')) is None
    # Ours to TensorFlow's profiler. What it says about its own file is the measure: neither has input shapes.
    Theirs.living.profiler = None
    gc.collect()
    said = []
    for name, content in (('theirs', saved), ('ours', ours)):
        (tmp_path / name).write_bytes(content)
        _pywrap_tfprof.ProfilerFromFile(str(tmp_path / name).encode())
        for view, message in (('scope', tfprof_output_pb2.GraphNodeProto), ('op', tfprof_output_pb2.MultiGraphNodeProto)):
            answer = _pywrap_tfprof.Profile(view.encode(), as_options_proto(options))
            said.append(rows(message.FromString(answer), view))
        _pywrap_tfprof.DeleteProfiler()
    assert len(said[0]) > 10
    assert first_difference(said[0], said[2]) is None and first_difference(said[1], said[3]) is None


def test_profile_of_one_run():
    inputs = Inputs('mlp')
    (step, run), = inputs.runs.items()
    for view in ('scope', 'graph', 'op'):
        for make in ('trainable_variables_parameter', 'float_operation', 'time_and_memory'):
            builders = theirs.ProfileOptionBuilder, tfprof.ProfileOptionBuilder
            want, got = (builder(getattr(builder, make)()).with_max_depth(DEEPEST).with_empty_output().build()
                         for builder in builders)
            assert want == got
            difference = first_difference(
                rows(theirs.profile(inputs.imported(), run, inputs.op_log, view, want), view),
                rows(tfprof.profile(inputs.graph, run, inputs.op_log, view, got), view))
            assert difference is None, (view, make, difference)


def test_advice():
    inputs = Inputs('resnet_gpu')
    step, run = sorted(inputs.runs.items())[-1]
    want, got = theirs.advise(inputs.imported(), run), tfprof.advise(inputs.graph, run)
    assert list(want.checkers['AcceleratorUtilizationChecker'].reports) == \
        got.checkers['AcceleratorUtilizationChecker'].reports
    assert want.checkers['ExpensiveOperationChecker'].reports[0] == \
        got.checkers['ExpensiveOperationChecker'].reports[0]
