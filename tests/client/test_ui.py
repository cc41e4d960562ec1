"""`tfprof ui` in a real browser: every tab of every kind of input, with the figures that the commands print."""
import json
import pathlib
import subprocess

import pytest

from support.tool import run

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
EXAMPLES = REPOSITORY / 'examples'
GPU = HERE.parent / 'data' / 'views' / 'resnet_gpu'
INPUTS = {'resnet': EXAMPLES / 'resnet', 'gpu': GPU, 'jax': EXAMPLES / 'jax', 'lstm': EXAMPLES / 'lstm',
          'checkpoint': HERE.parent / 'data' / 'checkpoints' / 'object'}
TABS = {'resnet': ['Overview', 'Memory', 'Time', 'Timeline', 'Compare', 'Model'],
        'gpu': ['Overview', 'Memory', 'Time', 'Timeline', 'Compare', 'Model'],
        'jax': ['Overview', 'Memory', 'Time', 'Timeline', 'Compare'],
        'lstm': ['Overview', 'Time', 'Compare', 'Model'],
        'checkpoint': ['Checkpoint']}
SETTLED = "!document.querySelector('main .busy, main [aria-busy=true]') && document.querySelector('main section, main .card')"
ROWS = '''[...document.querySelectorAll('tr[data-row]')].map((row) => ({name: row.cells[0].title,
    values: [...row.querySelectorAll('td.n')].map((cell) => cell.dataset.v ?? null)}))'''


@pytest.fixture(scope='module')
def serve(binary):
    """Serves inputs until the end of the tests; gives the address."""
    started = {}

    def serving(*inputs):
        if inputs not in started:
            process = subprocess.Popen([binary, 'ui', *map(str, inputs), '-no_open'], stdout=subprocess.PIPE, text=True,
                                       stderr=subprocess.DEVNULL)
            started[inputs] = process, process.stdout.readline().strip()
        return started[inputs][1]
    yield serving
    for process, _ in started.values():
        process.terminate()
        process.wait(60)
        process.stdout.close()


@pytest.fixture
def visit(serve, browser):
    """Opens a place of the page; its console and its requests are looked at in the end."""
    pages = []

    def visited(inputs, place='', until=SETTLED, **more):
        page = browser.open(serve(*inputs) + place, **more)
        pages.append(page)
        page.wait(until)
        return page
    yield visited
    for page in pages:
        page.quiet()
        page.close()


def go(page, tab):
    page.click('nav[aria-label=Views] a:text-is("%s")' % tab)
    page.wait('document.querySelector("nav[aria-label=Views] a[aria-current=page]").textContent === "%s" && %s' % (tab, SETTLED))


def report(binary, folder, *words):
    return run([binary, *map(str, words), '-format', 'json'], folder).ok().json()


def cards(page):
    """What the tooltips of cards say, by label."""
    return dict(page.evaluate("[...document.querySelectorAll('.card')].map((c) => [c.querySelector('.label').textContent, c.title])"))


def grouped(number):
    return format(number, ',')


@pytest.mark.parametrize('name', INPUTS)
def test_every_tab(visit, name):
    page = visit([INPUTS[name]])
    tabs = page.texts('nav[aria-label=Views] a')
    assert tabs[-len(TABS[name]):] == TABS[name]
    for tab in tabs:
        go(page, tab)
        assert page.texts('.failure') == [], tab
        assert len(page.texts('main')[0]) > 50, tab
        assert page.faults() == [], tab
        page.dark(True)
        page.wait('document.documentElement.dataset.theme === "dark"')
        assert page.faults(['color-contrast']) == [], tab + ' in the dark'
        page.dark(False)


@pytest.mark.parametrize('name', ['resnet', 'gpu', 'jax'])
def test_peaks_are_those_of_the_command(binary, visit, tmp_path, name):
    steps = report(binary, tmp_path, 'memory', INPUTS[name], '-step', 'all')['steps']
    page = visit([INPUTS[name]], '#/overview')
    peaks = [device['peak']['bytes'] for step in steps for device in step['devices']]
    assert cards(page)['peak of memory'] == grouped(max(peaks)) + ' bytes'
    for step in (steps[0], steps[-1]):
        most = max(step['devices'], key=lambda device: device['peak']['bytes'])
        of_step = '' if step['step'] is None else '?step=%d' % step['step']  # captures have one for all steps
        page.goto(page.url.partition('#')[0] + '#/memory' + of_step)
        want = grouped(most['peak']['bytes']) + ' bytes'
        page.wait("[...document.querySelectorAll('.card')].some((c) => c.textContent.startsWith('Peak') && c.title === '%s')" % want)
        page.wait("document.querySelector('section.live tbody tr td.n') && " + SETTLED)
        titles = page.evaluate("[...document.querySelectorAll('.devices button')].map((b) => b.title)")
        for device in step['devices']:
            assert any(device['device'] in title and grouped(device['peak']['bytes']) + ' bytes' in title for title in titles)
        sizes = page.evaluate("[...document.querySelectorAll('section.live tbody tr')].map((r) => r.cells[1].title)")
        sizes = [int(text.split()[0].replace(',', '')) for text in sizes]
        assert sizes == sorted(sizes, reverse=True)
        assert sum(sizes) <= most['peak']['bytes']


@pytest.mark.parametrize('name, figure', [('resnet', 'micros'), ('gpu', 'micros'), ('jax', 'micros')])
def test_times_are_those_of_the_command(binary, visit, tmp_path, name, figure):
    whole = ['-select', figure, '-order_by', figure, '-max_depth', '1000', '-max_rows', '0']
    page = visit([INPUTS[name]], '#/time?view=op', until="document.querySelectorAll('tr[data-row]').length > 3")
    rows = run([binary, 'op', str(INPUTS[name]), *whole, '-format', 'csv'], tmp_path).ok().csv()
    shown = page.evaluate(ROWS)[:10]
    want = [(row['path'], float(row[figure])) for row in rows if row['path'] != '_TFProfRoot' and row[figure]][:len(shown)]
    assert [(row['name'], float(row['values'][0])) for row in shown] == want
    page.goto(page.url.partition('#')[0] + '#/time?view=scope')
    page.wait("document.querySelector('tr[data-row=\"0\"]')?.cells[0].title === '_TFProfRoot' && " + SETTLED)
    rows = run([binary, 'scope', str(INPUTS[name]), *whole, '-format', 'csv'], tmp_path).ok().csv()
    totals = {row['path']: float(row['total_' + figure]) for row in rows if row['total_' + figure]}
    shown = [row for row in page.evaluate(ROWS) if row['values'][1]]
    assert len(shown) > 5
    for row in shown:
        assert float(row['values'][1]) == totals[row['name']]
    page.goto(page.url.partition('#')[0] + '#/overview')
    page.wait("document.querySelector('.card') && " + SETTLED)
    assert float(cards(page)['time of a step'].split()[0].replace(',', '')) == totals['_TFProfRoot']


def test_differences_are_those_of_the_command(binary, visit, tmp_path):
    page = visit([GPU], '#/compare', until="document.querySelectorAll('tr[data-row]').length > 3")
    root = report(binary, tmp_path, 'diff', '%s@step=1' % GPU, '%s@step=2' % GPU, '-view', 'scope', '-select', 'micros',
                  '-delta', '0', '-min_size', '0B')['root']
    shown = page.evaluate(ROWS)[0]
    assert shown['name'] == '_TFProfRoot'
    first, last, difference = map(float, shown['values'][:3])
    assert last - first == difference
    assert str(int(difference)) in json.dumps(root)


def test_the_timeline_draws_every_execution(binary, visit, tmp_path):
    page = visit([GPU], '#/timeline', until="document.querySelectorAll('main canvas').length > 1 && " + SETTLED)
    words = page.evaluate("document.querySelector('.keys').textContent")
    run([binary, 'timeline', str(GPU), '-step', '1', '-o', 'trace.json'], tmp_path).ok()
    events = json.loads((tmp_path / 'trace.json').read_text())['traceEvents']
    assert words.startswith('%d executions' % sum(event['ph'] == 'X' for event in events))
    inked = page.evaluate('''[...document.querySelectorAll('main canvas')].map((canvas) => {
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size; })''')
    assert max(inked) > 10


def test_the_address_holds_the_state(visit):
    page = visit([INPUTS['resnet']], '#/memory')
    page.choose('main select', '10')
    page.click('.segments button:text-is("scope")')
    page.wait("document.querySelector('.segments [aria-pressed=true]').textContent === 'scope' && " + SETTLED)
    page.fill('section.live input[type=search]', 'Conv2D')
    page.wait("location.hash.includes('q=Conv2D') && " + SETTLED)

    def state():
        return page.evaluate('''[document.querySelector('main select').value, document.querySelector('.segments [aria-pressed=true]').textContent,
            document.querySelector('section.live input').value, document.querySelector('section.live [role=status]').textContent,
            [...document.querySelectorAll('section.live tbody tr')].map((row) => row.textContent), document.title]''')
    before = state()
    assert before[:3] == ['10', 'scope', 'Conv2D'] and before[4]
    page.reload()
    page.wait("document.querySelector('section.live tbody tr') && " + SETTLED)
    assert state() == before
    page.click('nav[aria-label=Views] a:text-is("Time")')  # and another tab keeps run and step
    page.wait("location.hash.startsWith('#/time') && location.hash.includes('step=10')")


EVIL = ['</script><script>window.wild=1</script>', '<!--<script>', '"><img src=x onerror=window.wild=2>', "&amp;'`${1}",
        'javascript:wild=3', '\u202egnihton\u2028', '\U0001f525', 'long/' * 400 + 'end']


def test_nothing_in_a_name_gets_out_of_it(visit, tmp_path):
    folder = tmp_path / '<img src=x onerror=window.wild=4>'
    folder.mkdir()
    nodes = ''.join('node { name: "%s" op: "<b>&op</b>" }\n' % name.replace('"', '\\"') for name in EVIL)
    (folder / 'graph.pbtxt').write_text(nodes, encoding='utf-8')
    page = visit([folder], '#/time?view=graph&figure=defined')
    tabs = page.texts('nav[aria-label=Views] a')
    assert {'Overview', 'Time'} <= set(tabs)
    shown = set()
    for view in ('graph', 'scope', 'op'):
        page.goto(page.url.partition('#')[0] + '#/time?figure=defined&view=' + view)
        page.wait("document.querySelectorAll('tr[data-row]').length > 0 && " + SETTLED)
        shown |= {row['name'] for row in page.evaluate(ROWS)}
    assert set(EVIL[:4]) <= shown and '<b>&op</b>' in shown
    for tab in tabs:
        go(page, tab)
        assert page.evaluate('window.wild ?? null') is None
        assert page.evaluate("document.querySelectorAll('main img, main script, main b > b').length") == 0
        assert page.evaluate('document.documentElement.scrollWidth <= innerWidth + 1'), tab
    assert page.evaluate('document.title').startswith('<img src=x onerror=window.wild=4>')


def test_a_folder_of_runs_lists_the_broken_one_too(serve, browser, tmp_path):
    for name in ('first', 'second'):
        (tmp_path / name).mkdir()
        for file in ('graph.pb', 'run_meta_0', 'run_meta_10'):
            (tmp_path / name / file).write_bytes((EXAMPLES / 'resnet' / file).read_bytes())
    (tmp_path / 'third').mkdir()
    (tmp_path / 'third' / 'host.xplane.pb').write_bytes(b'\xff' * 300)
    page = browser.open(serve(tmp_path))
    page.wait("document.querySelector('section.all-runs .failure') && " + SETTLED)
    rows = page.evaluate("[...document.querySelectorAll('section.all-runs tbody tr')].map((row) => row.textContent)")
    assert len(rows) == 3 and 'first' in rows[0] and 'host.xplane.pb' in rows[2]
    page.click('section.all-runs tbody tr:nth-child(2)')
    page.wait("document.querySelector('h2.run-title').textContent === 'second'")
    page.close()


@pytest.mark.parametrize('name', ['gpu'])
def test_a_phone_is_enough_to_read(visit, name):
    page = visit([INPUTS[name]], width=390, height=800)
    for tab in TABS[name]:
        go(page, tab)
        assert page.evaluate('document.documentElement.scrollWidth <= innerWidth + 1'), tab
