"""The command advise: its layout, its options, and that every checker answers or says why it does not."""
import re

import pytest
from support import wire

CHECKERS = ['AcceleratorUtilizationChecker', 'CopyChecker', 'ExpensiveOperationChecker', 'IdleGapChecker',
            'ImbalanceChecker', 'LongLifeChecker', 'OperationChecker', 'ParameterPlacementChecker', 'PlacementChecker',
            'RecomputeChecker', 'TinyOpChecker', 'TransposeChecker']


def sections(text: str) -> dict:
    """The text report: an empty line, NAME:, its lines."""
    out = {}
    for block in re.split(r'^\n', '\n' + text if not text.startswith('\n') else text, flags=re.MULTILINE)[1:]:
        name, *lines = block.splitlines()
        assert name.endswith(':') and lines, block
        out[name[:-1]] = lines
    return out


@pytest.mark.parametrize('model', ['mlp', 'resnet_gpu', 'seq2seq', 'functions', 'transformer_step', 'two_cpus'])
def test_text_and_json_say_the_same(tfprof, data, model):
    text = sections(tfprof('advise', data / model).ok().text)
    checkers = tfprof('advise', data / model, format='json').ok().json()['checkers']
    assert list(text) == list(checkers) == CHECKERS
    for name, checker in checkers.items():
        want = '\n'.join(checker['reports']).splitlines()
        if 'not_checked' in checker:
            want.append('not checked: ' + checker['not_checked'])
        assert text[name] == (want or ['nothing found'])


def test_without_an_accelerator_its_checkers_say_so(tfprof, data):
    checkers = tfprof('advise', data / 'mlp', format='json').ok().json()['checkers']
    for name in ('AcceleratorUtilizationChecker', 'CopyChecker', 'IdleGapChecker', 'PlacementChecker'):
        assert checkers[name] == {'reports': [], 'not_checked': 'no accelerator ran'}


def test_a_graph_alone_gives_no_advice_on_time(tfprof, data):
    checkers = tfprof('advise', data / 'mlp' / 'graph.pb', format='json').ok().json()['checkers']
    assert all(not checker['reports'] for checker in checkers.values())
    assert checkers['TinyOpChecker']['not_checked'] == 'the input has no run metadata'


def test_a_saved_profile_keeps_no_copies(tfprof, data):
    checkers = tfprof('advise', '--profile_path=%s' % (data / 'resnet_gpu' / 'profile'), format='json').ok().json()
    assert 'no records of copies' in checkers['checkers']['CopyChecker']['not_checked']


def test_checkers_can_be_chosen(tfprof, data):
    words = dict(checkers='TinyOpChecker,CopyChecker')
    assert list(sections(tfprof('advise', data / 'mlp', **words).ok().text)) == ['CopyChecker', 'TinyOpChecker']
    assert list(tfprof('advise', data / 'mlp', format='json', **words).ok().json()['checkers']) == [
        'CopyChecker', 'TinyOpChecker']


def test_a_misspelt_checker_is_named(tfprof, data):
    tfprof('advise', data / 'mlp', checkers='CopyCheker').fails(2, "'CopyCheker'", "did you mean 'CopyChecker'")


@pytest.mark.parametrize('model', ['mlp', 'resnet_gpu'])
def test_csv_and_markdown_say_the_same(tfprof, data, model):
    checkers = tfprof('advise', data / model, format='json').ok().json()['checkers']
    want = []
    for name, checker in checkers.items():
        want += [(name, 'found', text) for text in checker['reports']]
        if 'not_checked' in checker:
            want.append((name, 'not checked', checker['not_checked']))
        elif not checker['reports']:
            want.append((name, 'nothing found', ''))
    rows = tfprof('advise', data / model, format='csv').ok().csv()
    assert [(row['checker'], row['outcome'], row['text']) for row in rows] == want
    markdown = tfprof('advise', data / model, format='markdown').ok().text
    assert re.findall(r'^### (\w+):$', markdown, re.MULTILINE) == list(checkers)


def test_it_goes_to_a_file(tfprof, data):
    want = tfprof('advise', data / 'mlp').ok().out
    assert tfprof('advise', data / 'mlp', '-o', 'advice').ok().out == b''
    assert (tfprof.folder / 'advice').read_bytes() == want


def test_it_works_at_the_prompt(tfprof, data):
    outcome = tfprof(data / 'resnet_gpu', stdin=b'op -select micros\nadvise\n').ok()
    assert 'CopyChecker:\nnothing found' in outcome.text


def test_extreme_times_are_no_problem(tfprof):
    huge = (1 << 63) - 1
    tfprof.file('g', wire.graph(wire.node('a', 'MatMul'), wire.node('b', 'MatMul', ['a'])))
    tfprof.file('r', wire.run_metadata({
        wire.GPU: [wire.stats('a', start=huge, micros=huge), wire.stats('b', start=1, micros=-5)],
        '/device:GPU:0/stream:all': [wire.stats('a', start=huge, micros=huge), wire.stats('b', start=1, micros=huge)],
        '/device:GPU:0/memcpy': [wire.stats('a', start=1, micros=huge), wire.stats('b', start=huge, micros=huge)],
        wire.CPU: [wire.stats('c', start=1, micros=huge, total=huge, peak=huge, live=-huge)]}))
    tfprof('advise', 'g', '--run_meta_path=r', format='json').ok()
    tfprof('summary', 'g', '--run_meta_path=r', format='json').ok()
