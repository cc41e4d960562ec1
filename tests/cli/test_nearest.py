"""What cannot be found is an error that says what is near; --classic does as TensorFlow."""
import pytest
from support import wire

GRAPH = wire.graph(wire.node('net/conv1/weights', 'VariableV2', dims=[2, 3]), wire.node('net/conv2', 'Conv2D'),
                   wire.node('loss', 'Mean'))


@pytest.fixture
def run(tfprof):
    tfprof.file('g', GRAPH)
    tfprof.file('run_meta_3', wire.run_metadata({wire.CPU: [wire.stats('net/conv2', start=1000, micros=50, total=10, peak=10)]}))
    return tfprof


@pytest.mark.parametrize('pattern, near', [
    ('conv', 'net/conv1, net/conv2'),       # a part of a name begins so
    ('.*Conv1.?', 'net/conv1'),             # in another case
    ('losss', 'loss'),                      # misspelt
    ('net/conv1/wei', 'net/conv1/weights'),
])
def test_a_start_that_matches_nothing_names_what_is_near(run, pattern, near):
    run('scope', 'g', start_name_regexes=pattern, select='params').fails(1, '-start_name_regexes ' + pattern, 'near are ' + near)


def test_a_start_that_matches_nothing_in_the_other_views(run):
    run('op', 'g', start_name_regexes='conv', select='params').fails(1, 'near are Conv2D')
    run('graph', 'g', start_name_regexes='conv2', select='params').fails(1, 'near are net/conv2')


def test_a_start_that_matches_nothing_is_tensorflows_with_classic(run):
    done = run('scope', 'g', '--classic', start_name_regexes='conv', select='params').ok()
    assert done.rows == ['_TFProfRoot (--/6 params)']


def test_a_start_that_matches_is_none_of_it(run):
    assert 'net/conv2' in run('scope', 'g', start_name_regexes='net/conv2', select='occurrence').ok().text


@pytest.mark.parametrize('command', ['scope', 'graph', 'op', 'memory'])
def test_a_negative_depth_is_an_error(run, command):
    run(command, 'g', 'run_meta_3', max_depth=-5).fails(2, '-max_depth -5')


def test_a_negative_depth_is_the_root_alone_with_classic(run):
    assert len(run('scope', 'g', '--classic', select='params', max_depth=-5).ok().rows) == 1


def test_a_moment_outside_the_step_is_an_error(run):
    run('memory', 'g', 'run_meta_3', at=50).ok()
    run('memory', 'g', 'run_meta_3', at=51).fails(2, '-at 51', 'step 3 has records up to 50')
