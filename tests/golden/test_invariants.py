"""What must hold for every report, whatever its figures: sums add up, and all formats say the same."""
import csv
import io
import json

import pytest
from golden import corpus
from support.columns import figures

FIGURES = {}  # that add up: field of JSON -> column, as the tool itself lists them
UNFILTERED = {'max_depth': 1000000, 'start_name_regexes': None, 'trim_name_regexes': None, 'show_name_regexes': None,
              'hide_name_regexes': None, 'device_regexes': None}


@pytest.fixture(scope='module', autouse=True)
def figures_of_the_tool(binary):
    FIGURES.update({field: column for column, field in figures(binary).items()})
    UNFILTERED.update({'min_' + column: None for column in FIGURES.values()})


def preorder(root: dict):
    todo = [(root, 0)]
    while todo:
        node, depth = todo.pop()
        yield node, depth
        todo += [(child, depth + 1) for child in reversed(node.get('children', []))]


def number(value):
    return value or 0  # null: not recorded


def sums_that_do_not_add_up(root: dict, exactly: bool) -> list:
    """total = own + totals of the children; with rows left out, at least that."""
    wrong = []
    for node, _ in preorder(root):
        for own in FIGURES:
            below = sum(number(child.get('total_' + own)) for child in node.get('children', []))
            want, got = number(node.get(own)) + below, number(node.get('total_' + own))
            if got != want if exactly else got < want:
                wrong.append('%s: total_%s is %d, own and children give %d' % (node['name'], own, got, want))
    return wrong


def sums_that_do_not_accumulate(root: dict) -> list:
    """The op view: each row's total is its own figure plus the total of the row below; the root has the first."""
    wrong, rows = [], root.get('children', [])
    for own in FIGURES:
        below = 0
        for row in reversed(rows):
            below += number(row.get(own))
            if number(row.get('total_' + own)) != below:
                wrong.append('%s: total_%s is %s, rows give %d' % (row['name'], own, row['total_' + own], below))
        if number(root.get('total_' + own)) != below:
            wrong.append('grand total_%s is %s, rows give %d' % (own, root['total_' + own], below))
    return wrong


def report(binary, model, case, form, **more):
    return corpus.answer(corpus.command(binary, model, case, format=form, **more))


def check_sums(binary, model, case):
    if case['view'] == 'op':
        shown = json.loads(report(binary, model, case, 'json', account_displayed_op_only=True))
        return sums_that_do_not_accumulate(shown['root'])
    wrong = sums_that_do_not_add_up(json.loads(report(binary, model, case, 'json'))['root'],
                                    exactly=bool(case['options'].get('account_displayed_op_only')))
    full = json.loads(report(binary, model, case, 'json', account_displayed_op_only=None, **UNFILTERED))
    return wrong + sums_that_do_not_add_up(full['root'], exactly=True)


def check_csv(binary, model, case):
    everything = list(FIGURES.values())
    tree = json.loads(report(binary, model, case, 'json', select=everything))['root']
    table = list(csv.DictReader(io.StringIO(report(binary, model, case, 'csv', select=everything), newline='')))
    nodes = list(preorder(tree))
    if len(nodes) != len(table):
        return ['csv has %d rows, json %d' % (len(table), len(nodes))]
    for (node, depth), row in zip(nodes, table):
        want = {'path': node['name'], 'depth': str(depth)}
        for field, column in FIGURES.items():
            for prefix in ('', 'total_'):
                if prefix + field in node:  # op types and lines have no run_count
                    value = node[prefix + field]
                    want[prefix + column] = '' if value is None else str(value)
        if len(want) < 20 or any(row[name] != value for name, value in want.items()):
            return ['json %r' % want, 'csv  %r' % row]
    return []


def scaled(value: int, steps) -> str:
    for limit, divisor, unit in steps:
        if limit is None or value < limit:
            return '%d%s' % (value, unit) if divisor == 1 else '%.2f%s' % (value / divisor, unit)
    raise AssertionError


def as_text(field: str, value: int) -> str:
    if 'micros' in field:
        return scaled(value, [(10**3, 1, 'us'), (10**6, 10**3, 'ms'), (None, 10**6, 'sec')])
    if 'bytes' in field:
        return scaled(value, [(10**3, 1, 'B'), (10**6, 10**3, 'KB'), (None, 10**6, 'MB')])
    return scaled(value, [(10**3, 1, ''), (10**6, 10**3, 'k'), (10**9, 10**6, 'm'), (None, 10**9, 'b')])


def check_text(binary, model, case):
    """Names, order, indentation and the figures of the text report follow from the JSON one."""
    for field, column in (('requested_bytes', 'bytes'), ('float_ops', 'float_ops')):
        tree = json.loads(report(binary, model, case, 'json', select=[column]))['root']
        text = report(binary, model, case, 'text', select=[column])
        lines = text[text.index('node name |'):].splitlines()[1:]
        nodes = list(preorder(tree))
        if case['view'] == 'op':
            nodes = nodes[1:]
        if len(lines) != len(nodes):
            return ['text has %d rows, json %d' % (len(lines), len(nodes))]
        for (node, depth), line in zip(nodes, lines):
            own, total = as_text(field, number(node[field])), as_text(field, number(node['total_' + field]))
            if case['view'] == 'op':
                start, cells = '%-25s' % node['name'], [own]
            else:
                start, cells = '  ' * depth + node['name'] + ' (', [own + '/' + total, '--/' + total]
            if node['total_' + field] is None:
                cells.append('n/a')
            if not line.startswith(start) or not any(line[len(start):].strip().startswith(cell) for cell in cells):
                return ['text %r' % line, 'json gives %r and one of %r' % (start, cells)]
    return []


CHECKS = {'sums': check_sums, 'csv': check_csv, 'text': check_text}


@pytest.mark.parametrize('check', CHECKS)
@pytest.mark.parametrize('model', corpus.MODELS)
def test_holds_in_every_report(binary, model, check):
    corpus.check_all(lambda case: CHECKS[check](binary, model, case), corpus.cases(model, 'tree'))


def test_the_checks_see_a_wrong_sum():
    zeros = {field: 0 for field in FIGURES} | {'total_' + field: 0 for field in FIGURES}
    leaf = zeros | {'name': 'leaf', 'exec_micros': 2, 'total_exec_micros': 2}
    good = zeros | {'name': 'root', 'total_exec_micros': 2, 'children': [leaf]}
    assert not sums_that_do_not_add_up(good, exactly=True)
    assert sums_that_do_not_add_up(good | {'total_exec_micros': 3}, exactly=True)
    assert not sums_that_do_not_add_up(good | {'total_exec_micros': 3}, exactly=False)
    assert sums_that_do_not_add_up(good | {'total_exec_micros': 1}, exactly=False)
    assert not sums_that_do_not_accumulate(good)
    assert sums_that_do_not_accumulate(good | {'total_exec_micros': 1})
