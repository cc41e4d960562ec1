"""Tables of many runs in memory, or as Parquet or Arrow files of a folder.

TABLE/job=JOB/date=DATE/part-KEY.parquet, where KEY is made of the runs in it: a batch that is written again has the
same name. The file of `runs` is written last, and makes the others count: what a crash left without it is removed by
the next export. TABLE/empty.parquet has the schema and no rows, so that a pattern finds a file in any case.
"""
from __future__ import annotations

import hashlib
import os
from typing import IO, TYPE_CHECKING, Any, Dict, List, Optional, Set, Tuple
from urllib.parse import quote

from . import _engine
from .tables import Columns, arrow_schema, schema

if TYPE_CHECKING:
    import pyarrow

LOCK = ".lock"  # who writes the folder holds it, and tells in it which runs came (fleet/_ledger.py)
_BATCH_BYTES = 64 << 20
_BATCH_RUNS = 1000


def _failure_row(failure: Dict[str, Optional[str]]) -> "pyarrow.Table":
    import pyarrow
    return pyarrow.Table.from_pylist([failure], arrow_schema("failures"))


class Memory:
    """Tables that are returned."""

    def __init__(self, names: List[str]) -> None:
        self._parts: Dict[str, List["pyarrow.Table"]] = {name: [arrow_schema(name).empty_table()] for name in names}
        self.tables: Dict[str, "pyarrow.Table"] = {}

    def runs(self) -> Dict[int, str]:
        return {}

    def add(self, tables: Dict[str, Columns]) -> None:
        for name, columns in tables.items():
            self._parts[name].append(columns.arrow())

    def fail(self, failures: Columns) -> None:
        self._parts["failures"].append(failures.arrow())

    def refuse(self, failure: Dict[str, Optional[str]]) -> None:
        self._parts["failures"].append(_failure_row(failure))

    def forgive(self, source: str) -> None:
        pass

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *error: object) -> None:
        import pyarrow
        self.tables = {name: pyarrow.concat_tables(parts).combine_chunks() for name, parts in self._parts.items()}


class TableFolder:
    """A folder of files, one export at a time."""

    def __init__(self, root: str, format: str, partition: str, names: List[str]) -> None:
        self._root, self._format, self._partition, self._names = root, format, partition, names
        self._suffix = "." + format
        self._batch: Dict[str, List[Dict[str, Columns]]] = {}  # by partition
        self._bytes = self._runs = 0
        self._lock: Optional[IO[bytes]] = None
        self._was_broken: Set[str] = set()

    def __enter__(self) -> "TableFolder":
        try:
            os.makedirs(self._root, exist_ok=True)
            self._lock, _ = lock_folder(self._root)
            self._check()
            for name in self._names:
                path = os.path.join(self._root, name, "empty" + self._suffix)
                if not os.path.exists(path):
                    self._write(path, arrow_schema(name).empty_table())
            remove_orphans(self._root, self._suffix)
            self._was_broken = set(os.listdir(os.path.join(self._root, "failures")))
        except OSError as error:
            raise _engine.Error("%s: %s" % (error.filename or self._root, error.strerror)) from error
        return self

    def __exit__(self, kind: Any, *error: object) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            if self._lock is not None:
                self._lock.close()

    def runs(self) -> Dict[int, str]:
        """The content of each that is there, by its key."""
        out: Dict[int, str] = {}
        for path in self._files("runs"):
            out.update(zip(self._read(path, "run_id"), self._read(path, "content")))
        return out

    def add(self, tables: Dict[str, Columns]) -> None:
        runs = tables["runs"]
        date = runs.text("date") or "unknown"
        day = {"day": date, "month": date[:7], "none": ""}[self._partition]
        place = os.path.join("job=" + quote(runs.text("job"), safe=""), "date=" + day) if day else ""
        self._batch.setdefault(place, []).append(tables)
        self._runs += 1
        self._bytes += sum(columns.nbytes for columns in tables.values())
        if self._runs >= _BATCH_RUNS or self._bytes >= _BATCH_BYTES:
            self._flush()

    def fail(self, failures: Columns) -> None:
        self._write(self._failure(failures.text("source")), failures.arrow())

    def refuse(self, failure: Dict[str, Optional[str]]) -> None:
        self._write(self._failure(failure["source"] or ""), _failure_row(failure))

    def forgive(self, source: str) -> None:
        path = self._failure(source)
        if os.path.basename(path) in self._was_broken:
            os.remove(path)

    def _failure(self, source: str) -> str:
        return os.path.join(self._root, "failures", "part-%s%s" % (_key(source), self._suffix))

    def _flush(self) -> None:
        import pyarrow
        for place, runs in self._batch.items():
            key = _key(",".join(sorted(str(run["runs"].integer("run_id")) for run in runs)))
            names = [name for name in self._names if name not in ("failures", "runs")]
            for name in [*names, "runs"]:
                rows = pyarrow.concat_tables([run[name].arrow() for run in runs])
                if name == "runs":
                    tell(self._lock, os.path.join(name, place, "part-%s%s" % (key, self._suffix)), rows["run_id"].to_pylist())
                self._write(os.path.join(self._root, name, place, "part-%s%s" % (key, self._suffix)), rows)
        self._batch, self._runs, self._bytes = {}, 0, 0

    def _write(self, path: str, table: "pyarrow.Table") -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = os.path.join(os.path.dirname(path), ".%s.tmp" % os.path.basename(path))
        try:
            if self._format == "parquet":
                import pyarrow.parquet
                pyarrow.parquet.write_table(table, temporary)
            else:
                import pyarrow.feather
                pyarrow.feather.write_feather(table, temporary)
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.remove(temporary)

    def _read(self, path: str, column: str) -> List[Any]:
        import pyarrow
        try:
            if self._format == "parquet":
                import pyarrow.parquet
                table = pyarrow.parquet.ParquetFile(path).read([column])
            else:
                import pyarrow.feather
                table = pyarrow.feather.read_table(path, [column])
        except (OSError, pyarrow.ArrowException, KeyError) as error:
            raise _engine.Error("%s: cannot be read: %s" % (path, error)) from error
        values: List[int] = table[column].to_pylist()
        return values

    def _files(self, table: str) -> List[str]:
        return _files_of(os.path.join(self._root, table), self._suffix)

    def _check(self) -> None:
        """Refuses a folder that holds tables of another version, or of another format."""
        for ours, other in (("parquet", "arrow"), ("arrow", "parquet")):
            if self._format == ours and os.path.exists(os.path.join(self._root, "runs", "empty." + other)):
                raise _engine.Error("%s: holds tables in the format %s; give another folder" % (self._root, other))
        path = os.path.join(self._root, "runs", "empty" + self._suffix)
        if not os.path.exists(path):
            return
        import pyarrow
        try:
            if self._format == "parquet":
                import pyarrow.parquet
                found = pyarrow.parquet.read_schema(path)
            else:
                import pyarrow.feather
                found = pyarrow.feather.read_table(path).schema
        except (OSError, pyarrow.ArrowException) as error:
            raise _engine.Error("%s: cannot be read: %s" % (path, error)) from error
        wanted = arrow_schema("runs")
        if not found.equals(wanted) or (found.metadata or {}).get(b"tfprof_tables") != wanted.metadata[b"tfprof_tables"]:
            raise _engine.Error("%s: holds tables of another version of tfprof; give another folder" % self._root)


def _files_of(folder: str, suffix: str) -> List[str]:
    out = []
    for place, _, names in os.walk(folder):
        out += [os.path.join(place, name) for name in names if name.startswith("part-") and name.endswith(suffix)]
    return sorted(out)


def remove_orphans(root: str, suffix: str) -> None:
    """What a crash left: files without one of `runs`. Nobody may be in the middle of writing: the lock is held."""
    def stems(table: str) -> Set[str]:
        folder = os.path.join(root, table)
        return {os.path.relpath(path, folder) for path in _files_of(folder, suffix)}

    counted = stems("runs")
    for name in schema():
        if name in ("runs", "failures"):
            continue
        for stem in stems(name) - counted:
            os.remove(os.path.join(root, name, stem))


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def lock_folder(root: str) -> Tuple[IO[bytes], bool]:
    """Waits until no other writes the folder. False: the system cannot tell, and nobody was waited for. Closing gives it back."""
    lock = open(os.path.join(root, LOCK), "a+b")
    try:
        import fcntl
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock, True
    except (ImportError, OSError):
        return lock, False


def tell(lock: Optional[IO[bytes]], path: str, ids: List[int]) -> None:
    """A line of the ledger: how many keys, the keys, the path, which may have blanks. What a crash left of a line ends before it."""
    if lock is not None:
        lock.write(("\n" + " ".join([str(len(ids)), *map(str, ids), path]) + "\n").encode("utf-8", "surrogateescape"))
        lock.flush()
