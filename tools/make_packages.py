#!/usr/bin/env python3
"""Packs the program as others install it.

    make_packages.py BUILD_FOLDER OUT_FOLDER

writes tfprof-VERSION-linux-MACHINE.tar.xz, tfprof_VERSION_ARCHITECTURE.deb where dpkg-deb is there, and SHA256SUMS over
these and the wheels that lie in OUT_FOLDER. The same build gives the same bytes: times are those of the last commit
(SOURCE_DATE_EPOCH), names are sorted, owners are root.
"""
import email.utils
import gzip
import hashlib
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import binary_needs  # noqa: E402
import licenses  # noqa: E402

REPOSITORY = Path(__file__).resolve().parent.parent
DOCUMENTS = ('LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'THIRD_PARTY.md')

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tfprof
Comment: The program holds libraries with licences of their own. THIRD_PARTY.md in this folder names them, licenses/ has
 their texts.

Files: *
Copyright: {year} the authors of tfprof
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
"""

CONTROL = """\
Package: tfprof
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: libc6 (>= {glibc})
Section: devel
Priority: optional
Description: profiler for TensorFlow and JAX models
 tfprof reads what TensorFlow and JAX record: graphs, steps, captures,
 checkpoints, logs of allocations that failed. It says where time, memory,
 parameters and float operations go, by scope, graph, op type and line of
 code, over time, and compared with another run.
 .
 One program that needs neither TensorFlow nor Python.
"""

# Why lintian has nothing to say about these.
OVERRIDES = """\
# The program is linked statically on purpose: one binary that runs on every system with this C library.
tfprof: embedded-library
# `tfprof ui` tries this and three others, and prints the address where none is there.
tfprof: missing-depends-on-sensible-utils
"""


def output(*command):
    return subprocess.run([str(word) for word in command], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout


def git(*command):
    """What git says; empty where this is no checkout."""
    done = subprocess.run(['git', *command], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ''


def epoch():
    """Seconds that all files get: SOURCE_DATE_EPOCH, or when the last commit was made."""
    said = os.environ.get('SOURCE_DATE_EPOCH') or git('log', '-1', '--format=%ct')
    return int(said) if said else int((REPOSITORY / 'CHANGELOG.md').stat().st_mtime)


def maintainer():
    """Whoever Debian's tools are told (DEBFULLNAME, DEBEMAIL), or the author of the last commit."""
    if os.environ.get('DEBEMAIL'):
        return '%s <%s>' % (os.environ.get('DEBFULLNAME', 'tfprof'), os.environ['DEBEMAIL'])
    return git('log', '-1', '--format=%an <%ae>') or 'root <root@%s>' % platform.node()


def version(build):
    return re.search(r'^CMAKE_PROJECT_VERSION:\w+=(.*)$', (build / 'CMakeCache.txt').read_text(), re.MULTILINE).group(1)


def install(build, prefix):
    """bin/ and share/ with the stripped program, the man page and the completions."""
    output('cmake', '--install', build, '--prefix', prefix, '--component', 'program', '--strip')


def add_documents(folder, texts):
    folder.mkdir(parents=True, exist_ok=True)
    for name in DOCUMENTS:
        shutil.copyfile(REPOSITORY / name, folder / name)
    shutil.copytree(texts, folder / 'licenses')
    (folder / 'docs').mkdir()
    for path in sorted((REPOSITORY / 'docs').glob('*.md')):
        shutil.copyfile(path, folder / 'docs' / path.name)


def compress(path, seconds):
    """Replaces a file by its gzip, without name and with our time."""
    with open(path.with_name(path.name + '.gz'), 'wb') as raw:
        with gzip.GzipFile(filename='', mode='wb', compresslevel=9, fileobj=raw, mtime=seconds) as packed:
            packed.write(path.read_bytes())
    path.unlink()


def set_modes(root):
    """The same modes whatever the umask was."""
    for path in [root, *root.rglob('*')]:
        path.chmod(0o755 if path.is_dir() or path.parent.name == 'bin' else 0o644)


def write_archive(root, target, seconds):
    def clean(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = 'root'
        entry.mtime = seconds
        return entry

    with lzma.open(target, 'wb', preset=6) as packed, tarfile.open(fileobj=packed, mode='w', format=tarfile.GNU_FORMAT) as tar:
        for path in [root, *sorted(root.rglob('*'))]:
            tar.add(path, arcname=path.relative_to(root.parent), recursive=False, filter=clean)


def write_debian_control(root, build):
    usr = root / 'usr'
    kilobytes = sum(-(-path.stat().st_size // 1024) for path in usr.rglob('*') if path.is_file())
    _, glibc = binary_needs.needs(usr / 'bin/tfprof')
    folder = root / 'DEBIAN'
    folder.mkdir()
    (folder / 'control').write_text(CONTROL.format(
        version=version(build), architecture=output('dpkg', '--print-architecture').strip(), maintainer=maintainer(),
        size=kilobytes, glibc='.'.join(map(str, glibc))))
    sums = ['%s  %s\n' % (hashlib.md5(path.read_bytes()).hexdigest(), path.relative_to(root))
            for path in sorted(usr.rglob('*')) if path.is_file()]
    (folder / 'md5sums').write_text(''.join(sums))


def write_debian_package(build, texts, scratch, out, seconds):
    root = scratch / 'debian'
    install(build, root / 'usr')
    share = root / 'usr/share'
    compress(share / 'man/man1/tfprof.1', seconds)
    (share / 'zsh/site-functions').rename(share / 'zsh/vendor-completions')  # where Debian's zsh looks
    documents = share / 'doc/tfprof'
    add_documents(documents, texts)
    (documents / 'LICENSE').unlink()  # /usr/share/common-licenses has it
    (documents / 'copyright').write_text(COPYRIGHT.format(year=time.gmtime(seconds).tm_year))
    date = email.utils.formatdate(seconds)
    (documents / 'changelog').write_text('tfprof (%s) unstable; urgency=medium\n\n  * CHANGELOG.md says what is new.\n\n -- %s  %s\n'
                                         % (version(build), maintainer(), date))
    compress(documents / 'changelog', seconds)
    overrides = share / 'lintian/overrides'
    overrides.mkdir(parents=True)
    (overrides / 'tfprof').write_text(OVERRIDES)
    write_debian_control(root, build)
    set_modes(root)
    subprocess.run(['dpkg-deb', '--root-owner-group', '-Zxz', '--build', root, out], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, 'SOURCE_DATE_EPOCH': str(seconds)})


def write_sums(out):
    names = sorted(path.name for path in out.iterdir() if path.suffix in ('.xz', '.deb', '.whl'))
    sums = ['%s  %s\n' % (hashlib.sha256((out / name).read_bytes()).hexdigest(), name) for name in names]
    (out / 'SHA256SUMS').write_text(''.join(sums))
    return names


def main():
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    for path in [*out.glob('tfprof-*.tar.xz'), *out.glob('tfprof_*.deb')]:
        path.unlink()
    seconds = epoch()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        wrong = licenses.collect(build, scratch / 'licenses')
        if wrong:
            print('\n'.join('tfprof: ' + line for line in wrong), file=sys.stderr)
            return 1
        root = scratch / ('tfprof-%s-linux-%s' % (version(build), platform.machine()))
        install(build, root)
        add_documents(root, scratch / 'licenses')
        set_modes(root)
        write_archive(root, out / (root.name + '.tar.xz'), seconds)
        if shutil.which('dpkg-deb'):
            write_debian_package(build, scratch / 'licenses', scratch, out, seconds)
        else:
            print('tfprof: no Debian package is made: dpkg-deb is not there', file=sys.stderr)
    for name in write_sums(out):
        print('%s: %.1f MB' % (name, (out / name).stat().st_size / 1e6))
    return 0


if __name__ == '__main__':
    sys.exit(main())
