"""Results: reports as trees of nodes with the field names of TensorFlow's protos.

A report lies in columns, as the engine made them; a node is a place in it, and its fields are looked up when they
are asked for. So a report of a million rows costs no million objects.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _engine
from ._columns import FIGURES
from ._engine import Error

if TYPE_CHECKING:
    import pandas
    import pyarrow

# Columns of a row, in the engine's order.
(_PARENT, _DEPTH, _OWN, _TOTAL, _NODE, _ACCOUNTED, _HIDDEN, _DEVICES, _TYPES, _SHAPE, _INPUTS, _INPUTS_END, _NODES,
 _NODES_END, _WIDTH) = range(15)

# Fields of nodes: (whether it is a total, place of the figure).
_FIELDS: Dict[str, Tuple[bool, int]] = {
    field: (total, index) for index, column in enumerate(FIGURES)
    for total, field in ((False, column.own), (True, column.total)) if field}


def missing(package: str, what: str) -> ImportError:
    """The error where an optional package is not there."""
    return ImportError("%s needs the package %s: pip install %s" % (what, package, package))


# A report that was pickled: in every format, since what the engine made it from stays behind.
Printed = Dict[str, bytes]
_FORMATS = ("text", "json", "csv", "markdown", "html")


def _render(held: Any, format: str) -> str:
    if not isinstance(held, dict):
        return _engine.render(held, format).decode("utf-8", "replace")
    if format not in held:
        raise ValueError("%r is no format of reports: %s or %s" % (format, ", ".join(_FORMATS[:-1]), _FORMATS[-1]))
    found: bytes = held[format]
    return found.decode("utf-8", "replace")


def _printed(held: Any) -> Printed:
    return held if isinstance(held, dict) else {format: _engine.render(held, format) for format in _FORMATS}


class Dim:
    """One dimension of a shape; a size of -1 is not known."""

    __slots__ = ("size",)
    name = ""

    def __init__(self, size: int) -> None:
        self.size = size

    def __repr__(self) -> str:
        return "Dim(%d)" % self.size


class Shape:
    """A tensor's shape, with the fields of TensorShapeProto."""

    __slots__ = ("dim", "unknown_rank")

    def __init__(self, sizes: Optional[Sequence[int]]) -> None:
        self.unknown_rank = sizes is None
        self.dim = [Dim(size) for size in sizes or ()]

    def __repr__(self) -> str:
        return "unknown" if self.unknown_rank else "x".join(str(dim.size) for dim in self.dim)


class TensorValue:
    """Stands where the protos have a tensor's value; empty, as TensorFlow leaves it."""

    dtype = 0
    value_double: Tuple[float, ...] = ()
    value_int64: Tuple[int, ...] = ()
    value_str: Tuple[str, ...] = ()


class Children(Sequence["Node"]):
    """The nodes of a list, made when they are looked at."""

    __slots__ = ("_report", "_rows")

    def __init__(self, report: "Report", rows: Sequence[int]) -> None:
        self._report, self._rows = report, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> "Node": ...

    @overload
    def __getitem__(self, index: slice) -> List["Node"]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union["Node", List["Node"]]:
        if isinstance(index, slice):
            return [self._report.node(row) for row in self._rows[index]]
        return self._report.node(self._rows[index])

    def __iter__(self) -> Iterator["Node"]:
        return (self._report.node(row) for row in self._rows)

    def __repr__(self) -> str:
        return "[%s]" % ", ".join(repr(node) for node in self)


class Report:
    """One report of a view: what the engine counted, and how to look at it."""

    def __init__(self, handle: Union[_engine.Report, Printed], columns: Mapping[str, Any], view: str,
                 profile: Union[_engine.Profile, Dict[int, Any], None] = None, with_shapes: bool = False) -> None:
        self._handle, self._columns, self.view, self._profile = handle, columns, view, profile
        self._with_shapes = with_shapes
        self._names: List[str] = columns["names"]
        self._rows = memoryview(columns["rows"]).cast("q")
        self._figures = memoryview(columns["figures"]).cast("q")
        self._known = memoryview(columns["known"]).cast("q")
        self._inputs = memoryview(columns["inputs"]).cast("q")
        self._children_of: Optional[List[List[int]]] = None
        self.count: int = columns["count"]
        self.warnings: List[str] = columns["warnings"]
        self.notes: List[str] = columns["notes"]
        self.steps: List[int] = columns["steps"]  # that the figures rest on
        self.warm_up_steps: List[int] = columns["warm_up_steps"]  # that means leave out

    def node(self, row: int) -> "Node":
        """The node of a row; those of graph nodes lie behind the rows."""
        many = self.view in ("op", "code") and row < self.count
        return (MultiGraphNode if many else GraphNode)(self, row)

    @property
    def root(self) -> "Node":
        """The root, `_TFProfRoot`."""
        return self.node(0)

    def column(self, row: int, column: int) -> int:
        return self._rows[row * _WIDTH + column]

    def figure(self, row: int, total: bool, figure: int) -> Optional[int]:
        """A figure; None where it was not recorded."""
        index = self.column(row, _TOTAL if total else _OWN)
        if not FIGURES[figure].always_known and not self._known[index] >> figure & 1:
            return None
        return self._figures[index * len(FIGURES) + figure]

    def children(self, row: int) -> List[int]:
        if row >= self.count:
            return []
        if self._children_of is None:
            found: List[List[int]] = [[] for _ in range(self.count)]
            for child in range(1, self.count):
                # The op view's proto is a chain: each row is the only child of the one before.
                found[child - 1 if self.view == "op" else self.column(child, _PARENT)].append(child)
            self._children_of = found
        return self._children_of[row]

    def render(self, format: str = "text") -> str:
        """The report as text, json, csv, markdown or html."""
        return _render(self._handle, format)

    def shapes_of(self, node: int) -> List[Optional[List[int]]]:
        """Shapes of a graph node's outputs."""
        if isinstance(self._profile, dict):
            found: List[Optional[List[int]]] = self._profile[node]
            return found
        return _engine.output_shapes(self._profile, node) if self._profile is not None else []

    def __reduce__(self) -> Tuple[Any, ...]:
        # The engine's own cannot travel: what is asked of it does.
        shapes = None
        if self._with_shapes:
            nodes = {self.column(row, _NODE) for row in range(len(self._rows) // _WIDTH)}
            shapes = {node: self.shapes_of(node) for node in nodes if node >= 0}
        return Report, (_printed(self._handle), dict(self._columns), self.view, shapes, self._with_shapes)

    def __copy__(self) -> "Report":
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> "Report":
        return self

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dict per shown row: names, depth, and each figure, None where it was not recorded."""
        first = 1 if self.view == "op" else 0
        for row in range(first, self.count):
            cells: dict[str, Any] = {"name": self._names[row], "depth": self.column(row, _DEPTH),
                                     "parent": self.column(row, _PARENT) - first if row > first else -1}
            for name, (total, figure) in _FIELDS.items():
                if FIGURES[figure].when != "selected" or self._columns["selected"] >> figure & 1:
                    cells[name] = self.figure(row, total, figure)
            yield cells


class Node:
    """A row of a report, with the fields of TensorFlow's GraphNodeProto or MultiGraphNodeProto.

    Figures are ints and 0 where nothing was recorded, as in the protos; `recorded` tells the two apart, and tables
    have empty cells there.
    """

    __slots__ = ("_report", "_row")

    if TYPE_CHECKING:
        exec_micros: int
        total_exec_micros: int
        accelerator_exec_micros: int
        total_accelerator_exec_micros: int
        cpu_exec_micros: int
        total_cpu_exec_micros: int
        requested_bytes: int
        total_requested_bytes: int
        peak_bytes: int
        total_peak_bytes: int
        residual_bytes: int
        total_residual_bytes: int
        output_bytes: int
        total_output_bytes: int
        parameters: int
        total_parameters: int
        float_ops: int
        total_float_ops: int

    def __init__(self, report: Report, row: int) -> None:
        self._report, self._row = report, row

    @property
    def name(self) -> str:
        """The node's name, the op type's, or the line of code."""
        return self._report._names[self._row]

    @property
    def children(self) -> Children:
        """The shown nodes below it, in printed order."""
        return Children(self._report, self._report.children(self._row))

    @property
    def report(self) -> Report:
        """The report it is a part of: warnings, other formats."""
        return self._report

    def recorded(self, field: str) -> bool:
        """Whether the input has this figure of the node: `node.recorded('float_ops')`."""
        if field not in _FIELDS:
            raise ValueError("%r is no figure: %s" % (field, ", ".join(_FIELDS)))
        return self._report.figure(self._row, *_FIELDS[field]) is not None

    def _figure(self, total: bool, figure: int) -> int:
        return self._report.figure(self._row, total, figure) or 0

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, in printed order, however deep."""
        pending = [self._row]
        while pending:
            row = pending.pop()
            yield self._report.node(row)
            pending.extend(reversed(self._report.children(row)))

    def find(self, name: str) -> Optional["Node"]:
        """The first node below of this name; None: it is not shown."""
        return next((node for node in self.walk() if node.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it, parsed; trees deeper than Python's recursion limit stay JSON: `to_json`."""
        import json
        try:
            parsed: dict[str, Any] = json.loads(self.to_json())
        except RecursionError:
            raise Error("the report is too deep for nested dicts; use to_json(), to_dataframe() or walk()") from None
        return parsed

    def to_json(self) -> str:
        """The whole report as JSON, as `tfprof --format json` prints it."""
        return self._report.render("json")

    def to_csv(self) -> str:
        """The selected columns of the whole report as CSV."""
        return self._report.render("csv")

    def to_dataframe(self) -> "pandas.DataFrame":
        """The whole report as a pandas table: one line per row, empty cells where nothing was recorded."""
        try:
            import pandas
        except ImportError:
            raise missing("pandas", "to_dataframe()") from None
        rows = list(self._report.rows())
        frame = pandas.DataFrame(rows)
        for name in frame.columns:
            if name != "name":
                frame[name] = frame[name].astype("Int64")
        return frame

    def to_arrow(self) -> "pyarrow.Table":
        """The same as an Arrow table."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "to_arrow()") from None
        return pyarrow.Table.from_pylist(list(self._report.rows()))

    def __str__(self) -> str:
        return self._report.render("text")

    def __repr__(self) -> str:
        return "<%s %r, %d children>" % (type(self).__name__, self.name, len(self.children))

    def _repr_html_(self) -> str:
        return embed(self._report.render("html"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._report is other._report and self._row == other._row

    def __hash__(self) -> int:
        return hash((id(self._report), self._row))


def _field(total: bool, figure: int, what: str) -> property:
    return property(lambda self: self._figure(total, figure), doc=what)


class MultiGraphNode(Node):
    """A row of the op or code view: an op type, or a line of code, with the graph nodes behind it."""

    __slots__ = ()

    @property
    def graph_nodes(self) -> Children:
        """Its accounted graph nodes, in order of their names."""
        report, row = self._report, self._row
        first = report.count
        return Children(report, range(first + report.column(row, _NODES), first + report.column(row, _NODES_END)))


class GraphNode(Node):
    """A node of the scope or graph view, or behind a row of the others."""

    __slots__ = ()

    if TYPE_CHECKING:
        run_count: int
        total_run_count: int
        total_definition_count: int

    @property
    def devices(self) -> List[str]:
        """Where it ran."""
        index = self._report.column(self._row, _DEVICES)
        return list(self._report._columns["lists"][index]) if index >= 0 else []

    @property
    def input_shapes(self) -> dict[int, Shape]:
        """Shapes of its inputs, by position."""
        report = self._report
        shapes = report._columns["shapes"]
        out = {}
        for i in range(report.column(self._row, _INPUTS), report.column(self._row, _INPUTS_END)):
            shape = report._inputs[2 * i + 1]
            out[report._inputs[2 * i]] = Shape(shapes[shape] if shape >= 0 else None)
        return out

    @property
    def shapes(self) -> List[Shape]:
        """Shapes of its outputs, with the option `show_input_output`; empty without it, as TensorFlow has it."""
        node = self._report.column(self._row, _NODE)
        if not self._report._with_shapes or node < 0:
            return []
        return [Shape(sizes) for sizes in self._report.shapes_of(node)]

    @property
    def tensor_value(self) -> TensorValue:
        """Empty; values come with `tfprof checkpoint`."""
        return TensorValue()


for _name, (_total, _index) in _FIELDS.items():
    _doc = FIGURES[_index].label + (", with all below it" if _total else ", its own")
    for _class in (GraphNode,) if FIGURES[_index].when == "nodes" else (GraphNode, MultiGraphNode):
        setattr(_class, _name, _field(_total, _index, _doc))


def embed(page: str) -> str:
    """A page for a notebook: in a frame of its own, so that its styles and scripts stay inside."""
    import html
    return ('<iframe style="width:100%%;height:600px;border:0" srcdoc="%s"></iframe>'
            % html.escape(page, quote=True))


class Text:
    """A report that is a document: text when printed, the page in a notebook, `data` as parsed JSON."""

    def __init__(self, document: Union[_engine.Document, Printed]) -> None:
        self._document = document
        self._data: Optional[Any] = None
        self.lacking: List[str] = []  # of a model: why its float ops are at least what is counted

    @property
    def data(self) -> Any:
        """The report's JSON, parsed."""
        if self._data is None:
            import json
            self._data = json.loads(self.render("json"))
        return self._data

    def render(self, format: str = "text") -> str:
        """The report as text, json, csv, markdown or html."""
        return _render(self._document, format)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_document": _printed(self._document)}

    def __copy__(self) -> "Text":
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: Any) -> "Text":
        import copy
        copied = self.__copy__()
        copied._data, copied.lacking = copy.deepcopy(self._data, memo), list(self.lacking)
        return copied

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __str__(self) -> str:
        return self.render("text")

    def _repr_html_(self) -> str:
        return embed(self.render("html"))


class Checker:
    """What one checker found."""

    __slots__ = ("reports",)

    def __init__(self, reports: List[str]) -> None:
        self.reports = reports

    def __repr__(self) -> str:
        return "Checker(%r)" % (self.reports,)


class Advice(Text):
    """The advice: `advice.checkers['OperationChecker'].reports`, or print it."""

    @property
    def checkers(self) -> dict[str, Checker]:
        """The checkers that ran, by name."""
        return {name: Checker(found["reports"]) for name, found in self.data["checkers"].items()}
