#!/usr/bin/env python3
"""What a program or a shared object needs of the system it runs on.

    binary_needs.py FILE...      its shared libraries, and the newest version of glibc that a symbol of it asks for
"""
import re
import subprocess
import sys

# What everything built here may need: the C library in its parts, and the loader.
SYSTEM_LIBRARIES = {'libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}
NEWEST_GLIBC = (2, 34)  # Red Hat 9 has it; Ubuntu 22.04 has 2.35, Debian 12 has 2.36


def needs(path):
    """Its shared libraries in their order, and the newest version of glibc."""
    text = subprocess.run(['objdump', '-p', path], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r'^\s+NEEDED\s+(\S+)', text, re.MULTILINE)
    versions = [tuple(map(int, version.split('.'))) for version in re.findall(r' GLIBC_([0-9.]+)$', text, re.MULTILINE)]
    return libraries, max(versions, default=())


def main():
    for path in sys.argv[1:]:
        libraries, version = needs(path)
        print('%s: %s; glibc %s' % (path, ' '.join(libraries), '.'.join(map(str, version))))


if __name__ == '__main__':
    main()
