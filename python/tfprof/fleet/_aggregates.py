"""TopOps and Peaks: questions whose answers are small, added up on the way. All figures are exact, whatever their size."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

import apache_beam as beam

from ._read import rows_of
from ._run_tables import RunTables


class OpTotal(NamedTuple):
    """A type of op over all runs, of a step in the mean of each; None: no run recorded it."""

    op: str
    runs: int
    nodes: int
    picos: int
    accelerator_picos: Optional[int]
    cpu_picos: Optional[int]
    float_ops: Optional[int]
    requested_bytes: Optional[int]


class Peak(NamedTuple):
    """The memory of a device over all runs of a job: the highest peak, the run that had it, and the newest run's."""

    job: str
    device: str
    runs: int
    peak_bytes: int
    peak_run: str
    peak_date: Optional[str]
    newest_bytes: int


class TopOps(beam.PTransform):  # type: ignore[misc]
    """RunTables to an OpTotal for each type of op: the question `top_ops` of the database. With `most`, those that took
    the most time, in a list of that order, as one element."""

    def __init__(self, most: Optional[int] = None) -> None:
        super().__init__()
        self._most = most

    def expand(self, runs: "beam.PCollection[RunTables]") -> "beam.PCollection[Any]":
        totals = (runs | "Ops" >> beam.FlatMap(_ops).with_output_types(Tuple[str, Tuple[Optional[int], ...]])
                  | "Add up" >> beam.CombinePerKey(_add)
                  | "Totals" >> beam.MapTuple(lambda op, sums: OpTotal(op, *sums)).with_output_types(OpTotal))
        if self._most is None:
            return totals
        return totals | "Most time" >> beam.combiners.Top.Of(self._most, key=lambda one: (one.picos, one.op))


def _ops(run: RunTables) -> Iterator[Tuple[str, Tuple[Optional[int], ...]]]:
    for row in rows_of(run, "ops"):
        if row["picos"] is not None:
            yield row["op"], (1, *(row[field] for field in OpTotal._fields[2:]))


def _add(rows: Iterable[Tuple[Optional[int], ...]]) -> Tuple[Optional[int], ...]:
    out: List[Optional[int]] = [0, 0, 0, None, None, None, None]
    for row in rows:
        for i, value in enumerate(row):
            if value is not None:
                out[i] = (out[i] or 0) + value
    return tuple(out)


class Peaks(beam.PTransform):  # type: ignore[misc]
    """RunTables to a Peak for each job and device: the question `peaks` of the database."""

    def expand(self, runs: "beam.PCollection[RunTables]") -> "beam.PCollection[Peak]":
        return (runs | "Of runs" >> beam.FlatMap(_peaks).with_output_types(Tuple[Tuple[str, str], Tuple[Any, ...]])
                | "Highest and newest" >> beam.CombinePerKey(_highest)
                | "Peaks" >> beam.MapTuple(_peak).with_output_types(Peak))


# Of a job's device: runs, the highest peak and the newest one, each as (what decides, what is told).
def _peaks(run: RunTables) -> Iterator[Tuple[Tuple[str, str], Tuple[Any, ...]]]:
    most: Dict[str, int] = {}
    for row in rows_of(run, "memory_peaks"):
        most[row["device"]] = max(most.get(row["device"], row["peak_bytes"]), row["peak_bytes"])
    start = run.columns("runs").arrow()["start_nanos"][0].as_py() or 0
    for device, size in most.items():
        yield (run.job, device), (1, (-size, run.date, run.name), (start, run.date, run.name, size))


def _highest(rows: Iterable[Tuple[Any, ...]]) -> Tuple[Any, ...]:
    out: Optional[Tuple[Any, ...]] = None
    for row in rows:
        out = row if out is None else (out[0] + row[0], min(out[1], row[1]), max(out[2], row[2]))
    return out or ()


def _peak(key: Tuple[str, str], sums: Tuple[Any, ...]) -> Peak:
    runs, (size, date, name), newest = sums
    return Peak(*key, runs, -size, name, date or None, newest[3])
