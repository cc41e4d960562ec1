"""`tfprof ui` for tests: started on a free port, asked over HTTP, ended."""
import contextlib
import http.client
import json
import re
import subprocess
import urllib.parse
from pathlib import Path
from typing import Any, Iterator

REPOSITORY = Path(__file__).resolve().parents[2]


class Site:
    """A running server."""

    def __init__(self, url: str, process: subprocess.Popen) -> None:
        self.url, self.process = url, process
        parsed = urllib.parse.urlsplit(url)
        self.host, self.port, self.base = parsed.hostname or '', parsed.port or 0, parsed.path

    def request(self, path: str, method: str = 'GET', headers: dict = {}, raw: bool = False) -> tuple:
        """Status, headers, body of an address below the page's own; raw: of any path."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, path if raw else self.base + path, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def get(self, path: str, /, **query: Any) -> Any:
        """The JSON of an address; a list asks for a name several times."""
        status, _, body = self.request(address(path, **query))
        assert status == 200, (status, body[:500])
        return json.loads(body)

    def error(self, path: str, /, **query: Any) -> tuple:
        status, _, body = self.request(address(path, **query))
        return status, json.loads(body)['error']

    def memory(self) -> int:
        """Bytes of its own that the process holds."""
        with open('/proc/%d/statm' % self.process.pid, encoding='ascii') as file:
            pages, shared = [int(word) for word in file.read().split()[1:3]]
            return (pages - shared) * 4096


def address(path: str, /, **query: Any) -> str:
    return path + ('?' + urllib.parse.urlencode(query, doseq=True) if query else '')


@contextlib.contextmanager
def serving(binary: str, *arguments: Any, **how: Any) -> Iterator[Site]:
    """Runs `tfprof ui --no_open ARGUMENTS` until the block ends."""
    command = [binary, 'ui', '--no_open', *[str(a) for a in arguments]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how) as process:
        try:
            assert process.stdout and process.stderr
            url = process.stdout.readline().strip()
            assert re.fullmatch(r'http://[^/]+:\d+/[0-9a-f]{32}/', url), (url, process.stderr.read())
            yield Site(url, process)
        finally:
            process.terminate()
            process.wait(30)
