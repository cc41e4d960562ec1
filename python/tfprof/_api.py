"""The functions of the package."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _engine, _options
from ._engine import Error
from ._inputs import default_graph, read
from ._models import model_inputs
from ._nodes import Advice, Node, Report, Text
from ._op_log import LiveGraph
from ._profile import ALL_ADVICE, Profile, Profiler, _emit, _log
from .option_builder import ProfileOptionBuilder

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]
Loadable = Union[PathLike, bytes, bytearray, memoryview]


def profile(graph: Any = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
            options: Optional[Mapping[str, Any]] = None) -> Any:
    """Profiles a model once: prints the report, unless the options say otherwise, and returns its tree.

    >>> import tfprof
    >>> root = tfprof.profile('examples/resnet/graph.pb', 'examples/resnet/run_meta_0', cmd='op', options={
    ...     'select': ['micros'], 'order_by': 'micros', 'output': 'none'})
    >>> root.total_exec_micros > root.children[0].exec_micros > 0
    True

    Args:
      graph: a tf.Graph, GraphDef, bytes or a path; None: the default graph, where there is one.
      run_meta: a RunMetadata, bytes or a path: times and memory.
      op_log: an OpLogProto, bytes or a path: call stacks, float ops, types of your own.
      cmd: the view: scope, graph, op or code.
      options: what to count and show; `ProfileOptionBuilder` makes them. Default: parameters of the trainable
        variables.

    Returns:
      The root, with the fields of GraphNodeProto (scope, graph) or MultiGraphNodeProto (op, code).
    """
    if not options:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    return _of_one_run(graph, run_meta, op_log)._view(cmd, options)


def _of_one_run(graph: Any, run_meta: Any, op_log: Any = None) -> Profiler:
    profiler = Profiler(graph, op_log)
    if profiler._live is not None:
        profiler._live = LiveGraph(default_graph() if graph is None else graph, of_one_run=True)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    return profiler


def advise(graph: Any = None, run_meta: Any = None, options: Optional[Mapping[str, Any]] = None) -> Advice:
    """Runs the checkers on one step, prints and returns their advice: `.checkers[NAME].reports`.

    `options` names the checkers, `{'OperationChecker': {}}`; default `tfprof.ALL_ADVICE`.
    """
    return _of_one_run(graph, run_meta).advise(options or ALL_ADVICE)


def load(path: Loadable, *more: Loadable, **options: Any) -> Profile:
    """Reads files or directories, recognised by their content, as `tfprof` on the command line does; also their bytes.

    >>> import tfprof
    >>> run = tfprof.load('examples/resnet')
    >>> run.scope(max_depth=2, select=['params']).total_parameters > 0
    True

    Options say how to read: `keep_going=True` reads past damage, `batch=8` sizes a model's open dimension.
    """
    return Profile([read(item, "load") for item in (path, *more)], options)


def model(model_or_path: Any, batch: Optional[int] = None, **options: Any) -> Text:
    """What a model is, from its graph alone: parameters, float ops, shapes, an estimate of its memory.

    Takes a path (SavedModel, GraphDef, meta graph, HLO), bytes, a proto, a tf.Graph, a Keras model, a tf.function, or what
    JAX compiled (`jax.jit(f).lower(x).compile()`), of which it says what it takes before it runs. Sizes that a
    model leaves open are given with `batch`, for the first of each input, and `dim=['input:1=224']` for others.
    Warnings go to the logger `tfprof`.
    """
    inputs = model_inputs(model_or_path, batch)
    pairs = _options.to_pairs({**options, **({} if batch is None else {"batch": batch})})

    document, warnings, _ = _engine.make("model", None, [*inputs.pairs, *pairs], inputs.files)
    _log(warnings)
    text = Text(document)
    text.lacking = _lacking(text, inputs.open_sizes)
    return text


def _lacking(found: Text, open_sizes: List[str]) -> List[str]:
    """Why there are more float ops than those counted."""
    lacking = [note for note in found["notes"] if "is not known" in note]
    counted = found["float_ops"]
    if any("shape" in reason for reason in counted["not_counted_by_reason"]):
        lacking.append("%d ops have shapes that are not known (%s)" % (
            counted["not_counted"], ", ".join(list(counted["not_counted_by_op"])[:5])))
    if lacking and open_sizes:
        lacking.append("the model leaves sizes open; give them as dim=[%s]" % ", ".join(
            "'%s=N'" % size for size in open_sizes))
    return lacking


def flops(model_or_path: Any, batch: int = 1, **options: Any) -> int:
    """Float ops of one run of a model, counted from its graph.

    >>> import tfprof
    >>> tfprof.flops('examples/resnet/graph.pb') > 1_000_000
    True

    Ops without a rule are not in it; `tfprof.model(...)` names them. Where the graph does not tell enough, a warning
    says that it is at least so much: how often a loop runs, or a size that the model leaves open
    (`dim=['input:1=224']`).
    """
    found = model(model_or_path, batch, **options)
    counted = found["float_ops"]
    lacking = found.lacking
    if counted["total"] is None:
        raise Error("no float ops can be counted: %s" % (
            "; ".join(lacking) or "no op of the model has a rule and known shapes"))
    if lacking:
        _log(["at least %s float ops: %s" % (format(counted["total"], ","), "; ".join(lacking))])
    return int(counted["total"])


def summary(model_or_path: Any) -> Text:
    """One page about a model or a run: size, float ops, time, memory, what is largest.

    >>> import tfprof
    >>> page = tfprof.summary('examples/resnet')
    >>> str(page).splitlines()[0], page['model']['params']
    ('Model', 75290)
    """
    if isinstance(model_or_path, Profile):
        return model_or_path.summary()
    if isinstance(model_or_path, (str, os.PathLike)):
        return load(model_or_path).summary()
    files = dict(model_inputs(model_or_path, None).files)
    text: Text = Profiler(files["<graph>"], files.get("<op_log>"))._text("summary", {})
    return text


def memory(run: Any, **options: Any) -> Text:
    """Memory over time of a run: per device the peak, when, and what was live. Options: step, at, by, top."""
    source = run if isinstance(run, Profile) else load(run)
    return source.memory(**options)


class Comparison:
    """Two or more inputs side by side; print it, or look at `rows`."""

    def __init__(self, report: Report, notes: List[str], broken: List[str]) -> None:
        self._report = report
        self.notes = notes
        self.broken = broken
        self._data: Optional[Dict[str, Any]] = None

    @property
    def data(self) -> Dict[str, Any]:
        """The comparison's JSON, parsed."""
        if self._data is None:
            import json
            self._data = json.loads(self.render("json"))
        return self._data

    def render(self, format: str = "text") -> str:
        """As text, json, csv, markdown or html."""
        return self._report.render(format)

    def to_dataframe(self) -> "pandas.DataFrame":
        """One line per row that differs."""
        from ._nodes import missing
        try:
            import pandas
        except ImportError:
            raise missing("pandas", "to_dataframe()") from None
        import io
        text = self.render("csv")
        return pandas.read_csv(io.StringIO(text)) if text else pandas.DataFrame()

    def __str__(self) -> str:
        return self.render("text")

    def __len__(self) -> int:
        return self._report.count

    def _repr_html_(self) -> str:
        from ._nodes import embed
        return embed(self.render("html"))


def diff(a: Any, b: Any, *more: Any, **options: Any) -> Comparison:
    """Compares inputs: paths (runs, graphs, saved profiles, scope files; `run@step=10` for one step), Profiles or
    Profilers. `broken` lists the limits of `fail_if` that do not hold.

    >>> import tfprof
    >>> same = tfprof.diff('examples/resnet', 'examples/resnet', fail_if=['bytes>+5%'])
    >>> len(same), same.broken
    (0, [])
    """
    names, files = [], []
    for index, item in enumerate((a, b, *more)):
        if isinstance(item, (str, os.PathLike)):
            names.append(os.fspath(item))
        else:
            name = "<input %d>" % (index + 1)
            files.append((name, item.serialize_to_string() if hasattr(item, "serialize_to_string")
                          else read(item, "input %d" % (index + 1))))
            names.append(name)
    pairs: List[Tuple[str, Any]] = [("inputs", names), *_options.to_pairs(options)]
    handle, columns, notes, broken = _engine.compare(pairs, files)  # type: ignore[arg-type]
    report = Report(handle, columns, str(options.get("view", "scope")))
    _log(report.warnings)
    return Comparison(report, notes, broken)


def profile_and_save(graph_or_path: Any, name: PathLike, options: Optional[Mapping[str, Any]] = None,
                     run_meta: Any = None) -> Node:
    """Profiles a graph and writes the profile into the directory `name`, where `tfprof` and TensorBoard find it.

    Writes `profile_0`, a saved profile that every command of `tfprof` reads, and `report.html`, a page for a browser.
    """
    profiler = graph_or_path if isinstance(graph_or_path, Profiler) else Profiler(graph_or_path)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    report = profiler._report("scope", {} if options is None else options)
    directory = os.fspath(name)
    os.makedirs(directory, exist_ok=True)
    step = max(profiler._steps, default=0)
    _engine.write_file(os.path.join(directory, "profile_%d" % step), profiler.serialize_to_string())
    _engine.write_file(os.path.join(directory, "report.html"), report.render("html").encode("utf-8"))
    return report.root


__all__ = ["Comparison", "Error", "advise", "diff", "flops", "load", "memory", "model", "profile", "profile_and_save",
           "summary", "_emit"]
