"""Fresh instances of tf.functions, whose executions can all be recorded.

TensorFlow's executor measures its kernels, and traces those that it has found cheap no longer: a function that has run
a hundred times seems to do next to nothing. A call with other options gets an instance of its own, with kernels that
are not measured yet, and while they are traced they are not measured. So each recorded step has one; all other steps go
on with the instance that they had.
"""
from __future__ import annotations

import copy
import itertools
from typing import Any, Dict, List, Optional

_number = itertools.count(1)


class FreshInstances:
    """From `begin` to `end` functions that are called in this thread run as fresh instances.

    Where TensorFlow does not know what this needs, nothing happens and `graphs` stays None.
    """

    def __init__(self) -> None:
        self._context: Any = None
        self._options: Any = None
        self.graphs: Optional[List[Any]] = None

    def begin(self) -> None:
        """Functions begin to run as fresh instances, and tell the graphs that they run."""
        try:
            from tensorflow.compat.v1 import ConfigProto  # type: ignore[import-not-found, unused-ignore]
            from tensorflow.python.eager import context
            current = context.context()
            current.ensure_initialized()
            before = current.function_call_options
            config = ConfigProto.FromString(before.config_proto_serialized)
            # A name that nothing else depends on tells the instances apart.
            config.experimental.session_metadata.name = "tfprof"
            config.experimental.session_metadata.version = next(_number)
            options = copy.copy(before)
            options.config_proto_serialized = config
            current.enable_run_metadata()
            current.export_run_metadata()  # what was collected before is not of this step
            current.function_call_options = options
        except (ImportError, AttributeError, TypeError, ValueError):
            return
        self._context, self._options = current, before

    def end(self) -> None:
        """Functions run as before; `graphs` are what ran: RunMetadata.FunctionGraphs."""
        if self._context is None:
            return
        current, self._context = self._context, None
        current.function_call_options = self._options
        try:
            self.graphs = list(current.export_run_metadata().function_graphs)
        finally:
            current.disable_run_metadata()

    def nodes(self) -> Dict[str, Any]:
        """The nodes that the instances had, by name, as far as they are on this machine."""
        found: Dict[str, Any] = {}
        for graphs in self.graphs or ():
            for graph in [graphs.post_optimization_graph, *graphs.partition_graphs]:
                for node in graph.node:
                    found.setdefault(node.name, node)
        return found
