"""`make package`: what others install is whole, runs where nothing else is, and is the same when it is made again."""
import gzip
import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from support.tool import BINARY

REPOSITORY = Path(__file__).resolve().parent.parent.parent
BUILD = Path(BINARY).resolve().parent
VERSION = re.search(r'project\(tfprof VERSION (\S+)', (REPOSITORY / 'CMakeLists.txt').read_text()).group(1)
NOWHERE = {'PATH': '/nowhere', 'HOME': '/nowhere'}
SHARED = {'share/bash-completion/completions/tfprof', 'share/fish/vendor_completions.d/tfprof.fish'}


def make(out):
    done = subprocess.run([sys.executable, REPOSITORY / 'tools/make_packages.py', BUILD, out], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope='module')
def packages(tmp_path_factory):
    cache = BUILD / 'CMakeCache.txt'
    if not cache.exists() or not shutil.which('dpkg-deb'):
        pytest.skip('%s is no build folder, or this is no Debian' % BUILD)
    if re.search('^TFPROF_SANITIZE:[A-Z]+=.', cache.read_text(), re.MULTILINE):
        pytest.skip('what is built with sanitizers is not shipped')
    out = tmp_path_factory.mktemp('dist')
    (out / 'tfprof-0-cp39-abi3-any.whl').write_bytes(b'stands for the wheel')
    return make(out)


@pytest.fixture(scope='module')
def unpacked(packages, tmp_path_factory):
    folder = tmp_path_factory.mktemp('archive')
    [archive] = packages.glob('*.tar.xz')
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    [root] = folder.iterdir()
    return root


@pytest.fixture(scope='module')
def debian(packages, tmp_path_factory):
    folder = tmp_path_factory.mktemp('debian')
    [package] = packages.glob('*.deb')
    subprocess.run(['dpkg-deb', '-x', package, folder], check=True)
    return folder


def files(root):
    return {str(path.relative_to(root)) for path in root.rglob('*') if path.is_file()}


def runs(program):
    """`version` and a report, with nothing in the environment."""
    version = subprocess.run([program, 'version'], env=NOWHERE, capture_output=True, text=True, check=True).stdout
    assert version == 'tfprof %s\n' % VERSION
    report = subprocess.run([program, 'summary', REPOSITORY / 'examples/resnet'], env=NOWHERE, capture_output=True, text=True,
                            check=True).stdout
    assert 'parameters' in report and '75.29k' in report


def test_the_archive_has_one_folder_that_runs(unpacked):
    assert unpacked.name == 'tfprof-%s-linux-%s' % (VERSION, os.uname().machine)
    runs(unpacked / 'bin/tfprof')


def test_the_archive_holds_what_belongs_to_it(unpacked):
    names = files(unpacked)
    assert SHARED | {'share/man/man1/tfprof.1', 'share/zsh/site-functions/_tfprof'} <= names
    assert {'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'THIRD_PARTY.md', 'docs/views.md', 'licenses/RE2.txt'} <= names
    for path in unpacked.rglob('*.md'):
        for target in re.findall(r'\]\(((?:docs/|\.\./)?[A-Za-z_]+\.md)', path.read_text()):
            assert (path.parent / target).exists() or target.endswith('CONTRIBUTING.md'), (path, target)


def test_the_program_is_stripped(unpacked):
    sections = subprocess.run(['readelf', '-SW', unpacked / 'bin/tfprof'], capture_output=True, text=True, check=True).stdout
    assert '.text' in sections and '.symtab' not in sections and '.debug' not in sections


def test_the_archive_belongs_to_root_and_nobody_else_may_write(packages):
    [archive] = packages.glob('*.tar.xz')
    with tarfile.open(archive) as tar:
        for entry in tar:
            assert (entry.uid, entry.gid, entry.mode & 0o022) == (0, 0, 0), entry.name
            assert entry.isfile() or entry.isdir()
            assert bool(entry.mode & 0o111) == (entry.isdir() or entry.name.endswith('bin/tfprof')), entry.name


def test_the_debian_package_holds_what_belongs_to_it_and_runs(debian):
    names = files(debian / 'usr')
    assert SHARED | {'bin/tfprof', 'share/man/man1/tfprof.1.gz', 'share/zsh/vendor-completions/_tfprof'} <= names
    documents = {'copyright', 'changelog.gz', 'README.md', 'THIRD_PARTY.md', 'licenses/RE2.txt'}
    assert {'share/doc/tfprof/' + name for name in documents} <= names
    assert gzip.decompress((debian / 'usr/share/man/man1/tfprof.1.gz').read_bytes())[:100].count(b'.TH TFPROF 1') == 1
    assert stat.S_IMODE((debian / 'usr/bin/tfprof').stat().st_mode) == 0o755
    runs(debian / 'usr/bin/tfprof')


def test_the_debian_package_says_what_it_needs(packages):
    [package] = packages.glob('*.deb')
    assert re.fullmatch(r'tfprof_%s_[a-z0-9]+\.deb' % re.escape(VERSION), package.name)

    def field(name):
        return subprocess.run(['dpkg-deb', '-f', package, name], capture_output=True, text=True, check=True).stdout.strip()

    assert (field('Package'), field('Version')) == ('tfprof', VERSION)
    assert re.fullmatch(r'libc6 \(>= 2\.\d+\)', field('Depends'))
    assert re.fullmatch(r'.+ <\S+@\S+>', field('Maintainer'))


@pytest.mark.skipif(not hasattr(os, 'geteuid') or os.geteuid() != 0, reason='dpkg installs as root')
def test_dpkg_installs_and_removes_the_debian_package(packages, tmp_path):
    [package] = packages.glob('*.deb')
    for name in ('info', 'updates', 'triggers'):
        (tmp_path / 'var/lib/dpkg' / name).mkdir(parents=True)
    for name in ('status', 'available'):
        (tmp_path / 'var/lib/dpkg' / name).write_text('')
    command = ['dpkg', '--root=%s' % tmp_path, '--force-depends', '--force-script-chrootless', '--log=/dev/null']
    done = subprocess.run([*command, '-i', package], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    runs(tmp_path / 'usr/bin/tfprof')
    checked = subprocess.run([*command, '--verify', 'tfprof'], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, '')  # the sums that the package came with
    subprocess.run([*command, '--purge', 'tfprof'], capture_output=True, check=True)
    assert not (tmp_path / 'usr/bin/tfprof').exists() and not (tmp_path / 'usr/share/doc/tfprof').exists()


@pytest.mark.skipif(not shutil.which('lintian'), reason='lintian is not installed')
def test_lintian_finds_no_error(packages):
    [package] = packages.glob('*.deb')
    done = subprocess.run(['lintian', package], capture_output=True, text=True, check=False)
    assert not re.findall('^[EW]: .*', done.stdout, re.MULTILINE), done.stdout


def test_bash_completes_with_the_file_that_is_packed(unpacked):
    script = 'source "$0"; complete -p tfprof'
    done = subprocess.run(['bash', '-c', script, unpacked / 'share/bash-completion/completions/tfprof'], capture_output=True,
                          text=True, check=True)
    assert 'tfprof' in done.stdout


def test_checksums_cover_everything_and_verify(packages):
    done = subprocess.run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], cwd=packages, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    named = {line.split()[1] for line in (packages / 'SHA256SUMS').read_text().splitlines()}
    assert named == {path.name for path in packages.iterdir()} - {'SHA256SUMS'}
    assert any(name.endswith('.whl') for name in named)


def test_made_again_it_has_the_same_bytes(packages, tmp_path):
    make(tmp_path)
    for path in [*tmp_path.glob('*.xz'), *tmp_path.glob('*.deb')]:
        again = hashlib.sha256(path.read_bytes()).hexdigest()
        assert again == hashlib.sha256((packages / path.name).read_bytes()).hexdigest(), path.name
