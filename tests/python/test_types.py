"""The package's type hints hold, as far as mypy can tell."""
import subprocess
import sys

import pytest
from package_paths import REPOSITORY


def test_mypy():
    pytest.importorskip('mypy')
    done = subprocess.run([sys.executable, '-m', 'mypy', '--config-file', 'pyproject.toml', 'python/tfprof'],
                          capture_output=True, text=True, cwd=REPOSITORY)
    assert done.returncode == 0, done.stdout
