"""Every recorded case against what TensorFlow's own tfprof said. One test per model and kind.

To add a kind: write one function `check_KIND(binary, model, case) -> differences` and name
it in KINDS.
"""
import difflib
import json
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from golden import corpus
from support import pprof


def report_lines(text: str) -> list:
    """A report from its legend line on."""
    start = text.find('node name |')
    return [line.rstrip() for line in text[start:].rstrip('\n').split('\n')] if start >= 0 else []


def differing_lines(want: str, got: str) -> list:
    return list(difflib.unified_diff(report_lines(want), report_lines(got), 'tensorflow', 'tfprof', lineterm='', n=1))


def check_rows(binary, model, case, from_profile=False):
    want = corpus.expected(model, case, 'profile' if from_profile else 'rows')
    words = corpus.command(binary, model, case, from_profile)
    difference = differing_lines(want, corpus.answer(words))
    return difference and difference + [' '.join(words)]


def check_profile(binary, model, case):
    return check_rows(binary, model, case, from_profile=True)


def as_proto(value):
    """JSON as the proto would give it: defaults left out, 64-bit integers (strings in proto JSON) as numbers."""
    if isinstance(value, dict):
        fields = ((name, as_proto(field)) for name, field in value.items())
        return {name: field for name, field in fields if field}
    if isinstance(value, list):
        return [as_proto(item) for item in value]
    if isinstance(value, str) and value.lstrip('-').isdigit():
        return int(value)
    return value


def unchained(node: dict) -> dict:
    """The op view's proto hangs each row below the one before; ours lists them."""
    rows, at = [], node
    while at.get('children'):
        (at,) = at['children']
        rows.append({name: value for name, value in at.items() if name != 'children'})
    return {**node, 'children': rows} if rows else node


def missing_or_different(want, got, place='root') -> list:
    """Every field that TensorFlow gives must be there and equal; ours may say more."""
    if isinstance(want, dict) and isinstance(got, dict):
        for name, value in want.items():
            if name not in got:
                return ['%s.%s is missing, want %.200r' % (place, name, value)]
            if found := missing_or_different(value, got[name], '%s.%s' % (place, name)):
                return found
        return []
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for i, (a, b) in enumerate(zip(want, got)):
            if found := missing_or_different(a, b, '%s[%d]' % (place, i)):
                return found
        return []
    return [] if want == got else ['%s is %.200r, want %.200r' % (place, got, want)]


def check_tree(binary, model, case):
    want = as_proto(json.loads(corpus.expected(model, case, 'tree')))
    words = corpus.command(binary, model, case, format='json')
    got = as_proto(json.loads(corpus.answer(words))['root'])
    difference = missing_or_different(unchained(want) if case['view'] == 'op' else want, got)
    return difference and difference + [' '.join(words)]


def bars(trace: dict) -> Counter:
    """The complete events of a trace as (process, name, start, duration)."""
    events = trace['traceEvents']
    process = {e['pid']: e['args']['name'] for e in events if e['ph'] == 'M' and e['name'] == 'process_name'}
    return Counter((process[e['pid']], e['name'], e['ts'], e['dur']) for e in events if e['ph'] == 'X')


def differing_bars(want: dict, got: dict) -> list:
    """All of TensorFlow's bars and no others, save that it loses one of two that start in the same microsecond."""
    want, got = bars(want), bars(got)
    taken = {(process, start) for process, _, start, _ in want}
    more = [bar for bar in got - want if (bar[0], bar[2]) not in taken]
    return ['- %s %s at %d for %d' % bar for bar in sorted(want - got)] + \
           ['+ %s %s at %d for %d' % bar for bar in sorted(more)]


def check_timeline(binary, model, case):
    want = json.loads(corpus.expected(model, case, 'timeline'))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'trace'
        words = corpus.command(binary, model, case, output='timeline:outfile=%s' % path)
        corpus.answer(words)
        difference = differing_bars(want, json.loads(path.read_bytes()))
    return difference and difference + [' '.join(words)]


def comparable_samples(samples: list) -> list:
    """(stack, values, labels) in one order. Frames as function and line: TensorFlow sometimes names another file."""
    return sorted(([frame.partition(':')[2] for frame in stack], values, labels) for stack, values, labels in samples)


def check_pprof(binary, model, case):
    recorded = json.loads(corpus.expected(model, case, 'pprof'))
    want = {'sample_type': recorded['sample_type'], 'samples': comparable_samples(
        [(s['stack'], s['value'], sorted(s['label'].items())) for s in recorded['samples']])}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'profile.pb.gz'
        words = corpus.command(binary, model, case, output='pprof:outfile=%s' % path)
        corpus.answer(words)
        profile = pprof.read(path)
    got = {'sample_type': [list(t) for t in profile.types], 'samples': comparable_samples(
        [(s.stack, s.values, sorted(s.labels.items())) for s in profile.samples])}
    difference = [] if want == got else ['%d samples of %s, want %d of %s' % (
        len(got['samples']), got['sample_type'], len(want['samples']), want['sample_type'])]
    difference += ['want %r, got %r' % pair for pair in zip(want['samples'], got['samples']) if pair[0] != pair[1]]
    return difference and difference + [' '.join(words)]


def advice_figures(advice: dict) -> dict:
    """What TensorFlow's advice gets right: utilization, and the top op types, which are the first report."""
    reports = {name: checker.get('reports', []) for name, checker in advice['checkers'].items()}
    return {'utilization': reports['AcceleratorUtilizationChecker'], 'op types': reports['ExpensiveOperationChecker'][0]}


def check_advice(binary, model, case):
    want = advice_figures(json.loads(corpus.expected(model, case, 'advice')))
    words = corpus.command(binary, model, case, format='json')
    difference = missing_or_different(want, advice_figures(json.loads(corpus.answer(words))))
    return difference and difference + [' '.join(words)]


KINDS = {'rows': check_rows, 'profile': check_profile, 'tree': check_tree, 'timeline': check_timeline,
         'pprof': check_pprof, 'advice': check_advice}


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('model', corpus.MODELS)
def test_as_tensorflow(binary, model, kind):
    corpus.check_all(lambda case: KINDS[kind](binary, model, case), corpus.cases(model, kind))


@pytest.mark.skipif(corpus.SAMPLE > 1, reason='a sample')
def test_the_corpus_is_whole():
    counts = {kind: sum(len(corpus.cases(model, kind)) for model in corpus.MODELS) for kind in KINDS}
    assert counts == {'rows': 846, 'profile': 786, 'tree': 151, 'timeline': 32, 'pprof': 48, 'advice': 8}


def test_the_comparison_sees_a_changed_row():
    want = 'node name | # parameters\n_TFProfRoot (--/1.25k params)\n  w (20x32, 640/640 params)\n'
    assert not differing_lines(want, 'Doc:\nanything\n\nProfile:\n' + want)
    assert differing_lines(want, want.replace('640/640', '640/641'))
    assert differing_lines(want, want.replace('  w', 'w'))
    assert differing_lines(want, 'no report at all')


def test_the_comparison_sees_a_changed_tree():
    tree = {'name': 'a', 'exec_micros': 1, 'children': [{'name': 'b'}]}
    assert not missing_or_different(tree, {**tree, 'more': 2})
    assert missing_or_different(tree, {**tree, 'exec_micros': 2})
    assert missing_or_different(tree, {**tree, 'children': []})
    assert missing_or_different(tree, {'name': 'a', 'children': tree['children']})


def test_the_comparison_sees_a_changed_bar():
    def trace(*events):
        return {'traceEvents': [{'ph': 'M', 'name': 'process_name', 'pid': 1, 'args': {'name': 'p'}}] + [
            {'ph': 'X', 'pid': 1, 'name': name, 'ts': ts, 'dur': dur} for name, ts, dur in events]}
    want = trace(('a', 1, 2), ('b', 5, 1))
    assert not differing_bars(want, want)
    assert not differing_bars(want, trace(('a', 1, 2), ('b', 5, 1), ('lost', 5, 3)))
    assert differing_bars(want, trace(('a', 1, 2)))
    assert differing_bars(want, trace(('a', 1, 2), ('b', 5, 2)))
    assert differing_bars(want, trace(('a', 1, 2), ('b', 5, 1), ('c', 6, 1)))


def test_the_comparison_sees_changed_advice():
    advice = {'checkers': {'AcceleratorUtilizationChecker': {'reports': ['gpu: 0.50']},
                           'ExpensiveOperationChecker': {'reports': ['top 1: a', 'anything']}}}
    want = advice_figures(advice)
    assert want == {'utilization': ['gpu: 0.50'], 'op types': 'top 1: a'}
    idle = {**advice['checkers'], 'AcceleratorUtilizationChecker': {}}
    assert missing_or_different(want, advice_figures({'checkers': idle}))
