"""Runs as tables: the schema, the rows of one run as columns, and Parquet or Arrow files of many.

`tfprof.export` writes them; this module is what it is made of, for programs that bring runs from elsewhere:

    from tfprof import tables
    for run in tables.find_runs('runs/'):
        for name, columns in tables.read(run, job='nightly').items():
            write(name, columns.arrow())     # a pyarrow.Table; columns.rows says how many

One call of `read` is one pass through the engine; its memory goes with what it returns. A run that cannot be read
raises nothing: it is the one row of the table `failures`, and all other tables are empty. docs/fleet.md has the schema.
"""
from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from . import _engine, _options
from ._nodes import missing

if TYPE_CHECKING:
    import pyarrow

PathLike = Union[str, "os.PathLike[str]"]


class Field(NamedTuple):
    """A column of a table."""

    name: str
    type: str  # integer (64 bits), real, text
    nullable: bool  # null: not recorded
    doc: str


class Table(NamedTuple):
    """A table of the schema."""

    name: str
    doc: str
    key: str  # columns with commas between: no two rows have the same
    on_request: bool  # only with with_=...
    fields: List[Field]


class Question(NamedTuple):
    """A ready question: a view of the database, whose SQL runs in DuckDB too."""

    name: str
    doc: str
    sql: str


class Run(NamedTuple):
    """A run that was found."""

    name: str  # within the folder that was given
    source: str
    inputs: List[str]  # what is read
    modified: int = 0  # of its newest file, seconds since 1970; 0: not known
    error: str = ""  # why it is refused


version: int = _engine.schema()[0]


@lru_cache(maxsize=None)
def schema() -> Dict[str, Table]:
    """All tables by name."""
    return {row[0]: Table(*row[:4], [Field(*field) for field in row[4]]) for row in _engine.schema()[1]}


@lru_cache(maxsize=None)
def questions() -> Dict[str, Question]:
    """All ready questions by name."""
    return {row[0]: Question(*row) for row in _engine.schema()[2]}


def _pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise missing("pyarrow", what) from None
    return pyarrow


@lru_cache(maxsize=None)
def arrow_schema(table: str) -> "pyarrow.Schema":
    """The schema of a table for Arrow and Parquet, with its documentation and version."""
    pa = _pyarrow("arrow_schema()")
    types = {"integer": pa.int64(), "real": pa.float64(), "text": pa.large_string()}
    spec = schema()[table]
    return pa.schema([pa.field(field.name, types[field.type], field.nullable, {"doc": field.doc}) for field in spec.fields],
                     {"tfprof_tables": str(version), "doc": spec.doc})


class Columns:
    """The rows of one run in one table."""

    def __init__(self, name: str, rows: int, buffers: Sequence[Tuple[bytes, Optional[bytes], bytes, int]]) -> None:
        self.name = name
        self.rows = rows
        self._buffers = buffers

    @property
    def nbytes(self) -> int:
        return sum(len(part or b"") for column in self._buffers for part in column[:3])

    def arrow(self) -> "pyarrow.Table":
        """As a pyarrow.Table, without a copy of the values."""
        pa = _pyarrow("arrow()")
        wanted, arrays = arrow_schema(self.name), []
        for field, (values, offsets, valid, nulls) in zip(wanted, self._buffers):
            parts = [pa.py_buffer(valid) if nulls else None]
            if offsets is not None:
                parts.append(pa.py_buffer(offsets))
            arrays.append(pa.Array.from_buffers(field.type, self.rows, [*parts, pa.py_buffer(values)], nulls))
        return pa.Table.from_arrays(arrays, schema=wanted)

    def text(self, column: str, row: int = 0) -> str:
        """One cell of a column of texts."""
        at = [field.name for field in schema()[self.name].fields].index(column)
        values, offsets, _, _ = self._buffers[at]
        assert offsets is not None
        ends = memoryview(offsets).cast("q")
        return values[ends[row]:ends[row + 1]].decode("utf-8", "replace")

    def integer(self, column: str, row: int = 0) -> int:
        """The same of a column of integers."""
        at = [field.name for field in schema()[self.name].fields].index(column)
        return memoryview(self._buffers[at][0]).cast("q")[row]

    def __len__(self) -> int:
        return self.rows


def _paths(inputs: Union[PathLike, Sequence[PathLike]]) -> List[str]:
    several = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    if not several or not all(isinstance(item, (str, os.PathLike)) for item in several):
        raise ValueError("a path, or several, are needed, not %r" % (inputs,))
    return [os.fspath(item) for item in several]


def _words(with_: Union[str, Sequence[str]]) -> str:
    return with_ if isinstance(with_, str) else ",".join(with_)


def _pairs(job: Optional[str], date: Optional[str], options: Dict[str, Any]) -> _options.Pairs:
    labels = {key: value for key, value in (("job", job), ("date", date)) if value is not None}
    return _options.to_pairs({**options, **labels})


def find_runs(inputs: Union[PathLike, Sequence[PathLike]]) -> List[Run]:
    """The runs below paths, as the command line finds them: runs themselves, folders of runs, files."""
    return [Run(*row) for row in _engine.runs([("inputs", _paths(inputs))])]


def read(run: Union[Run, PathLike], job: Optional[str] = None, date: Optional[str] = None,
         with_: Union[str, Sequence[str]] = (), **options: Any) -> Dict[str, Columns]:
    """The tables of one run, by name. Options say how to read it, as those of `tfprof.load` do.

    `run` is a path, or what `find_runs` found; a Run of one's own gives a local copy the name and the source that
    rows shall tell: `Run('run_7', 'gs://bucket/run_7', ['/tmp/copy'])`.
    """
    if not isinstance(run, Run):
        found = find_runs(run)
        if len(found) != 1:
            raise ValueError("%s: is a folder of %d runs; find_runs() lists them" % (run, len(found)))
        run = found[0]
    rows = _engine.tables(run, _pairs(job, date, options), [], _words(with_))
    return {name: Columns(name, count, columns) for name, count, columns in rows}


def duckdb_views(folder: PathLike) -> str:
    """SQL that makes the tables and questions of a folder of Parquet files views of DuckDB: `connection.execute(...)`."""
    root = os.path.abspath(os.fspath(folder))
    out = []
    for table in schema():
        if os.path.isdir(os.path.join(root, table)):
            pattern = os.path.join(root, table, "**", "*.parquet").replace("'", "''")
            out.append("create or replace view %s as select * from read_parquet('%s', hive_partitioning=false);" % (
                table, pattern))
    out += ["create or replace view %s as %s;" % (question.name, question.sql) for question in questions().values()]
    return "\n".join(out)


class Export:
    """What `export` did: runs added, known (there already, nothing changed) and failed; the first failures in words.
    With format='arrow' and no output `tables` has them, by name."""

    def __init__(self) -> None:
        self.added = self.known = self.failed = 0
        self.failures: List[str] = []
        self.tables: Dict[str, "pyarrow.Table"] = {}

    def __repr__(self) -> str:
        return "<Export: %d added, %d known, %d failed>" % (self.added, self.known, self.failed)


FORMATS = ("sqlite", "csv", "parquet", "arrow")


def export(inputs: Union[PathLike, Sequence[PathLike]], output: Optional[PathLike] = None, format: Optional[str] = None, *,
           job: Optional[str] = None, date: Optional[str] = None, with_: Union[str, Sequence[str]] = (),
           partition: str = "day", **options: Any) -> Export:
    """Writes the rows of runs as tables with one documented schema (docs/fleet.md).

    >>> import tfprof
    >>> tfprof.export('examples/resnet', format='arrow').tables['steps'].num_rows    # doctest: +SKIP
    3

    Args:
      inputs: runs, or folders of runs.
      output: a database (sqlite: appended to), or a folder; None with format='arrow': the tables are returned.
      format: sqlite, csv, parquet or arrow; default by the name of the output: a folder is parquet, a file sqlite.
      job: what the runs belong to; default the folder around each.
      date: YYYY-MM-DD; default the day each was recorded on.
      with_: 'executions', 'allocations' or both: these large tables too.
      partition: of parquet and arrow, TABLE/job=JOB/date=DATE/: 'day', 'month' (fewer and larger files) or 'none'.

    A run that is there already is left as it is; one that cannot be read is a row of `failures`, and the others go on.
    """
    from ._profile import _log
    result, paths = Export(), _paths(inputs)
    format = format or ("arrow" if output is None else "parquet" if os.path.isdir(output) or os.fspath(output).endswith("/")
                        else "sqlite")
    if format not in FORMATS:
        raise ValueError("format: %r is not one of %s" % (format, ", ".join(FORMATS)))
    if output is None and format != "arrow":
        raise ValueError("export: format %r needs an output" % format)
    if partition not in ("day", "month", "none"):
        raise ValueError("partition: %r is not one of day, month, none" % (partition,))
    pairs = _pairs(job, date, options)
    if format in ("sqlite", "csv"):
        assert output is not None
        result.added, result.known, result.failed, result.failures = _engine.export(
            [("inputs", paths), *pairs], os.fspath(output), format, _words(with_))
    else:
        for path in paths:
            if not os.path.exists(path):
                raise _engine.Error("%s: there is no such file or directory" % path)
        _pyarrow("export(format=%r)" % format)
        _export_columns(_each(paths, pairs, _words(with_)), output, format, partition, _words(with_), result)
    _log(result.failures)
    return result


def _each(paths: List[str], pairs: _options.Pairs, with_: str) -> Iterator[Dict[str, Columns]]:
    for run in find_runs(paths):
        yield {name: Columns(name, count, columns) for name, count, columns in _engine.tables(run, pairs, [], with_)}


def _export_columns(runs: Iterator[Dict[str, Columns]], output: Optional[PathLike], format: str, partition: str, with_: str,
                    result: Export) -> None:
    from ._table_files import Memory, TableFolder
    names = [table.name for table in schema().values() if not table.on_request or table.name in with_.split(",")]
    place = Memory(names) if output is None else TableFolder(os.fspath(output), format, partition, names)
    with place:
        seen: Dict[int, str] = place.runs()
        known: Set[int] = set(seen)
        for tables in runs:
            failures = tables["failures"]
            if failures.rows:
                result.failed += 1
                if len(result.failures) < 5:
                    result.failures.append(failures.text("reason"))
                place.fail(failures)
                continue
            run = tables["runs"]
            run_id, content, source = run.integer("run_id"), run.text("content"), run.text("source")
            if seen.setdefault(run_id, content) != content:  # by chance, which is rare, but never silent
                reason = "%s: another run has the same key %d; give this one another job" % (source, run_id)
                result.failed += 1
                if len(result.failures) < 5:
                    result.failures.append(reason)
                place.refuse({"source": source, "job": run.text("job"), "date": run.text("date") or None, "reason": reason})
                continue
            place.forgive(source)
            if run_id in known:
                result.known += 1
                continue
            known.add(run_id)
            place.add(tables)
            result.added += 1
    if isinstance(place, Memory):
        result.tables = place.tables
