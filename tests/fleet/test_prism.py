"""tfprof.fleet on Prism, a runner in another process (and language), with two worker processes of which one is killed.

Prism "does not retry or provide other resilience features" (its README): it starts one worker for each environment of a job, and a
bundle that fails ends the job, whatever the pool of workers could start anew. So the job is sent again, as a scheduler would; what
the first one had written, in the middle of which it was, stays, and nothing is there twice.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest
from fleet_runs import check, database, made  # noqa: F401

pytest.importorskip('apache_beam')
PRISM = os.environ.get('TFPROF_PRISM', '')
pytestmark = pytest.mark.skipif(not PRISM, reason='TFPROF_PRISM names no Prism runner')

# Reading gets workers of its own: a hint makes an environment, and Prism starts a worker for each.
PIPELINE = '''
import sys
import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from tfprof import fleet
runs, output, *options = sys.argv[1:]
with beam.Pipeline(options=PipelineOptions(options)) as p:
    found = p | fleet.ReadProfiles(runs).with_resource_hints(min_ram='256MB')
    found | fleet.WriteTables(output)
'''

# What the pool starts. Prism (2.77) has one list of the metrics' short names for all workers of a job, though each worker
# gives them by itself, and stops where they clash: each worker counts from a place of its own.
WORKER = '''#!%s
import argparse, os
from apache_beam.runners.worker import sdk_worker
parser = argparse.ArgumentParser()
parser.add_argument('--id')
parser.add_argument('--control_endpoint')
given, _ = parser.parse_known_args()
sdk_worker.SHORT_ID_CACHE._last_short_id = os.getpid() << 20
sdk_worker.SdkHarness(given.control_endpoint, worker_id=given.id).run()
'''


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


def wait_for_port(port, process):
    for _ in range(600):
        assert process.poll() is None
        try:
            socket.create_connection(('127.0.0.1', port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError('nobody listens')


@pytest.fixture
def engine(tmp_path):
    """Prism, and a pool that starts workers: (options of a pipeline, the pool's process id)."""
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, [os.environ.get('TFPROF_PACKAGE'), os.environ.get('PYTHONPATH')]))}
    worker = tmp_path / 'worker.py'
    worker.write_text(WORKER % sys.executable)
    worker.chmod(0o755)
    job, pool = free_port(), free_port()
    log = open(tmp_path / 'log', 'w')
    started = [
        subprocess.Popen([PRISM, '--job_port', str(job), '--serve_http=false'], stdout=log, stderr=log, env=environment),
        subprocess.Popen([sys.executable, '-m', 'apache_beam.runners.worker.worker_pool_main', '--service_port', str(pool),
                          '--container_executable', str(worker)],
                         stdout=log, stderr=log, env=environment)]
    wait_for_port(job, started[0])
    wait_for_port(pool, started[1])
    yield ['--runner=PortableRunner', '--job_endpoint=localhost:%d' % job, '--environment_type=EXTERNAL',
           '--environment_config=localhost:%d' % pool], started[1].pid, environment
    for process in started:
        for child in children(process.pid):
            os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()


def children(pid):
    out = []
    for name in os.listdir('/proc'):
        try:
            if name.isdigit() and open('/proc/%s/stat' % name).read().rpartition(')')[2].split()[1] == str(pid):
                out.append(int(name))
        except OSError:
            pass
    return sorted(out)


def committed(folder):
    return len(list((folder / 'runs').glob('job=*/*/part-*.parquet')))


def writers(pool, output):
    """Workers that have a file below `.temporary` open."""
    out = []
    for pid in children(pool):
        try:
            places = [os.readlink('/proc/%d/fd/%s' % (pid, one)) for one in os.listdir('/proc/%d/fd' % pid)]
        except OSError:
            continue
        if any(place.startswith('%s/.temporary/' % output) for place in places):
            out.append(pid)
    return out


def start(made, output, options, environment, log):
    return subprocess.Popen([sys.executable, '-c', PIPELINE, str(made[0]), str(output), *options], env=environment, stdout=log, stderr=log)


def victims(moment, pool, output):
    """Whom to kill now."""
    workers = children(pool)
    if len(workers) < 2:
        return []
    if moment == 'a file is open':
        return writers(pool, output)
    if moment == 'it reads':
        return workers[-1:] if list((output / '.temporary').glob('*')) else []
    return (workers if moment == 'all are killed' else workers[-1:]) if committed(output) > 3 else []


def kill_once(job, moment, pool, output):
    while job.poll() is None:
        found = victims(moment, pool, output)
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        if found:
            return True
        time.sleep(0.002)
    return False


@pytest.mark.parametrize('moments', [['it reads'], ['it writes'], ['a file is open', 'a file is open'], ['all are killed']],
                         ids=lambda moments: ' and '.join(moments))
def test_worker_killed_in_the_middle(made, check, engine, tmp_path, moments):
    options, pool, environment = engine
    output = tmp_path / 'out'
    with open(tmp_path / 'jobs', 'w') as log:
        for moment in moments:
            job = start(made, output, options, environment, log)
            assert kill_once(job, moment, pool, output), open(tmp_path / 'jobs').read()[-3000:]
            half = committed(output)
            status = job.wait(600)
        for _ in range(3):
            if status == 0:
                break
            status = start(made, output, options, environment, log).wait(900)
    assert status == 0, open(tmp_path / 'jobs').read()[-3000:] + open(tmp_path / 'log').read()[-3000:]
    if moments in (['it writes'], ['all are killed']):
        assert 0 < half < committed(output)
    shutil.rmtree(output / '.temporary', ignore_errors=True)  # of the job that was ended
    check(output)
