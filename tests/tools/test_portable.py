"""The program runs on older systems than the one it was built on: cmake/portable.cmake."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / 'tools'))

import binary_needs  # noqa: E402

BUILT_ON = tuple(map(int, os.confstr('CS_GNU_LIBC_VERSION').split()[1].split('.')))


@pytest.fixture
def shipped(binary):
    cache = Path(binary).parent / 'CMakeCache.txt'
    if cache.exists() and re.search('^TFPROF_SANITIZE:[A-Z]+=.', cache.read_text(), re.MULTILINE):
        pytest.skip('sanitizers need more, and are not shipped')
    return binary


def test_needs_the_c_library_alone(shipped):
    libraries, _ = binary_needs.needs(shipped)
    assert set(libraries) <= binary_needs.SYSTEM_LIBRARIES


@pytest.mark.skipif(BUILT_ON > (2, 36), reason='what is shipped is built on Debian 12; a newer glibc brings newer symbols')
def test_needs_no_newer_glibc_than_promised(shipped):
    _, version = binary_needs.needs(shipped)
    assert (2, 2, 5) <= version <= binary_needs.NEWEST_GLIBC


def test_exceptions_unwind_through_our_search_of_loaded_objects(shipped, tmp_path):
    """Out of memory is an exception that is caught far up: a message and a status, if the unwinder finds its tables."""
    graph = tmp_path / 'graph.pbtxt'
    graph.write_text('node { name: "%s" op: "Add" }\n' % ('long/' * 2_000_000))
    done = subprocess.run(['bash', '-c', 'ulimit -v 30000; exec "$0" scope "$1"', shipped, graph], capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stdout) == (4, '')
    assert 'out of memory' in done.stderr


def test_newer_symbols_would_be_seen(tmp_path):
    """A program that takes a symbol of this system's newest glibc is told from one that does not."""
    source = tmp_path / 'newer.cc'
    source.write_text('extern "C" unsigned arc4random(); int main() { return arc4random() == 0; }\n')
    if BUILT_ON < (2, 36):
        pytest.skip('this glibc has no arc4random')
    subprocess.run(['g++', source, '-o', tmp_path / 'newer'], check=True)
    assert binary_needs.needs(tmp_path / 'newer')[1] >= (2, 36)
