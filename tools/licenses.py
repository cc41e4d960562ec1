#!/usr/bin/env python3
"""The licences of what is compiled and linked into the program and the Python module.

    licenses.py BUILD_FOLDER OUT_FOLDER    writes the text of each, verbatim; exit status 1 where THIRD_PARTY.md lacks one

Asks the build: the headers that Ninja recorded for every object that is shipped, and the archives on the linker's command
line. Both belong to Debian packages, which bring their copyright. The page's packages lie in web/dist/licenses, where
`make web` puts them.
"""
import fnmatch
import re
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SHIPPED = ('tfprof_core', 'tfprof_cli', 'tfprof', 'tfprof_python')  # targets
COMPILER_LIBRARIES = ('libstdc++.a', 'libgcc.a', 'libgcc_eh.a')  # linked in by cmake/portable.cmake
# Interfaces: declarations of what is linked dynamically, of the kernel, and of the Python that loads the module.
INTERFACES = ('libc6-dev', 'linux-libc-dev', 'libpython3*-dev', 'libcrypt-dev')
GPL_3 = Path('/usr/share/common-licenses/GPL-3')  # the text that GCC's copyright refers to


def table():
    """Rows of THIRD_PARTY.md: (library, where it is from, licence)."""
    rows = re.findall(r'^\| (.+?) \| (.+?) \| (.+?) \|', (REPOSITORY / 'THIRD_PARTY.md').read_text(), re.MULTILINE)
    return [row for row in rows if row[0] != 'library']


def compiled_headers(build):
    """Headers outside the repository that objects of the shipped targets were compiled with."""
    text = subprocess.run(['ninja', '-t', 'deps'], cwd=build, capture_output=True, text=True, check=True).stdout
    headers, shipped = set(), False
    for line in text.splitlines():
        if line.startswith(' '):
            path = line.strip()
            if shipped and path.startswith('/') and not path.startswith(str(REPOSITORY)):
                headers.add(path)
        elif line:
            target = re.search(r'CMakeFiles/(\w+)\.dir/', line)
            shipped = target is not None and target.group(1) in SHIPPED
    return headers


def linked_archives(build):
    """Archives outside the build on the command lines that link the program and the module."""
    found = set()
    lines = (build / 'build.ninja').read_text()
    linkers = r'CXX_EXECUTABLE_LINKER__tfprof_[A-Z]|CXX_MODULE_LIBRARY_LINKER__tfprof_python_[A-Z]'
    for rule in re.findall(r'^build \S+: (?:%s).*\n(?:  .*\n)+' % linkers, lines, re.MULTILINE):
        libraries = re.search(r'^  LINK_LIBRARIES = (.*)$', rule, re.MULTILINE).group(1)
        found.update(word for word in libraries.split() if word.startswith('/') and word.endswith('.a'))
    compiler = re.search(r'^CMAKE_CXX_COMPILER:\w+=(.*)$', (build / 'CMakeCache.txt').read_text(), re.MULTILINE).group(1)
    for name in COMPILER_LIBRARIES:
        path = subprocess.run([compiler, '-print-file-name=' + name], capture_output=True, text=True, check=True).stdout
        found.add(path.strip())
    return found


def packages(paths):
    """The Debian package of each file; a path that none has stays as it is."""
    paths = sorted({str(Path(path).resolve()) for path in paths} | set(paths))
    done = subprocess.run(['dpkg', '-S', *paths], capture_output=True, text=True, check=False)
    found, known = set(), set()
    for line in done.stdout.splitlines():
        owners, _, path = line.partition(': ')
        if owners.startswith('diversion by'):
            continue
        known.add(str(Path(path).resolve()))
        found.update(owner.split(':')[0] for owner in owners.split(', '))
    return found | {path for path in paths if str(Path(path).resolve()) not in known}


def linked(build):
    """Debian packages whose code is in what is shipped from this build folder."""
    owners = packages(compiled_headers(build) | linked_archives(build))
    return {owner for owner in owners if not any(fnmatch.fnmatch(owner, name) for name in INTERFACES)}


def row_of(package, rows):
    """The row that names the package, by its name or a pattern."""
    return next((row for row in rows if any(fnmatch.fnmatch(package, name) for name in row[1].split(', '))), None)


def text_of(package):
    copyright_file = Path('/usr/share/doc') / package / 'copyright'
    return copyright_file.read_bytes() if copyright_file.exists() else None


def collect(build, out):
    """Writes one file per library; the list of what is wrong, empty where nothing is."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    wrong, rows = [], table()
    for package in sorted(linked(build)):
        row = row_of(package, rows)
        text = text_of(package)
        if row is None:
            wrong.append('%s is compiled or linked in, and THIRD_PARTY.md does not name it' % package)
        elif text is None:
            wrong.append('/usr/share/doc/%s/copyright is not there' % package)
        else:
            (out / (row[0].split()[0] + '.txt')).write_bytes(text)
            if row[2].startswith('GPL-3'):
                shutil.copyfile(GPL_3, out / 'GPL-3.txt')
    for path in sorted((REPOSITORY / 'web/dist/licenses').glob('*.txt')):
        row = row_of('npm ' + path.stem, rows)
        if row is None:
            wrong.append('npm %s is in the page, and THIRD_PARTY.md does not name it' % path.stem)
        else:
            shutil.copyfile(path, out / (row[0] + '.txt'))
    return wrong


def main():
    wrong = collect(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
    for line in wrong:
        print('tfprof: ' + line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
