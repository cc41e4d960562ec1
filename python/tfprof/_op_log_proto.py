"""OpLogProto without TensorFlow: an op log of one's own, filled as TensorFlow's is."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List

from ._op_log import _fields, _message, _number


class OpLogEntry:
    """What is known of one node: float ops, types of one's own. A call stack that was read is kept."""

    __slots__ = ("name", "float_ops", "types", "_rest")

    def __init__(self, name: str = "", float_ops: int = 0, types: Iterable[str] = ()) -> None:
        self.name, self.float_ops, self.types = name, float_ops, list(types)
        self._rest = b""

    def SerializeToString(self) -> bytes:
        """The wire form."""
        name = _message(1, self.name.encode()) if self.name else b""
        types = b"".join(_message(3, text.encode()) for text in self.types)
        return name + _number(2, int(self.float_ops)) + types + self._rest

    def __repr__(self) -> str:
        return "OpLogEntry(name=%r, float_ops=%d, types=%r)" % (self.name, self.float_ops, self.types)


class _Entries(List[OpLogEntry]):
    def add(self, **fields: Any) -> OpLogEntry:
        """A new entry at the end."""
        entry = OpLogEntry(**fields)
        self.append(entry)
        return entry


class OpLogProto:
    """An op log: `log_entries`, and `id_to_string`, which call stacks point into.

    >>> import tfprof
    >>> log = tfprof.OpLogProto()
    >>> entry = log.log_entries.add(name='conv', float_ops=7, types=['mine'])
    >>> log.SerializeToString()
    b'\\n\\x0e\\n\\x04conv\\x10\\x07\\x1a\\x04mine'
    >>> tfprof.OpLogProto.FromString(log.SerializeToString()).log_entries
    [OpLogEntry(name='conv', float_ops=7, types=['mine'])]
    """

    def __init__(self) -> None:
        self.log_entries = _Entries()
        self.id_to_string: Dict[int, str] = {}

    @classmethod
    def FromString(cls, content: bytes) -> "OpLogProto":
        """Reads the wire form."""
        log = cls()
        log.ParseFromString(content)
        return log

    def ParseFromString(self, content: bytes) -> int:
        """Reads the wire form in place of what is here."""
        self.log_entries.clear()
        self.id_to_string.clear()
        for field, value in _fields(content):
            if field == 1 and isinstance(value, bytes):
                _read_entry(value, self.log_entries.add())
            elif field == 2 and isinstance(value, bytes):
                pair = dict(_fields(value))
                self.id_to_string[pair.get(1, 0)] = pair.get(2, b"").decode("utf-8", "replace")
        return len(content)

    def SerializeToString(self) -> bytes:
        """The wire form, as `tfprof_log` has it."""
        entries = (_message(1, entry.SerializeToString()) for entry in self.log_entries)
        strings = (_message(2, _number(1, number) + _message(2, text.encode("utf-8", "replace")))
                   for number, text in self.id_to_string.items())
        return b"".join([*entries, *strings])


def _read_entry(content: bytes, entry: OpLogEntry) -> None:
    for field, value in _fields(content):
        if field == 1 and isinstance(value, bytes):
            entry.name = value.decode("utf-8", "replace")
        elif field == 2 and isinstance(value, int):
            entry.float_ops = value - (1 << 64) if value >> 63 else value
        elif field == 3 and isinstance(value, bytes):
            entry.types.append(value.decode("utf-8", "replace"))
        elif field == 4 and isinstance(value, bytes):
            entry._rest += _message(4, value)
