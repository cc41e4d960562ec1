"""The tests of the Python package. TFPROF_PACKAGE names the folder to import it from (an installed wheel otherwise).

Those in test_tensorflow_*.py need TensorFlow and are left out where it is not installed; `make test` runs them in an
environment that has it.
"""
import os
import sys

import pytest
from package_paths import EXAMPLE, REPOSITORY

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')

if os.environ.get('TFPROF_PACKAGE'):
    sys.path.insert(0, os.environ['TFPROF_PACKAGE'])

try:
    import tfprof  # noqa: F401
    collect_ignore_glob = []
except ImportError as error:
    if os.environ.get('TFPROF_PACKAGE_NEEDED'):
        raise
    collect_ignore_glob = ['test_*.py']
    print('tests/python are left out: %s; make test-python builds the package' % error)


@pytest.fixture(autouse=True)
def in_repository(monkeypatch):
    """Docstrings name examples/."""
    monkeypatch.chdir(REPOSITORY)


@pytest.fixture(scope='session')
def graph_bytes():
    return (EXAMPLE / 'graph.pb').read_bytes()


@pytest.fixture(scope='session')
def run_meta_bytes():
    return (EXAMPLE / 'run_meta_0').read_bytes()
