"""What TensorFlow's own profiler saw on the host: ops, called functions, and what the allocators gave and took back."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._op_log import _fields

_GIVEN, _TAKEN = "MemoryAllocation", "MemoryDeallocation"


class Execution(NamedTuple):
    """One run of one op on the host."""

    node: str
    op: str
    start_nanos: int
    nanos: int


class MemoryEvent(NamedTuple):
    """A block of memory that an allocator gave (bytes > 0) or took back (bytes < 0)."""

    nanos: int
    allocator: str
    bytes: int
    address: int
    in_use: Optional[int]  # of the whole allocator, after it
    node: str  # "": not known


class Trace(NamedTuple):
    """Everything in order of time."""

    executions: List[Execution]
    functions: List[str]  # that were called, each once
    memory: List[MemoryEvent]


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def read_trace(xspace: bytes) -> Trace:
    """Reads a serialized XSpace."""
    executions: List[Execution] = []
    functions: Dict[str, int] = {}
    memory: List[MemoryEvent] = []
    for field, content in _fields(xspace):
        if field == 1 and isinstance(content, bytes):
            _Plane(content).read(executions, functions, memory)
    executions.sort(key=lambda execution: execution.start_nanos)
    memory.sort(key=lambda event: event.nanos)
    return Trace(executions, sorted(functions, key=lambda name: functions[name]), memory)


class _Plane:
    """One plane of a trace: lines of events, whose names lie in a table beside them."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._names: Dict[int, Tuple[str, str]] = {}  # of events: name and display name
        self._stats: Dict[int, str] = {}
        for field, entry in _fields(content):
            if field in (4, 5) and isinstance(entry, bytes):
                metadata = dict(_fields(dict(_fields(entry)).get(2, b"")))
                number, name = metadata.get(1, 0), _text(metadata.get(2))
                if field == 4:
                    self._names[number] = (name, _text(metadata.get(4)))
                else:
                    self._stats[number] = name

    def read(self, executions: List[Execution], functions: Dict[str, int], memory: List[MemoryEvent]) -> None:
        for content, start in self._events():
            event = dict(_fields(content))
            name, op = self._names.get(event.get(1, 0), ("", ""))
            called = name.partition("EagerLocalExecute: ")[2]
            if called:
                functions.setdefault(called, start)
            elif name in (_GIVEN, _TAKEN):
                memory.append(self._memory_event(content, start, name == _TAKEN))
            # Ops are the events whose name is NODE:OP.
            elif op and name.endswith(":" + op) and len(name) > len(op) + 1 and "::" not in name:
                executions.append(Execution(name[:-len(op) - 1], op, start, event.get(3, 0) // 1000))

    def _events(self) -> Iterator[Tuple[bytes, int]]:
        """Each event and its start in nanoseconds."""
        for number, line in _fields(self._content):
            if number != 3 or not isinstance(line, bytes):
                continue
            fields = list(_fields(line))
            begin = next((value for field, value in fields if field == 3), 0)
            for field, content in fields:
                if field == 4 and isinstance(content, bytes):
                    offset = next((value for key, value in _fields(content) if key == 2), 0)
                    yield content, begin + offset // 1000

    def _memory_event(self, content: bytes, nanos: int, taken: bool) -> MemoryEvent:
        found: Dict[str, Any] = {}
        for field, stat in _fields(content):
            if field != 4 or not isinstance(stat, bytes):
                continue
            entry = dict(_fields(stat))
            name = self._stats.get(entry.get(1, 0), "")
            if 7 in entry:  # text that many events share lies in the table of names
                found[name] = self._stats.get(entry[7], "")
            else:
                found[name] = next((value for key, value in entry.items() if key in (3, 4, 5)), 0)
        size = _number(found.get("allocation_bytes")) or _number(found.get("requested_bytes")) or 0
        return MemoryEvent(nanos, _name(found.get("allocator_name")), -size if taken else size,
                           _number(found.get("addr")) or 0, _number(found.get("bytes_allocated")),
                           "" if taken else _name(found.get("tf_op")).partition(":")[0])


def _number(value: Any) -> Optional[int]:
    return _signed(value) if isinstance(value, int) else None


def _name(value: Any) -> str:
    return value if isinstance(value, str) else _text(value)
