"""What all Python tests share: where the binary is, and how to run it."""
import os
import shutil
from pathlib import Path

import pytest

from support.browser import Browser, playwright
from support.tool import BINARY, Tool

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope='session')
def binary() -> str:
    """TFPROF_BINARY, or the release build."""
    found = shutil.which(BINARY)
    if not found:
        pytest.exit('no tfprof binary at %s: build it, or set TFPROF_BINARY' % BINARY, returncode=2)
    return os.path.abspath(found)


@pytest.fixture
def tfprof(binary, tmp_path) -> Tool:
    """Runs the binary in a folder of its own: tfprof('scope', 'graph.pb', select='params')."""
    return Tool(binary, tmp_path)


@pytest.fixture
def classic(binary, tmp_path) -> Tool:
    """The same, with the rows, columns and order of TensorFlow's tfprof."""
    return Tool(binary, tmp_path, '--classic')


@pytest.fixture(scope='session')
def data() -> Path:
    """The recorded models."""
    return REPOSITORY / 'tests' / 'data' / 'views'


@pytest.fixture(scope='session')
def modules() -> Path:
    """What drives a real browser; skips the test where there is none."""
    return playwright()


@pytest.fixture(scope='session')
def browser(modules):
    """One for all tests of a process."""
    one = Browser(modules)
    yield one
    one.close()
