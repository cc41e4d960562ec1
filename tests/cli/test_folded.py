"""-output folded: collapsed stacks for flame graphs."""
import pytest
from support import wire

MAIN, F = wire.trace('/src/a.py', 5, 'main'), wire.trace('/src/b.py', 7, 'f')
GRAPH = wire.graph(wire.node('x', 'Add'), wire.node('y', 'Mul'), wire.node('gradients/x_grad/z', 'Sub'),
                   wire.node('top', 'NoOp'), wire.node('idle', 'NoOp'))
LOG = b''.join([wire.log_entry('x', frames=[MAIN, F]), wire.log_entry('y', frames=[MAIN, F]),
                wire.log_entry('gradients/x_grad/z', frames=[MAIN, F]), wire.log_entry('top', frames=[MAIN]),
                wire.log_entry('idle', frames=[MAIN, wire.trace('/src/c.py', 9, 'g;h\ni')])])
RUN = wire.run_metadata({wire.CPU: [wire.stats('x', micros=10), wire.stats('y', micros=20),
                                    wire.stats('gradients/x_grad/z', micros=40), wire.stats('top', micros=80)]})


@pytest.fixture
def tool(tfprof):
    for name, content in (('g', GRAPH), ('l', LOG), ('r', RUN)):
        tfprof.file(name, content)
    return tfprof


def folded(tool, *words, run='r', **options):
    runs = ['--run_meta_path=' + run] if run else []
    tool('code', 'g', '--op_log_path=l', *runs, *words, output='folded:outfile=f', **options).ok()
    return (tool.folder / 'f').read_text().splitlines()


def test_one_line_per_frame_with_a_figure_of_its_own(tool):
    assert sorted(folded(tool)) == [
        'a.py:5:main (gradient);b.py:7:f (gradient) 40', 'a.py:5:main 80', 'a.py:5:main;b.py:7:f 30']


def test_names_cannot_break_the_format(tool):
    tool.file('r2', wire.run_metadata({wire.CPU: [wire.stats('idle', micros=3)]}))
    assert folded(tool, run='r2') == ['a.py:5:main;c.py:9:g,h i 3']


def test_frames_that_are_not_shown_bring_nothing_but_are_named(tool):
    assert folded(tool, show_name_regexes='b.py:7:f') == ['a.py:5:main;b.py:7:f 30']


def test_a_shown_frame_carries_what_is_hidden_below_it(tool):
    assert sorted(folded(tool, trim_name_regexes='b.py.*')) == ['a.py:5:main (gradient) 40', 'a.py:5:main 110']


def test_nodes_without_a_call_stack_are_a_line(tool):
    tool.file('l', wire.log_entry('x', frames=[MAIN, F]))
    assert sorted(folded(tool, '--classic=false')) == ['(no call stack) 140', 'a.py:5:main;b.py:7:f 10']


@pytest.mark.parametrize('words', [dict(select='micros,bytes'), dict(select='op_types')])
def test_one_figure(tool, words):
    tool('code', 'g', '--op_log_path=l', output='folded:outfile=f', **words).fails(2, 'folded', 'one figure')
    assert not (tool.folder / 'f').exists()


@pytest.mark.parametrize('view', ['scope', 'graph', 'op'])
def test_other_views_have_no_stacks(tool, view):
    tool(view, 'g', output='folded:outfile=f').fails(2, 'code view', view)


@pytest.mark.parametrize('model', ['mlp', 'functions', 'resnet_gpu'])
@pytest.mark.parametrize('figure, field', [('micros', 'exec_micros'), ('bytes', 'requested_bytes'),
                                           ('params', 'parameters')])
def test_values_add_up_to_the_view(tfprof, data, model, figure, field):
    words = dict(select=figure, max_depth=10000)
    tfprof('code', data / model, output='folded:outfile=f', **words).ok()
    lines = (tfprof.folder / 'f').read_text().splitlines()
    root = tfprof('code', data / model, format='json', **words).ok().json()['root']
    assert sum(int(line.rpartition(' ')[2]) for line in lines) == root['total_' + field]
    assert all(line.rpartition(' ')[0] for line in lines)
