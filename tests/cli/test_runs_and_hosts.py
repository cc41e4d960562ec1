"""A log directory with two runs of two hosts: which are read, by options and by what is written behind an input of `diff`, and what is said
when there is no such run, host or step."""
import io
import json
import lzma
import pathlib
import tarfile

import pytest

ARCHIVE = pathlib.Path(__file__).resolve().parents[1] / 'data' / 'xplane' / 'recorded.tar.xz'
RUNS = {'run_a': 'gpu_plain_mlp', 'run_b': 'gpu_graphs_mlp'}
HOSTS = ('alpha', 'beta')
TIME = {'select': 'accelerator_micros', 'format': 'json'}


@pytest.fixture(scope='module')
def captures():
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(ARCHIVE.read_bytes()))) as tar:
        return {run: tar.extractfile(case + '/vm.xplane.pb').read() for run, case in RUNS.items()}


@pytest.fixture
def logs(tmp_path, captures):
    for run, capture in captures.items():
        for host in HOSTS:
            path = tmp_path / 'plugins' / 'profile' / run / (host + '.xplane.pb')
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(capture)
    return tmp_path


def total(outcome):
    return json.loads(outcome.ok().text)['root']['total_accelerator_exec_micros']


def test_the_newest_run_with_all_hosts_is_read_and_said(tfprof, logs):
    newest = tfprof('scope', str(logs), **TIME)
    assert 'run_b/alpha.xplane.pb' in newest.err and 'run_b/beta.xplane.pb' in newest.err
    assert '-run NAME takes one of the 1 others' in newest.err
    assert total(newest) == total(tfprof('scope', str(logs), run='run_b', **TIME))
    assert total(newest) != total(tfprof('scope', str(logs), run='run_a', **TIME))


@pytest.mark.parametrize('run', RUNS)
def test_one_host_is_its_part(tfprof, logs, run):
    both = total(tfprof('scope', str(logs), run=run, **TIME))
    parts = [total(tfprof('scope', str(logs), run=run, host=host, **TIME)) for host in HOSTS]
    assert both == pytest.approx(sum(parts), abs=0.01) and parts[0] == parts[1]
    alone = logs / 'plugins' / 'profile' / run
    assert total(tfprof('scope', str(alone), **TIME)) == both
    assert total(tfprof('scope', str(alone / 'beta.xplane.pb'), host='beta', **TIME)) == parts[1]


@pytest.mark.parametrize('view', ('scope', 'op'))
def test_steps_that_are_folded_as_they_end_have_the_mean_of_those_that_are_kept(tfprof, logs, view):
    columns = {'select': 'accelerator_micros,cpu_micros,occurrence', 'format': 'json'}
    folded = json.loads(tfprof(view, str(logs), step='all', **columns).ok().text)['root']
    kept = json.loads(tfprof(view, str(logs), step='100-104', **columns).ok().text)['root']
    assert folded == kept and folded['total_accelerator_exec_micros'] > 0


@pytest.mark.parametrize('command', ('scope', 'op', 'kernels', 'steps', 'memory', 'summary', 'info'))
def test_hosts_decoded_by_any_number_of_threads_are_the_same_run(tfprof, logs, captures, monkeypatch, command):
    run = logs / 'plugins' / 'profile' / 'run_b'
    for number, host in enumerate(('gamma', 'delta', 'epsilon')):
        (run / (host + '.xplane.pb')).write_bytes(captures['run_a' if number else 'run_b'])
    outcomes = []
    for threads in ('1', '2', '8'):
        monkeypatch.setenv('TFPROF_THREADS', threads)
        outcome = tfprof(command, str(run), format='json').ok()
        outcomes.append((outcome.text, outcome.err))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_what_is_not_there_is_told_with_what_is(tfprof, logs):
    run = logs / 'plugins' / 'profile' / 'run_a'
    assert 'has the runs run_a, run_b' in tfprof('scope', str(logs), run='nope').fails(2).err
    assert 'run_b has alpha, beta' in tfprof('scope', str(logs), host='nope').fails(2).err
    assert 'run_a has alpha, beta' in tfprof('scope', str(run), host='nope').fails(2).err
    assert 'is one run' in tfprof('scope', str(run), run='run_b').fails(2).err
    assert 'of the host alpha' in tfprof('scope', str(run / 'alpha.xplane.pb'), host='beta').fails(2).err
    missing = tfprof('scope', str(logs), step=77)
    assert missing.status != 0 and 'the input has 100, 101, 102, 103, 104' in missing.err


def test_diff_of_runs_hosts_and_steps(tfprof, logs):
    options = {'select': 'accelerator_micros', 'format': 'json', 'min_size': '0B', 'delta': 0}
    same = tfprof('diff', f'{logs}/@run=run_a@host=alpha', f'{logs}/@run=run_a@host=beta', **options).ok()
    assert 'nothing differs' in same.err
    for old, new in (('@run=run_a', '@run=run_b'), ('@run=run_a@step=101', '@run=run_a@step=102'),
                     ('@step=101@run=run_b@host=beta', '@run=run_b@step=103')):
        outcome = tfprof('diff', f'{logs}/{old}', f'{logs}/{new}', **options).ok()
        assert 'nothing differs' not in outcome.err, (old, new)


@pytest.mark.parametrize('suffix, words', [
    ('@run=nope', 'has the runs run_a, run_b'),
    ('@host=nope', 'has alpha, beta'),
    ('@step=77', 'the input has 100, 101, 102, 103, 104'),
    ('@step=x', "'x' is no step"),
    ('@run=', 'names nothing'),
])
def test_diff_names_what_there_is(tfprof, logs, suffix, words):
    outcome = tfprof('diff', f'{logs}/{suffix}', f'{logs}/@run=run_a', select='accelerator_micros')
    assert outcome.status in (2, 3) and words in outcome.err
