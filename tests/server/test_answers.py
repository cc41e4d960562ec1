"""Answers of the site are those of the commands, number for number."""
import json
import subprocess
import urllib.parse

import pytest

from support.site import REPOSITORY, serving

JAX, LSTM, RESNET = 0, 2, 3
EXAMPLES = REPOSITORY / 'examples'


def command(binary, *words):
    """What the command prints, from the root of the repository."""
    return subprocess.run([binary, *words], cwd=REPOSITORY, check=False, capture_output=True).stdout


def test_runs_are_listed_by_name(site):
    runs = site.get('api/runs')['runs']
    assert [run['name'] for run in runs] == ['jax', 'jax_plain', 'lstm', 'resnet']
    assert [run['id'] for run in runs] == ['0', '1', '2', '3']
    assert runs[RESNET]['bytes'] == sum(f.stat().st_size for f in (EXAMPLES / 'resnet').iterdir())


def test_a_run_says_what_it_holds(site):
    run = site.get('api/run', run=RESNET)
    assert run['steps'] == [0, 10, 100] and run['timeline']
    assert {'scope', 'graph', 'op', 'code', 'memory', 'model'} <= set(run['kinds'])
    assert run['figures']['micros'] == 9313 and run['figures']['macs'] is None
    assert not site.get('api/run', run=LSTM)['timeline']
    assert 'kernels' in site.get('api/run', run=JAX)['kinds'] and 'kernels' not in run['kinds']


@pytest.mark.parametrize('kind', ['scope', 'graph', 'op', 'code', 'summary', 'info', 'advise', 'memory', 'steps', 'kernels'])
def test_reports_are_what_the_command_writes(site, binary, kind):
    for run, name in ((JAX, 'jax'), (RESNET, 'resnet')):
        status, headers, body = site.request('api/report/%s?run=%d' % (kind, run))
        expected = command(binary, kind, str(EXAMPLES / name), '-format', 'json')
        if kind == 'kernels' and name == 'resnet':
            assert status == 422 and not expected
            continue
        assert status == 200 and headers['Content-Type'] == 'application/json'
        mine, theirs = json.loads(body), json.loads(expected)
        for each in (mine, theirs):  # the server loads with -keep_going
            each.pop('options', None)
        assert mine == theirs


def test_reports_in_other_formats(site, binary):
    for name, text in (('csv', 'text/csv'), ('markdown', 'text/markdown'), ('text', 'text/plain'), ('html', 'text/html')):
        status, headers, body = site.request('api/report/scope?run=3&format=%s&select=micros&max_depth=2' % name)
        assert status == 200 and headers['Content-Type'].startswith(text)
        assert body == command(binary, 'scope', str(EXAMPLES / 'resnet'), '-format', name, '-select', 'micros', '-max_depth', '2')
    assert headers['Content-Disposition'] == 'attachment; filename="scope.html"'


def test_comparisons_take_runs_and_steps(site, binary):
    mine = site.get('api/report/diff', run=['3@step=0', '3@step=100'], select='micros', delta='0')
    resnet = str(EXAMPLES / 'resnet')
    theirs = json.loads(command(binary, 'diff', resnet + '@step=0', resnet + '@step=100', '-select', 'micros', '-delta', '0', '-format',
                                'json'))
    assert mine == theirs
    page = site.get('api/report/diff', run=['3@step=0', '3@step=100'], select='micros', delta='0', fail_if='micros>+5%', format='page')
    compared = page['view']['comparison']
    assert page['broken'] == any(limit['broken_by'] for limit in compared['limits'])
    cells, growth = compared['cells'][0], compared['difference'][0]
    for (before, after), grew in zip(cells, growth):
        if before and after:
            assert grew == after[1] - before[1]


def rows_of(node, depth=0):
    yield depth, node
    for child in node.get('children', ()):
        yield from rows_of(child, depth + 1)


@pytest.mark.parametrize('view', ['scope', 'graph', 'code'])
def test_the_tree_in_parts_is_the_whole_tree(site, view):
    """Walked by its parts, the tree has the rows and totals of the whole view."""
    whole = site.get('api/report/' + view, run=RESNET, select='micros,params', max_depth=1000, order_by='name')['root']
    expected = sorted(((row['name'], row['total_exec_micros'], row['total_parameters']) for _, row in rows_of(whole)), key=repr)
    first = site.get('api/tree/' + view, run=RESNET, limit=5000)
    found, open_rows = [first['root']], [first]
    while open_rows:
        part = open_rows.pop()
        assert len(part['rows']) == part['count']
        for row in part['rows']:
            found.append(row)
            if row['children']:
                open_rows.append(site.get('api/tree/' + view, run=RESNET, limit=5000, row=row['row']))
    assert len(found) == first['rows_in_all']
    assert sorted(((r['name'], r['total']['micros'], r['total']['params']) for r in found), key=repr) == expected


def test_rows_are_sorted_and_paged(site):
    whole = site.get('api/tree/scope', run=RESNET, sort='micros', limit=100)['rows']
    times = [row['total']['micros'] for row in whole if row['total']['micros'] is not None]
    assert [row['total']['micros'] for row in whole][:len(times)] == times, 'what was not recorded comes last'
    assert times == sorted(times, reverse=True) and times[0] > times[-1]
    parts = [site.get('api/tree/scope', run=RESNET, sort='micros', limit=4, offset=o)['rows'] for o in range(0, 16, 4)]
    assert sum(parts, []) == whole
    names = [row['name'] for row in site.get('api/tree/scope', run=RESNET, sort='name', up=1)['rows']]
    assert names == sorted(names)


def test_rows_are_found_by_words_and_by_patterns(site):
    found = site.get('api/tree/scope', run=RESNET, q='conv2d', sort='micros', limit=5000)
    assert found['count'] == len(found['rows']) > 10
    assert all('conv2d' in row['name'].lower() for row in found['rows'])
    wild = site.get('api/tree/scope', run=RESNET, q='/^unit_[01]_0$/', limit=5000)['rows']
    assert [row['name'] for row in wild] == ['unit_0_0', 'unit_1_0']
    assert site.error('api/tree/scope', run=RESNET, q='/(/')[0] == 400


def test_a_row_is_found_by_its_name(site):
    part = site.get('api/tree/scope', run=RESNET, path='unit_0_0/sub1')
    assert part['root']['name'] == 'unit_0_0/sub1'
    assert [row['name'] for row in part['above']] == ['_TFProfRoot', 'unit_0_0']
    assert site.error('api/tree/scope', run=RESNET, path='nowhere')[0] == 404


def test_flames_lose_nothing(site):
    """A bar is its own time, its children and what was too small to show."""
    for finest in ('0', '0.01', '0.2'):
        flame = site.get('api/flame/scope', run=RESNET, finest=finest)
        assert flame['totals'][0] == flame['total'] == 9313
        below = [0] * len(flame['rows'])
        path = []
        for i, depth in enumerate(flame['depths']):
            del path[depth:]
            if path:
                below[path[-1]] += flame['totals'][i]
            path.append(i)
        for i, total in enumerate(flame['totals']):
            assert below[i] + flame['left_out'][i] <= total
            if i and finest == '0.2':
                assert total >= 0.2 * 9313
        own = [total - b - l for total, b, l in zip(flame['totals'], below, flame['left_out'])]
        if finest == '0':
            tree = site.get('api/tree/scope', run=RESNET, q='unit_0_0/sub1', limit=5000)['rows']
            by_row = dict(zip(flame['rows'], own))
            for row in tree:
                assert by_row.get(row['row'], 0) == (row.get('own', {}).get('micros') or 0)


def test_sandwiches_add_up(site):
    whole = site.get('api/tree/scope', run=RESNET, q='/(^|.*\\/)Conv2D$/', limit=5000)['rows']
    sandwich = site.get('api/sandwich/scope', run=RESNET, name='Conv2D', finest=0)
    assert sandwich['rows'] == len(whole)
    assert sandwich['own'] == sum(row['own']['micros'] for row in whole)
    assert sandwich['total'] == sandwich['callers']['totals'][0] == sandwich['callees']['totals'][0]
    assert site.error('api/sandwich/scope', run=RESNET, name='nothing')[0] == 404


def test_traces_are_those_of_the_command(site, binary, tmp_path):
    target = tmp_path / 'trace.json'
    command(binary, 'timeline', str(EXAMPLES / 'resnet'), '-step', '10', '-o', str(target))
    status, headers, body = site.request('api/trace?run=3&step=10&format=chrome')
    assert status == 200 and body == target.read_bytes()
    assert headers['Content-Disposition'] == 'attachment; filename="trace.json"'


def test_errors_say_what_is_wrong(site):
    assert site.error('api/run', run=99) == (404, 'run 99: there is no such run; api/runs lists them')
    assert site.error('api/run')[0] == 404
    assert site.error('api/report/nothing', run=0)[0] == 404
    assert site.error('api/report/scope', run=0, format='exe')[0] == 400
    assert site.error('api/report/scope', run=0, select='nothing')[0] == 400
    assert site.error('api/tree/scope', run=0, row=10**9)[0] == 400
    assert site.error('api/report/scope', run=LSTM, step=5)[0] == 400
    assert site.error('nowhere')[0] == 404
    assert 'code' in site.error('api/report/code', run=LSTM)[1]


def test_views_with_options(site):
    less = site.get('api/tree/scope', run=RESNET, account_type_regexes='Conv2D')
    assert 0 < less['grand']['micros'] < 9313
    step = site.get('api/tree/scope', run=RESNET, step=10)
    assert step['grand']['micros'] == 9430


def test_source_text_is_shown_only_where_it_was_allowed(site, binary, tmp_path):
    row = site.get('api/tree/code', run=RESNET, q='_conv_bn_relu', limit=1)['rows'][0]
    assert row['file'].endswith('models.py')
    assert site.error('api/source', run=RESNET, file=row['file'], line=row['line'])[0] == 404
    with serving(binary, EXAMPLES / 'resnet', '--source', EXAMPLES / 'resnet') as allowed:
        text = allowed.get('api/source', run=0, file=row['file'], line=row['line'])
        lines = (EXAMPLES / 'resnet' / 'models.py').read_text().split('\n')
        assert text['lines'][0] == lines[text['first'] - 1]
        for name in ('/etc/passwd', '../resnet/graph.pb', urllib.parse.quote('/etc/passwd')):
            assert allowed.error('api/source', run=0, file=name)[0] == 404
