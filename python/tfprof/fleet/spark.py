"""The tables of runs as DataFrames of Spark:

    from tfprof.fleet import spark
    tables = spark.read(session, '/data/runs')
    tables['ops'].groupBy('op').sum('picos').show()

Spark lists the files, and executors read them with tfprof and pyarrow, which must be installed there; Beam is not needed.
"""
from __future__ import annotations

import contextlib
import pickle
from typing import IO, TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from .. import tables
from ..tables import _words
from ._copies import HowToRead, look_into, read_group
from ._places import FoundFile, around, base_of, folder_of
from ._run_tables import Failure, RunTables, unpack

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

_PACKED = "run_id long, content string, source string, table string, data binary"
_SAME_STORE = {"s3a": "s3", "s3n": "s3"}  # as Hadoop calls it, and as Arrow does


def read(session: "SparkSession", patterns: Union[str, Sequence[str]], job: Optional[str] = None, date: Optional[str] = None,
         with_: Union[str, Sequence[str]] = (), **options: Any) -> Dict[str, "DataFrame"]:
    """The tables of every run that patterns name, by name, `failures` among them (docs/fleet.md has their columns).

    Runs are read when a table is first asked for, each once: what they hold stays with the executors, in memory or on
    disk, until the DataFrame `tables['packed']` is unpersisted. Of equal runs in one job one stays.

    Args:
      session: a SparkSession.
      patterns: runs, folders of runs, or patterns of them, as Spark takes paths.
      job, date, with_, options: as for `tfprof.tables.read`, for all runs.
    """
    from pyspark import StorageLevel
    from pyspark.sql import functions as f
    how = HowToRead(job, date, _words(with_), options).checked()
    groups = _groups(session, [patterns] if isinstance(patterns, str) else list(patterns))
    packed = groups.mapInArrow(_reader(how), _PACKED).persist(StorageLevel.MEMORY_AND_DISK)
    first = packed.where("table = 'runs'").groupBy("run_id").agg(f.min(f.struct("source", "content")).alias("first"))
    kept = first.select("run_id", "first.source", f.col("first.content").alias("kept"))
    runs = packed.where("table != 'failures'").join(kept, ["run_id", "source"], "left_semi")
    others = packed.where("table = 'runs'").join(kept.drop("source"), "run_id").where("content != kept").select("data")
    failures = packed.where("table = 'failures'").dropDuplicates(["source"]).select("data").union(
        others.mapInArrow(_clashes, "data binary"))
    out = {name: runs.where(f.col("table") == name).select("data").mapInArrow(_unpacker(name), _spark_schema(name))
           for name in how.table_names()}
    out["failures"] = failures.mapInArrow(_unpacker("failures"), _spark_schema("failures"))
    out["packed"] = packed
    return out


def _spark_schema(table: str) -> Any:
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType
    types: Dict[str, Any] = {"integer": LongType(), "real": DoubleType(), "text": StringType()}
    return StructType([StructField(field.name, types[field.type], field.nullable, {"comment": field.doc})
                       for field in tables.schema()[table].fields])


def _groups(session: "SparkSession", patterns: List[str]) -> "DataFrame":
    """A row for each group of files (_places.py): its folder, and the files with their base."""
    from pyspark.sql import functions as f
    out: Optional["DataFrame"] = None
    for pattern in patterns:
        # Without its content, which executors read one run at a time; what is not asked for Spark does not read.
        listed = (session.read.format("binaryFile").option("recursiveFileLookup", "true").load(pattern)
                  .select("path", "length", f.unix_timestamp("modificationTime").alias("modified"))
                  .withColumn("base", f.lit(base_of(pattern))))
        out = listed if out is None else out.union(listed)
    assert out is not None
    files = out.mapInArrow(_foldered, "folder string, path string, length long, modified long, base string").persist()
    kinds = _kinds(session, files)
    owned = files.mapInArrow(_owned(kinds), files.schema)
    return owned.groupBy("folder").agg(f.collect_list(f.struct("path", "length", "modified", "base")).alias("files"))


def _foldered(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
    for batch in batches:
        rows = []
        for row in batch.to_pylist():
            path = _address(row["path"])
            if path.rpartition("/")[2].startswith("."):
                continue
            file = FoundFile(path, row["length"], row["modified"], _base_in(path, row["base"]))
            rows.append((folder_of(file), *file))
        yield _batch(["folder", "path", "length", "modified", "base"], rows)


def _address(path: str) -> str:
    """Spark's address of a local file as the path that it is."""
    if path.startswith("file:"):
        from urllib.parse import unquote
        return "/" + unquote(path[5:]).lstrip("/")
    return path


def _base_in(path: str, base: str) -> str:
    """Spark gives addresses with a scheme, and whole; the base is what the user wrote."""
    import os
    base = _address(base)
    if "://" in base or "://" not in path:
        return base if "://" in base else os.path.abspath(base)
    at = path.find(base.lstrip("/"))
    return path[:at + len(base.lstrip("/"))] if at >= 0 else path.rpartition("/")[0]


def _batch(names: List[str], rows: Sequence[Tuple[Any, ...]]) -> "pyarrow.RecordBatch":
    import pyarrow
    texts = ("folder", "path", "base", "content", "source", "table", "kind")
    types = [pyarrow.string() if name in texts else pyarrow.binary() if name == "data" else pyarrow.int64() for name in names]
    columns = [pyarrow.array([row[i] for row in rows], one) for i, one in enumerate(types)]
    return pyarrow.RecordBatch.from_arrays(columns, names)


def _kinds(session: "SparkSession", files: "DataFrame") -> Dict[str, str]:
    """What folders are that have files and folders below (_copies.look_into). The driver knows the folders, not the files."""
    from pyspark.sql import functions as f
    folders = {(row["folder"], row["base"]) for row in files.select("folder", "base").distinct().collect()}
    outer = {place for pair in folders for place in around(*pair)} & {folder for folder, _ in folders}
    if not outer:
        return {}
    inside = (files.where(f.col("folder").isin(sorted(outer))).groupBy("folder")
              .agg(f.collect_list(f.struct("path", "length", "modified", "base")).alias("files")))

    def look(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
        for folder, found in _rows(batches):
            yield _batch(["folder", "kind"], [(folder, look_into(folder, found, _open))])

    return {row["folder"]: row["kind"] for row in inside.mapInArrow(look, "folder string, kind string").collect()}


def _owned(kinds: Dict[str, str]) -> Any:
    def give(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
        for batch in batches:
            rows = []
            for row in batch.to_pylist():
                if kinds.get(row["folder"]) == "":
                    continue
                owners = [place for place in around(row["folder"], row["base"]) if kinds.get(place) == "owner"]
                rows.append((owners[-1] if owners else row["folder"], row["path"], row["length"], row["modified"], row["base"]))
            yield _batch(["folder", "path", "length", "modified", "base"], rows)
    return give


def _rows(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator[Tuple[str, List[FoundFile]]]:
    for batch in batches:
        for row in batch.to_pylist():
            yield row["folder"], [FoundFile(file["path"], file["length"], file["modified"], file["base"]) for file in row["files"]]


@contextlib.contextmanager
def _open(path: str) -> Iterator[IO[bytes]]:
    if "://" not in path:
        with open(path, "rb") as file:
            yield file
        return
    from pyarrow import fs
    scheme, _, rest = path.partition("://")
    system, inside = fs.FileSystem.from_uri(_SAME_STORE.get(scheme, scheme) + "://" + rest)
    with system.open_input_stream(inside, compression=None) as stream:
        yield stream


def _reader(how: HowToRead) -> Any:
    def read_groups(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
        for folder, files in _rows(batches):
            for one in read_group(folder, files, how, _open):
                yield _batch(["run_id", "content", "source", "table", "data"], _packed(one))
    return read_groups


def _packed(one: Union[RunTables, Failure]) -> List[Tuple[Any, ...]]:
    if isinstance(one, RunTables):
        return [(one.run_id, one.content, one.source, table, one.packed(table)) for table in one.tables()]
    return [(0, "", one.source, "failures", pickle.dumps(tuple(one)))]


def _clashes(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
    for batch in batches:
        runs = [RunTables.of({"runs": unpack("runs", data.as_py())}) for data in batch.column(0)]
        yield _batch(["data"], [(pickle.dumps(tuple(run.clash())),) for run in runs])


def _unpacker(table: str) -> Any:
    def rows(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
        import pyarrow
        wanted = tables.arrow_schema(table)
        plain = pyarrow.schema([(field.name, pyarrow.string() if field.type == pyarrow.large_string() else field.type)
                                for field in wanted])
        for batch in batches:
            for data in batch.column(0):
                if table == "failures":
                    found = pyarrow.Table.from_pylist([dict(zip(Failure._fields, pickle.loads(data.as_py())))], wanted)
                else:
                    found = unpack(table, data.as_py()).arrow()
                yield from found.cast(plain).to_batches(max_chunksize=10_000)
    return rows
