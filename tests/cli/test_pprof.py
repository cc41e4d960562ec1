"""-output pprof: what is in the file, what is refused, and that the real pprof reads it."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support import pprof, wire
from support.columns import figures, unit

MODELS = ['mlp', 'functions', 'resnet_gpu']

# main() in a.py calls f() in b.py, which makes two nodes; one has a gradient; one node is made by main() itself.
STACK = [wire.trace('/src/a.py', 5, 'main'), wire.trace('/src/b.py', 7, 'a_function_of_a_long_name')]
GRAPH = wire.graph(wire.node('x', 'Add'), wire.node('y', 'Mul'), wire.node('gradients/x_grad/z', 'Sub'),
                   wire.node('top', 'NoOp'))
LOG = b''.join([wire.log_entry('x', frames=STACK), wire.log_entry('y', frames=STACK),
                wire.log_entry('gradients/x_grad/z', frames=STACK), wire.log_entry('top', frames=STACK[:1])])
RUN = wire.run_metadata({wire.CPU: [wire.stats('x', micros=10), wire.stats('y', micros=20),
                                    wire.stats('gradients/x_grad/z', micros=40), wire.stats('top', micros=80)]})


@pytest.fixture
def tool(tfprof):
    for name, content in (('g', GRAPH), ('l', LOG), ('r', RUN)):
        tfprof.file(name, content)
    return tfprof


def code(tool, *words, **options):
    return tool('code', 'g', '--op_log_path=l', '--run_meta_path=r', *words, **options)


def test_locations_are_calls(tool):
    code(tool, output='pprof:outfile=p').ok()
    profile = pprof.read(tool.folder / 'p')
    assert profile.types == [('count', 'count'), ('micros', 'microseconds')] and profile.default == 'micros'
    got = sorted((s.labels['graph node:'], s.stack, s.files, s.values) for s in profile.samples)
    called = 'b:a_function_of_a_long_name'
    assert got == [
        ('gradients/x_grad/z', [called + ' (gradient):5'], ['/src/b.py'], [1, 40]),
        ('top', [], [], [1, 80]),
        ('x', [called + ':5'], ['/src/b.py'], [1, 10]),
        ('y', [called + ':5'], ['/src/b.py'], [1, 20])]


def samples(tool, *words, **options):
    code(tool, *words, output='pprof:outfile=p', **options).ok()
    return sorted((s.labels['graph node:'], s.stack, s.values) for s in pprof.read(tool.folder / 'p').samples)


HIDDEN = '(in frames that are not shown)'


@pytest.mark.parametrize('options', [dict(max_depth=2), dict(trim_name_regexes='b.py.*'), dict(hide_name_regexes='b.py.*')])
def test_a_shown_frame_carries_what_is_hidden_below_it(tool, options):
    """There were no samples at all below a trim: nothing that is hidden may be lost."""
    assert samples(tool, **options) == [(HIDDEN, [], [1, 40]), (HIDDEN, [], [2, 30]), ('top', [], [1, 80])]


def test_what_no_shown_frame_can_carry_is_told(tool):
    outcome = code(tool, output='pprof:outfile=p', show_name_regexes='b.py.*function.*[.]{3}').ok()
    assert '120us of 150us' in outcome.err
    assert 'no frame' not in code(tool, output='pprof:outfile=p').ok().err


def test_nodes_without_a_call_stack_are_a_sample(tool):
    tool.file('l', wire.log_entry('x', frames=STACK))
    assert samples(tool, '--classic=false') == [
        ('gradients/x_grad/z', ['(no call stack):0'], [1, 40]), ('top', ['(no call stack):0'], [1, 80]),
        ('x', ['b:a_function_of_a_long_name:5'], [1, 10]), ('y', ['(no call stack):0'], [1, 20])]


def test_the_same_input_gives_the_same_bytes(tool):
    code(tool, output='pprof:outfile=p').ok()
    code(tool, output='pprof:outfile=q').ok()
    assert (tool.folder / 'p').read_bytes() == (tool.folder / 'q').read_bytes()


@pytest.mark.parametrize('options, words', [
    (dict(select='micros,bytes'), 'one figure'), (dict(select='device'), 'one figure'),
    (dict(select='micros,device'), 'one figure')])
def test_exactly_one_figure(tool, options, words):
    tool.file('p', 'precious')
    code(tool, output='pprof:outfile=p', **options).fails(2, 'pprof', words)
    assert (tool.folder / 'p').read_text() == 'precious'


@pytest.mark.parametrize('view', ['scope', 'graph', 'op'])
def test_other_views_have_no_stacks(tool, view):
    tool(view, 'g', output='pprof:outfile=p').fails(2, 'code view', view)


def test_what_was_not_recorded_is_an_error_and_no_file_of_zeros(tool):
    tool('code', 'g', '--op_log_path=l', select='bytes', output='pprof:outfile=p').fails(3, 'not recorded', 'bytes')
    code(tool, select='peak_bytes', output='pprof:outfile=p').fails(3, 'not recorded', 'peak_bytes')
    assert not (tool.folder / 'p').exists()


def test_a_target_that_cannot_be_written_is_an_error(tool):
    code(tool, output='pprof:outfile=no/such/p').fails(3, 'no/such/p', 'cannot be written')


def view_total(tfprof, folder, figure):
    root = tfprof('code', folder, select=figure, format='json', max_depth=10000, flops='native').ok().json()['root']
    name = figures(tfprof.binary)[figure]
    if figure == 'occurrence':  # the code view has none: sum over the graph nodes
        todo, total = [root], 0
        while todo:
            node = todo.pop()
            total += sum(n['run_count'] for n in node.get('graph_nodes', []))
            todo += node.get('children', [])
        return total
    return root['total_' + name]


@pytest.mark.parametrize('model', MODELS)
def test_totals_are_those_of_the_view(tfprof, data, model):
    for figure in figures(tfprof.binary):
        tfprof('code', data / model, select=figure, max_depth=10000, output='pprof:outfile=p', flops='native').ok()
        profile = pprof.read(tfprof.folder / 'p')
        assert profile.types[1] == (figure, unit(figure))
        assert profile.total() == view_total(tfprof, data / model, figure), figure


# --- the real thing

@pytest.fixture(scope='session')
def go_pprof():
    """Google's pprof, built from the Go module proxy into the build folder; skipped only where there is no Go."""
    go = shutil.which('go')
    if not go:
        pytest.skip('Go is not installed')
    folder = Path(__file__).resolve().parents[2] / 'build' / 'go'
    tool = folder / 'bin' / 'pprof'
    if not tool.exists():
        env = os.environ | {'GOPATH': str(folder / 'path'), 'GOBIN': str(folder / 'bin'), 'GOFLAGS': '-modcacherw'}
        done = subprocess.run([go, 'install', 'github.com/google/pprof@latest'], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return tool


def ask(go_pprof, question, path) -> str:
    env = os.environ | {'PPROF_TMPDIR': str(path.parent)}
    done = subprocess.run([go_pprof, question, '-nodefraction=0', '-nodecount=0', '-unit=us', path], capture_output=True,
                          text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize('model', ['mlp', 'resnet_gpu'])
def test_pprof_reads_it_and_counts_the_same(tfprof, data, go_pprof, model):
    tfprof('code', data / model, max_depth=10000, output='pprof:outfile=p').ok()
    path, want = tfprof.folder / 'p', view_total(tfprof, data / model, 'micros')
    top = ask(go_pprof, '-top', path)
    assert re.search(r'Showing nodes accounting for .* of %sus total' % want, top), top[:500]
    flat = [int(m) for m in re.findall(r'^ *(\d+)(?:us)? +[\d.]+%', top, re.MULTILINE)]
    assert sum(flat) == want
    raw = ask(go_pprof, '-raw', path)
    assert 'micros/microseconds[dflt]' in raw
    samples = [int(m) for m in re.findall(r'^ +1 +(\d+): ', raw, re.MULTILINE)]
    assert sum(samples) == want and len(samples) == len(pprof.read(path).samples)
    traces = ask(go_pprof, '-traces', path)
    values = [int(m) for m in re.findall(r'^ *graph node::.*\n +(\d+)(?:us)?  ', traces, re.MULTILINE)]
    assert sum(values) == want
