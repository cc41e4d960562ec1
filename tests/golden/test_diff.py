"""Comparisons: what TensorFlow's tfprof_diff.py printed, and what must hold for every comparison."""
import io
import json
import lzma
import re
import tarfile
from pathlib import Path

import pytest
from golden import corpus
from support.columns import figures
from support.tool import run

SCRIPT = Path(__file__).resolve().parent.parent / 'data' / 'diff'
CASES = json.loads((SCRIPT / 'cases.json').read_text())
VIEWS = ['scope', 'graph', 'op', 'code']
EVERYTHING = ['--min_size=0', '--delta=0']  # and all figures: see below
FROM_GRAPHS = {'macs', 'moved_bytes'}  # which a saved profile does not have
# Inputs that differ in figures, in nodes, or in both.
PAIRS = [('resnet@step=0', 'resnet@step=100'), ('resnet', 'resnet_gpu'), ('seq2seq@step=1', 'seq2seq_gpu'),
         ('functions@step=0', 'functions@step=5'), ('mlp', 'resnet')]


@pytest.fixture(scope='module', autouse=True)
def all_figures(binary):
    EVERYTHING[2:] = ['--flops=native', '--select=' + ','.join(figures(binary))]


@pytest.fixture(scope='module')
def expected():
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress((SCRIPT / 'expected.tar.xz').read_bytes()))) as tar:
        return {entry.name: tar.extractfile(entry).read().decode() for entry in tar}


def plain(text: str) -> list:
    """Lines without colours and blanks at their ends."""
    return [line.rstrip() for line in re.sub('\x1b\\[[0-9;]*m', '', text).rstrip('\n').split('\n')]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case['expect'].partition('.')[0])
def test_prints_what_the_script_prints(binary, expected, case):
    out = run([binary, 'diff', *case['args']], cwd=SCRIPT).ok().text
    assert plain(out) == plain(expected[case['expect']])


def test_colours_are_the_scripts(binary, expected):
    out = run([binary, 'diff', *CASES[1]['args'], '--color=always'], cwd=SCRIPT).ok().text
    assert out.rstrip() == expected[CASES[1]['expect']].rstrip()


def diff(binary, *words) -> dict:
    return run([binary, 'diff', *words, '--format=json'], cwd=corpus.VIEWS).ok().json()


def rows(report: dict):
    """(path, row) of every row; the path is that of names from the root on."""
    todo = [((), report['root'])] if report['root'] else []
    while todo:
        path, row = todo.pop()
        yield path, row
        todo += [(path + (child['name'],), child) for child in row['children']]


@pytest.mark.parametrize('view', VIEWS)
@pytest.mark.parametrize('model', corpus.MODELS)
def test_nothing_differs_from_itself(binary, model, view):
    report = diff(binary, model, model, '--view=' + view, *EVERYTHING)
    assert report['root'] is None and not report['renames']
    assert report['rows_compared'] > 1


@pytest.mark.parametrize('model', corpus.MODELS)
def test_a_saved_profile_differs_in_nothing_from_what_was_saved(binary, model, tmp_path):
    run([binary, 'save', model, '-o', tmp_path / 'saved'], cwd=corpus.VIEWS).ok()
    kept = [column for column in figures(binary) if column not in FROM_GRAPHS]
    words = [model, str(tmp_path / 'saved'), *EVERYTHING[:2], '--select=' + ','.join(kept)]
    assert diff(binary, *words)['root'] is None


@pytest.mark.parametrize('match', ['true', 'false'])
@pytest.mark.parametrize('view', VIEWS)
@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_swapped_inputs_give_the_negative(binary, pair, view, match):
    words = ['--view=' + view, '--match_renames=' + match, *EVERYTHING]
    there, back = diff(binary, *pair, *words), diff(binary, *reversed(pair), *words)
    swapped = diff(binary, *pair, *words, '--swap_files')

    def differences(report, sign):
        found = {}
        for path, row in rows(report):
            names = min([row['name'], *row.get('was', {}).values()])  # a renamed row has the newer name
            key = path if match == 'false' else (len(path), names)
            found.setdefault(key, []).append({name: (sign * figure['own_difference'], sign * figure['difference'])
                                              for name, figure in row['figures'].items()})
        return {key: sorted(map(sorted, map(dict.items, each))) for key, each in found.items()}

    assert there['root'] is not None
    assert differences(there, 1) == differences(back, -1)
    if match == 'false':
        assert differences(there, 1) == differences(swapped, -1)


@pytest.mark.parametrize('view', VIEWS)
@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_children_sum_to_the_parent(binary, pair, view):
    report = diff(binary, *pair, '--view=' + view, *EVERYTHING)
    for path, row in rows(report):
        for name, figure in row['figures'].items():
            below = sum(child['figures'][name]['difference'] for child in row['children'])
            assert figure['difference'] == figure['own_difference'] + below, (path, name)


@pytest.mark.parametrize('view', VIEWS)
@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_totals_are_those_of_the_views(binary, pair, view):
    root = diff(binary, *pair, '--view=' + view, *EVERYTHING)['root']
    for side, source in enumerate(pair):
        folder, _, step = source.partition('@step=')
        alone = run([binary, view, folder, '--format=json', '--max_depth=10000', '--step=' + (step or '-1')],
                    cwd=corpus.VIEWS).ok().json()['root']
        assert root['figures']['bytes']['total'][side] == alone['total_requested_bytes']
        assert root['figures']['micros']['total'][side] == alone['total_exec_micros']
        assert root['figures']['params']['total'][side] == alone['total_parameters']


@pytest.mark.parametrize('view', VIEWS)
@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_formats_agree(binary, pair, view):
    words = [binary, 'diff', *pair, '--view=' + view, '--select=micros', '--delta=0.2', '--min_micros=10']
    tree = list(rows(run([*words, '--format=json'], cwd=corpus.VIEWS).ok().json()))
    table = run([*words, '--format=csv'], cwd=corpus.VIEWS).ok().csv()
    text = run(words, cwd=corpus.VIEWS).ok().text.partition('\n\n')[2].partition('\n\nRenamed')[0].splitlines()
    markdown = [line for line in run([*words, '--format=markdown'], cwd=corpus.VIEWS).ok().text.splitlines()
                if line.startswith('| ')][1:]
    assert len(tree) == len(table) == len(text) == len(markdown)
    from_tree = sorted((row['name'], row['figures']['micros']['difference'], row['status']) for _, row in tree)
    assert from_tree == sorted((row['path'], int(row['total_micros_difference']), row['status']) for row in table)
    assert [len(line) - len(line.lstrip(' ')) for line in text] == [2 * int(row['depth']) for row in table]
