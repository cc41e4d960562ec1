"""`cmake --install` gives a library that another project finds, links and reads a Profile with."""
import re
import subprocess
from pathlib import Path

import pytest
from support.tool import BINARY

REPOSITORY = Path(__file__).resolve().parent.parent.parent
BUILD = Path(BINARY).resolve().parent


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope='module')
def prefix(tmp_path_factory):
    cache = BUILD / 'CMakeCache.txt'
    if not cache.exists():
        pytest.skip('%s is no build folder' % BUILD)
    if re.search('^TFPROF_SANITIZE:[A-Z]+=.', cache.read_text(), re.MULTILINE):
        pytest.skip('a consumer would need the sanitizers too')
    folder = tmp_path_factory.mktemp('prefix')
    run('cmake', '--install', BUILD, '--prefix', folder, '--component', 'library')
    return folder


def test_public_headers_and_the_version_are_installed(prefix):
    installed = {path.name for path in (prefix / 'include/tfprof').iterdir()}
    assert installed == {path.name for path in (REPOSITORY / 'include/tfprof').iterdir()} | {'version.h'}


def test_nothing_of_the_build_is_in_the_package(prefix):
    for path in prefix.rglob('*.cmake'):
        text = path.read_text()
        assert str(REPOSITORY) not in text and '-Werror' not in text, path


def test_a_project_finds_links_and_reads_a_profile(prefix, tmp_path):
    graph = tmp_path / 'graph.pbtxt'
    shape = 'attr { key: "shape" value { shape { dim { size: 10 } } } }'
    graph.write_text('node { name: "w" op: "VariableV2" %s }\nnode { name: "sum" op: "Add" input: "w" }\n' % shape)
    build = tmp_path / 'build'
    run('cmake', '-S', REPOSITORY / 'tests/consumer', '-B', build, '-DCMAKE_PREFIX_PATH=%s' % prefix)
    run('cmake', '--build', build)
    version = re.search(r'project\(tfprof VERSION (\S+)', (REPOSITORY / 'CMakeLists.txt').read_text()).group(1)
    assert run(build / 'consumer', graph).splitlines() == ['tfprof ' + version, 'w VariableV2 10', 'sum Add 0']
