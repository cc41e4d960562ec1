"""What ran in TensorFlow 2: functions as one flat graph with call stacks.

The names are those of the runtime, which puts the nodes of a called function below the node that calls it.
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple

from ._inputs import tensorflow
from ._layers import Frame, Layers
from ._op_log import _TRAINABLE, _message, _Strings, _trace
from ._xspace import Execution

# An attribute of variables: what they are where they are no parameters of the model. docs/inputs.md has it.
ROLE = "_tfprof_role"
# On nodes of functions that were called: each did its work, under its own name or, rewritten, as part of another.
CALLED = "_tfprof_called"
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


class Argument(NamedTuple):
    """What is known of an argument of a function: a tensor, or a variable that it uses."""

    variable: str  # its name; "": a tensor
    shape: Optional[Tuple[int, ...]]  # None: not known
    dtype: int
    trainable: bool
    role: str = ""  # of a variable that is known to be no parameter: optimizer, other
    handle: int = 0  # tells variables of one name apart


class FlatGraph:
    """Functions with everything that they call, as one GraphDef and one op log.

    Calls are expanded. Loops and branches stay nodes; their functions go into the graph's library.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self.layers = Layers(())
        self.graph = tensorflow("recording").compat.v1.GraphDef()
        self._names: set[str] = set()
        self._outputs: Dict[str, List[str]] = {}  # of calls: the nodes behind their outputs
        self._library: set[str] = set()
        self._variables: Dict[str, int] = {}  # handles by name
        self._stacks: Dict[str, List[Frame]] = {}
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
            name = self._free_name(given) if given.variable else argument.name
            if name not in self._names:
                self._add_argument(name, given)
            arguments.append(name)
        first = len(self.graph.node)
        roots = [_output(definition, argument.name, "", arguments) for argument in definition.signature.output_arg]
        pending = [(definition, "", arguments)]
        while pending:
            self._expand(*pending.pop(), pending, roots)
        self._resolve()
        self._prune(first, roots)
        return True

    def open_sizes(self) -> List[str]:
        """The sizes that arguments leave open, as INPUT:AXIS."""
        return ["%s:%d" % (node.name, axis) for node in self.graph.node if node.op == "Placeholder"
                for axis, dim in enumerate(node.attr["shape"].shape.dim) if dim.size < 0]

    def _free_name(self, argument: Argument) -> str:
        """A variable's name, with a number where another variable has it."""
        name, number = argument.variable, 0
        while self._variables.setdefault(name, argument.handle) != argument.handle:
            number += 1
            name = "%s_%d" % (argument.variable, number)
        return name

    def _add_argument(self, name: str, argument: Argument) -> None:
        node = self._add(name, "VarHandleOp" if argument.variable else "Placeholder")
        node.attr["dtype"].type = argument.dtype
        shape = node.attr["shape"].shape
        shape.SetInParent()
        shape.unknown_rank = argument.shape is None
        for size in argument.shape or ():
            shape.dim.add(size=size)
        if argument.role:
            node.attr[ROLE].s = argument.role.encode()
        if argument.trainable:
            self._types[name] = [_TRAINABLE]

    def _expand(self, definition: Any, prefix: str, arguments: List[str], pending: List[Any],
                roots: List[str]) -> None:
        names: Dict[str, str] = dict(zip((argument.name for argument in definition.signature.input_arg), arguments))
        nodes = {node.name: node for node in definition.node_def}
        function = definition.signature.name
        roots.extend(prefix + name for name in definition.control_ret.values())

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
            added.attr[CALLED].b = True
            self._stacks[name] = self._stack(function, node.name)
            self._add_functions([node])

    def _add_functions(self, nodes: Iterable[Any]) -> None:
        """Hands over the functions that nodes name, and those that they name in turn."""
        pending = list(nodes)
        while pending:
            for attribute in pending.pop().attr.values():
                for function in [attribute.func, *attribute.list.func]:
                    definition = None
                    if function.name and function.name not in self._library:
                        self._library.add(function.name)
                        definition = self._definition(function.name)
                    if definition is not None:
                        self.graph.library.function.add().CopyFrom(definition)
                        pending.extend(definition.node_def)

    def _resolve(self) -> None:
        """Calls are gone: what used their outputs uses the nodes that give them."""
        for node in self.graph.node:
            inputs = []
            for text in node.input:
                control = text.startswith("^")
                name, index = self._behind(text)
                if name in self._names:
                    inputs.append("^" + name if control else "%s:%s" % (name, index) if index.strip("0") else name)
            del node.input[:]
            node.input.extend(inputs)

    def _behind(self, text: str) -> Tuple[str, str]:
        """The node behind an input, and which of its outputs; no name: an input of a call that gives nothing."""
        control = text.startswith("^")
        name, _, index = text.lstrip("^").partition(":")
        for _ in range(100):  # a call may give what a call within gives
            if name not in self._outputs:
                return name, index
            outputs = self._outputs[name]
            position = int(index or 0)
            if control or position >= len(outputs):
                break
            name, _, index = outputs[position].partition(":")
        return "", ""

    def _prune(self, first: int, roots: Iterable[str]) -> None:
        """Leaves out, from the first on, what no result and no side effect needs: it never runs. Keras' recurrent
        layers, for one, call their cell once more, to see what comes out."""
        nodes = {node.name: node for node in self.graph.node}
        pending = [self._behind(root)[0] for root in roots]
        needed: set[str] = set()
        while pending:
            name = pending.pop()
            if name in nodes and name not in needed:
                needed.add(name)
                pending.extend(text.lstrip("^").partition(":")[0] for text in nodes[name].input)
        kept = [node for node in self.graph.node[first:] if node.name in needed]
        self._names -= {node.name for node in self.graph.node[first:]} - needed
        del self.graph.node[first:]
        self.graph.node.extend(kept)

    def _stack(self, function: str, node: str) -> List[Frame]:
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

    def add_missing(self, executions: Iterable[Execution], ran: Mapping[str, Any]) -> None:
        """Nodes that ran but are in no function: what the runtime made itself, as the bodies of loops in place. `ran`
        has the nodes of the graphs that it made, by name."""
        for execution in executions:
            if execution.node in self._names:
                continue
            made = ran.get(execution.node)
            self._add(execution.node, execution.op if made is None else made.op)
            if made is None:
                continue
            origin = made.experimental_debug_info
            for node, function in zip(origin.original_node_names, origin.original_func_names):
                self._stacks[execution.node] = self._stack(function, node)

    def op_log(self) -> bytes:
        """Call stacks with their source text, and which variables train."""
        strings = _Strings(1)
        known: Dict[Frame, bytes] = {}
        entries = []
        for node in self.graph.node:
            entry = b"".join(_message(3, text.encode()) for text in self._types.get(node.name, ()))
            stack = self.layers.insert(self._stacks.get(node.name, []), node.name)
            trace = _trace(stack, strings, True, known)
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
    return "%s%s:%d" % (call + "/" if call else "", parts[0], position)


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


def roles_of(models: Iterable[Any]) -> Dict[int, str]:
    """What variables are to Keras models, by the id of their handle: "" for parameters. Counters of metrics and the
    states of random layers are "other"."""
    roles: Dict[int, str] = {}

    def add(variables: Iterable[Any], role: str) -> None:
        for variable in variables:
            handle = getattr(getattr(variable, "value", variable), "handle", None)
            if handle is not None:
                roles.setdefault(id(handle), role)

    for model in models:
        if hasattr(model, "weights") and hasattr(model, "variables"):
            add(model.weights, "")
            optimizer = getattr(model, "optimizer", None)
            variables = getattr(optimizer, "variables", ())
            add(variables() if callable(variables) else variables, "optimizer")
            add(getattr(model, "metrics_variables", ()), "other")
            add(model.variables, "other")
    return roles


def arguments_of(function: Any, roles: Mapping[int, str]) -> Dict[int, Argument]:
    """What is known of a concrete function's arguments, by position; the last ones are what it captured."""
    found = {position: Argument("", _shape(tensor.shape), tensor.dtype.as_datatype_enum, False)
             for position, tensor in enumerate(function.inputs)}
    first = len(function.inputs) - len(function.captured_inputs)
    handles = {id(variable.handle): variable for variable in function.graph.variables}
    for position, handle in enumerate(function.captured_inputs):
        variable = handles.get(id(handle))
        if variable is not None:
            found[first + position] = Argument(variable.name.split(":")[0], _shape(variable.shape),
                                               variable.dtype.as_datatype_enum, bool(variable.trainable),
                                               roles.get(id(handle), ""), id(handle))
    return found


def name_of(function: Any) -> str:
    """The name that the runtime knows a concrete function by."""
    return function.name.decode() if isinstance(function.name, bytes) else str(function.name)


def compiled_by_xla(functions: Iterable[Any]) -> bool:
    """Whether XLA compiles one of these functions, or one that they call."""
    from tensorflow.python.eager import context
    current = context.context()
    pending = [name_of(function) for function in concrete_functions(functions)]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            definition = current.get_function_def(name)
        except Exception:  # it is gone, or of another program
            continue
        if definition.attr["_XlaMustCompile"].b:
            return True
        pending.extend(node.attr["f"].func.name for node in definition.node_def if node.op in _CALLS)
    return False


def find_arguments(functions: Iterable[Any], name: str) -> Dict[int, Argument]:
    """Those of the function of this name, where it is among them."""
    given = list(functions)
    for function in concrete_functions(given):
        if name_of(function) == name:
            return arguments_of(function, roles_of(given))
    return {}


def flatten(function: Any, models: Iterable[Any] = ()) -> FlatGraph:
    """A concrete function with everything that it calls; `models` tell what variables are."""
    from tensorflow.python.eager import context
    graph = FlatGraph(context.context())
    graph.add(name_of(function), arguments_of(function, roles_of(models)))
    return graph
