"""Writes event files (events.out.tfevents.*) record by record."""
import struct

from .wire import field, message


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack('<I', ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data: bytes) -> bytes:
    length = struct.pack('<Q', len(data))
    return length + masked(length) + data + masked(data)


def event(step=None, **fields) -> bytes:
    """event(10, _4=graph): the fields of an Event by number."""
    return record(b'\x09' + struct.pack('<d', 1.5e9) + message(_2=step, **fields))


def run(tag, metadata: bytes, step=None) -> bytes:
    return event(step, _8=message(_1=tag, _2=metadata))


def summary(tag, step) -> bytes:
    return event(step, _5=field(1, message(_1=tag) + b'\x15\0\0\x80\x3f'))


def file(*events: bytes) -> bytes:
    return event(_3='brain.Event:2') + b''.join(events)
