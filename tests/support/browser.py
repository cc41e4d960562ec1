"""A real browser for the tests of pages: Chromium, driven by playwright-core; tests are skipped where one is missing."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

CACHE = pathlib.Path(__file__).resolve().parents[2] / 'build' / 'client'


def install(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip('%s: %s' % (' '.join(command[:3]), done.stderr.strip()[-200:]))
    return done


def playwright():
    """The folder with playwright-core, installed once."""
    if not shutil.which('node') or not shutil.which('npm') or not shutil.which('chromium'):
        pytest.skip('needs node, npm and chromium')
    CACHE.mkdir(parents=True, exist_ok=True)
    if not (CACHE / 'node_modules' / 'playwright-core').exists():
        install(['npm', 'install', '--silent', '--prefix', str(CACHE), 'playwright-core'])
    return CACHE / 'node_modules'


def node(script, *words):
    """Runs a script that prints one JSON value."""
    done = subprocess.run(['node', str(script), *map(str, words)], capture_output=True, text=True, timeout=180,
                          env=dict(os.environ))
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
