"""Memory of TensorFlow 2 on CPUs: its switch, and which execution each block belongs to."""
from __future__ import annotations

import bisect
import os
import sys
from typing import Any, Container, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from ._xspace import Execution, MemoryEvent

SWITCH = "TF_CPU_ALLOCATOR_USE_BFC"


def switched_on() -> bool:
    """Whether the environment asks TensorFlow for an allocator that tells what it does."""
    return os.environ.get(SWITCH, "").lower() in ("1", "true")


def record_cpu_memory() -> None:
    """Makes TensorFlow tell each allocation on the CPU, so that recordings have memory; before TensorFlow starts.

    TensorFlow's usual CPU allocator tells nothing. `TF_CPU_ALLOCATOR_USE_BFC=1` in the environment chooses one that
    does. TensorFlow looks at it once, when it makes its first tensor or asks for its devices.

    Raises:
      RuntimeError: TensorFlow has started without it, so that nothing can be recorded in this process.
    """
    if switched_on():
        return
    if _started():
        raise RuntimeError(
            "memory cannot be recorded: TensorFlow has already started with an allocator that tells nothing. Call "
            "tfprof.record_cpu_memory() at the start of the program, before the first tensor, variable or model is "
            "made, or set %s=1 in its environment" % SWITCH)
    os.environ[SWITCH] = "1"


def _started() -> bool:
    """Whether TensorFlow has chosen its CPU allocator."""
    if "tensorflow" not in sys.modules:
        return False
    from tensorflow.python.eager import context
    return bool(getattr(context.context(), "_initialized", True))


class Use(NamedTuple):
    """What one execution had from one allocator."""

    allocator: str
    records: List[Tuple[int, int]]  # (nanos, bytes): given, and taken back
    in_use: Optional[int]  # of the whole allocator, when the execution ended


def by_execution(executions: Sequence[Execution], events: Iterable[MemoryEvent], ran: Container[str]
                 ) -> Tuple[Dict[int, List[Use]], List[Execution]]:
    """Uses by the execution's place, and executions that must be added: of nodes that `ran` and got memory, but were
    not timed.

    A block belongs to the run of its op that goes on at that moment, or else to the one that began last.
    """
    starts: Dict[str, List[Tuple[int, int]]] = {}
    for number, execution in enumerate(executions):
        starts.setdefault(execution.node, []).append((execution.start_nanos, number))
    added: List[Execution] = []
    uses: Dict[Tuple[int, str], Use] = {}
    held: Dict[Tuple[str, int], Tuple[int, str]] = {}  # by allocator and address: whose
    in_use: Dict[str, List[Tuple[int, int]]] = {}
    for event in events:
        if event.in_use is not None:
            in_use.setdefault(event.allocator, []).append((event.nanos, event.in_use))
        address = (event.allocator, event.address)
        if event.bytes < 0:
            owner = held.pop(address, None)  # without: it was given before the recording
            if owner is not None:
                uses[owner].records.append((event.nanos, event.bytes))
            continue
        if not event.node:
            continue
        place = _place(starts, event)
        if place is None and event.node not in ran:
            continue
        if place is None:
            place = len(executions) + len(added)
            added.append(Execution(event.node, "", event.nanos, 0))
            starts[event.node] = [(event.nanos, place)]
        owner = held[address] = (place, event.allocator)
        uses.setdefault(owner, Use(event.allocator, [], None)).records.append((event.nanos, event.bytes))
    found: Dict[int, List[Use]] = {}
    for (number, allocator), use in uses.items():
        execution = executions[number] if number < len(executions) else added[number - len(executions)]
        course = in_use.get(allocator, [])
        last = bisect.bisect_right(course, (execution.start_nanos + execution.nanos, sys.maxsize)) - 1
        found.setdefault(number, []).append(use._replace(in_use=course[last][1] if last >= 0 else None))
    return found, added


def _place(starts: Dict[str, List[Tuple[int, int]]], event: MemoryEvent) -> Optional[int]:
    runs = starts.get(event.node)
    if not runs:
        return None
    return runs[max(0, bisect.bisect_right(runs, (event.nanos, sys.maxsize)) - 1)][1]


def add_to(stats: Any, uses: Iterable[Use]) -> None:
    """Writes the uses into a NodeExecStats."""
    for use in uses:
        memory = stats.memory.add(allocator_name=use.allocator)
        live = peak = total = 0
        for nanos, size in sorted(use.records):
            memory.allocation_records.add(alloc_micros=nanos // 1000, alloc_bytes=size)
            live += size
            peak = max(peak, live)
            total += max(size, 0)
        memory.total_bytes, memory.peak_bytes, memory.live_bytes = total, peak, live
        if use.in_use is not None:
            memory.allocator_bytes_in_use = use.in_use
