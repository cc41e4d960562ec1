"""Pages of -format html in a real browser: what they show, sort, fold and zoom; and that they fetch nothing."""
import pathlib

import pytest

from support.tool import run

HERE = pathlib.Path(__file__).resolve().parent
RESNET = HERE.parent / 'data' / 'views' / 'resnet'
GPU = HERE.parent / 'data' / 'views' / 'resnet_gpu'
SEEN = {'seen': 'at_first'}
FILTER = 'section[aria-label$=", table"] input[type=search]'


@pytest.fixture
def visit(binary, browser, tmp_path):
    """Writes the page of a command, opens it, does the steps; console messages and requests fail the test."""
    def visited(words, *steps, dark=False):
        page = tmp_path / 'page.html'
        run([str(binary), *map(str, words), '-format', 'html', '-o', str(page)], tmp_path).ok()
        found = browser.visit(page, [SEEN, *steps], dark)
        assert found['messages'] == [] and found['requests'] == []
        return found
    return visited


def rows_of(binary, words, tmp_path):
    return run([str(binary), *map(str, words), '-format', 'csv'], tmp_path).ok().csv()


SCOPE = ['scope', RESNET, '-select', 'cpu_micros,bytes,device', '-max_depth', '100', '-order_by', 'name']


def test_every_row_with_its_exact_figures(binary, visit, tmp_path):
    rows = rows_of(binary, SCOPE, tmp_path)
    found = visit(SCOPE, {'click': 'text=Unfold all'}, {'seen': 'open'})
    assert found['open']['rowcount'] == len(rows)
    assert found['at_first']['rowcount'] < len(rows)
    shown = found['open']['rows']
    assert len(shown) > 20
    for row, want in zip(shown, rows):  # the rows in sight are the first of the report, in its order
        assert row['name'] == want['path'] and row['level'] == int(want['depth']) + 1
        figures = [want[key] or None for key in ('bytes', 'total_bytes', 'cpu_micros', 'total_cpu_micros')]
        if row['name'] == '_TFProfRoot':  # counts nothing itself: "--" in text, 0 in CSV
            figures[0] = figures[2] = None
        assert row['values'] == figures
        assert row['texts'] == [want['device']]
    tips = next(row for row in shown if row['name'] == '_TFProfRoot')['tips']
    assert tips[1] == format(int(rows[0]['total_bytes']), ',') + ' bytes'


def test_heads_sort_siblings_and_back(visit):
    head = '.tree thead tr:nth-child(2) th:nth-child(4) button'  # the total of the second figure, time
    found = visit(SCOPE, {'click': 'text="Fold all"'}, {'seen': 'named'}, {'click': head}, {'seen': 'down'},
                  {'click': head}, {'seen': 'up'}, {'click': head}, {'seen': 'again'})

    def totals(seen):
        return [int(row['values'][3]) for row in found[seen]['rows'] if row['level'] == 2 and row['values'][3]]
    assert totals('down') == sorted(totals('named'), reverse=True) != totals('named')
    assert totals('up') == sorted(totals('named'))
    assert found['again']['rows'] == found['named']['rows']


def test_rows_fold_by_click_and_key(visit):
    found = visit(SCOPE, {'click': 'text="Fold all"'}, {'seen': 'folded'},
                  {'click': '.tree tr[data-row="1"] .fold'}, {'seen': 'opened'},
                  {'press': 'ArrowLeft', 'on': '.tree'}, {'seen': 'closed'},
                  {'press': 'ArrowDown', 'on': '.tree'}, {'seen': 'moved'})
    assert found['opened']['rowcount'] > found['folded']['rowcount'] == found['closed']['rowcount']
    assert [row['name'] for row in found['moved']['rows'] if row['chosen']] == [found['folded']['rows'][2]['name']]


def test_the_filter_leaves_matches_and_what_leads_to_them(binary, visit, tmp_path):
    names = [row['path'] for row in rows_of(binary, SCOPE, tmp_path)]
    found = visit(SCOPE, {'fill': FILTER, 'text': 'conv2d_grad'}, {'seen': 'words'},
                  {'fill': FILTER, 'text': '/^stem/[^/]+$/'}, {'seen': 'pattern'},
                  {'fill': FILTER, 'text': ''}, {'seen': 'all'})
    matches = sum('Conv2D_grad' in name for name in names)
    assert found['words']['count'].startswith('%d of ' % matches)
    for row in found['words']['rows']:
        assert row['name'] == '_TFProfRoot' or 'Conv2D_grad' in row['name'] or any(
            name.startswith(row['name'] + '/') and 'Conv2D_grad' in name for name in names)
    direct = [name for name in names if name.startswith('stem/') and name.count('/') == 1]
    assert found['pattern']['count'].startswith('%d of ' % len(direct))
    assert 'match' not in found['all']['count']


def test_the_flame_graph_is_to_scale_and_zooms(visit):
    found = visit(SCOPE, {'hover': '.flame .frame:nth-child(2)'}, {'seen': 'hover'},
                  {'click': '.flame .frame:nth-child(2)'}, {'seen': 'zoomed'},
                  {'press': 'Escape', 'on': '.flame'}, {'seen': 'back'})
    frames = found['at_first']['frames']
    assert len(frames) > 30
    root = frames[0]
    for frame in frames[1:]:
        assert frame['width'] == pytest.approx(root['width'] * int(frame['value']) / int(root['value']), abs=2)
    assert found['at_first']['crumbs'] == ['all']
    assert len(found['zoomed']['crumbs']) == 2
    assert {frame['row'] for frame in found['zoomed']['frames'] if frame['above']} == {0}
    assert found['back']['crumbs'] == ['all'] and len(found['back']['frames']) == len(frames)
    assert format(int(frames[1]['value']), ',') + ' µs' in found['hover']['tip']


@pytest.mark.parametrize('view', ['graph', 'op', 'code'])
def test_the_other_views(binary, visit, view, tmp_path):
    words = [view, RESNET, '-select', 'micros,bytes,params,float_ops,occurrence,device,op_types,input_shapes',
             '-max_depth', '1000', '-order_by', 'micros']
    rows = rows_of(binary, words, tmp_path)
    steps = () if view == 'op' else ({'click': 'text=Unfold all'},)
    found = visit(words, *steps, {'seen': 'open'}, dark=True)
    assert found['open']['rowcount'] == len(rows) - (view == 'op')
    assert len(found['open']['frames']) > 5
    assert found['open']['background'] == 'rgb(18, 22, 28)'


def test_a_report_without_figures_or_rows(visit):
    found = visit(['scope', RESNET, '-select', 'device,op_types'])['at_first']
    assert found['frames'] == [] and found['rowcount'] > 5
    found = visit(['scope', RESNET, '-select', 'micros', '-show_name_regexes', 'nothing'])['at_first']
    assert found['rowcount'] == 1
    found = visit(['op', RESNET / 'graph.pb', '-select', 'micros'])['at_first']
    assert found['frames'] == [] and found['rows'][0]['values'][0] is None


def test_nothing_in_a_name_gets_out_of_it(visit, tmp_path):
    evil = ['</script><script>window.wild=1</script>', '<!--<script>', '"><img src=x onerror=window.wild=2>', "&amp;'`${1}",
            '/=a', '=b', 'a\\nb\\t\\\\', '\u2028\u2029\U0001f525']
    nodes = ''.join('node { name: "%s" op: "<b>&op</b>" }\n' % name.replace('"', '\\"') for name in evil)
    (tmp_path / 'graph.pbtxt').write_text(nodes, encoding='utf-8')
    found = visit(['graph', 'graph.pbtxt', '-select', 'params,occurrence,op_types'], {'seen': 'open'})['open']
    assert found['wild'] is None
    shown = {row['name'] for row in found['rows']}
    assert {name for name in evil if '\\n' not in name and '\u2028' not in name} < shown
    assert not any('\u2028' in name for name in shown) and any(name.endswith('\U0001f525') for name in shown)
    assert any(name.startswith('a\\x0ab') for name in shown)
    assert {tuple(row['texts']) for row in found['rows']} >= {('<b>&op</b>',)}


def test_memory_plots_every_device(binary, visit, tmp_path):
    words = ['memory', GPU, '-top', '0']
    found = visit(words)['at_first']
    report = run([str(binary), *map(str, words), '-format', 'json'], tmp_path).ok().json()
    devices = [device for step in report['steps'] for device in step['devices']]
    assert found['plots'] == [len(device['series']['points']) + 1 for device in devices]  # and the end
    assert found['paths'] == [True] * len(devices)
    live = [table for table in found['tables'] if table[-1][0] == 'total']
    for table, device in zip(live, devices):
        assert sum(int(row[1]) for row in table[:-1]) == int(table[-1][1]) == device['moment']['bytes']


@pytest.mark.parametrize('command', ['summary', 'advise', 'info'])
def test_the_plain_pages(visit, command):
    found = visit([command, GPU], {'seen': 'now'})['now']
    assert len(found['sections']) > 3 or 'TinyOpChecker' in found['sections'][0]


def test_plain_tables_sort(visit):
    head = 'table.plain:has(td:text-is("VarHandleOp")) th:nth-child(2) button'
    found = visit(['summary', GPU], {'click': head}, {'seen': 'down'}, {'click': head}, {'seen': 'up'})
    table = next(i for i, rows in enumerate(found['at_first']['tables']) if rows[0][0] == 'VarHandleOp')
    names = {seen: [row[0] for row in found[seen]['tables'][table]] for seen in ('down', 'up')}
    assert names['up'] == names['down'][::-1]
