#!/usr/bin/env python3
"""Makes Debian's libre2.a fit for shared objects.

    shareable_archive.py IN.a OUT.a

Debian builds the archive for executables. All of it can be linked into a shared object but two instructions, which
store the current RE2 in the thread-local `re2::hooks::context` at an address that only an executable can know. That
variable is read by debugging hooks alone, which tfprof does not install. So these stores are replaced by no-ops, each
checked to be exactly that; anything else is an error. Exit status 1: this archive cannot be made to fit.
"""
import struct
import sys
from pathlib import Path

R_NONE, R_TPOFF32 = 0, 23
SHT_SYMTAB, SHT_RELA = 2, 4
CONTEXT = b'_ZN3re25hooks7contextE'
NOP9 = bytes.fromhex('660f1f840000000000')


def members(archive: bytes):
    """Yields (offset, size) of each member's content."""
    if not archive.startswith(b'!<arch>\n'):
        raise ValueError('no archive')
    offset = 8
    while offset + 60 <= len(archive):
        size = int(archive[offset + 48:offset + 58])
        yield offset + 60, size
        offset += 60 + size + (size & 1)


def sections(elf: bytes):
    start, = struct.unpack_from('<Q', elf, 0x28)
    width, count = struct.unpack_from('<HH', elf, 0x3A)
    return [struct.unpack_from('<IIQQQQIIQQ', elf, start + i * width) for i in range(count)]


def symbol_name(elf: bytes, table, index: int, all_sections) -> bytes:
    name, = struct.unpack_from('<I', elf, table[4] + index * 24)
    begin = all_sections[table[6]][4] + name
    return elf[begin:elf.index(b'\0', begin)]


def patch(elf: bytearray) -> int:
    """Replaces the stores of one object file; returns how many."""
    if elf[:6] != b'\x7fELF\x02\x01' or struct.unpack_from('<H', elf, 18)[0] != 62:
        return 0  # the archive's index, or not x86-64: the linker will say what it thinks
    found = 0
    every = sections(elf)
    for section in every:
        if section[1] != SHT_RELA:
            continue
        code, table = every[section[7]], every[section[6]]
        for entry in range(section[4], section[4] + section[5], 24):
            where, info, addend = struct.unpack_from('<QQq', elf, entry)
            if info & 0xFFFFFFFF != R_TPOFF32:
                continue
            name = symbol_name(elf, table, info >> 32, every)
            begin = code[4] + where - 5
            store = bytes(elf[begin:begin + 5])
            # mov %REG, %fs:disp32
            if name != CONTEXT or addend or store[:3] != b'\x64\x48\x89' or store[3] & 0xC7 != 0x04 or store[4] != 0x25:
                raise ValueError('an access to %s that is no plain store' % name.decode())
            elf[begin:begin + 9] = NOP9
            struct.pack_into('<QQq', elf, entry, where, R_NONE, 0)
            found += 1
    return found


def main() -> int:
    source, target = map(Path, sys.argv[1:])
    archive = bytearray(source.read_bytes())
    try:
        for offset, size in list(members(bytes(archive))):
            member = bytearray(archive[offset:offset + size])
            if patch(member):
                archive[offset:offset + size] = member
    except (ValueError, struct.error, IndexError) as error:
        print('%s: cannot be made fit for shared objects: %s' % (source, error), file=sys.stderr)
        return 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(archive)
    return 0


if __name__ == '__main__':
    sys.exit(main())
