"""The wheel that TFPROF_WHEEL names, as tools/test_python.sh built it: its tag, what it needs, what it holds."""
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
WHEEL = os.environ.get('TFPROF_WHEEL')
pytestmark = pytest.mark.skipif(not WHEEL, reason='TFPROF_WHEEL names no wheel')
BUILT_ON = tuple(map(int, os.confstr('CS_GNU_LIBC_VERSION').split()[1].split('.')))


@pytest.fixture(scope='module')
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp('wheel')
    with zipfile.ZipFile(WHEEL) as archive:
        archive.extractall(folder)
    return folder


def test_the_tag_is_that_of_the_oldest_system_it_runs_on():
    """auditwheel wrote it; where auditwheel could not be had the tag says linux, and nobody takes it for more."""
    tag = re.fullmatch(r'tfprof-[0-9.]+-cp39-abi3-(\w+)\.whl', Path(WHEEL).name).group(1)
    if tag.startswith('linux_'):
        pytest.skip('built without auditwheel')
    major, minor = map(int, re.fullmatch(r'manylinux_(\d+)_(\d+)_\w+', tag).groups())
    assert (major, minor) <= (2, 34) or BUILT_ON > (2, 36)


def test_the_name_and_the_inside_have_the_same_tag(unpacked):
    [inside] = unpacked.glob('*.dist-info/WHEEL')
    tags = re.findall(r'^Tag: (\S+)$', inside.read_text(), re.MULTILINE)
    assert tags == ['-'.join(Path(WHEEL).name[:-len('.whl')].split('-')[2:])]


def test_the_module_needs_no_more_than_the_program(unpacked):
    sys.path.insert(0, str(REPOSITORY / 'tools'))
    import binary_needs
    libraries, glibc = binary_needs.needs(unpacked / 'tfprof/_engine.abi3.so')
    assert set(libraries) <= binary_needs.SYSTEM_LIBRARIES
    assert glibc <= binary_needs.NEWEST_GLIBC or BUILT_ON > (2, 36)


def test_it_carries_the_licences_of_what_is_linked_in(unpacked):
    names = {path.name for path in unpacked.glob('*.dist-info/licenses/**/*')}
    listed = re.findall(r'^\| ([\w.+-]+).* \| .+ \| .+ \| .+ \|$', (REPOSITORY / 'THIRD_PARTY.md').read_text(), re.MULTILINE)
    assert {'LICENSE', 'THIRD_PARTY.md', 'GPL-3.txt'} | {name + '.txt' for name in listed if name != 'library'} <= names


def test_it_is_small():
    assert os.path.getsize(WHEEL) < 5_000_000


def test_it_installs_into_an_empty_environment_and_runs(tmp_path):
    venv.create(tmp_path / 'fresh', with_pip=True)
    python = tmp_path / 'fresh/bin/python'
    subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-index', WHEEL], check=True)
    out = subprocess.run([tmp_path / 'fresh/bin/tfprof', 'version'], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert out.startswith('tfprof ')
    code = 'import tfprof; print(tfprof.summary(%r))' % str(REPOSITORY / 'examples/resnet')
    out = subprocess.run([python, '-c', code], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert '75.29k' in out
