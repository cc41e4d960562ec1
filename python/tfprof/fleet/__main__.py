"""`python -m tfprof.fleet`: the tables and answers of any number of runs, on any runner of Apache Beam."""
from __future__ import annotations

import argparse
import json
import sys
from typing import Any, List, Optional, Sequence, Tuple

_EPILOG = """What is not listed goes to Beam: --runner DirectRunner --direct_running_mode multi_processing --direct_num_workers 8, or
--runner DataflowRunner --project P --region R --temp_location gs://... (docs/fleet.md)."""


def _option(text: str) -> Tuple[str, Any]:
    name, equal, value = text.partition("=")
    if not equal:
        raise argparse.ArgumentTypeError("%r is not NAME=VALUE" % text)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _arguments(arguments: Optional[Sequence[str]]) -> Tuple[argparse.Namespace, List[str]]:
    parser = argparse.ArgumentParser("python -m tfprof.fleet", description=__doc__, epilog=_EPILOG, allow_abbrev=False)
    parser.add_argument("--input", required=True, action="append", metavar="PATTERN",
                        help="runs, folders of runs or patterns of them, on any file system that Beam knows; may be repeated")
    parser.add_argument("--output", required=True, metavar="DIR", help="folder of the tables; runs that are there stay")
    parser.add_argument("--job", help="what the runs belong to; default the folder around each")
    parser.add_argument("--date", help="YYYY-MM-DD; default the day each was recorded on")
    parser.add_argument("--with", dest="with_", default="", metavar="TABLES", help="executions, allocations or both: these large tables too")
    parser.add_argument("--each", choices=("folder", "file"), default="folder", help="file: every file is a run of its own")
    parser.add_argument("--partition", choices=("day", "month", "none"), default="day", help="folders of the tables, by date")
    parser.add_argument("--shards", type=int, default=1, metavar="N", help="files of each partition at most (1)")
    parser.add_argument("--option", action="append", type=_option, default=[], metavar="NAME=VALUE",
                        help="an option that says how runs are read, as of tfprof.load")
    return parser.parse_known_args(arguments)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given, rest = _arguments(arguments)
    try:
        import apache_beam as beam
    except ImportError:
        print("tfprof.fleet needs Apache Beam: pip install 'tfprof[beam]'", file=sys.stderr)
        return 1
    from apache_beam.options.pipeline_options import PipelineOptions

    from .. import _engine
    from ._read import ReadProfiles
    from ._write import WriteTables, check_output
    try:
        check_output(given.output)
        read = ReadProfiles(given.input, given.job, given.date, given.with_, given.each, **dict(given.option))
        write = WriteTables(given.output, given.with_, given.partition, given.shards)
    except (_engine.Error, ValueError) as error:
        print("tfprof: %s" % error, file=sys.stderr)
        return 1
    pipeline = beam.Pipeline(options=PipelineOptions(rest))
    pipeline | "Read profiles" >> read | "Write tables" >> write
    result = pipeline.run()
    state = result.wait_until_finish()
    return 0 if state in (None, "DONE") else 1


if __name__ == "__main__":
    sys.exit(main())
