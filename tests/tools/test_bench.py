"""The scripts of `make bench` run, find the totals that were written, and put their tables and their picture where they say."""
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / 'bench'))
import common  # noqa: E402
import compare  # noqa: E402
import plot  # noqa: E402


def run(script, *arguments):
    done = subprocess.run([sys.executable, str(REPOSITORY / 'bench' / script), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def between(page, mark):
    return re.search('<!-- %s: make bench -->\n(.*)<!-- end of %s -->' % (mark, mark), page.read_text(), re.DOTALL)[1]


@pytest.fixture(name='page')
def a_page(tmp_path):
    page = tmp_path / 'page.md'
    page.write_text((REPOSITORY / 'docs' / 'performance.md').read_text())
    return page


def test_growth_floor_and_picture_of_small_inputs(binary, tmp_path, page):
    run('compare.py', '--binary', binary, '--sizes', '200,400', '--jobs', 'load;op', '--no-tensorflow', '--work', tmp_path / 'work',
        '--document', page, '--plot', tmp_path / 'plot.svg')
    assert '| 200 ' in between(page, 'floor') and '| load' in between(page, 'growth') and 'compiler' in between(page, 'machine')
    picture = xml.etree.ElementTree.parse(tmp_path / 'plot.svg').getroot()
    assert picture.tag.endswith('svg') and 'tfprof op' in ''.join(picture.itertext())


def test_what_was_not_measured_is_a_cell_that_says_so():
    costs = {200: 5_000_000, 400: None, 800: 5_600_000}
    results = compare.Results(rows=[compare.Row(nodes, 'op', memory=memory) for nodes, memory in costs.items()],
                              start={'op': compare.Row(100, 'op', memory=4_800_000)}, floors=dict.fromkeys(costs))
    lines = compare.growth_table(results, 'memory', lambda size: '%.0f B' % size).splitlines()
    assert [cell.strip() for cell in lines[2].split('|')[1:-1]] == ['op', '4.8 MB', '1000 B', 'n/a', '1000 B', '1.00']


def test_many_steps_of_a_small_graph(binary, tmp_path, page):
    run('steps.py', '--binary', binary, '--nodes', '200', '--steps', '1,20', '--work', tmp_path, '--document', page)
    assert '| 20 ' in between(page, 'steps')


def test_a_page_without_the_marks_is_left_alone(tmp_path):
    page = tmp_path / 'page.md'
    page.write_text('nothing\n')
    with pytest.raises(SystemExit):
        common.put(page, 'growth', 'text')
    assert page.read_text() == 'nothing\n'


def test_a_picture_of_one_point_has_an_axis():
    axis = plot.Axis([1000], 0, 100)
    assert axis.at(1000) == pytest.approx(50) and axis.ticks() == [1000]


def test_a_picture_of_nothing_says_so():
    assert plot.panel('Private memory', 0, [], plot.size_tick) == ['<text class="title" x="0" y="48">Private memory: not measured</text>']


def test_labels_keep_their_order_and_their_distance():
    heights = plot.spread_out([10, 10, 100, 11, 300], 14)
    ordered = sorted(heights)
    assert all(b - a > 13.9 for a, b in zip(ordered, ordered[1:])) and heights[4] == 300 and heights[2] == 100
    assert sum(heights[i] for i in (0, 1, 3)) == pytest.approx(31)  # around where they wanted to be
