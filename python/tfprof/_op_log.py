"""Op logs: what a live tf.Graph tells beside its GraphDef: call stacks, float ops, which variables train."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _engine
from ._inputs import Given, read, tensorflow

_TRAINABLE = "_trainable_variables"

# --- the wire form of OpLogProto


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value) if value else b""


def _message(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _fields(content: bytes) -> Iterator[Tuple[int, Any]]:
    """The fields of a message as far as they can be read: ints, and bytes of the others."""
    position, end = 0, len(content)

    def varint() -> int:
        nonlocal position
        value = shift = 0
        while position < end and shift < 70:
            byte = content[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
        raise EOFError

    try:
        while position < end:
            tag = varint()
            kind = tag & 7
            if kind == 0:
                yield tag >> 3, varint()
                continue
            size = varint() if kind == 2 else {1: 8, 5: 4}.get(kind, end)
            if position + size > end:
                return
            yield tag >> 3, content[position:position + size]
            position += size
    except EOFError:
        return


class _Strings:
    """The table of strings that call stacks point into; 0 is what is not known."""

    def __init__(self, first: int) -> None:
        self.ids: Dict[str, int] = {}
        self._next = first

    def __getitem__(self, text: str) -> int:
        if text not in self.ids:
            self.ids[text] = self._next
            self._next += 1
        return self.ids[text]

    def serialized(self) -> bytes:
        return b"".join(_message(2, _number(1, number) + _message(2, text.encode("utf-8", "replace")))
                        for text, number in self.ids.items())


def _first_free_id(op_log: bytes) -> int:
    """Behind the ids that an op log uses, so that two logs can be joined."""
    largest = 0
    for field, entry in _fields(op_log):
        if field == 2 and isinstance(entry, bytes):
            largest = max([largest, *(value for key, value in _fields(entry) if key == 1 and isinstance(value, int))])
    return min(largest, 1 << 40) + 1


# --- what the graph tells


def call_stack(op: Any) -> List[Tuple[str, int, str]]:
    """(file, line, function) of each frame of an op's creation, the outermost first."""
    try:
        stack = op.traceback or ()
    except AttributeError:
        return []
    frames = []
    for frame in stack:
        if hasattr(frame, "filename"):
            frames.append((str(frame.filename), int(frame.lineno or 0), str(frame.name)))
        else:
            frames.append((str(frame[0]), int(frame[1] or 0), str(frame[2])))
    return frames


def _source_line(file: str, line: int) -> str:
    import linecache
    return linecache.getline(file, line).strip()


def _trace(frames: Sequence[Tuple[Any, ...]], strings: _Strings, source_text: bool,
           known: Dict[Tuple[Any, ...], bytes]) -> bytes:
    """Frames as (file, line, function), the source text behind it where it does not come from the file."""
    out = []
    for frame in frames:
        if frame not in known:
            file, line, function = frame[:3]
            text = (frame[3] if len(frame) > 3 else _source_line(file, line)) if source_text else ""
            known[frame] = _message(1, b"".join([
                _number(2, line), _number(6, strings[file]), _number(7, strings[function]),
                _number(8, strings[text]) if text else b""]))
        out.append(known[frame])
    return b"".join(out)


def _float_ops(graph: Any, graph_def: Any) -> Dict[str, int]:
    """Float ops of each node as TensorFlow counts them; nothing where this version does not tell."""
    try:
        from tensorflow.python.framework import ops
        count = ops.get_stats_for_node_def
    except (ImportError, AttributeError):
        return {}
    found = {}
    for node in graph_def.node:
        try:
            value = count(graph, node, "flops").value
        except Exception:  # a rule that lacks a shape, or an op of another graph: not counted
            continue
        if value and value > 0:
            found[node.name] = int(value)
    return found


def _trainable(graph: Any) -> List[str]:
    collection = tensorflow("reading the variables of a graph").compat.v1.GraphKeys.TRAINABLE_VARIABLES
    names = []
    for variable in graph.get_collection(collection):
        # A variable of TensorFlow 2 that a function captured has no op in this graph.
        name = getattr(getattr(variable, "op", None), "name", None) if getattr(
            variable, "graph", graph) is graph else None
        if name:
            names.append(name)
    return names


def _recorded_shapes(run_meta: Any) -> Iterator[Tuple[str, List[List[int]]]]:
    """The shapes of each record's outputs, by their place in the record: that is what TensorFlow goes by, not the slot."""
    for device in run_meta.step_stats.dev_stats:
        for node in device.node_stats:
            yield node.node_name, [[dim.size for dim in output.tensor_description.shape.dim] for output in node.output]


def _unknown_outputs(graph: Any) -> Dict[str, Tuple[int, List[int]]]:
    """Of each op with outputs whose shape the graph does not tell: how many outputs it has, and which these are."""
    found: Dict[str, Tuple[int, List[int]]] = {}
    for op in graph.get_operations():
        unknown = [slot for slot, output in enumerate(op.outputs) if not output.shape.is_fully_defined()]
        if unknown:
            found[op.name] = len(op.outputs), unknown
    return found


class LiveGraph:
    """A tf.Graph as the engine's inputs. The graph itself is never changed: shapes that only a run tells go into
    a copy, which TensorFlow's rules then count. With `of_one_run` the shapes that are shown are the copy's too: of
    several runs each may have its own."""

    def __init__(self, graph: Any, of_one_run: bool = False) -> None:
        self._graph = graph
        self.of_one_run = of_one_run
        self._runs: List[Given] = []
        self._made: Optional[Tuple[Any, bytes, Any, Dict[str, int], List[str]]] = None

    def add_run(self, run_meta: Given) -> None:
        self._runs.append(run_meta)
        self._made = None

    @property
    def version(self) -> Any:
        """Changes when ops are added."""
        return getattr(self._graph, "version", None)

    def _counted(self) -> Tuple[bytes, Any, Dict[str, int], List[str]]:
        version = self.version
        if self._made is None or self._made[0] != version:
            with_shapes = self._with_shapes()
            graph_def = (with_shapes if self.of_one_run else self._graph).as_graph_def(add_shapes=True)
            self._made = (version, graph_def.SerializeToString(), graph_def, _float_ops(with_shapes, graph_def),
                          _trainable(self._graph))
        return self._made[1:]

    def _with_shapes(self) -> Any:
        unknown = _unknown_outputs(self._graph) if self._runs else {}
        if not unknown:
            return self._graph
        tf = tensorflow("filling shapes")
        copy = None
        for run in self._runs:
            proto = tf.compat.v1.RunMetadata()
            content = run
            if isinstance(content, str):
                with open(content, "rb") as file:
                    content = file.read()
            try:
                proto.ParseFromString(content)
            except Exception:
                continue  # the engine says what is wrong with it
            for name, shapes in _recorded_shapes(proto):
                count, slots = unknown.get(name, (0, []))
                # A kernel with a workspace, or a branch not taken, records another number of outputs than its op has:
                # whose shape is whose is then not known, and TensorFlow leaves the record out.
                if not slots or len(shapes) != count:
                    continue
                copy = copy or self._copy(tf)
                if copy is None:
                    return self._graph
                for slot in slots:
                    _set_shape(copy, name, slot, shapes[slot])
        return copy or self._graph

    def _copy(self, tf: Any) -> Any:
        copy = tf.Graph()
        try:
            with copy.as_default():
                tf.import_graph_def(self._graph.as_graph_def(), name="")
        except Exception:
            return None  # ops without a kernel here: their shapes stay as they are
        for op in self._graph.get_operations():
            for slot, output in enumerate(op.outputs):
                _set_shape(copy, op.name, slot, output.shape)
        return copy

    def graph_def(self) -> bytes:
        """The serialized GraphDef with shapes."""
        return self._counted()[0]

    def op_log(self, given: Optional[Given] = None, add_trace: bool = True, source_text: bool = False,
               steps_added: bool = False) -> bytes:
        """The serialized OpLogProto: the caller's own entries win over what the graph tells. Once steps were added, what
        the rules count wins over the caller's float ops: TensorFlow counts again with each step, without the caller's log."""
        own = b"" if given is None else _content(given)
        _, graph_def, float_ops, trainable = self._counted()
        strings = _Strings(_first_free_id(own))
        train = set(trainable)
        known: Dict[Tuple[Any, ...], bytes] = {}
        entries, last = [], []  # of two entries for a node the later one wins
        for node in graph_def.node:
            counted = _number(2, float_ops.get(node.name, 0))
            if counted and own and steps_added:
                last.append(_message(1, _message(1, node.name.encode()) + counted))
            entry = b"" if own and steps_added else counted
            if node.name in train:
                entry += _message(3, _TRAINABLE.encode())
            if add_trace:
                trace = _trace(call_stack(self._graph.get_operation_by_name(node.name)), strings, source_text, known)
                entry += _message(4, trace) if trace else b""
            if entry:
                entries.append(_message(1, _message(1, node.name.encode()) + entry))
        return b"".join([*entries, strings.serialized(), own, *last])


def _set_shape(graph: Any, name: str, slot: int, shape: Any) -> None:
    try:
        graph.get_operation_by_name(name).outputs[slot].set_shape(shape)
    except (KeyError, IndexError, ValueError):
        pass  # not in the copy, or known to be another: leave it


def _content(given: Given) -> bytes:
    if isinstance(given, bytes):
        return given
    try:
        with open(given, "rb") as file:
            return file.read()
    except OSError as error:
        raise _engine.Error("%s: cannot be read: %s" % (given, error.strerror)) from None


def serialize(entries: Mapping[str, Mapping[str, Any]]) -> bytes:
    """An op log of one's own, without TensorFlow: name -> {'float_ops': N, 'types': [...]}.

    >>> from tfprof import tfprof_logger
    >>> tfprof_logger.serialize({'conv': {'float_ops': 7, 'types': ['mine']}})
    b'\\n\\x0e\\n\\x04conv\\x10\\x07\\x1a\\x04mine'
    """
    out = []
    for name, entry in entries.items():
        types = b"".join(_message(3, text.encode()) for text in entry.get("types", ()))
        out.append(_message(1, _message(1, name.encode()) + _number(2, int(entry.get("float_ops", 0))) + types))
    return b"".join(out)


def write_op_log(graph: Any, log_dir: Any, op_log: Any = None, run_meta: Any = None, add_trace: bool = True) -> None:
    """Writes the file `tfprof_log` into `log_dir`: call stacks with their source text, float ops, and which
    variables train. Views of code need it.

    Args:
      graph: a tf.Graph; None: the default graph.
      log_dir: the directory, made where it is not there.
      op_log: entries of your own, which are kept: an OpLogProto, bytes or a path.
      run_meta: run metadata, for shapes that the graph does not know.
      add_trace: whether to write the call stacks.
    """
    from ._inputs import default_graph, is_graph
    if graph is None:
        graph = default_graph()
    if not is_graph(graph):
        raise ValueError("graph: a tf.Graph is needed, not %s" % type(graph).__name__)
    live = LiveGraph(graph)
    if run_meta is not None:
        live.add_run(read(run_meta, "run_meta"))
    given = None if op_log is None else read(op_log, "op_log")
    directory = os.fspath(log_dir)
    os.makedirs(directory, exist_ok=True)
    _engine.write_file(os.path.join(directory, "tfprof_log"), live.op_log(given, add_trace, source_text=True))
