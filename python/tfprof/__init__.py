"""tfprof: a profiler for TensorFlow models, on an engine of its own.

Analysis needs no TensorFlow: graphs, run metadata, op logs, saved profiles, checkpoints and SavedModels are read as
files, bytes or protos. With TensorFlow in the process it records: `ProfileContext` for sessions, `Tracer` for
tf.function, `tfprof.keras.ProfileCallback` for Keras; with JAX or TensorFlow 2 `tfprof.trace` captures what they run.

    import tfprof
    print(tfprof.summary('run/'))
    tfprof.profile('graph.pb', 'run_meta_10', cmd='op', options={'select': ['micros'], 'order_by': 'micros'})

The names and meanings of tf.compat.v1.profiler hold: change the import line and go on.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from ._api import (Comparison, advise, diff, flops, load, memory, model, profile, profile_and_save, summary)
from ._engine import Error, version as __version__
from ._nodes import Advice, Checker, GraphNode, MultiGraphNode, Node, Report, Text
from ._op_log import write_op_log
from ._profile import ALL_ADVICE, Profile, Profiler
from .option_builder import ProfileOptionBuilder

if TYPE_CHECKING:
    from . import keras, model_analyzer, tables, tfprof_logger
    from ._memory import record_cpu_memory
    from ._op_log_proto import OpLogProto
    from ._oom import oom, oom_guard
    from ._ui import ui
    from .capture import step, trace
    from .profile_context import ProfileContext
    from .tables import export
    from .tracing import Tracer

# What is not needed to read a report is imported when it is first asked for.
_LATER = {"OpLogProto": "_op_log_proto", "ProfileContext": "profile_context", "Tracer": "tracing", "export": "tables",
          "keras": "keras", "model_analyzer": "model_analyzer", "oom": "_oom", "oom_guard": "_oom",
          "record_cpu_memory": "_memory", "step": "capture", "tables": "tables", "tfprof_logger": "tfprof_logger",
          "trace": "capture", "ui": "_ui"}
# TensorFlow's names of the results.
GraphNodeProto, MultiGraphNodeProto, AdviceProto = GraphNode, MultiGraphNode, Advice

__all__ = [
    "ALL_ADVICE", "Advice", "AdviceProto", "Checker", "Comparison", "Error", "GraphNode", "GraphNodeProto",
    "MultiGraphNode", "MultiGraphNodeProto", "Node", "OpLogProto", "Profile", "ProfileContext", "ProfileOptionBuilder",
    "Profiler", "Report", "Text", "Tracer", "__version__", "advise", "diff", "export", "flops", "keras", "load", "memory",
    "model", "model_analyzer", "oom", "oom_guard", "profile", "profile_and_save", "record_cpu_memory", "step",
    "summary", "tables", "tfprof_logger", "trace", "ui", "write_op_log",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError("module 'tfprof' has no attribute %r" % name)
    import importlib
    module = importlib.import_module("." + _LATER[name], __name__)
    value = module if _LATER[name] == name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted(__all__)
