"""ReadProfiles and ToRows: from patterns to runs, and to rows."""
from __future__ import annotations

from typing import IO, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, cast

import apache_beam as beam
from apache_beam.io.filesystem import CompressionTypes, FileMetadata
from apache_beam.io.filesystems import FileSystems

from ..tables import _words, schema
from ._copies import HowToRead, look_into, read_group
from ._places import FoundFile, around, base_of, folder_of, is_pattern, patterns_of
from ._run_tables import Failure, RunTables

Keyed = Tuple[str, FoundFile]


class Profiles(NamedTuple):
    """What ReadProfiles finds."""

    runs: "beam.PCollection[RunTables]"  # no two with the same run_id
    failures: "beam.PCollection[Failure]"


def open_file(path: str) -> IO[bytes]:
    """Its bytes as they are: the engine unpacks what is packed."""
    return cast("IO[bytes]", FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED))


class ReadProfiles(beam.PTransform):  # type: ignore[misc]
    """Reads every run that patterns name, from any file system that Beam knows, each through the engine of tfprof.

    A pattern names files or folders (`gs://bucket/runs`, `/data/*/run_*`, `s3://bucket/runs/**`): a folder with files is
    a run with all that lies below it, as for `tfprof export`. Without patterns the input is a PCollection of them.

    Args:
      patterns: one or several.
      job, date, with_, options: as for `tfprof.tables.read`, for all runs.
      each: 'folder', or 'file': every file that a pattern names is a run of its own.

    Returns Profiles: `runs`, RunTables without duplicates (of equal files in one job the one with the smallest address
    stays), and `failures`, a Failure for each input that could not be read. Only what Beam raises itself ends a job.
    """

    def __init__(self, patterns: Union[str, Sequence[str], None] = None, job: Optional[str] = None, date: Optional[str] = None,
                 with_: Union[str, Sequence[str]] = (), each: str = "folder", **options: Any) -> None:
        super().__init__()
        if each not in ("folder", "file"):
            raise ValueError("each: %r is not one of folder, file" % (each,))
        self._patterns = [patterns] if isinstance(patterns, str) else None if patterns is None else list(patterns)
        self._how = HowToRead(job, date, _words(with_), options).checked()
        self._each = each

    def expand(self, begin: Any) -> Profiles:
        if self._patterns is not None:
            begin = begin | "Patterns" >> beam.Create(self._patterns)
        found = begin | "Match" >> beam.ParDo(_Match(self._each)).with_outputs("failures", main="files")
        files = found.files
        if self._each == "folder":
            files = files | "Runs around" >> _ToOutermostRun()
        read = (files
                | "One run" >> beam.GroupByKey()
                | "Read" >> beam.ParDo(_Read(self._how)).with_outputs("failures", main="runs"))
        # No combiner: it would keep many runs in memory on its way to the shuffle.
        runs = (read.runs
                | "By id" >> beam.Map(lambda run: (run.run_id, run)).with_output_types(Tuple[int, RunTables])
                | "Equal ones" >> beam.GroupByKey()
                | "First of equals" >> beam.FlatMap(_first).with_outputs("failures", main="runs"))
        failures = ((found.failures, read.failures, runs.failures) | "Failures" >> beam.Flatten()
                    | "By source" >> beam.Map(lambda one: (one.source, one)).with_output_types(Tuple[str, Failure])
                    | "Told once" >> beam.GroupByKey()
                    | "First reason" >> beam.Map(lambda pair: min(pair[1], key=lambda one: one.reason)).with_output_types(Failure))
        return Profiles(runs.runs, failures)


def _first(pair: Tuple[int, Iterable[RunTables]]) -> Iterator[Any]:
    """One at a time in memory: there may be many equal ones."""
    runs = iter(pair[1])
    first, others = next(runs), []
    for run in runs:
        if run.source.split("/") < first.source.split("/"):
            first, run = run, first
        others.append((run.content, run.clash()))
    yield first
    for content, failure in others:
        if content != first.content:
            yield beam.pvalue.TaggedOutput("failures", failure)


class _Match(beam.DoFn):  # type: ignore[misc]
    """Patterns to (folder, file)."""

    def __init__(self, each: str) -> None:
        super().__init__()
        self._each = each

    def process(self, pattern: str) -> Iterator[Any]:
        found: Dict[str, FileMetadata] = {}
        problem = "nothing is there"
        for one in patterns_of(pattern):
            try:
                for result in FileSystems.match([one]):
                    found.update((file.path, file) for file in result.metadata_list)
            except Exception as error:  # what file systems raise is theirs to choose
                problem = str(error)
        if not is_pattern(pattern) and len(found) > 1:
            found.pop(pattern.rstrip("/"), None)  # local file systems match the folder too
        alone = not is_pattern(pattern) and pattern in found  # a file was given
        base = base_of(pattern) if not alone else pattern.rpartition("/")[0] or "."
        any_file = False
        for path, file in found.items():
            if path.endswith("/") or path.rpartition("/")[2].startswith("."):
                continue
            any_file = True
            one_file = FoundFile(path, file.size_in_bytes, int(file.last_updated_in_seconds or 0), base)
            yield (path if alone or self._each == "file" else folder_of(one_file)), one_file
        if not any_file:
            yield beam.pvalue.TaggedOutput("failures", Failure(pattern, "", None, "%s: %s" % (pattern, problem)))


class _ToOutermostRun(beam.PTransform):  # type: ignore[misc]
    """Gives files below a run to that run, and leaves out those of folders that hold nothing to read beside runs."""

    def expand(self, files: Any) -> Any:
        folders = (files | "Folders" >> beam.Map(lambda pair: (pair[0], pair[1].base)).with_output_types(Tuple[str, str])
                   | "Each once" >> beam.Distinct())
        inside = (folders | "Around" >> beam.FlatMap(lambda pair: [(folder, True) for folder in around(*pair)])
                  .with_output_types(Tuple[str, bool]) | "Each around once" >> beam.Distinct())
        kinds = ({"files": files, "inside": inside} | "Files and folders" >> beam.CoGroupByKey()
                 | "Look into" >> beam.FlatMap(_kind_of_outer).with_output_types(Tuple[str, str]))
        return files | "Owner" >> beam.FlatMap(_to_owner, beam.pvalue.AsDict(kinds)).with_output_types(Tuple[str, FoundFile])


def _kind_of_outer(pair: Tuple[str, Dict[str, Iterable[Any]]]) -> Iterator[Tuple[str, str]]:
    folder, both = pair
    files = list(both["files"])
    if files and any(True for _ in both["inside"]):
        yield folder, look_into(folder, files, open_file)


def _to_owner(pair: Keyed, kinds: Dict[str, str]) -> Iterator[Keyed]:
    folder, file = pair
    if file.path == folder:  # a file that was given is a run
        yield pair
        return
    if kinds.get(folder) == "":
        return
    owners = [place for place in around(folder, file.base) if kinds.get(place) == "owner"]
    yield (owners[-1] if owners else folder), file


class _Read(beam.DoFn):  # type: ignore[misc]
    def __init__(self, how: HowToRead) -> None:
        super().__init__()
        self._how = how
        self._runs = beam.metrics.Metrics.counter("tfprof", "runs")
        self._failures = beam.metrics.Metrics.counter("tfprof", "failures")

    def process(self, group: Tuple[str, Iterable[FoundFile]]) -> Iterator[Any]:
        for one in read_group(group[0], list(group[1]), self._how, open_file):
            if isinstance(one, Failure):
                self._failures.inc()
                yield beam.pvalue.TaggedOutput("failures", one)
            else:
                self._runs.inc()
                yield one


class ToRows(beam.PTransform):  # type: ignore[misc]
    """RunTables to the rows of one table, as dicts by column; what was not recorded is None.

        found.runs | fleet.ToRows('steps') | beam.Filter(lambda step: (step['idle_nanos'] or 0) > 10**6)
    """

    def __init__(self, table: str) -> None:
        super().__init__()
        if table not in schema() or table == "failures":
            raise ValueError("table: %r is not one of %s" % (table, ", ".join(name for name in schema() if name != "failures")))
        self._table = table

    def expand(self, runs: "beam.PCollection[RunTables]") -> "beam.PCollection[Dict[str, Any]]":
        table = self._table
        return runs | table >> beam.FlatMap(lambda run: rows_of(run, table)).with_output_types(Dict[str, Any])


def rows_of(run: RunTables, table: str) -> Iterator[Dict[str, Any]]:
    """Not all at once: a large run has millions."""
    for batch in run.columns(table).arrow().to_batches(max_chunksize=1000):
        yield from cast("List[Dict[str, Any]]", batch.to_pylist())
