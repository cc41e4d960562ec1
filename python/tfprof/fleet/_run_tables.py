"""What flows through a pipeline: the tables of one run, packed, and inputs that could not be read."""
from __future__ import annotations

import pickle
import zlib
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..tables import Columns, schema

_Buffer = Tuple[bytes, Optional[bytes], bytes, int]


class Failure(NamedTuple):
    """A row of the table `failures`."""

    source: str
    job: str
    date: Optional[str]
    reason: str


class RunTables:
    """The tables of one run. They are packed, since engines move them between machines: `columns` unpacks one."""

    __slots__ = ("run_id", "content", "job", "date", "name", "source", "_packed")

    def __init__(self, run_id: int, content: str, job: str, date: str, name: str, source: str, packed: Dict[str, bytes]) -> None:
        self.run_id, self.content, self.job, self.date, self.name, self.source = run_id, content, job, date, name, source
        self._packed = packed

    @classmethod
    def of(cls, tables: Dict[str, Columns]) -> "RunTables":
        """Of what `tfprof.tables.read` returned for a run that could be read."""
        run = tables["runs"]
        packed = {name: pack(columns) for name, columns in tables.items() if columns.rows}
        return cls(run.integer("run_id"), run.text("content"), run.text("job"), run.text("date"), run.text("name"), run.text("source"),
                   packed)

    def clash(self) -> "Failure":
        """That another run has its key: by chance, which is rare, but never silent."""
        return Failure(self.source, self.job, self.date or None, "%s: another run has the same key %d; give this one another job" % (
            self.source, self.run_id))

    def tables(self) -> List[str]:
        """Those that have rows."""
        return list(self._packed)

    def columns(self, table: str) -> Columns:
        """One table, in the layout of Arrow: `.arrow()` is a pyarrow.Table."""
        if table in self._packed:
            return unpack(table, self._packed[table])
        texts = [field.type == "text" for field in schema()[table].fields]
        return Columns(table, 0, [(b"", bytes(8) if text else None, b"", 0) for text in texts])

    def packed(self, table: str) -> bytes:
        """One table as it is moved; `unpack` reads it."""
        return self._packed[table]

    def __reduce__(self) -> Tuple[object, ...]:
        return RunTables, (self.run_id, self.content, self.job, self.date, self.name, self.source, self._packed)

    def __repr__(self) -> str:
        return "<RunTables %s of %s>" % (self.name, self.job)


def pack(columns: Columns) -> bytes:
    return zlib.compress(pickle.dumps((columns.rows, list(columns._buffers)), 4), 1)


def unpack(table: str, data: bytes) -> Columns:
    rows, buffers = pickle.loads(zlib.decompress(data))
    return Columns(table, rows, buffers)


def with_text_replaced(columns: Columns, old: str, new: str) -> Columns:
    """The same rows with one text for another wherever it stands: the address for that of a local copy."""
    before, after = old.encode(), new.encode()
    buffers: List[_Buffer] = []
    for values, offsets, valid, nulls in columns._buffers:
        if offsets is not None and before in values:
            values, offsets = _replaced(values, memoryview(offsets).cast("q"), before, after)
        buffers.append((values, offsets, valid, nulls))
    return Columns(columns.name, columns.rows, buffers)


def _replaced(values: bytes, ends: Sequence[int], before: bytes, after: bytes) -> Tuple[bytes, bytes]:
    from array import array
    texts = [values[start:end].replace(before, after) for start, end in zip(ends, ends[1:])]
    moved = array("q", [0])
    for text in texts:
        moved.append(moved[-1] + len(text))
    return b"".join(texts), moved.tobytes()
