#!/usr/bin/env python3
"""Packs recorded models, with what TensorFlow says of their shapes and float ops, into models/recorded.tar.xz.

    pack_models.py RECORDED      RECORDED/MODEL/{*.pb, *.meta, *.shapes.json, *.flops.json, facts.json, saved_model/}

The values of variables and of large constants are replaced by zeros, which xz makes nothing of: shapes and counts do not
depend on them. The same input gives the same bytes. Needed only when the recordings change.
"""
import io
import json
import lzma
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEAVE_OUT = ('functions.json', 'variables.data-00000-of-00001', 'graph_stripped_defaults.pb')
FACTS = ('params', 'signature_flops', 'unrolled_flops')


def varint(data: bytes, at: int):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def without_values(data: bytes, path=()) -> bytes:
    """GraphDef with tensor_content of constants above 4 kB set to zeros: node (1), attr (5), value (2), tensor (8), 4."""
    out, at = bytearray(), 0
    while at < len(data):
        start = at
        tag, at = varint(data, at)
        if tag & 7 == 2:
            size, at = varint(data, at)
            body = data[at:at + size]
            here = path + (tag >> 3,)
            if here == (1, 5, 2, 8, 4) and size > 4096:
                body = bytes(size)
            elif here == (1, 5, 2, 8, 4)[:len(here)] and len(here) < 5:
                body = without_values(body, here)
            out += data[start:at] + body
            at += size
        else:
            at = varint(data, at)[1] if tag & 7 == 0 else at + (4 if tag & 7 == 5 else 8)
            out += data[start:at]
    return bytes(out)


def content(path: Path) -> bytes:
    data = path.read_bytes()
    if path.name == 'facts.json':
        facts = json.loads(data)
        return json.dumps({key: facts[key] for key in FACTS if key in facts}, sort_keys=True).encode()
    if path.suffix == '.json':
        return json.dumps(json.loads(data), separators=(',', ':')).encode()
    return without_values(data) if path.suffix == '.pb' and path.name != 'saved_model.pb' else data


def main() -> None:
    root = Path(sys.argv[1])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode='w', format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(root.rglob('*')):
            if not path.is_file() or path.name.endswith(LEAVE_OUT):
                continue
            data = content(path)
            entry = tarfile.TarInfo(str(path.relative_to(root)))
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    target = HERE / 'models' / 'recorded.tar.xz'
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == '__main__':
    main()
