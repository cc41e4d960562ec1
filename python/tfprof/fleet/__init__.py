"""Profiles of many machines: the tables of `tfprof export` made by Apache Beam (`pip install tfprof[beam]`) or Spark.

    python -m tfprof.fleet --input 'gs://bucket/runs/**' --output gs://bucket/tables --runner DataflowRunner ...

Or as parts of a pipeline of one's own:

    with beam.Pipeline() as p:
        found = p | fleet.ReadProfiles('gs://bucket/runs/**')
        found.runs | fleet.TopOps(10) | beam.Map(print)
        found.failures | beam.Map(print)                       # what could not be read, and why

Spark has `tfprof.fleet.spark.read`, which needs no Beam. docs/fleet.md tells how to run each of them.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._aggregates import OpTotal, Peak, Peaks, TopOps
    from ._read import Profiles, ReadProfiles, ToRows
    from ._run_tables import Failure, RunTables
    from ._write import WriteTables

_PLACES = {"ReadProfiles": "_read", "ToRows": "_read", "Profiles": "_read", "TopOps": "_aggregates", "Peaks": "_aggregates",
           "OpTotal": "_aggregates", "Peak": "_aggregates", "WriteTables": "_write", "RunTables": "_run_tables",
           "Failure": "_run_tables"}
__all__ = ["Failure", "OpTotal", "Peak", "Peaks", "Profiles", "ReadProfiles", "RunTables", "ToRows", "TopOps", "WriteTables"]


def __getattr__(name: str) -> Any:
    """Beam is imported by what needs it: Spark's executors may not have it."""
    if name not in _PLACES:
        raise AttributeError("module 'tfprof.fleet' has no attribute %r" % name)
    import importlib
    try:
        return getattr(importlib.import_module("." + _PLACES[name], __name__), name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "apache_beam":
            raise
        raise ImportError("tfprof.fleet.%s needs Apache Beam: pip install 'tfprof[beam]'" % name) from error
