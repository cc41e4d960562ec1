"""Writes checkpoints, V1 and V2, byte by byte: small ones, sound or broken in ways that no writer would."""
import struct

from support import wire

MAGIC = bytes.fromhex('57FB808B247547DB')

FLOAT, INT32, INT8, STRING, INT64, VARIANT = 1, 3, 6, 7, 9, 21


def _table():
    out = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        out.append(byte)
    return out


_CRC = _table()


def crc32c(data: bytes, crc: int = 0) -> int:
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def mask(crc: int) -> int:
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def block(entries, restart_points=None) -> bytes:
    """Entries as they are, each a restart point of its own."""
    out, points = b'', []
    for key, value in entries:
        points.append(len(out))
        out += wire.varint(0) + wire.varint(len(key)) + wire.varint(len(value)) + key + value
    points = (points or [0]) if restart_points is None else restart_points
    return out + struct.pack('<%dI' % (len(points) + 1), *points, len(points))


def snappy(data: bytes) -> bytes:
    """Literals alone: the format without its point."""
    out = wire.varint(len(data))
    for at in range(0, len(data), 60):
        part = data[at:at + 60]
        out += bytes([(len(part) - 1) << 2]) + part
    return out


def handle(offset: int, size: int) -> bytes:
    return wire.varint(offset) + wire.varint(size)


def table(entries, blocks=1, packed=False, index_block=None, footer=None) -> bytes:
    """A table file: `entries` are (key, value), in order, spread over so many blocks."""
    entries = [(k.encode() if isinstance(k, str) else k, v) for k, v in entries]
    file = b''

    def add(content: bytes) -> bytes:
        nonlocal file
        content, kind = (snappy(content), b'\1') if packed else (content, b'\0')
        place = handle(len(file), len(content))
        file += content + kind + struct.pack('<I', mask(crc32c(content + kind)))
        return place

    size = -(-len(entries) // blocks)
    index = []
    for at in range(0, len(entries), size):
        part = entries[at:at + size]
        index.append((part[-1][0], add(block(part))))
    meta = add(block([]))
    place = add(block(index) if index_block is None else index_block)
    footer = meta + place if footer is None else footer
    return file + footer.ljust(40, b'\0') + MAGIC


def fixed32(number: int, value: int) -> bytes:
    return wire.varint(number << 3 | 5) + struct.pack('<I', value)


def extent(start=None, length=None) -> bytes:
    return wire.field(1, wire.message(_1=start, _2=length))


def slice_proto(*extents) -> bytes:
    """(start, length) per dimension; None is a whole one."""
    return b''.join(extent() if e is None else extent(e[0] or None, e[1]) for e in extents)


def ordered_signed(number: int) -> bytes:
    magnitude = ~number if number < 0 else number
    size = magnitude.bit_length() // 7 + 1
    out = bytearray((number & (1 << 80) - 1).to_bytes(10, 'big')[10 - size:])
    header = 0xFFFF << (16 - size) & 0xFFFF
    out[0] ^= header >> 8
    if size > 1:
        out[1] ^= header & 255
    return bytes(out)


def slice_key(name: str, *extents) -> bytes:
    rank = len(extents)
    key = b'\0' + name.encode() + b'\0\1' + (bytes([1, rank]) if rank else b'\0')
    for start, length in ((0, -1) if e is None else e for e in extents):
        key += ordered_signed(start) + ordered_signed(length)
    return key


def header(shards=1, endianness=None, min_consumer=None) -> tuple:
    return b'', wire.message(_1=shards, _2=endianness, _3=wire.message(_1=1, _2=min_consumer))


def entry(dtype, dims, data=b'', offset=0, shard=None, size=None, crc=None, slices=()) -> bytes:
    """A BundleEntryProto for `data` at `offset`; what is given explicitly may be wrong."""
    crc = mask(crc32c(data)) if crc is None else crc
    size = len(data) if size is None else size
    body = wire.message(_1=dtype, _2=wire.shape(dims), _3=shard, _4=offset or None, _5=size or None)
    return body + fixed32(6, crc) + wire.field(7, list(slices))


def strings(*elements: bytes) -> tuple:
    """The stored form of a string tensor, and its checksum."""
    crc = crc32c(b''.join(struct.pack('<I', len(e)) for e in elements))
    check = struct.pack('<I', mask(crc))
    body = b''.join(elements)
    return b''.join(wire.varint(len(e)) for e in elements) + check + body, mask(crc32c(check + body, crc))


def v1_meta(*tensors) -> tuple:
    """(name, dims, dtype, slices)"""
    rows = [wire.message(_1=n, _2=wire.shape(d), _3=t, _4=list(s)) for n, d, t, s in tensors]
    return b'', wire.field(1, wire.field(1, rows))


def v1_slice(name: str, extents, values: bytes) -> tuple:
    """`values`: the fields of a TensorProto."""
    body = wire.message(_1=name, _2=slice_proto(*extents), _3=values)
    return slice_key(name, *extents), wire.field(2, body)
