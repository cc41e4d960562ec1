"""What TensorFlow's own profiler saw on the host: ops, called functions, and what the allocators gave and took back."""
from __future__ import annotations

import bisect
import sys
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

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


class _Found:
    """What the planes of a trace hold, before it is put in order; the thread of each is a number."""

    def __init__(self) -> None:
        self.executions: List[Tuple[Execution, int]] = []
        self.functions: Dict[str, int] = {}
        self.memory: List[MemoryEvent] = []
        self.calls: List[Tuple[int, int, int]] = []  # of functions: start, end, thread
        self.runs: List[Tuple[int, int]] = []  # of what they call: start, thread
        self.threads = 0
        self.executors: List[int] = []  # when they went to work

    def gaps(self) -> Tuple[List[Tuple[int, int, int]], int]:
        """From the call of each function to its first work, in its thread; and when the last one has ended."""
        self.executors.sort()
        found, last = [], 0
        for start, end, thread in self.calls:
            run = next((at for at, of in self.runs if of == thread and start <= at <= end), None)
            place = len(self.executors) if run is None else bisect.bisect_left(self.executors, run)
            if place < len(self.executors) and self.executors[place] <= end:
                found.append((start, self.executors[place], thread))
                last = max(last, end)
        return found, last or sys.maxsize


def has_accelerators(xspace: bytes) -> bool:
    """Whether something ran on an accelerator, by a serialized XSpace."""
    for field, content in _fields(xspace):
        if field == 1 and isinstance(content, bytes):
            plane = list(_fields(content))
            name = next((_text(value) for key, value in plane if key == 2), "")
            if name.startswith(("/device:GPU", "/device:TPU")) and any(key == 3 for key, _ in plane):
                return True
    return False


def read_trace(xspace: bytes) -> Trace:
    """Reads a serialized XSpace.

    The time between the call of a function and its first work goes into the making of its instance, where it has none
    yet. It is cut out: what comes later comes earlier by so much, so that the step is as long as any other. When
    the last function has ended, the step has: what threads of input pipelines do then is left out.
    """
    found = _Found()
    for field, content in _fields(xspace):
        if field == 1 and isinstance(content, bytes):
            _Plane(content).read(found)
    gaps, end = found.gaps()
    cut = _Cut((start, end) for start, end, _ in gaps)
    making = {thread: _Cut((start, end) for start, end, of in gaps if of == thread) for _, _, thread in gaps}
    executions = []
    for one, thread in found.executions:
        # While an instance is made, its thread computes what is constant.
        if one.start_nanos <= end and not (thread in making and making[thread].within(one.start_nanos)):
            start = cut.moved(one.start_nanos)
            executions.append(one._replace(start_nanos=start, nanos=cut.moved(one.start_nanos + one.nanos) - start))
    # What is given meanwhile, as constants, is held before the step.
    memory = [one._replace(nanos=cut.moved(one.nanos)) for one in found.memory
              if one.bytes < 0 or (one.nanos <= end and not cut.within(one.nanos))]
    executions.sort(key=lambda execution: execution.start_nanos)
    memory.sort(key=lambda event: event.nanos)
    return Trace(executions, sorted(found.functions, key=lambda name: found.functions[name]), memory)


class _Cut:
    """Stretches of time that are left out."""

    def __init__(self, stretches: Iterable[Tuple[int, int]]) -> None:
        self._starts: List[int] = []
        self._ends: List[int] = []
        self._before: List[int] = []  # how much all earlier ones take
        total = 0
        for start, end in sorted(stretches):
            start = max(start, self._ends[-1] if self._ends else start)
            if start < end:
                self._starts.append(start)
                self._ends.append(end)
                self._before.append(total)
                total += end - start

    def moved(self, nanos: int) -> int:
        place = bisect.bisect_right(self._starts, nanos) - 1
        return nanos if place < 0 else nanos - self._before[place] - (min(nanos, self._ends[place])
                                                                      - self._starts[place])

    def within(self, nanos: int) -> bool:
        place = bisect.bisect_right(self._starts, nanos) - 1
        return place >= 0 and nanos < self._ends[place]


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

    def read(self, found: _Found) -> None:
        for number, line in _fields(self._content):
            if number == 3 and isinstance(line, bytes):
                found.threads += 1
                for content, start in _events(line):
                    self._read_event(content, start, found.threads, found)

    def _read_event(self, content: bytes, start: int, thread: int, found: _Found) -> None:
        event = dict(_fields(content))
        name, op = self._names.get(event.get(1, 0), ("", ""))
        nanos = event.get(3, 0) // 1000
        called = name.partition("EagerLocalExecute: ")[2]
        if called:
            found.functions.setdefault(called, start)
            found.calls.append((start, start + nanos, thread))
        elif name == "FunctionRun":
            found.runs.append((start, thread))
        elif name == "ExecutorState::Process":
            found.executors.append(start)
        elif name in (_GIVEN, _TAKEN):
            found.memory.append(self._memory_event(content, start, name == _TAKEN))
        # Ops are the events whose name is NODE:OP.
        elif op and name.endswith(":" + op) and len(name) > len(op) + 1 and "::" not in name:
            found.executions.append((Execution(name[:-len(op) - 1], op, start, nanos), thread))

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


def _events(line: bytes) -> List[Tuple[bytes, int]]:
    """Each event of a thread and its start in nanoseconds, in order of time."""
    fields = list(_fields(line))
    begin = next((value for field, value in fields if field == 3), 0)
    found = []
    for field, content in fields:
        if field == 4 and isinstance(content, bytes):
            offset = next((value for key, value in _fields(content) if key == 2), 0)
            found.append((content, begin + offset // 1000))
    return sorted(found, key=lambda event: event[1])


def _number(value: Any) -> Optional[int]:
    return _signed(value) if isinstance(value, int) else None


def _name(value: Any) -> str:
    return value if isinstance(value, str) else _text(value)
