"""Everything that is compiled or linked into what is shipped has its licence in the packages: tools/licenses.py."""
import re
import shutil
import sys
from pathlib import Path

import pytest
from support.tool import BINARY

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / 'tools'))

import licenses  # noqa: E402


@pytest.fixture(scope='module')
def build():
    folder = Path(BINARY).resolve().parent
    if not (folder / 'build.ninja').exists() or not shutil.which('dpkg'):
        pytest.skip('%s is no build with Ninja, or this is no Debian' % folder)
    if re.search('^TFPROF_SANITIZE:[A-Z]+=.', (folder / 'CMakeCache.txt').read_text(), re.MULTILINE):
        pytest.skip('sanitizers link more, and are not shipped')
    return folder


@pytest.fixture(scope='module')
def collected(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp('licenses')
    assert licenses.collect(build, folder) == []
    return folder


def test_every_library_has_its_text(collected):
    names = {path.stem for path in collected.iterdir()} - {'GPL-3'}
    assert names == {row[0].split()[0] for row in licenses.table()}, 'THIRD_PARTY.md names what is not linked'
    for path in collected.iterdir():
        text = path.read_text()
        assert re.search('copyright|licen[cs]e', text, re.IGNORECASE) and len(text) > 500, path


@pytest.mark.parametrize('name, words', [
    ('GCC', 'GCC RUNTIME LIBRARY EXCEPTION'), ('GPL-3', 'GNU GENERAL PUBLIC LICENSE'), ('Preact', 'Jason Miller'),
    ('RE2', 'Google'), ('uPlot', 'Leon Sorokin'), ('zlib', 'Jean-loup Gailly'), ('libedit', 'Regents of the University')])
def test_the_text_is_that_of_the_library(collected, name, words):
    assert words in (collected / (name + '.txt')).read_text()


@pytest.mark.parametrize('missing', ['RE2', 'RapidJSON', 'libbsd', 'GCC', 'uPlot'])
def test_a_library_without_a_row_is_refused(build, tmp_path, monkeypatch, missing):
    """An archive, headers alone, what another library pulls in, the compiler's own, the page's."""
    rows = [row for row in licenses.table() if not row[0].startswith(missing)]
    monkeypatch.setattr(licenses, 'table', lambda: rows)
    wrong = licenses.collect(build, tmp_path / 'out')
    assert wrong and all('THIRD_PARTY.md does not name it' in line for line in wrong)


def test_files_of_no_package_are_not_overlooked(tmp_path):
    header = tmp_path / 'own.h'
    header.write_text('')
    assert licenses.packages({str(header)}) == {str(header)}
