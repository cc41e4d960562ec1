"""The tab in the real TensorBoard of PyPI, without TensorFlow and with it, and the page in a notebook's frame."""
import functools
import http.server
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import types
import urllib.request

import pytest
import tfprof
from package_paths import EXAMPLE

pytest.importorskip('tensorboard')
from tfprof import tensorboard_plugin  # noqa: E402

ENVIRONMENT = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, sys.path)), 'TF_CPP_MIN_LOG_LEVEL': '3'}
TRAINING = '''
import sys, tfprof
tfprof.record_cpu_memory()
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation='relu'), tf.keras.layers.Dense(1)])
model.compile(optimizer='sgd', loss='mse')
model.fit(tf.random.normal([320, 16]), tf.random.normal([320, 1]), batch_size=32, verbose=0,
          callbacks=[tfprof.keras.ProfileCallback(sys.argv[1], steps=[1, 10], memory=True)])
'''


def plugin(logdir='', spec=''):
    return tensorboard_plugin.TfprofPlugin(types.SimpleNamespace(logdir=logdir, flags=types.SimpleNamespace(logdir_spec=spec)))


def ask(one, path, query='', method='GET'):
    """(status, headers, body) as TensorBoard would get them."""
    said = []
    environment = {'PATH_INFO': '/prefix/data/plugin/tfprof' + path, 'QUERY_STRING': query, 'REQUEST_METHOD': method}
    apps = one.get_plugin_apps()
    app = apps.get(path, apps['/*'])
    body = b''.join(app(environment, lambda status, headers: said.extend([int(status.split()[0]), dict(headers)])))
    return said[0], said[1], body


def test_the_tab_comes_with_the_first_recording(tmp_path, monkeypatch):
    one = plugin(str(tmp_path / 'logs'))
    assert not one.is_active() and ask(one, '/api/runs')[0] == 404
    (tmp_path / 'logs' / 'train').mkdir(parents=True)
    (tmp_path / 'logs' / 'train' / 'events.out.tfevents.1.host').write_bytes(b'')
    monkeypatch.setattr(tensorboard_plugin, '_FRESH', 0)
    assert not one.is_active()
    tfprof.profile_and_save(EXAMPLE / 'graph.pb', tmp_path / 'logs' / 'run', run_meta=EXAMPLE / 'run_meta_0')
    assert one.is_active()
    runs = json.loads(ask(one, '/api/runs')[2])['runs']
    assert [run['name'] for run in runs] == ['run']
    kinds = json.loads(ask(one, '/api/run', 'run=0')[2])['kinds']
    assert 'memory' in kinds


@pytest.mark.parametrize('name', ['run.json', 'run_meta_10', 'profile_3', 'host.xplane.pb', 'graph.pbtxt'])
def test_what_a_recording_is(tmp_path, name):
    (tmp_path / 'deep' / 'er').mkdir(parents=True)
    assert not plugin(str(tmp_path)).is_active()
    (tmp_path / 'deep' / 'er' / name).write_bytes(b'')
    assert plugin(str(tmp_path)).is_active()


def test_log_directories(tmp_path):
    assert plugin('gs://bucket/logs')._directories == [] and not plugin('gs://bucket/logs').is_active()
    assert ask(plugin('gs://bucket/logs'), '/api/runs')[0] == 404
    assert plugin(spec='a:/x/y,/z,b:c')._directories == ['/x/y', '/z', 'c']
    assert plugin(spec='a:%s,gs://no' % EXAMPLE).is_active()


def test_addresses(tmp_path):
    one = plugin(str(EXAMPLE.parent))
    assert b'app.js' in ask(one, '/index.html')[2]
    status, headers, body = ask(one, '/index.js')
    assert status == 200 and headers['Content-Type'].startswith('text/javascript') and b'export function render' in body
    assert json.loads(ask(one, '/api/report/summary', 'run=3')[2])['model']['params'] == 75290
    assert ask(one, '/api/runs', method='POST')[0] == 405
    for path in ('/../x', '/%2e%2e/', '/\xff', '/api/run/..', '//etc/passwd'):
        assert ask(one, path)[0] in (400, 404)
    assert "default-src 'none'" in headers['Content-Security-Policy']


@pytest.fixture(scope='module')
def logdir(tmp_path_factory):
    """With TensorFlow a run of the Keras callback, without it one that was recorded."""
    folder = tmp_path_factory.mktemp('logs')
    if importlib.util.find_spec('tensorflow'):
        subprocess.run([sys.executable, '-c', TRAINING, str(folder / 'run')], check=True, env=ENVIRONMENT, timeout=300)
    else:
        shutil.copytree(EXAMPLE, folder / 'run')
    return folder


@pytest.fixture(scope='module')
def tensorboard(logdir, tmp_path_factory):
    """The address of a TensorBoard that shows it."""
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp('log') / 'tensorboard.log'
    with open(log, 'w') as out:
        process = subprocess.Popen([sys.executable, '-m', 'tensorboard.main', '--logdir', str(logdir), '--port', str(port)],
                                   stdout=out, stderr=out, env=ENVIRONMENT)
    try:
        for _ in range(600):
            if 'http://' in log.read_text():
                break
            assert process.poll() is None, log.read_text()
            threading.Event().wait(0.2)
        yield 'http://localhost:%d/' % port
    finally:
        process.terminate()
        process.wait(60)


def test_tensorboard_lists_the_tab(tensorboard):
    with urllib.request.urlopen(tensorboard + 'data/plugins_listing') as answer:
        listed = json.load(answer)['tfprof']
    assert listed['enabled'] and listed['tab_name'] == 'tfprof'
    assert listed['loading_mechanism']['module_path'] == '/data/plugin/tfprof/index.js'


def peak_of(run):
    steps = tfprof.load(run).memory(step='all')['steps']
    return steps, max(device['peak']['bytes'] for device in steps[0]['devices'])


CARD = "[...document.querySelectorAll('.card')].find((c) => c.querySelector('.label').textContent === 'Peak')"


def test_the_peak_on_the_page_is_that_of_the_command(tensorboard, logdir, browser):
    page = browser.open(tensorboard + '#tfprof')
    tab = page.frame('/data/plugin/tfprof/index.html')
    tab.wait("document.querySelector('nav[aria-label=Views] a')")
    tab.click('nav[aria-label=Views] a:text-is("Memory")')
    tab.wait(CARD)
    steps, peak = peak_of(logdir / 'run')
    assert tab.evaluate(CARD + '.title') == format(peak, ',') + ' bytes'
    assert len(steps) > 1
    tab.choose('main select', str(steps[-1]['step']))
    tab.wait("location.hash.includes('step=%d')" % steps[-1]['step'])
    page.reload()  # the tab comes back to where it was
    tab.wait("location.hash.startsWith('#/memory') && location.hash.includes('step=%d') && %s" % (steps[-1]['step'], CARD))
    last = max(device['peak']['bytes'] for device in steps[-1]['devices'])
    assert tab.evaluate(CARD + '.title') == format(last, ',') + ' bytes'
    assert tab.faults() == []
    page.close()


def test_the_page_in_a_notebook(browser, tmp_path):
    """A notebook is a page of another origin that has the frame in it."""
    with tfprof.ui(EXAMPLE, open=False) as shown:
        (tmp_path / 'notebook.html').write_text('<!doctype html><title>cell</title>' + shown._repr_html_())
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
        handler.log_message = lambda *words: None
        with http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler) as notebook:
            threading.Thread(target=notebook.serve_forever, daemon=True).start()
            page = browser.open('http://localhost:%d/notebook.html' % notebook.server_address[1])
            cell = page.frame(shown.url)
            cell.wait("document.querySelector('nav[aria-label=Views] a')")
            cell.click('nav[aria-label=Views] a:text-is("Memory")')
            cell.wait(CARD)
            assert re.sub(r'\D', '', cell.evaluate(CARD + '.title')) == str(peak_of(EXAMPLE)[1])
            page.close()
            notebook.shutdown()
