"""tfprof.ui: the page behind a small server, which answers its own name, GET, and those who know the address."""
import concurrent.futures
import http.client
import json
import os
import socket
import subprocess
import sys
import types
import urllib.parse

import pytest
import tfprof
from package_paths import EXAMPLE
from tfprof import _engine, _site, _ui


@pytest.fixture(scope='module')
def page():
    with tfprof.ui([EXAMPLE.parent], open=False) as page:
        yield page


def ask(page, rest='', method='GET', path=None, **headers):
    """(status, headers, body) of an address below the page's."""
    where = urllib.parse.urlsplit(page.url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=60)
    try:
        connection.request(method, where.path + rest if path is None else path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_it_answers_what_the_engine_answers(page):
    status, headers, body = ask(page)
    assert status == 200 and headers['Content-Type'] == 'text/html; charset=utf-8' and b'app.js' in body
    runs = json.loads(ask(page, 'api/runs')[2])['runs']
    assert [run['name'] for run in runs] == ['jax', 'jax_plain', 'lstm', 'resnet']
    site = _site.Site([EXAMPLE.parent])
    for address in ('api/run?run=3', 'api/report/memory?run=3&step=10', 'api/tree/scope?run=3', 'app.js', 'api/nothing',
                    'api/run?run=9', 'api/report/op?run=3&format=csv&download=a%22b.csv'):
        status, headers, body = ask(page, address)
        answer = site.get(*address.partition('?')[::2])
        assert (status, headers['Content-Type'], body) == (answer.status, answer.type, answer.body)
    assert headers['Content-Disposition'] == 'attachment; filename="a_b.csv"'


def test_what_it_says_of_a_run_is_what_the_package_says(page):
    answer = json.loads(ask(page, 'api/report/memory?run=3')[2])
    assert answer['steps'] == tfprof.load(EXAMPLE).memory()['steps']


def test_headers(page):
    for address in ('', 'api/runs', 'api/nothing'):
        headers = ask(page, address)[1]
        policy = headers['Content-Security-Policy']
        assert policy.startswith("default-src 'none'; script-src 'self'") and 'unsafe' not in policy
        assert 'frame-ancestors' not in policy  # notebooks have an origin of their own
        assert headers['X-Content-Type-Options'] == 'nosniff' and headers['Referrer-Policy'] == 'no-referrer'
        assert headers['Cache-Control'] == 'no-store' and 'Access-Control-Allow-Origin' not in headers
    assert "frame-ancestors 'self'" in _engine.content_security_policy


@pytest.mark.parametrize('host, status', [
    ('127.0.0.1', 200), ('localhost:1', 200), ('[::1]', 200), ('[::1]:80', 200), ('evil.example', 403),
    ('evil.example:80', 403), ('127.0.0.1.evil.example', 403), ('', 403), ('127.0.0.1@evil.example', 403)])
def test_it_answers_to_its_own_name(page, host, status):
    assert ask(page, 'api/runs', Host=host)[0] == status


@pytest.mark.parametrize('method', ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])
def test_get_is_all_there_is(page, method):
    status, headers, body = ask(page, 'api/runs', method=method)
    assert status == 405 and headers['Allow'] == 'GET' and (method == 'HEAD') == (body == b'')


def test_strangers_get_nothing(page):
    token = urllib.parse.urlsplit(page.url).path.strip('/')
    assert len(token) == 32
    for path in ('/', '/api/runs', '/' + token, '/' + token[:-1] + '/', '/' + token + 'a/', '/%s/' % token.upper(),
                 '//' + token + '/x', '/%C3%A9/api/runs', 'http://127.0.0.1/%s/' % token):
        status, _, body = ask(page, path=path)
        assert status in (400, 403, 404) and b'jax' not in body, path
    for rest in ('../README.md', '..%2f..%2fREADME.md', '%2e%2e/', 'api/source?run=3&file=/etc/passwd', 'api/run?run=../x'):
        status, _, body = ask(page, rest)
        assert status in (400, 404, 422) and json.loads(body)['error'] and b'root:' not in body


def test_many_at_once_and_clients_that_say_nothing(page):
    where = urllib.parse.urlsplit(page.url)
    silent = [socket.create_connection((where.hostname, where.port)) for _ in range(20)]
    silent[0].sendall(b'GET /')
    silent[1].sendall(b'\x00\xff nonsense\r\n\r\n')
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        assert set(pool.map(lambda _: ask(page, 'api/runs')[0], range(200))) == {200}
    for connection in silent:
        connection.close()


def test_in_a_notebook_and_outside(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, 'IPython', types.SimpleNamespace(
        get_ipython=lambda: types.SimpleNamespace(kernel=object())))
    monkeypatch.setattr(_ui, '_open_browser', lambda url: pytest.fail('a notebook shows it by itself'))
    page = tfprof.ui(EXAMPLE, height=500)
    assert '<iframe src="%s" ' % page.url in page._repr_html_() and 'height="500"' in page._repr_html_()
    assert page.url in repr(page) and not capsys.readouterr().out
    page.close()
    page.close()
    assert 'iframe' not in page._repr_html_() and 'closed' in repr(page)
    with pytest.raises(OSError):
        ask(page)

    monkeypatch.delitem(sys.modules, 'IPython')
    opened = []
    monkeypatch.setattr(_ui, '_open_browser', lambda url: opened.append(url) or len(opened) == 1)
    with tfprof.ui(str(EXAMPLE)) as page:
        assert opened == [page.url] and not capsys.readouterr().out
    with tfprof.ui(str(EXAMPLE)) as page:
        assert page.url in capsys.readouterr().out  # there is no browser


def test_what_cannot_be_shown(tmp_path):
    with pytest.raises(ValueError, match='no input'):
        tfprof.ui([], open=False)
    with pytest.raises(tfprof.Error, match='nothing'):
        tfprof.ui(tmp_path / 'nothing', open=False)
    with tfprof.ui(EXAMPLE, open=False) as page:
        with pytest.raises(OSError):
            tfprof.ui(EXAMPLE, open=False, port=int(page.url.split(':')[2].split('/')[0]))


def test_the_command_line_of_the_package():
    process = subprocess.Popen([sys.executable, '-m', 'tfprof', 'ui', str(EXAMPLE), '-no_open'], stdout=subprocess.PIPE,
                               text=True, env={**os.environ, 'PYTHONPATH': ':'.join(sys.path)})
    try:
        page = types.SimpleNamespace(url=process.stdout.readline().strip())
        assert json.loads(ask(page, 'api/runs')[2])['runs'][0]['name'] == 'resnet'
        process.send_signal(2)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.stdout.close()
