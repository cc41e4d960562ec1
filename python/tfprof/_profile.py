"""Profiles: loaded inputs that every report is made from."""
from __future__ import annotations

import os
import sys
import threading
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _engine, _options
from ._columns import names_needing
from ._inputs import Given, Inputs, default_graph, is_graph, read, read_run_meta
from ._nodes import Advice, GraphNode, MultiGraphNode, Node, Report, Text
from ._op_log import LiveGraph

ALL_ADVICE: Dict[str, Dict[str, Any]] = {name: {} for name in (
    "DroppedEventChecker", "AcceleratorUtilizationChecker", "CollectiveChecker", "CopyChecker",
    "ExpensiveOperationChecker", "IdleGapChecker", "ImbalanceChecker", "InputPipelineChecker", "LaunchChecker",
    "LongLifeChecker", "OccupancyChecker", "OperationChecker", "PaddingChecker", "ParameterPlacementChecker",
    "PlacementChecker", "RecompilationChecker", "RecomputeChecker", "TinyOpChecker", "TransposeChecker")}
VIEWS = ("scope", "graph", "op", "code")


class Kind(NamedTuple):
    """A row of the engine's table: what a kind of report is, takes, and needs of its input."""

    loads: bool
    executions: bool
    float_ops: bool
    arguments: str
    summary: str
    options: List[str]


KINDS = {row[0]: Kind(*row[1:]) for row in _engine.kinds()}
# A checker that TensorFlow's documentation names but never had outside.
_NOT_OUTSIDE = {"JobChecker"}


def _log(messages: List[str], level: str = "warning") -> None:
    if messages:
        import logging
        logger = logging.getLogger("tfprof")
        for message in messages:
            getattr(logger, level)("%s", message)


def _emit(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def _timeline_file(file: str, view: str, steps: object, handle: _engine.Profile) -> str:
    """The file that a view's timeline goes to: FILE_STEP, as TensorFlow names it; Perfetto's own format, which
    TensorFlow does not have, keeps its ending. Of several steps the engine makes as many files."""
    if file.endswith((".pftrace", ".perfetto-trace")):
        return file
    text = _options.steps_text(steps)
    if view == "graph" and not text.isdigit():
        import json
        info, _, _ = _engine.make("info", handle, [], ())
        known = json.loads(_engine.render(info, "json"))["steps"]
        if len(known) != 1:
            return file
        text = str(known[0]["step"])
    return "%s_%s" % (file, text)


class Source:
    """Inputs, loaded when the first report needs them and again when they have changed."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._loaded: Dict[Tuple[Any, ...], Tuple[_engine.Profile, bool]] = {}
        self.notes: List[str] = []

    def _inputs(self, view: str) -> Inputs:
        raise NotImplementedError

    def _state(self, view: str) -> Tuple[Any, ...]:
        """What the inputs of a view depend on beside the options."""
        return (0,)

    def _input_options(self) -> Mapping[str, Any]:
        return {}

    def _handle(self, pairs: _options.Pairs, executions: bool = False, view: str = "", float_ops: bool = False
                ) -> _engine.Profile:
        """The loaded inputs for these options; those that say how to read are kept apart."""
        table = _options.table()
        reading = [pair for pair in pairs if pair[0] in table and table[pair[0]].group == "input"]
        if float_ops or any(_wants_float_ops(*pair) for pair in pairs):
            reading.append(("select", ["float_ops"]))
        with self._lock:
            key = (self._state(view), str(reading))
            found = self._loaded.get(key)
            if found is None or (executions and not found[1]):
                inputs = self._inputs(view)
                inputs.finish()
                handle, self.notes = _engine.load([*inputs.pairs, *reading], inputs.files, executions)
                _log(self.notes, "info")
                self._loaded = {k: v for k, v in self._loaded.items() if k[0][0] == key[0][0]}
                self._loaded[key] = found = (handle, executions)
            return found[0]

    def _report(self, view: str, options: Mapping[str, Any], quiet: bool = False) -> Report:
        if view not in VIEWS:
            raise ValueError("%r is no view: %s" % (view, ", ".join(VIEWS)))
        if not isinstance(options, Mapping):
            raise ValueError("options: %r is no dict; ProfileOptionBuilder makes one" % (options,))
        merged = {**self._input_options(), **options}
        kind, file = ("none", "") if quiet else _options.destination(merged)
        pairs = _options.to_pairs(merged)
        handle = self._handle(pairs, kind == "timeline" and view == "graph", view)
        made, columns = _engine.report(handle, view, pairs)
        report = Report(made, columns, view, handle, bool(options.get("show_input_output")))
        _log(report.warnings)
        _log(report.notes, "info")
        if kind == "stdout":
            _emit(report.render("text"))
        elif kind == "file":
            _engine.write_file(file, report.render("text").encode("utf-8", "surrogateescape"))
        elif kind == "timeline":
            _engine.timeline(handle, made, _timeline_file(file, view, merged.get("step", -1), handle), False)
        elif kind in ("pprof", "folded"):
            _engine.stacks(made, kind, file)
        return report

    def _view(self, view: str, options: Mapping[str, Any], quiet: bool = False) -> Any:
        return self._report(view, options, quiet).root

    def _text(self, what: str, options: Mapping[str, Any]) -> Any:
        pairs = _options.to_pairs({**self._input_options(), **options})
        kind = KINDS[what]
        handle = self._handle(pairs, executions=kind.executions, view="code", float_ops=kind.float_ops)
        document, warnings, _ = _engine.make(what, handle, pairs, ())
        if what == "summary":
            warnings = [*warnings, *("float ops are at least those counted: " + note for note in self.notes
                                     if "is not known" in note)]
        _log(warnings)
        return Advice(document) if what == "advise" else Text(document)

    def _advise(self, options: Mapping[str, Any]) -> Advice:
        if not isinstance(options, Mapping):
            raise ValueError("options: %r is no dict of checkers; tfprof.ALL_ADVICE has all" % (options,))
        names = [name for name in options if name not in _NOT_OUTSIDE]
        for name in names:
            if name not in ALL_ADVICE:
                raise ValueError("%r is no checker: %s" % (name, ", ".join(ALL_ADVICE)))
        # All are those that the input has something for: some ask for what captures alone record.
        chosen = {} if set(names) == set(ALL_ADVICE) else {"checkers": names}
        advice: Advice = self._text("advise", chosen)
        return advice

    def serialize_to_string(self) -> bytes:
        """Everything as a serialized ProfileProto, which TensorFlow's profiler and `tfprof` read."""
        return _engine.serialize(self._handle([], executions=True, view="code"))


_FLOAT_OP_COLUMNS = frozenset(names_needing("float_ops", "counted_ops"))


def _wants_float_ops(name: str, value: Union[str, Any]) -> bool:
    if name in ("select", "order_by"):
        return not _FLOAT_OP_COLUMNS.isdisjoint([value] if isinstance(value, str) else value)
    return name.startswith("min_") and name[4:] in _FLOAT_OP_COLUMNS and value != "0"


class Profile(Source):
    """What `tfprof.load` has read. Reports are returned, not printed.

    >>> import tfprof
    >>> run = tfprof.load('examples/resnet')
    >>> run.op(order_by='micros', select=['micros', 'params']).children[0].name
    'Conv2DBackpropFilter'
    """

    def __init__(self, given: List[Given], options: Mapping[str, Any]) -> None:
        super().__init__()
        self._given, self._options = given, dict(options)
        self._handle(_options.to_pairs(self._options))

    def _inputs(self, view: str) -> Inputs:
        inputs = Inputs()
        for number, given in enumerate(self._given, 1):
            inputs.add(given, "<input %d>" % number)
        return inputs

    def _input_options(self) -> Mapping[str, Any]:
        return self._options

    def scope(self, **options: Any) -> GraphNode:
        """The scope view: figures by the parts of names."""
        node: GraphNode = self._view("scope", options, "output" not in options)
        return node

    def graph(self, **options: Any) -> GraphNode:
        """The graph view: nodes below what they feed."""
        node: GraphNode = self._view("graph", options, "output" not in options)
        return node

    def op(self, **options: Any) -> MultiGraphNode:
        """The op view: figures by op type."""
        node: MultiGraphNode = self._view("op", options, "output" not in options)
        return node

    def code(self, **options: Any) -> MultiGraphNode:
        """The code view: figures by line of code."""
        node: MultiGraphNode = self._view("code", options, "output" not in options)
        return node

    def advise(self, options: Mapping[str, Any] = ALL_ADVICE) -> Advice:
        """What to do about the figures."""
        return self._advise(options)

    def summary(self) -> Text:
        """One page about all of it."""
        text: Text = self._text("summary", {})
        return text

    def memory(self, **options: Any) -> Text:
        """Per device the peak and what was live then; options step, at, by, top."""
        text: Text = self._text("memory", options)
        return text

    def info(self) -> Text:
        """What the input is and what it lacks."""
        text: Text = self._text("info", {})
        return text

    def timeline(self, path: Union[str, "os.PathLike[str]"], **options: Any) -> List[str]:
        """Writes a timeline (.json for Chrome, .pftrace for Perfetto) and returns the files."""
        pairs = _options.to_pairs({"max_depth": (1 << 63) - 1, **self._options, **options, "select": ["micros"]})
        handle = self._handle(pairs, executions=True)
        report, _ = _engine.report(handle, "graph", pairs)
        return _engine.timeline(handle, report, os.fspath(path), True)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes everything into one file."""
        _engine.write_file(os.fspath(path), self.serialize_to_string())

    def __repr__(self) -> str:
        return "tfprof.load(%s)" % ", ".join(
            repr(given) if isinstance(given, str) else "<%d bytes>" % len(given) for given in self._given)


class Profiler(Source):
    """Profiles a model over several steps. Several may live at once, in several threads.

    With TensorFlow: `Profiler(graph)`, then `add_step(step, run_meta)` for each traced run. Without: a graph as
    bytes or a path, run metadata likewise.

    >>> import tfprof
    >>> profiler = tfprof.Profiler('examples/resnet/graph.pb')
    >>> profiler.add_step(0, 'examples/resnet/run_meta_0')
    >>> node = profiler.profile_name_scope({'max_depth': 2, 'select': ['micros'], 'output': 'none'})
    >>> node.name
    '_TFProfRoot'

    Args:
      graph: a tf.Graph, GraphDef, bytes, or a path (GraphDef, SavedModel, meta graph, saved profile, or a directory
        with any of them). None: the default graph, where there is one.
      op_log: more about the nodes: an OpLogProto, bytes or a path.
    """

    def __init__(self, graph: Any = None, op_log: Any = None) -> None:
        super().__init__()
        if graph is None:
            graph = default_graph()
        self._live = LiveGraph(graph) if is_graph(graph) else None
        self._graph = None if graph is None or self._live else read(graph, "graph")
        self._op_log = None if op_log is None else read(op_log, "op_log")
        self._steps: Dict[int, Union[str, bytes]] = {}
        self._changes = 0

    def _inputs(self, view: str) -> Inputs:
        inputs = Inputs()
        if self._live is not None:
            inputs.add_graph_def(self._live.graph_def())
            steps_added = bool(self._steps) and not self._live.of_one_run
            inputs.add_op_log(self._live.op_log(self._op_log, view == "code", steps_added=steps_added))
        else:
            if self._graph is not None:
                inputs.add(self._graph, "<graph>")
            if self._op_log is not None:
                inputs.add_op_log(self._op_log)
        for step, run_meta in self._steps.items():
            inputs.add_step(step, run_meta)
        return inputs

    def _state(self, view: str) -> Tuple[Any, ...]:
        if self._live is None:
            return (self._changes,)
        return (self._changes, self._live.version, view == "code")

    def _input_options(self) -> Mapping[str, Any]:
        # As TensorFlow's profiler of this name; a live graph is counted by its own rules.
        return {"classic": True, **({"flops": "recorded"} if self._live is not None else {})}

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds the run metadata of one step: a RunMetadata, bytes or a path."""
        if isinstance(step, bool) or int(step) != step or step < 0:
            raise ValueError("step: %r is no step; steps are ints from 0 up" % (step,))
        given = read_run_meta(run_meta)
        with self._lock:
            if self._live is not None:
                self._live.add_run(given)
            self._steps[int(step)] = given
            self._changes += 1

    def profile_python(self, options: Mapping[str, Any]) -> MultiGraphNode:
        """The code view: figures by line of Python."""
        node: MultiGraphNode = self._view("code", options)
        return node

    def profile_operations(self, options: Mapping[str, Any]) -> MultiGraphNode:
        """The op view: figures by op type."""
        node: MultiGraphNode = self._view("op", options)
        return node

    def profile_name_scope(self, options: Mapping[str, Any]) -> GraphNode:
        """The scope view: figures by the parts of names."""
        node: GraphNode = self._view("scope", options)
        return node

    def profile_graph(self, options: Mapping[str, Any]) -> GraphNode:
        """The graph view: nodes below what they feed."""
        node: GraphNode = self._view("graph", options)
        return node

    def profile(self, options: Optional[Mapping[str, Any]] = None, cmd: str = "scope") -> Node:
        """The scope view of what has been added, or another."""
        node: Node = self._view(cmd, {} if options is None else options)
        return node

    def profile_model(self, options: Optional[Mapping[str, Any]] = None) -> Node:
        """The whole model by name scope, as `profile`."""
        return self.profile(options)

    def advise(self, options: Mapping[str, Any] = ALL_ADVICE) -> Advice:
        """Runs the checkers (all with tfprof.ALL_ADVICE), prints and returns what they found."""
        advice = self._advise(options)
        _emit(str(advice))
        return advice
