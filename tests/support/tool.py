"""Runs the tfprof binary as a user would and looks at what comes out."""
import csv
import io
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

# What is tested: TFPROF_BINARY, or the release build.
BINARY = os.environ.get('TFPROF_BINARY') or str(Path(__file__).resolve().parents[2] / 'build' / 'release' / 'tfprof')

# Sanitizer reports must fail the test that caused them, whatever exit status the test expects.
SANITIZER_MARKS = ('AddressSanitizer', 'LeakSanitizer', 'runtime error:')


@lru_cache(maxsize=None)
def is_sanitized(binary=BINARY) -> bool:
    """Whether it was built with AddressSanitizer, which takes memory of its own and ten times as long."""
    found = shutil.which(binary)  # whether there is one is the fixture's to say
    return found is not None and b'__asan_init' in Path(found).read_bytes()


@dataclass
class Outcome:
    command: list
    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode('utf-8', errors='replace')

    @property
    def rows(self) -> list:
        """The lines of a text report below its legend."""
        lines = self.text.splitlines()
        legend = next((i for i, line in enumerate(lines) if line.startswith('node name |')), None)
        return [] if legend is None else [line.rstrip() for line in lines[legend + 1:]]

    @property
    def names(self) -> list:
        """The names of a text report's rows, without indentation and figures (tree views)."""
        return [row.strip().rpartition(' (')[0] for row in self.rows]

    def json(self):
        return json.loads(self.out)

    def csv(self) -> list:
        return list(csv.DictReader(io.StringIO(self.out.decode('utf-8'), newline='')))

    def ok(self) -> 'Outcome':
        assert self.status == 0, '%s\nexit status %d\n%s' % (self.command, self.status, self.err)
        return self

    def fails(self, status: int, *words: str) -> 'Outcome':
        """Ended with this status, said all the words on stderr, and nothing on stdout."""
        assert self.status == status, '%s\nexit status %d, not %d\n%s' % (self.command, self.status, status, self.err)
        assert self.out == b'', 'a failed command printed %r' % self.out[:200]
        for word in words:
            assert word in self.err, '%r is not in the message:\n%s' % (word, self.err)
        return self


def run(command, cwd=None, stdin=b'', env=None, timeout=120) -> Outcome:
    clean = {k: v for k, v in os.environ.items() if k != 'TFPROF_OPTS'}
    patience = float(os.environ.get('TFPROF_PATIENCE', 1))  # how many times as long as usual a program may take
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, timeout=timeout * patience, env=clean | (env or {}))
    outcome = Outcome(command, done.returncode, done.stdout, done.stderr.decode('utf-8', errors='replace'))
    assert not any(mark in outcome.err for mark in SANITIZER_MARKS), outcome.err
    assert done.returncode >= 0, '%s\ndied of signal %d\n%s' % (command, -done.returncode, outcome.err)
    return outcome


class Tool:
    def __init__(self, binary: str, folder: Path, always=''):
        self.binary, self.folder, self.always = binary, folder, always

    def __call__(self, *words, stdin=b'', env=None, timeout=120, **options) -> Outcome:
        """Options as keywords: select='micros' or select=['a', 'b'], keep_going=True."""
        flags = ['--%s=%s' % (k, ','.join(v) if isinstance(v, list) else str(v)) for k, v in options.items()]
        env = {**({'TFPROF_OPTS': self.always} if self.always else {}), **(env or {})}
        return run([self.binary, *map(str, words), *flags], self.folder, stdin, env, timeout)

    def file(self, name: str, content) -> str:
        """Writes a file into the test's folder and returns its name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name
