"""What holds for every kind of report in every format, whatever the inputs say: nothing of them acts on a terminal, a
spreadsheet or a browser; JSON and CSV can be read; what was not recorded is not 0; sums do not overflow."""
import csv
import gzip
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import bundle, events, wire
from support.hostile import EVIL, UNSAFE, poison
from test_hostile_text import write_inputs

ROOT = Path(__file__).resolve().parents[2]
DATA, CORPUS = ROOT / 'tests' / 'data', ROOT / 'fuzz' / 'corpus'
FORMATS = ['text', 'csv', 'markdown', 'json', 'html']
LOADS = ['scope', 'graph', 'op', 'code', 'advise', 'summary', 'info', 'memory', 'kernels', 'steps']
OWN = {'checkpoint', 'model', 'diff', 'oom', 'history'}  # open their inputs themselves


def test_every_kind_of_report_is_looked_at(tfprof):
    listed = re.findall(r'^  (\w+) ', tfprof('help').ok().text.split('Commands:\n')[1].split('\n\n')[0], re.M)
    reports = [name for name in listed if '-format' in tfprof('help', name).text and name not in ('timeline', 'export')]
    assert set(reports) == {*LOADS, *OWN}


# --- The inputs.

def a_graph(evil):
    return wire.graph(wire.node('net/w' + evil, 'VariableV2', dims=[4]),
                      wire.node('net/mul' + evil, 'MatMul' + evil, ['net/w' + evil], outputs=[[2, 3]]))


def a_run(evil, micros=10, size=64):
    names = ['net/w' + evil, 'net/mul' + evil]
    return wire.run_metadata({wire.GPU + evil: [wire.stats(n, 1000 + i, micros, total=size, peak=size, live=size, output=size,
                                                           allocator='GPU_0_bfc' + evil) for i, n in enumerate(names)]})


def a_log(evil):
    frames = [wire.trace('/a/main.py' + evil, 3, 'main' + evil, 'train()' + evil)]
    return wire.log_entry('net/mul' + evil, 48, ['mine' + evil], frames)


def put_run(folder, evil, **figures):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'graph.pb').write_bytes(a_graph(evil))
    (folder / 'run_meta_1').write_bytes(a_run(evil, **figures))
    (folder / 'tfprof_log').write_bytes(a_log(evil))


CAPTURES = ['cuda_graphs', 'memory_replay', 'steps_by_launch', 'tpu', 'tpu_memory', 'xla_cpu', 'memcpy_formats']


@pytest.fixture(scope='session')
def hostile(tmp_path_factory) -> Path:
    """An input of every kind, with hostile text in all of its strings."""
    folder = tmp_path_factory.mktemp('hostile')
    for name in ('run', 'slower'):  # as text: names like these are not taken for those of a graph otherwise
        (folder / name).mkdir()
        write_inputs(folder / name, EVIL)
    slower = (folder / 'slower' / 'run_meta').read_text()
    (folder / 'slower' / 'run_meta').write_text(slower.replace('op_end_rel_micros: 5', 'op_end_rel_micros: 500'))
    for name in CAPTURES:
        for keep in (True, False):
            data = poison((CORPUS / 'xplane' / name).read_bytes(), keep_keywords=keep)
            (folder / ('%s_%d.xplane.pb' % (name, keep))).write_bytes(data)
    (folder / 'events.out.tfevents.1').write_bytes(events.file(events.event(1, _4=a_graph(EVIL)), events.run('step' + EVIL, a_run(EVIL), 7)))
    for name, source in {'live.prof': DATA / 'memory' / 'after_gpu.prof', 'step.hlo.pb': DATA / 'hlo' / 'step_before.hlo.pb.gz'}.items():
        (folder / name).write_bytes(gzip.compress(poison(gzip.decompress(source.read_bytes()))))
    (folder / 'saved_model.pb').write_bytes(poison((CORPUS / 'model' / 'served').read_bytes()))
    (folder / 'memory.dump').write_bytes(poison((DATA / 'oom' / 'full.dump').read_bytes()))
    for name in ('tf2_session_by_node', 'message_only', 'jax_larger'):
        text = (DATA / 'oom' / (name + '.log')).read_text()
        (folder / (name + '.log')).write_text(re.sub(r'(device:GPU:0|GPU_0_bfc|node \w+|[A-Z]\w+Op\b)', r'\1' + EVIL, text))
    values = b'\0\0\x80\x3f' * 2
    entries = [bundle.header(), ('=w' + EVIL, bundle.entry(bundle.FLOAT, [2], values))]
    (folder / 'model.index').write_bytes(bundle.table(entries))
    (folder / 'model.data-00000-of-00001').write_bytes(values)
    return folder


CASES = [(kind, 'run') for kind in LOADS] + [(kind, 'events.out.tfevents.1') for kind in ('scope', 'info')]
CASES += [(kind, '%s_%d.xplane.pb' % (name, keep)) for i, name in enumerate(CAPTURES) for keep in (0, 1)
          for j, kind in enumerate(LOADS) if kind in ('kernels', 'steps', 'memory', 'summary') or (i + j + keep) % 4 == 0]
CASES += [('memory', 'live.prof'), ('info', 'live.prof'), ('model', 'step.hlo.pb'), ('model', 'saved_model.pb'), ('scope', 'saved_model.pb'),
          ('model', 'run/graph.pbtxt'), ('checkpoint', 'model'), ('scope', 'model'), ('info', 'model'), ('diff', 'run slower'),
          ('diff', 'cuda_graphs_1.xplane.pb steps_by_launch_1.xplane.pb'), ('diff', 'live.prof live.prof'), ('oom', 'memory.dump'),
          ('oom', 'tf2_session_by_node.log'), ('oom', 'message_only.log'), ('oom', 'jax_larger.log'), ('oom', 'message_only.log run')]


# Reports that name something of every input here: that the hostile text is there, and did nothing, can be seen.
NAMING = {'scope', 'graph', 'op', 'code', 'kernels', 'memory', 'summary', 'model', 'checkpoint'}


# --- What must hold.

def check_text(data: bytes, what):
    text = data.decode('utf-8')  # strictly
    found = UNSAFE.search(text)
    assert not found, (what, text[max(0, found.start() - 60): found.end() + 20])
    return text


class Page(HTMLParser):
    """Counts the scripts of a page."""
    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.scripts, self.tags = [], set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == 'script':
            self.scripts.append('')

    def handle_data(self, data):
        if self.scripts:
            self.scripts[-1] += data


def check(format, data: bytes, what):
    if format == 'html':
        page = Page(data.decode('utf-8'))
        assert not [script for script in page.scripts if script.startswith('evil()')], what
        return
    text = check_text(data, what)
    if format == 'json':
        json.loads(text)
    if format == 'csv':
        list(csv.reader(io.StringIO(text, newline=''), strict=True))
    if format == 'markdown':
        assert '<script>' not in re.sub(r'\\<', '', text), what


@pytest.mark.parametrize('kind, names', CASES, ids=lambda word: word)
def test_nothing_of_an_input_acts(tfprof, hostile, kind, names):
    words = [kind, *(str(hostile / name) for name in names.split())]
    if kind == 'checkpoint':
        words.append('-values')
    if kind == 'diff':
        words += ['-delta', '0', '-min_size', '1B']
    for format in FORMATS:
        done = tfprof(*words, format=format)
        assert done.status in (0, 1, 3), done
        assert done.status == 0 or done.err, done
        check_text(done.err.encode(), words)
        if done.out:
            check(format, done.out, [*words, format])
        if format == 'json' and kind in NAMING - {'kernels', 'memory'} and names == 'run':
            assert done.status == 0, done
        if format == 'json' and done.status == 0 and kind in NAMING:
            assert 'evil()' in done.text, 'the hostile text is not in the report at all'


def test_nothing_acts_in_exported_tables_and_their_history(tfprof, hostile):
    for output in ('runs.db', 'tables/'):
        done = tfprof('export', hostile / 'run', hostile / 'slower', '-o', output).ok()
        check_text(done.err.encode() + done.out, output)
    for table in (tfprof.folder / 'tables').rglob('*.csv'):
        check('csv', table.read_bytes(), table.name)
    for format in FORMATS:
        done = tfprof('history', 'runs.db', format=format)
        assert done.status in (0, 1) and (done.status == 0 or done.err), done
        check_text(done.err.encode(), format)
        if done.out:
            check(format, done.out, ['history', format])


@pytest.mark.parametrize('output', ['pprof', 'folded', 'timeline'])
@pytest.mark.parametrize('kind', ['scope', 'graph', 'code'])
def test_nothing_acts_in_what_other_tools_read(tfprof, hostile, kind, output):
    done = tfprof(kind, hostile / 'run', select='micros', output='%s:outfile=out' % output)
    check_text(done.err.encode(), kind)
    check_text(done.out, kind)
    if done.status != 0:
        return
    data = (tfprof.folder / 'out').read_bytes()
    if output == 'folded':
        check_text(data, kind)
    if output == 'timeline':
        json.loads(check_text(data, kind))


def test_cells_in_files_are_defused_for_every_kind(tfprof, tmp_path):
    """Names that are formulas, in all reports that name something."""
    formula = '=HYPERLINK("http://x")'
    put_run(tmp_path / 'run', '')
    for name, data in {'graph.pb': wire.graph(wire.node(formula, formula, outputs=[[2]])),
                       'run_meta_1': wire.run_metadata({wire.GPU: [wire.stats(formula, total=64, peak=64, live=64, output=64)]}),
                       'tfprof_log': wire.log_entry(formula, 48, [], [wire.trace(formula, 3, formula, formula)])}.items():
        (tmp_path / 'run' / name).write_bytes(data)
    put_run(tmp_path / 'other', '')
    for kind in [*LOADS, 'diff', 'model']:
        words = [kind, tmp_path / 'run' / ('graph.pb' if kind == 'model' else '')] + ([tmp_path / 'other'] if kind == 'diff' else [])
        done = tfprof(*words, '-format', 'csv', '-o', 'out.csv')
        if done.status != 0:
            continue
        rows = csv.reader(io.StringIO((tfprof.folder / 'out.csv').read_text(), newline=''), strict=True)
        cells = [cell for row in rows for cell in row]
        assert not [cell for cell in cells if cell.startswith(('=', '@', '+H'))], (kind, cells)


# --- Nothing, and too much.

def figures(value, name=''):
    """All (key, number or None) of a document."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from figures(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from figures(item, name)
    elif value is None or isinstance(value, (int, float)) and not isinstance(value, bool):
        yield name, value


def test_what_was_not_recorded_is_not_0(tfprof):
    tfprof.file('g', wire.graph(wire.node('a', 'NoOp'), wire.node('a/b', 'NoOp', ['a'])))
    for kind in ('scope', 'graph', 'op'):
        found = tfprof(kind, 'g', format='json', select='micros,bytes,peak_bytes').ok().json()
        for key, value in figures(found['root']):
            if re.search(r'micros|bytes', key):  # float ops are counted: NoOp has none
                assert value is None, (kind, key, value)
    summary = tfprof('summary', 'g').ok().text
    assert not re.search(r'(time|memory) +0\b', summary), summary


@pytest.mark.parametrize('content', [b'', wire.graph(), wire.run_metadata({}), wire.run_metadata({wire.CPU: []}), wire.profile()],
                         ids=['empty file', 'no nodes', 'no devices', 'no records', 'empty profile'])
@pytest.mark.parametrize('format', FORMATS)
def test_inputs_of_nothing(tfprof, content, format):
    tfprof.file('nothing', content)
    for kind in LOADS + ['model', 'oom', 'checkpoint']:
        done = tfprof(kind, 'nothing', format=format)
        assert done.status in (0, 1, 2, 3) and (done.status == 0 or done.err), (kind, done)
        if done.status == 0:
            check(format, done.out, kind)


HUGE = (1 << 63) - 1


@pytest.mark.parametrize('format', FORMATS)
def test_figures_at_the_edge_do_not_turn_negative(tfprof, tmp_path, format):
    put_run(tmp_path / 'run', '', micros=HUGE, size=HUGE)
    (tmp_path / 'run' / 'graph.pb').write_bytes(wire.graph(
        wire.node('net/w', 'VariableV2', dims=[1 << 62, 1 << 62]), wire.node('net/mul', 'MatMul', ['net/w'], outputs=[[HUGE, HUGE]])))
    put_run(tmp_path / 'other', '')
    for kind in [*LOADS, 'diff', 'model']:
        words = [kind, tmp_path / 'run' / ('graph.pb' if kind == 'model' else '')] + ([tmp_path / 'other'] if kind == 'diff' else [])
        done = tfprof(*words, format=format)
        assert done.status in (0, 1, 3) and (done.status == 0 or done.err), done
        if done.status == 0:
            check(format, done.out, kind)
        if done.status == 0 and format == 'json' and kind != 'diff':
            negative = [(k, v) for k, v in figures(done.json()) if v is not None and v < 0 and re.search(r'micros|bytes|ops|param', k)]
            assert not negative, (kind, negative)
