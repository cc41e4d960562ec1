"""Directories that hold more than one recording: run.json says what belongs together, counts say what does not fit."""
import json

import pytest
from support import wire


def identity(tfprof, folder, files, run='a' * 32):
    tfprof.file(folder + '/run.json', json.dumps({'format': 'tfprof run 1', 'id': run, 'files': files, 'steps': {}}))


def step(*names, micros=10):
    return wire.run_metadata({wire.CPU: [wire.stats(name, start=1000 + i * 100, micros=micros) for i, name in enumerate(names)]})


def recording(tfprof, folder, *names, steps=(1,)):
    tfprof.file(folder + '/graph.pb', wire.graph(*(wire.node(name, 'Mul') for name in names)))
    for number in steps:
        tfprof.file('%s/run_meta_%d' % (folder, number), step(*names))


def test_steps_of_an_earlier_recording_are_left_out(tfprof):
    recording(tfprof, 'run', 'new/a', 'new/b')
    tfprof.file('run/run_meta_7', step('old/a', 'old/b', 'old/c'))
    identity(tfprof, 'run', ['graph.pb', 'run_meta_1'])
    outcome = tfprof('info', 'run', format='json').ok()
    assert [one['step'] for one in outcome.json()['steps']] == [1]
    assert 'run/run_meta_7 is left out: it is of another recording than the one that run/run.json tells of' in outcome.err


def test_files_that_came_later_are_taken_unless_the_run_has_its_own(tfprof):
    recording(tfprof, 'run', 'a')
    tfprof.file('run/tfprof_log', wire.log_entry('a', frames=[wire.trace('/src/a.py', 5, 'main')]))
    identity(tfprof, 'run', ['graph.pb', 'run_meta_1'])
    assert 'a.py:5:main' in tfprof('code', 'run', select='micros').ok().text
    tfprof.file('run/graph.pbtxt', 'node { name: "z" op: "Z" }')
    outcome = tfprof('op', 'run', select='micros').ok()
    assert 'graph.pbtxt is left out' in outcome.err and 'Z ' not in outcome.text


@pytest.mark.parametrize('text', ['', '{', '[]', '{"format": "tfprof run 1"}', '[' * 100000, '{"format": "other", "id": "x", "files": []}',
                                  '{"format": "tfprof run 1", "id": 5, "files": []}', '{"format": "tfprof run 1", "id": "x", "files": {}}'])
def test_a_run_json_that_is_none_changes_nothing(tfprof, text):
    recording(tfprof, 'run', 'a')
    tfprof.file('run/run.json', text)
    assert [one['step'] for one in tfprof('info', 'run', format='json').ok().json()['steps']] == [1]


def test_graph_and_steps_of_different_recordings_are_refused(tfprof):
    for folder, run in (('one', 'a' * 32), ('two', 'b' * 32)):
        recording(tfprof, folder, 'a')
        identity(tfprof, folder, ['graph.pb', 'run_meta_1'], run)
    words = ['--graph_path=one/graph.pb', '--run_meta_path=two/run_meta_1']
    tfprof('scope', *words).fails(3, 'one/graph.pb and two/run_meta_1 are of different recordings', '--keep_going')
    assert 'different recordings' in tfprof('scope', *words, '--keep_going', select='micros').ok().err
    tfprof('scope', '--graph_path=one/graph.pb', '--run_meta_path=one/run_meta_1', select='micros').ok()


def test_a_step_that_does_not_fit_the_graph_is_named_with_counts(tfprof):
    """No run.json: two recordings by hand into one directory."""
    names = ['layer_%d/mul' % i for i in range(10)]
    recording(tfprof, 'run', *names)
    tfprof.file('run/run_meta_7', step(names[0], *('old_%d/mul' % i for i in range(9))))
    outcome = tfprof('scope', 'run', select='micros', format='json').ok()
    assert 'run/run_meta_7: 9 of its 10 nodes are not in the graph' in outcome.err
    assert any('9 of its 10 nodes' in warning for warning in outcome.json()['warnings'])
    assert 'run_meta_1:' not in outcome.err


def test_a_run_that_fits_says_nothing(tfprof, data):
    for model in ('mlp', 'functions', 'resnet_gpu', 'seq2seq_gpu'):
        assert 'are not in the graph' not in tfprof('info', data / model).ok().err
