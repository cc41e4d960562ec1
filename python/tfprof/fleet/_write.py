"""WriteTables: the tables of runs as the Parquet files that `tfprof.export` writes, on any file system that Beam knows.

Nothing is written twice, whatever a runner repeats. Runs are grouped by the file they go into, and a file's name is made of
the keys of the runs in it: however often and in whatever order the group is written, it is the same file. Each attempt
writes beside, under a name of its own; what an attempt that counted left is renamed, the file of `runs` last (it makes the
others count), and the rest is removed at the end. Jobs that write one folder at once know of each other by _ledger.py.
"""
from __future__ import annotations

import os
import uuid
from array import array
from bisect import bisect_left
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union
from urllib.parse import quote

import apache_beam as beam
import pyarrow
import pyarrow.compute
import pyarrow.parquet
from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from .. import _engine
from .._table_files import _key, remove_orphans
from ..tables import _words, arrow_schema, schema
from ._aggregates import OpTotal, Peak, Peaks, TopOps
from ._copies import HowToRead
from ._ledger import Added, held, mark
from ._read import Profiles, open_file
from ._run_tables import Failure, RunTables

# What waits for being written, of each table. The rows of a small run as a table of their own take many times their bytes: a
# few runs' are made one.
_ROW_GROUP_BYTES, _SMALL_TABLES = 8 << 20, 32
_MOST_ROWS = 1 << 20
_WHOLE = pyarrow.decimal128(38)  # sums of 64-bit integers


class _File(NamedTuple):
    """A file that an attempt wrote, and what it is to be called."""

    written: str
    final: str


class _Group(NamedTuple):
    """What an attempt wrote of the runs of one file: of each table that has rows, `runs` at the end."""

    ids: List[int]
    files: List[_File]


def _join(*parts: str) -> str:
    return "/".join([parts[0].rstrip("/"), *parts[1:]])


def _make_folder_of(path: str) -> None:
    try:
        FileSystems.mkdirs(path.rpartition("/")[0])
    except Exception:  # it is there, or whoever writes into it tells
        pass


def _create(path: str) -> Any:
    _make_folder_of(path)
    return FileSystems.create(path, "application/octet-stream", CompressionTypes.UNCOMPRESSED)


def _rename(file: _File, replace: bool = False) -> None:
    """May be repeated, and by several at once."""
    if FileSystems.exists(file.final):
        if not replace:
            _delete([file.written])
            return
        if "://" in file.final:
            _delete([file.final])
    _make_folder_of(file.final)
    try:
        FileSystems.rename([file.written], [file.final])
    except Exception:
        if not FileSystems.exists(file.final) or FileSystems.exists(file.written):
            raise


def _delete(paths: Sequence[str]) -> None:
    for path in paths:
        try:
            FileSystems.delete([path])
        except Exception:  # another attempt did it
            if FileSystems.exists(path):
                raise


def _listed(pattern: str) -> List[str]:
    try:
        return [file.path for result in FileSystems.match([pattern]) for file in result.metadata_list]
    except Exception as error:
        if "No files found" in str(error):
            return []
        raise


def check_output(output: str) -> None:
    """Raises tfprof.Error where tables of another version lie there."""
    path = _join(output, "runs", "empty.parquet")
    if not FileSystems.exists(path):
        if FileSystems.exists(_join(output, "runs", "empty.arrow")):
            raise _engine.Error("%s: holds tables in the format arrow; give another folder" % output)
        return
    with open_file(path) as file:
        found = pyarrow.parquet.read_schema(pyarrow.BufferReader(file.read()))
    wanted = arrow_schema("runs")
    if not found.equals(wanted) or (found.metadata or {}).get(b"tfprof_tables") != wanted.metadata[b"tfprof_tables"]:
        raise _engine.Error("%s: holds tables of another version of tfprof; give another folder" % output)


class WriteTables(beam.PTransform):  # type: ignore[misc]
    """Writes what ReadProfiles found below a folder: TABLE/job=JOB/date=DATE/part-KEY.parquet, `failures` among them, and
    the answers of TopOps and Peaks as aggregates/top_ops.parquet and aggregates/peaks.parquet.

    Runs that are in the folder already are left as they are; a failure goes when its input could be read.

    Args:
      output: a folder of any file system that Beam knows.
      with_: as given to ReadProfiles.
      partition: 'day', 'month' (fewer and larger files) or 'none', as in `tfprof.export`.
      shards: files of each partition at most. One worker writes a file: more where partitions are few and large.
    """

    def __init__(self, output: str, with_: Union[str, Sequence[str]] = (), partition: str = "day", shards: int = 1) -> None:
        super().__init__()
        if partition not in ("day", "month", "none"):
            raise ValueError("partition: %r is not one of day, month, none" % (partition,))
        if shards < 1:
            raise ValueError("shards: %r is less than 1" % (shards,))
        self._output, self._partition, self._shards = output.rstrip("/") or "/", partition, shards
        self._names = HowToRead(with_=_words(with_)).checked().table_names()

    def expand(self, found: Profiles) -> "beam.PCollection[str]":
        output, partition, shards = self._output, self._partition, self._shards
        temporary = _join(output, ".temporary", uuid.uuid4().hex)
        pipeline = found.runs.pipeline
        root = pipeline | "Folder" >> beam.Create([output])
        begun = root | "Runs there" >> beam.FlatMap(_begin).with_outputs("mark", main="files")
        there = (begun.files
                 | "Spread" >> beam.Reshuffle() | "Their ids" >> beam.Map(_ids_in)
                 | "All ids" >> beam.CombineGlobally(_Ids()))
        new = found.runs | "New ones" >> beam.FlatMap(_new, beam.pvalue.AsSingleton(there)).with_outputs("failures", main="runs")
        files = (new.runs
                 | "Place" >> beam.Map(lambda run: (_place(run, partition, shards), run)).with_output_types(Tuple[str, RunTables])
                 | "One file" >> beam.GroupByKey()
                 | "Write" >> beam.ParDo(_WriteGroup(output, temporary, self._names)))
        top = found.runs | TopOps() | "All ops" >> beam.combiners.ToList() | "Top ops" >> beam.Map(
            lambda rows: _write_answer(output, temporary, "top_ops", OpTotal, sorted(rows, key=lambda one: (-one.picos, one.op))))
        peaks = found.runs | Peaks() | "All peaks" >> beam.combiners.ToList() | "Highest" >> beam.Map(
            lambda rows: _write_answer(output, temporary, "peaks", Peak, sorted(rows, key=lambda one: (-one.peak_bytes, one[:2]))))
        failures = (found.failures, new.failures) | "All failures" >> beam.Flatten() | "Failed" >> beam.Map(lambda failure: _write_failure(output, temporary, failure))
        empty = root | "Empty tables" >> beam.FlatMap(lambda folder: _write_empty(folder, temporary, [*self._names, "failures"]))
        moved = [files | "Written" >> beam.Reshuffle() | "Commit" >> beam.ParDo(_Commit(output), beam.pvalue.AsSingleton(begun.mark))]
        moved += [(top, peaks, failures) | "Others" >> beam.Flatten() | "Others written" >> beam.Reshuffle() | "Replace" >> beam.Map(
            lambda file: _rename(file, replace=True))]
        moved += [empty | "Empty ones written" >> beam.Reshuffle() | "Keep" >> beam.Map(_rename)]
        moved += [self._forgive(root, found)]
        return (moved | "Everything" >> beam.Flatten() | "Count" >> beam.combiners.Count.Globally()
                | "Clean up" >> beam.Map(lambda _: _clean(output, temporary)))

    def _forgive(self, root: Any, found: Profiles) -> Any:
        """Removes the failures of inputs that can be read now."""
        told = root | "Failures there" >> beam.FlatMap(lambda folder: [
            (path.rpartition("/")[2], path) for path in _listed(_join(folder, "failures", "part-*.parquet"))]
        ).with_output_types(Tuple[str, str])
        well = found.runs | "Read well" >> beam.Map(lambda run: (_failure_name(run.source), True)).with_output_types(Tuple[str, bool])
        return {"told": told, "well": well} | "Failed before" >> beam.CoGroupByKey() | "Forgive" >> beam.Map(
            lambda pair: _delete(list(pair[1]["told"])) if any(pair[1]["well"]) else None)


def _begin(output: str) -> Iterator[Any]:
    """The files of the runs that are there, and how far the ledger was before."""
    with held(output) as ledger:
        if ledger and ledger.alone:
            remove_orphans(output, ".parquet")
        yield beam.pvalue.TaggedOutput("mark", mark(output))
    # `**/` is one folder at least; without partitions there is none.
    yield from sorted({*_listed(_join(output, "runs", "part-*.parquet")), *_listed(_join(output, "runs", "**", "part-*.parquet"))})


def _half(content: str) -> int:
    """Half of the hash of a run's files is enough to see that they are others."""
    return int(content[:16], 16)


def _ids_in(path: str) -> List[Tuple[int, int]]:
    with open_file(path) as file:
        rows = pyarrow.parquet.read_table(pyarrow.BufferReader(file.read()), columns=["run_id", "content"])
    return [(run_id, _half(content)) for run_id, content in zip(rows["run_id"].to_pylist(), rows["content"].to_pylist())]


class _Ids(beam.CombineFn):  # type: ignore[misc]
    """The keys and contents of runs, sorted: 16 bytes for each, so that a worker can hold those of many millions."""

    def create_accumulator(self) -> bytes:
        return b""

    def add_input(self, ids: bytes, more: List[Tuple[int, int]]) -> bytes:
        return ids + array("Q", [number for pair in more for number in pair]).tobytes()

    def merge_accumulators(self, parts: Iterable[bytes]) -> bytes:
        return b"".join(parts)

    def extract_output(self, ids: bytes) -> bytes:
        numbers = array("Q", ids)
        pairs = sorted(zip(numbers[::2], numbers[1::2]))
        return array("Q", [pair[0] for pair in pairs] + [pair[1] for pair in pairs]).tobytes()


def _new(run: RunTables, there: bytes) -> Iterator[Any]:
    numbers = memoryview(there).cast("Q")
    count = len(numbers) // 2
    at = bisect_left(numbers, run.run_id, 0, count)
    if at == count or numbers[at] != run.run_id:
        yield run
    elif numbers[count + at] != _half(run.content):
        yield beam.pvalue.TaggedOutput("failures", run.clash())


def _place(run: RunTables, partition: str, shards: int) -> str:
    """The folder below that of a table, and which of its files."""
    date = run.date or "unknown"
    day = {"day": date, "month": date[:7], "none": ""}[partition]
    folder = "job=%s/date=%s" % (quote(run.job, safe=""), day) if day else ""
    return "%s#%d" % (folder, run.run_id % shards)


class _WriteGroup(beam.DoFn):  # type: ignore[misc]
    """The runs of one file to files beside, one for each table."""

    def __init__(self, output: str, temporary: str, names: List[str]) -> None:
        super().__init__()
        self._output, self._temporary, self._names = output, temporary, names

    def process(self, group: Tuple[str, Iterable[RunTables]]) -> Iterator[_Group]:
        folder = group[0].rpartition("#")[0]
        attempt, ids = uuid.uuid4().hex, []
        tables = {name: _TableFile(name, _join(self._temporary, "%s-%s" % (attempt, name))) for name in self._names}
        for run in group[1]:
            ids.append(run.run_id)
            for name in run.tables():
                if name in tables:
                    tables[name].add(run.columns(name).arrow())
        name = _name_of(ids)
        files = []
        for table in sorted(tables, key="runs".__eq__):  # at the end
            written = tables[table].close()
            if written:
                files.append(_File(written, _join(self._output, table, *([folder] if folder else []), name)))
        yield _Group(ids, files)


def _name_of(ids: Iterable[int]) -> str:
    return "part-%s.parquet" % _key(",".join(map(str, sorted(ids))))


class _TableFile:
    """A Parquet file that grows by row groups, so that memory stays bounded. It is made when it gets its first rows."""

    def __init__(self, table: str, path: str) -> None:
        self._table, self._path = table, path
        self._rows: List[pyarrow.Table] = []
        self._small: List[pyarrow.Table] = []
        self._bytes = 0
        self._file: Any = None
        self._writer: Optional[pyarrow.parquet.ParquetWriter] = None

    def add(self, rows: pyarrow.Table) -> None:
        self._small.append(rows)
        self._bytes += rows.nbytes
        if self._bytes >= _ROW_GROUP_BYTES:
            self._flush()
        elif len(self._small) >= _SMALL_TABLES:
            self._join_small()

    def close(self) -> str:
        """Its path; '': there are no rows."""
        self._flush()
        if self._writer is None:
            return ""
        self._writer.close()
        self._file.close()
        return self._path

    def _join_small(self) -> None:
        if self._small:
            self._rows.append(pyarrow.concat_tables(self._small).combine_chunks())
            self._small = []

    def _flush(self) -> None:
        self._join_small()
        if not self._rows:
            return
        if self._writer is None:
            self._file = _create(self._path)
            self._writer = pyarrow.parquet.ParquetWriter(self._file, arrow_schema(self._table))
        self._writer.write_table(pyarrow.concat_tables(self._rows), row_group_size=_MOST_ROWS)
        self._rows, self._bytes = [], 0


def _write(path: str, table: pyarrow.Table) -> None:
    with _create(path) as file:
        pyarrow.parquet.write_table(table, file)


def _beside(temporary: str) -> str:
    return _join(temporary, uuid.uuid4().hex)


def _write_empty(output: str, temporary: str, names: List[str]) -> Iterator[_File]:
    for name in names:
        file = _File(_beside(temporary), _join(output, name, "empty.parquet"))
        if not FileSystems.exists(file.final):
            _write(file.written, arrow_schema(name).empty_table())
            yield file


def _failure_name(source: str) -> str:
    return "part-%s.parquet" % _key(source)


def _write_failure(output: str, temporary: str, failure: Failure) -> _File:
    file = _File(_beside(temporary), _join(output, "failures", _failure_name(failure.source)))
    _write(file.written, pyarrow.Table.from_pylist([failure._asdict()], arrow_schema("failures")))
    return file


def _write_answer(output: str, temporary: str, name: str, kind: Any, rows: Sequence[Any]) -> _File:
    file = _File(_beside(temporary), _join(output, "aggregates", name + ".parquet"))
    texts = ("op", "job", "device", "peak_run", "peak_date")
    fields = [(field, pyarrow.large_string() if field in texts else _WHOLE) for field in kind._fields]
    columns = [pyarrow.array([row[i] for row in rows], field[1]) for i, field in enumerate(fields)]
    _write(file.written, pyarrow.Table.from_arrays(columns, schema=pyarrow.schema(fields)))
    return file


class _Commit(beam.DoFn):  # type: ignore[misc]
    """Gives the files of a group their names, without the runs that another job added since this one began."""

    def __init__(self, output: str) -> None:
        super().__init__()
        self._output = output
        self._added: Optional[Added] = None

    def process(self, group: _Group, begin: int) -> Iterator[None]:
        with held(self._output) as ledger:
            if ledger:
                self._added = self._added or Added(begin)
                group = _without_others(group, self._output, self._added.among(group.ids, ledger))
                if group.ids:
                    ledger.add(os.path.relpath(group.files[-1].final, self._output), group.ids)
            for file in group.files:
                _rename(file)
        yield None


def _without_others(group: _Group, output: str, added: Dict[int, str]) -> _Group:
    """Itself, where none of its runs is there; else what is left of it, in files of its own."""
    counts = group.files[-1].final  # the file of `runs`
    others = {run_id for run_id in group.ids if run_id in added and _join(output, added[run_id]) != counts}
    if not others or FileSystems.exists(counts):
        return group
    left = [run_id for run_id in group.ids if run_id not in others]
    files = []
    for file in group.files:
        written = _beside(file.written.rpartition("/")[0])
        # An attempt may have been ended in the middle, where some had got their names.
        if left and _copy_runs(file.written if FileSystems.exists(file.written) else file.final, written, left):
            files.append(_File(written, _join(file.final.rpartition("/")[0], _name_of(left))))
    _delete([path for file in group.files for path in file])
    return _Group(left, files)


def _copy_runs(source: str, to: str, ids: List[int]) -> bool:
    """The rows of some runs; False: there are none, and no file. One row group at a time."""
    wanted = pyarrow.array(ids, pyarrow.int64())
    with pyarrow.parquet.ParquetFile(source) as found, pyarrow.parquet.ParquetWriter(to, found.schema_arrow) as writer:
        count = 0
        for i in range(found.num_row_groups):
            rows = found.read_row_group(i)
            rows = rows.filter(pyarrow.compute.is_in(rows["run_id"], wanted))
            count += rows.num_rows
            if rows.num_rows:
                writer.write_table(rows)
    if not count:
        os.remove(to)
    return count > 0


def _clean(output: str, temporary: str) -> str:
    _delete(_listed(_join(temporary, "*")))
    for folder in (temporary, temporary.rpartition("/")[0]):
        try:
            os.rmdir(folder)
        except OSError:  # others write there, or it is a store without folders
            pass
    return output
