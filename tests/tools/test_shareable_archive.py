"""tools/shareable_archive.py changes what it knows, and nothing else."""
import struct
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / 'tools'))

import shareable_archive  # noqa: E402

STORE = bytes.fromhex('6448891c25') + bytes(4)  # mov %rbx, %fs:disp32
LOAD = bytes.fromhex('64488b1c25') + bytes(4)


def made_object(code, name=b'_ZN3re25hooks7contextE', relocation=shareable_archive.R_TPOFF32):
    """An ELF object with one function and one relocation in it."""
    strings = b'\0' + name + b'\0'
    symbols = bytes(24) + struct.pack('<IBBHQQ', 1, 0x16, 0, 0, 0, 0)
    relocations = struct.pack('<QQq', 5, 1 << 32 | relocation, 0)
    parts = [b'', code, symbols, strings, relocations]
    kinds = [(0, 0, 0), (1, 0, 0), (shareable_archive.SHT_SYMTAB, 3, 0), (3, 0, 0), (shareable_archive.SHT_RELA, 2, 1)]
    offset, headers = 64, b''
    for content, (kind, link, info) in zip(parts, kinds):
        headers += struct.pack('<IIQQQQIIQQ', 0, kind, 0, 0, offset, len(content), link, info, 1, 24)
        offset += len(content)
    header = bytearray(64)
    header[:6] = b'\x7fELF\x02\x01'
    struct.pack_into('<H', header, 18, 62)
    struct.pack_into('<Q', header, 0x28, offset)
    struct.pack_into('<HH', header, 0x3A, 64, len(parts))
    return bytearray(bytes(header) + b''.join(parts) + headers)


def test_stores_become_no_ops():
    elf = made_object(STORE)
    assert shareable_archive.patch(elf) == 1
    assert elf[64:73] == shareable_archive.NOP9 and b'\x17' not in elf[-5 * 64 - 24:-5 * 64]


@pytest.mark.parametrize('elf', [made_object(LOAD), made_object(STORE, b'other')])
def test_anything_else_is_refused(elf):
    with pytest.raises(ValueError):
        shareable_archive.patch(elf)


def test_other_objects_stay_as_they_are():
    elf = made_object(STORE, relocation=2)
    before = bytes(elf)
    assert shareable_archive.patch(elf) == 0 and elf == before
    assert shareable_archive.patch(bytearray(b'index')) == 0


def test_no_archive(tmp_path):
    (tmp_path / 'in').write_bytes(b'nothing')
    done = subprocess.run([sys.executable, str(REPOSITORY / 'tools' / 'shareable_archive.py'), str(tmp_path / 'in'),
                           str(tmp_path / 'out')], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and 'no archive' in done.stderr and not (tmp_path / 'out').exists()
