"""What a stranger may do to the server: nothing."""
import concurrent.futures
import http.client
import os
import signal
import socket
import subprocess
import time

import pytest

from support.site import REPOSITORY, serving
from support.tool import is_sanitized

RESNET = REPOSITORY / 'examples' / 'resnet'


def talk(site, text, wait=5.0):
    """Sends bytes as they are; what comes back until the other side closes or is silent."""
    with socket.create_connection((site.host, site.port), timeout=wait) as connection:
        connection.sendall(text)
        out = b''
        try:
            while True:
                part = connection.recv(65536)
                if not part:
                    return out
                out += part
                if b'\r\n\r\n' in out and b'Connection: close' not in text:
                    return out
        except (socket.timeout, ConnectionResetError):
            return out


def test_an_address_without_its_token_shows_nothing(site):
    for path in ('/', '/api/runs', '/0/api/runs', '/' + '0' * 32 + '/api/runs', site.base.upper().replace('A', 'b') + 'api/runs'):
        status, _, body = site.request(path, raw=True)
        assert status == 403 and b'resnet' not in body


@pytest.mark.parametrize('host', ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '', '127.0.0.2', '[::2]:80', 'localhost.evil'])
def test_other_names_of_the_machine_are_refused(site, host):
    assert site.request('api/runs', headers={'Host': host})[0] in (400, 403)


def test_its_own_names_are_taken(site):
    for host in ('127.0.0.1', 'localhost', 'localhost:%d' % site.port, '[::1]:%d' % site.port):
        assert site.request('api/runs', headers={'Host': host})[0] == 200


@pytest.mark.parametrize('method', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'])
def test_get_is_all_there_is(site, method):
    status, headers, _ = site.request('api/runs', method=method)
    assert status == 405 and headers['Allow'] == 'GET'
    assert not [name for name in headers if name.lower().startswith('access-control')]


def test_headers_of_every_answer(site):
    for path in ('', 'app.js', 'api/runs', 'nowhere', 'api/report/scope?run=3&format=csv'):
        _, headers, _ = site.request(path)
        policy = headers['Content-Security-Policy']
        assert "default-src 'none'" in policy and 'unsafe' not in policy and 'http' not in policy
        assert headers['X-Content-Type-Options'] == 'nosniff' and headers['Referrer-Policy'] == 'no-referrer'
        assert not [name for name in headers if name.lower().startswith('access-control')]


@pytest.mark.parametrize('path', [
    '../../etc/passwd', '%2e%2e/%2e%2e/etc/passwd', '..%2f..%2fetc%2fpasswd', '....//etc/passwd', '%00', 'api/report/..%2f..%2fx?run=0', '//etc/passwd',
    'api/source?run=3&file=/etc/passwd', 'api/source?run=3&file=..%2f..%2f..%2fetc%2fpasswd', 'api/report/scope?run=/etc/passwd',
    'api/report/scope?run=3&graph_path=/etc/passwd', 'api/report/scope?run=3&output=file:outfile=/tmp/x', 'api/report/scope?run=3&outfile=x',
    'api/report/diff?run=3&run=3@run=/etc', 'api/report/diff?run=3&run=3&extra_files=/etc/passwd', 'api/report/diff?run=3&run=3&limits=/etc/passwd',
    'api/report/oom?run=3&with=/etc', 'api/report/model?run=3&flops_file=/etc/passwd', 'api/run?run=-1', 'api/run?run=99999999999999999999'])
def test_nothing_else_is_read_or_written(site, path):
    status, _, body = site.request(path)
    assert 400 <= status < 500 and b'root:' not in body


def test_links_that_lead_out_are_refused(binary, tmp_path):
    runs = tmp_path / 'runs'
    for name in ('good', 'bad', 'inside'):
        (runs / name).mkdir(parents=True)
    secret = tmp_path / 'graph.pb'
    secret.write_bytes((RESNET / 'graph.pb').read_bytes())
    (runs / 'good' / 'graph.pb').write_bytes(secret.read_bytes())
    (runs / 'bad' / 'graph.pb').symlink_to(secret)
    (runs / 'linked').symlink_to(RESNET)
    with serving(binary, runs) as site:
        assert [run['name'] for run in site.get('api/runs')['runs']] == ['bad', 'good']
        status, message = site.error('api/run', run=0)
        assert status == 422 and 'leads out' in message
        assert site.error('api/report/scope', run=0)[0] == 422 and site.error('api/report/model', run=0)[0] == 422
        assert site.get('api/run', run=1)['figures']['defined'] > 0


def test_broken_requests_get_an_answer_or_the_door(site):
    base = site.base.encode()
    host = b'Host: 127.0.0.1\r\n'
    for text in (b'\r\n\r\n', b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n' + host + b'\r\n', b'\x00\xff\xfe\r\n\r\n', b'GET ' + base + b'api/runs HTTP/1.1\r\n\r\n',
                 b'GET ' + base + b'x' * 200_000 + b' HTTP/1.1\r\n' + host + b'\r\n',
                 b'GET ' + base + b' HTTP/1.1\r\n' + host + b'X: ' + b'y' * 200_000 + b'\r\n\r\n',
                 b'POST ' + base + b' HTTP/1.1\r\n' + host + b'Content-Length: 99999999999\r\n\r\n',
                 b'POST ' + base + b' HTTP/1.1\r\n' + host + b'Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFF\r\n',
                 b'GET http://evil.example' + base + b'api/runs HTTP/1.1\r\n' + host + b'\r\n',
                 b'GET ' + base + b'api/runs%zz HTTP/1.1\r\n' + host + b'\r\n'):
        answer = talk(site, text, wait=2)
        assert b'HTTP/1.1 200' not in answer and b'HTTP/1.0 200' not in answer
    assert site.request('api/runs')[0] == 200


def test_slow_clients_do_not_stop_others(site):
    """Two hundred that began a request and say no more."""
    silent = []
    for i in range(200):
        connection = socket.create_connection((site.host, site.port), timeout=10)
        connection.sendall(b'GET ' + site.base.encode()[:i % 20])
        silent.append(connection)
    try:
        begin = time.monotonic()
        for _ in range(20):
            assert site.request('api/runs')[0] == 200
        assert time.monotonic() - begin < 20
    finally:
        for connection in silent:
            connection.close()


def test_many_at_once_and_many_in_a_row(binary):
    with serving(binary, RESNET) as site:
        paths = ['api/runs', 'api/run?run=0', 'api/tree/scope?run=0&sort=micros', 'api/flame/scope?run=0', 'api/report/summary?run=0', 'app.js']

        def ask(i):
            return site.request(paths[i % len(paths)])[0]

        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            assert set(pool.map(ask, range(1000))) == {200}
        before = site.memory()
        connection = http.client.HTTPConnection(site.host, site.port, timeout=60)
        for i in range(int(os.environ.get('TFPROF_REQUESTS', '3000'))):
            connection.request('GET', site.base + paths[i % 4])
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
        if not is_sanitized(binary):  # which holds on to what was freed
            assert site.memory() < before + (48 << 20), 'memory grows with the requests'


def test_options_of_strangers_do_not_fill_the_memory(binary):
    """What was made for other options goes when there is too much of it, and failures are not kept."""
    with serving(binary, RESNET) as site:
        site.get('api/run', run=0)
        for i in range(300):
            site.request('api/tree/scope?run=0&account_type_regexes=x%d' % i)
            site.request('api/tree/scope?run=0&account_type_regexes=(%d' % i)
        assert site.memory() < 1 << 30


def test_a_busy_port_is_told(binary, site):
    done = subprocess.run([binary, 'ui', str(RESNET), '--no_open', '--port', str(site.port)], capture_output=True, text=True, check=False)
    assert done.returncode == 3 and 'in use' in done.stderr and '-port' in done.stderr


@pytest.mark.parametrize('words, status, message', [
    ([], 2, ''), (['nowhere'], 3, 'nowhere'), (['--port', '99999', str(RESNET)], 2, 'ports are'), (['--port', 'x', str(RESNET)], 2, 'port'),
    (['--address', 'nonsense', str(RESNET)], 2, 'address'), (['--source', 'nowhere', str(RESNET)], 2, 'source')])
def test_wrong_arguments(binary, tmp_path, words, status, message):
    done = subprocess.run([binary, 'ui', '--no_open', *words], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=30)
    assert done.returncode == status and message in done.stderr


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it(binary, number):
    with serving(binary, RESNET) as site:
        site.process.send_signal(number)
        assert site.process.wait(10) == 0


def test_a_browser_that_is_not_there_is_told(binary, tmp_path):
    environment = {'PATH': str(tmp_path), 'HOME': str(tmp_path)}
    with subprocess.Popen([binary, 'ui', str(RESNET)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout.readline().startswith('http://127.0.0.1:')
            assert 'Ctrl-C' in process.stderr.readline()
            assert 'no browser' in process.stderr.readline()
        finally:
            process.terminate()


def test_a_broken_run_stands_beside_good_ones(binary, tmp_path):
    for name in ('a', 'b'):
        (tmp_path / name).mkdir()
        (tmp_path / name / 'graph.pb').write_bytes((RESNET / 'graph.pb').read_bytes())
    whole = (RESNET / 'run_meta_10').read_bytes()
    (tmp_path / 'b' / 'graph.pb').write_bytes((RESNET / 'graph.pb').read_bytes()[:5000])
    (tmp_path / 'c').mkdir()
    (tmp_path / 'c' / 'profile.pb').write_bytes(b'\x0a\xff\xff\xff\xff\x0f')
    (tmp_path / 'a' / 'run_meta_10').write_bytes(whole)
    with serving(binary, tmp_path) as site:
        runs = site.get('api/runs')['runs']
        assert [run['name'] for run in runs][:2] == ['a', 'b']
        assert site.get('api/run', run=0)['steps'] == [10]
        status, _, body = site.request('api/run?run=1')
        assert status == 200 and b'damage' in body or status == 422


def test_new_steps_are_seen_without_a_restart(binary, tmp_path):
    (tmp_path / 'graph.pb').write_bytes((RESNET / 'graph.pb').read_bytes())
    (tmp_path / 'run_meta_0').write_bytes((RESNET / 'run_meta_0').read_bytes())
    with serving(binary, tmp_path) as site:
        assert site.get('api/run', run=0)['steps'] == [0]
        (tmp_path / 'run_meta_10').write_bytes((RESNET / 'run_meta_10').read_bytes())
        assert site.get('api/run', run=0)['steps'] == [0, 10]
