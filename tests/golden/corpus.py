"""The recorded cases: which there are, how to run one, and the expected files."""
import io
import json
import lzma
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from support.tool import run

VIEWS = Path(__file__).resolve().parent.parent / 'data' / 'views'
MODELS = sorted(folder.name for folder in VIEWS.iterdir() if (folder / 'cases.json').exists())

# TFPROF_SAMPLE=N runs every Nth case only: for slow builds (sanitizers).
SAMPLE = int(os.environ.get('TFPROF_SAMPLE') or 1)


@lru_cache(maxsize=None)
def cases(model: str, kind: str) -> list:
    every = json.loads((VIEWS / model / 'cases.json').read_text())
    return [case for case in every if kind in case['expect']][::SAMPLE]


@lru_cache(maxsize=2)
def expected_files(model: str) -> dict:
    packed = lzma.decompress((VIEWS / model / 'expected.tar.xz').read_bytes())
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}


def expected(model: str, case: dict, kind: str) -> str:
    return expected_files(model)[case['expect'][kind]].decode('utf-8')


def command(binary: str, model: str, case: dict, from_profile: bool = False, **more) -> list:
    """The command line of a case; `more` are options that come on top, None takes one away."""
    folder = VIEWS / model
    words = [binary, case['view'], '--classic']
    if from_profile:
        words.append('--profile_path=%s' % (folder / 'profile'))
    else:
        words.append('--graph_path=%s' % (folder / 'graph.pb'))
        if case['op_log']:
            words.append('--op_log_path=%s' % (folder / 'tfprof_log'))
        if case['steps']:
            runs = ['%d=%s' % (step, folder / ('run_meta_%d' % step)) for step in case['steps']]
            words.append('--run_meta_path=' + ','.join(runs))
    for name, value in {**case['options'], **more}.items():
        if isinstance(value, bool):
            value = str(value).lower()
        if value is not None:
            words.append('--%s=%s' % (name, ','.join(value) if isinstance(value, list) else value))
    return words


def check_all(check, todo) -> None:
    """Runs check(case) -> list of differences for all cases at once; fails with the first few."""
    assert todo, 'there are no such cases: the test would check nothing'
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        found = [(case['id'], lines) for case, lines in zip(todo, pool.map(check, todo)) if lines]
    report = ['%d of %d cases differ' % (len(found), len(todo))]
    for name, lines in found[:5]:
        report += ['--- case ' + name, *('    ' + line[:400] for line in lines[:14])]
    assert not found, '\n'.join(report)


def answer(words: list) -> str:
    """What a case's command prints; a command that fails is a difference of every case."""
    return run(words).ok().out.decode('utf-8', errors='replace')
