"""What callers give as graph, run metadata and op log, as inputs of the engine: paths, or bytes in memory."""
from __future__ import annotations

import os
import sys
from typing import Any, List, Optional, Tuple, Union

Given = Union[str, bytes]  # a path, or the bytes of a serialized proto


def tensorflow(what: str) -> Any:
    """The package tensorflow, for what cannot do without it."""
    try:
        import tensorflow
    except ImportError:
        from ._nodes import missing
        raise missing("tensorflow", what) from None
    return tensorflow


def is_graph(value: object) -> bool:
    """Whether this is a tf.Graph, asked without importing TensorFlow."""
    return hasattr(value, "as_graph_def") and hasattr(value, "get_operations")


def default_graph() -> Any:
    """The default graph where TensorFlow is in use and in graph mode; None otherwise."""
    tf = sys.modules.get("tensorflow")
    if tf is None or not hasattr(tf, "compat") or tf.executing_eagerly():
        return None
    return tf.compat.v1.get_default_graph()


def read(value: Any, what: str) -> Given:
    """A path as str, everything else as bytes. ValueError: it is neither."""
    if isinstance(value, (str, os.PathLike)):
        path = os.fspath(value)
        return os.fsdecode(path)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "SerializeToString"):
        serialized: bytes = value.SerializeToString()
        return serialized
    raise ValueError("%s: a path, bytes or a proto is needed, not %s" % (what, type(value).__name__))


def read_run_meta(value: Any) -> Given:
    """Run metadata: RunMetadata, bytes or a path."""
    return read(value, "run_meta")


class Inputs:
    """Collects the inputs of one load."""

    def __init__(self) -> None:
        self.pairs: List[Tuple[str, Union[str, List[str]]]] = []
        self.files: List[Tuple[str, bytes]] = []
        self._inputs: List[str] = []
        self._runs: List[str] = []
        self.open_sizes: List[str] = []  # of a model's inputs, as INPUT:AXIS

    def _name(self, given: Given, name: str) -> Optional[str]:
        if isinstance(given, str):
            return given
        if not given:
            return None  # an empty proto says nothing
        self.files.append((name, given))
        return name

    def add(self, given: Given, name: str) -> None:
        """Something that is recognised by its content."""
        path = self._name(given, name)
        if path is not None:
            self._inputs.append(path)
        elif name == "<graph>":
            from ._engine import Error
            raise Error("the graph is empty")

    def add_graph_def(self, serialized: bytes) -> None:
        """A GraphDef that is known to be one."""
        self.files.append(("<graph>", serialized))
        self.pairs.append(("graph_path", "<graph>"))

    def add_op_log(self, given: Given) -> None:
        path = self._name(given, "<op_log>")
        if path is not None:
            self.pairs.append(("op_log_path", path))

    def add_step(self, step: int, given: Given) -> None:
        path = self._name(given, "<run_meta of step %d>" % step)
        if path is not None:
            self._runs.append("%d=%s" % (step, path))

    def finish(self) -> None:
        if self._inputs:
            self.pairs.append(("inputs", self._inputs))
        if self._runs:
            self.pairs.append(("run_meta_path", self._runs))
