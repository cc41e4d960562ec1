"""The older names, as in the documentation of tf.contrib.tfprof."""
from __future__ import annotations

from typing import Any, Mapping, Optional

from ._api import advise, profile
from ._profile import ALL_ADVICE, Profiler
from .option_builder import ProfileOptionBuilder

TRAINABLE_VARS_PARAMS_STAT_OPTIONS = ProfileOptionBuilder.trainable_variables_parameter()
FLOAT_OPS_OPTIONS = ProfileOptionBuilder.float_operation()
PRINT_ALL_TIMING_MEMORY = ProfileOptionBuilder.time_and_memory(min_micros=1, min_bytes=1)


def print_model_analysis(graph: Any, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = "scope",
                         tfprof_options: Optional[Mapping[str, Any]] = None) -> Any:
    """Prints the report of a view and returns its tree; see `tfprof.profile`.

    >>> from tfprof import model_analyzer
    >>> root = model_analyzer.print_model_analysis('examples/resnet/graph.pb', tfprof_options={
    ...     **model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS, 'account_type_regexes': ['VarHandleOp'],
    ...     'output': 'none'})
    >>> root.total_parameters > 0
    True
    """
    return profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options or TRAINABLE_VARS_PARAMS_STAT_OPTIONS)


__all__ = ["ALL_ADVICE", "FLOAT_OPS_OPTIONS", "PRINT_ALL_TIMING_MEMORY", "Profiler",
           "TRAINABLE_VARS_PARAMS_STAT_OPTIONS", "advise", "print_model_analysis", "profile"]
