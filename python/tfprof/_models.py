"""Models as the engine's inputs: paths, bytes, protos, graphs, Keras models, tf.functions, compiled functions of JAX."""
from __future__ import annotations

from typing import Any, List, Optional

from ._engine import Error
from ._inputs import Inputs, is_graph, read, tensorflow


def model_inputs(model: Any, batch: Optional[int]) -> Inputs:
    """A model as the engine's input. Error: TensorFlow cannot make a graph of it as it stands."""
    inputs = Inputs()
    concrete = _concrete_function(model, 1 if batch is None else batch)
    if concrete is not None:
        from ._functions import flatten
        flat = flatten(concrete, [model])
        inputs.add_graph_def(flat.graph.SerializeToString())
        inputs.add_op_log(flat.op_log())
        inputs.open_sizes = flat.open_sizes()
    elif hasattr(model, "runtime_executable") and hasattr(model, "memory_analysis"):
        inputs.add(_compiled_program(model), "<program>")
    elif is_graph(model):
        inputs.add_graph_def(model.as_graph_def(add_shapes=True).SerializeToString())
    else:
        inputs.add(read(model, "model"), "<graph>")
    inputs.finish()
    return inputs


def _concrete_function(model: Any, batch: int) -> Any:
    """The concrete function of something callable; None: it is something else."""
    if hasattr(model, "graph") and hasattr(model, "structured_outputs"):
        return model
    if hasattr(model, "_list_all_concrete_functions"):
        return _only_trace(model)
    if callable(model) and (hasattr(model, "inputs") or hasattr(model, "input_spec")):
        return _trace(model, _specs(model, batch))
    return None


def _compiled_program(compiled: Any) -> bytes:
    """A compiled function of JAX (jax.jit(f).lower(...).compile()) as an HloProto: its module, its buffer assignment."""
    modules = compiled.runtime_executable().hlo_modules()
    if len(modules) != 1:
        raise Error("the compiled function has %d programs; one is needed" % len(modules))
    proto = _field(1, modules[0].as_serialized_hlo_module_proto())
    assignment = getattr(compiled.memory_analysis(), "serialized_buffer_assignment_proto", b"")
    return proto + (_field(3, assignment) if assignment else b"")


def _field(number: int, content: bytes) -> bytes:
    """A length-delimited field of a protobuf message."""
    length, size = b"", len(content)
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


_HOW = "tf.function(f).get_concrete_function(tf.TensorSpec([1, 224, 224, 3]))"


def _only_trace(function: Any) -> Any:
    """The one trace that a tf.function has, or can have."""
    if getattr(function, "input_signature", None) is not None:
        return function.get_concrete_function()
    traces = function._list_all_concrete_functions()
    if len(traces) != 1:
        raise Error("the tf.function has %s; give one of them, as %s" % (
            "%d traces" % len(traces) if traces else "no trace yet: call it once", _HOW))
    return traces[0]


def _specs(model: Any, batch: int) -> Any:
    """What the model takes, in its own structure; an open first size is the batch, others stay open."""
    tf = tensorflow("a Keras model")

    def spec(shape: Any, dtype: Any, name: Optional[str]) -> Any:
        sizes = [batch if place == 0 and size is None else size for place, size in enumerate(shape)]
        return tf.TensorSpec(sizes, dtype, name=name)

    if getattr(model, "inputs", None):
        given = getattr(getattr(model, "_functional", None) or model, "_inputs_struct", None)
        if given is None:
            given = model.inputs[0] if len(model.inputs) == 1 else model.inputs
        return tf.nest.map_structure(lambda tensor: spec(tensor.shape, tensor.dtype, _name(tensor)), given)
    # A model of one's own knows the shapes that it was built for, once it has been.
    shapes = getattr(model, "_build_shapes_dict", None)
    if not shapes:
        raise Error("the model has no inputs yet: call it once, or build() it")
    if len(shapes) != 1:
        raise Error("the model takes several inputs by name; give a function with known sizes: %s" % _HOW)
    dtype = getattr(model, "input_dtype", None) or getattr(model, "compute_dtype", None) or "float32"
    return _of_shapes(next(iter(shapes.values())), lambda shape: spec([None, *shape[1:]], dtype, None))


def _of_shapes(shapes: Any, make: Any) -> Any:
    """Shapes are tuples of sizes, which may lie in lists, tuples and dicts."""
    if isinstance(shapes, dict):
        return {key: _of_shapes(value, make) for key, value in shapes.items()}
    if all(size is None or isinstance(size, int) for size in shapes):
        return make(shapes)
    return [_of_shapes(value, make) for value in shapes]


def _name(tensor: Any) -> str:
    return str(tensor.name).split(":")[0].replace("/", "_")


def _trace(model: Any, specs: Any) -> Any:
    tf = tensorflow("a Keras model")
    first: Optional[Exception] = None
    for dtype in (None, tf.int32):  # what a model of one's own takes is not known: embeddings want ints
        given = specs if dtype is None else tf.nest.map_structure(
            lambda spec: tf.TensorSpec(spec.shape, dtype, spec.name), specs)
        try:
            return tf.function(lambda argument: model(argument, training=False)).get_concrete_function(given)
        except Exception as error:  # whatever a layer raises
            first = first or error
            if getattr(model, "inputs", None):
                break
    sizes = ", ".join(_described(spec) for spec in tf.nest.flatten(specs))
    lines: List[str] = [line for line in str(first).splitlines() if line.strip()]
    raise Error("the model cannot be called with %s: %s. Give a function with known sizes: %s" % (
        sizes, lines[0].rstrip(".") if lines else type(first).__name__, _HOW)) from None


def _described(spec: Any) -> str:
    return "[%s]" % ", ".join("?" if size is None else str(size) for size in spec.shape)
