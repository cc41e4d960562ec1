"""What ran in TensorFlow 2: functions as one flat graph, and a trace of their ops as run metadata.

The names are those of the runtime, which puts the nodes of a called function below the node that calls it.
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from ._inputs import tensorflow
from ._op_log import _TRAINABLE, _fields, _message, _Strings, _trace

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


class Execution(NamedTuple):
    """One run of one op on the host."""

    node: str
    op: str
    start_nanos: int
    nanos: int


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def read_trace(xspace: bytes) -> Tuple[List[Execution], List[str]]:
    """The ops of an XSpace's host threads, and the functions that were called, in order of time."""
    executions: List[Execution] = []
    functions: Dict[str, int] = {}
    for field, plane in _fields(xspace):
        if field != 1 or not isinstance(plane, bytes):
            continue
        names = _event_names(plane)
        for number, line in _fields(plane):
            if number == 3 and isinstance(line, bytes):
                _read_line(line, names, executions, functions)
    executions.sort(key=lambda execution: execution.start_nanos)
    return executions, sorted(functions, key=lambda name: functions[name])


def _event_names(plane: bytes) -> Dict[int, Tuple[str, str]]:
    """Name and display name by id."""
    names = {}
    for field, entry in _fields(plane):
        if field == 4 and isinstance(entry, bytes):
            metadata = dict(_fields(dict(_fields(entry)).get(2, b"")))
            names[metadata.get(1, 0)] = (_text(metadata.get(2)), _text(metadata.get(4)))
    return names


def _read_line(line: bytes, names: Dict[int, Tuple[str, str]], executions: List[Execution],
               functions: Dict[str, int]) -> None:
    fields = list(_fields(line))
    begin = next((value for number, value in fields if number == 3), 0)
    for number, content in fields:
        if number != 4 or not isinstance(content, bytes):
            continue
        event = dict(_fields(content))
        name, op = names.get(event.get(1, 0), ("", ""))
        start = begin + event.get(2, 0) // 1000
        called = name.partition("EagerLocalExecute: ")[2]
        if called:
            functions.setdefault(called, start)
        # Ops are the events whose name is NODE:OP.
        elif op and name.endswith(":" + op) and len(name) > len(op) + 1 and "::" not in name:
            executions.append(Execution(name[:-len(op) - 1], op, start, event.get(3, 0) // 1000))


def run_metadata(executions: Iterable[Execution], device: str) -> bytes:
    """The executions as a serialized RunMetadata."""
    proto = tensorflow("recording").compat.v1.RunMetadata()
    stats = proto.step_stats.dev_stats.add(device=device)
    for node, op, start, nanos in executions:
        micros = max(1, round(nanos / 1000))
        stats.node_stats.add(node_name=node, all_start_micros=start // 1000, op_end_rel_micros=micros,
                             all_end_rel_micros=micros, op_start_rel_micros=0, all_start_nanos=start,
                             op_end_rel_nanos=nanos, all_end_rel_nanos=nanos, timeline_label="%s = %s()" % (node, op))
    content: bytes = proto.SerializeToString()
    return content


class Argument(NamedTuple):
    """What is known of an argument of a function: a tensor, or a variable that it uses."""

    variable: str  # its name; "": a tensor
    shape: Optional[Tuple[int, ...]]  # None: not known
    dtype: int
    trainable: bool


class FlatGraph:
    """Functions with everything that they call, as one GraphDef and one op log."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self.graph = tensorflow("recording").compat.v1.GraphDef()
        self._names: set[str] = set()
        self._library: set[str] = set()
        self._outputs: Dict[str, List[str]] = {}  # of calls: the nodes behind their outputs
        self._stacks: Dict[str, List[Tuple[str, int, str]]] = {}
        self._types: Dict[str, List[str]] = {}
        self._debug: Dict[str, Any] = {}

    def _definition(self, name: str) -> Any:
        try:
            return self._context.get_function_def(name)
        except Exception:  # not a function of this program: an op that ran eagerly
            return None

    def _add(self, name: str, op: str) -> Any:
        self._names.add(name)
        return self.graph.node.add(name=name, op=op)

    def add(self, function: str, known: Dict[int, Argument]) -> bool:
        """Adds a called function; `known` tells of its arguments, by position."""
        definition = self._definition(function)
        if definition is None:
            return False
        arguments = []
        for position, argument in enumerate(definition.signature.input_arg):
            given = known.get(position, Argument("", None, argument.type, False))
            name = given.variable or argument.name
            if name not in self._names:
                self._add_argument(name, given)
            arguments.append(name)
        pending = [(definition, "", arguments)]
        while pending:
            self._expand(*pending.pop(), pending)
        self._resolve()
        return True

    def _add_argument(self, name: str, argument: Argument) -> None:
        node = self._add(name, "VarHandleOp" if argument.variable else "Placeholder")
        node.attr["dtype"].type = argument.dtype
        shape = node.attr["shape"].shape
        shape.SetInParent()
        shape.unknown_rank = argument.shape is None
        for size in argument.shape or ():
            shape.dim.add(size=size)
        if argument.trainable:
            self._types[name] = [_TRAINABLE]

    def _expand(self, definition: Any, prefix: str, arguments: List[str], pending: List[Any]) -> None:
        names: Dict[str, str] = dict(zip((argument.name for argument in definition.signature.input_arg), arguments))
        nodes = {node.name: node for node in definition.node_def}
        function = definition.signature.name

        def source(given: Any) -> str:
            text = str(given)
            control = text.startswith("^")
            parts = text.lstrip("^").split(":")
            if parts[0] in names:
                return ("^" if control else "") + names[parts[0]]
            if control or len(parts) != 3 or parts[0] not in nodes:
                return ("^" if control else "") + prefix + parts[0]
            return "%s:%d" % (prefix + parts[0], _position(nodes[parts[0]], parts[1], int(parts[2])))

        for node in definition.node_def:
            name = prefix + node.name
            inner = self._definition(node.attr["f"].func.name) if node.op in _CALLS and "f" in node.attr else None
            inputs = [source(text) for text in node.input]
            if inner is not None:
                given = [text for text in inputs if not text.startswith("^")]
                pending.append((inner, name + "/", given))
                self._outputs[name] = [_output(inner, argument.name, name, given) for argument in
                                       inner.signature.output_arg]
                continue
            if name in self._names:
                continue
            added = self._add(name, node.op)
            added.CopyFrom(node)
            added.name = name
            del added.input[:]
            added.input.extend(inputs)
            self._stacks[name] = self._stack(function, node.name)
            self._keep_functions(node)

    def _keep_functions(self, node: Any) -> None:
        """Loops and branches stay nodes: their functions, and what those call, go into the library."""
        pending = [node]
        while pending:
            for attribute in pending.pop().attr.values():
                for called in [attribute.func.name, *(function.name for function in attribute.list.func)]:
                    definition = self._definition(called) if called and called not in self._library else None
                    if definition is not None:
                        self._library.add(called)
                        self.graph.library.function.add().CopyFrom(definition)
                        pending.extend(definition.node_def)

    def _resolve(self) -> None:
        """Calls are gone: what used their outputs uses the nodes that give them."""
        for node in self.graph.node:
            inputs = []
            for text in node.input:
                control = text.startswith("^")
                name, _, index = text.lstrip("^").partition(":")
                for _ in range(100):  # a call may give what a call within gives
                    if name not in self._outputs:
                        break
                    outputs = self._outputs[name]
                    position = int(index or 0)
                    if control or position >= len(outputs):
                        name = ""
                        break
                    name, _, index = outputs[position].partition(":")
                if name in self._names:
                    inputs.append("^" + name if control else "%s:%s" % (name, index) if index.strip("0") else name)
            del node.input[:]
            node.input.extend(inputs)

    def _stack(self, function: str, node: str) -> List[Tuple[str, int, str]]:
        if function not in self._debug:
            try:
                self._debug[function] = self._context.get_graph_debug_info(function)
            except Exception:  # this version does not keep them
                self._debug[function] = None
        info = self._debug[function]
        if info is None or node not in info.name_to_trace_id:
            return []
        trace = info.traces_by_id[info.name_to_trace_id[node]]
        frames = (info.frames_by_id[number] for number in trace.frame_id)
        return [(info.files[frame.file_index], frame.line, frame.func) for frame in frames]

    def add_missing(self, executions: Iterable[Execution]) -> None:
        """Nodes that ran but are in no function: what the runtime made itself."""
        for execution in executions:
            if execution.node not in self._names:
                self._add(execution.node, execution.op)

    def op_log(self) -> bytes:
        """Call stacks with their source text, and which variables train."""
        strings = _Strings(1)
        known: Dict[Tuple[str, int, str], bytes] = {}
        entries = []
        for node in self.graph.node:
            entry = b"".join(_message(3, text.encode()) for text in self._types.get(node.name, ()))
            trace = _trace(self._stacks.get(node.name, []), strings, True, known)
            entry += _message(4, trace) if trace else b""
            if entry:
                entries.append(_message(1, _message(1, node.name.encode()) + entry))
        return b"".join([*entries, strings.serialized()])


def _output(definition: Any, name: str, call: str, given: List[str]) -> str:
    """The node behind an output of a called function, as NODE:POSITION."""
    parts = definition.ret[name].split(":")
    for argument, source in zip(definition.signature.input_arg, given):
        if argument.name == parts[0]:
            return source  # it gives back what it was given
    node = next((node for node in definition.node_def if node.name == parts[0]), None)
    position = _position(node, parts[1], int(parts[2])) if node is not None and len(parts) == 3 else 0
    return "%s/%s:%d" % (call, parts[0], position)


def _position(node: Any, output: str, index: int) -> int:
    """The place of output[index] among all outputs of a node."""
    if node.op in _CALLS:
        return index
    from tensorflow.python.framework import op_def_registry
    definition = op_def_registry.get(node.op)
    first = 0
    for argument in definition.output_arg if definition is not None else ():
        if argument.name == output:
            return first + index
        if argument.number_attr:
            first += node.attr[argument.number_attr].i
        elif argument.type_list_attr:
            first += len(node.attr[argument.type_list_attr].list.type)
        else:
            first += 1
    return index


def concrete_functions(functions: Iterable[Any]) -> Iterator[Any]:
    """The concrete functions behind tf.functions, Keras models and plain functions that wrap them."""
    for function in functions:
        if hasattr(function, "captured_inputs"):
            yield function
        elif hasattr(function, "_list_all_concrete_functions"):
            yield from function._list_all_concrete_functions()
        else:
            for attribute in ("train_function", "test_function", "predict_function"):
                inside = getattr(function, attribute, None)
                if inside is not None:
                    yield from concrete_functions([inside])
            for cell in getattr(function, "__closure__", None) or ():
                try:
                    inside = cell.cell_contents
                except ValueError:
                    continue
                if hasattr(inside, "_list_all_concrete_functions"):
                    yield from inside._list_all_concrete_functions()


def _shape(shape: Any) -> Optional[Tuple[int, ...]]:
    return None if shape.rank is None else tuple(-1 if size is None else size for size in shape)


def arguments_of(function: Any) -> Dict[int, Argument]:
    """What is known of a concrete function's arguments, by position; the last ones are what it captured."""
    found = {position: Argument("", _shape(tensor.shape), tensor.dtype.as_datatype_enum, False)
             for position, tensor in enumerate(function.inputs)}
    first = len(function.inputs) - len(function.captured_inputs)
    handles = {id(variable.handle): variable for variable in function.graph.variables}
    for position, handle in enumerate(function.captured_inputs):
        variable = handles.get(id(handle))
        if variable is not None:
            found[first + position] = Argument(variable.name.split(":")[0], _shape(variable.shape),
                                               variable.dtype.as_datatype_enum, bool(variable.trainable))
    return found


def name_of(function: Any) -> str:
    """The name that the runtime knows a concrete function by."""
    return function.name.decode() if isinstance(function.name, bytes) else str(function.name)


def find_arguments(functions: Iterable[Any], name: str) -> Dict[int, Argument]:
    """Those of the function of this name, where it is among them."""
    for function in concrete_functions(functions):
        if name_of(function) == name:
            return arguments_of(function)
    return {}


def flatten(function: Any) -> FlatGraph:
    """A concrete function with everything that it calls."""
    from tensorflow.python.eager import context
    graph = FlatGraph(context.context())
    graph.add(name_of(function), arguments_of(function))
    return graph
