"""Recording tf.functions: graph, times of ops, memory, and call stacks, as a run directory."""
from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Container, Dict, Iterable, Iterator, List, Mapping, Optional, Union

from . import _memory
from ._functions import FlatGraph, compiled_by_xla, find_arguments
from ._inputs import tensorflow
from ._instances import FreshInstances
from ._layers import Layers
from ._run_directory import RunDirectory
from ._xspace import Trace, has_accelerators, read_trace

_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
_log = logging.getLogger("tfprof")


def read_steps(steps: Union[None, int, str, Iterable[int]], name: str = "steps") -> Optional[List[int]]:
    """Steps as a list; also one int, or text as '1,10,100'. ValueError: they are not ints from 0 up."""
    if steps is None:
        return None
    given: Any = steps
    if isinstance(steps, str):
        given = [int(part) if part.strip().isdigit() else part for part in steps.split(",") if part.strip()]
    if isinstance(given, bool) or not hasattr(given, "__iter__"):
        given = [given]
    found = list(given)
    # numpy's integers are steps as well.
    if not all(hasattr(step, "__index__") and not isinstance(step, bool) and step >= 0 for step in found):
        raise ValueError("%s: %r are no steps; give ints from 0 up" % (name, steps))
    return [int(step) for step in found]


class Tracer:
    """Records chosen steps of TensorFlow 2 code into a directory that every command of `tfprof` reads.

        tracer = tfprof.Tracer('run/', steps=[10, 100], functions=[train_step])
        for step, batch in enumerate(data):
            with tracer.step(step):
                train_step(batch)
        print(tfprof.summary('run/'))

    Writes `graph.pb`, `tfprof_log` (call stacks), `run_meta_STEP` and `run.json`, which says which recording this is
    and how many nodes of each step were timed. What TensorFlow's profiler captured is kept as
    `captures/step_STEP.xplane.pb`; where accelerators ran it stands in place of the run metadata, as
    `step_STEP.xplane.pb`: kernels and memory of theirs are in it alone. An earlier recording in the directory is
    replaced when the first step is written. Memory of the CPU is recorded after `tfprof.record_cpu_memory()`. Other
    steps cost nothing but a look into a set.

    A recorded step runs fresh instances of its functions, since TensorFlow does not trace those that have run often:
    it takes longer by the making of the instance, and ops that draw random numbers with a seed of their own begin anew.

    Args:
      logdir: the directory, made where it is not there.
      steps: which to record; None: all that `step` is asked for.
      functions: the tf.functions that run, or Keras models: tells the variables.
    """

    def __init__(self, logdir: Union[str, "os.PathLike[str]"], steps: Union[None, str, Iterable[int]] = None,
                 functions: Iterable[Any] = ()) -> None:
        chosen = read_steps(steps)
        self._directory = RunDirectory(logdir, "tfprof.Tracer")
        self.logdir = self._directory.path
        self._steps = None if chosen is None else frozenset(chosen)
        self._functions = list(functions)
        self._folder: Optional[str] = None
        self._mark: Any = None  # of the step, in the capture
        self._instances = FreshInstances()
        self._graph: Optional[FlatGraph] = None

    def watch(self, function: Any) -> None:
        """One more function or model that runs."""
        if not any(function is known for known in self._functions):
            self._functions.append(function)

    @contextmanager
    def step(self, step: int) -> Iterator[None]:
        """Records what runs inside, if the step is one of those chosen."""
        if not self.wants(step):
            yield
            return
        self.start(step)
        try:
            yield
        finally:
            self.stop(step)

    def wants(self, step: int) -> bool:
        """Whether this step is to be recorded."""
        return self._steps is None or step in self._steps

    def start(self, step: Optional[int] = None) -> None:
        """Begins to record; the step's number is told to the capture."""
        profiler = tensorflow("recording").profiler.experimental
        self._folder = tempfile.mkdtemp(prefix="tfprof_")
        self._instances = FreshInstances()
        try:
            profiler.start(self._folder, profiler.ProfilerOptions(host_tracer_level=3, python_tracer_level=0))
        except Exception:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
            raise
        if step is not None:
            self._mark = profiler.Trace("train", step_num=int(step), _r=1)
            self._mark.__enter__()
        # A fresh instance would be compiled anew, and nothing within it can be seen anyway.
        if not compiled_by_xla(self._functions):
            self._instances.begin()

    def stop(self, step: int) -> None:
        """Ends the recording and writes it as this step."""
        folder, self._folder = self._folder, None
        if folder is None:
            return
        try:
            self._instances.end()
            mark, self._mark = self._mark, None
            if mark is not None:
                mark.__exit__(None, None, None)
            tensorflow("recording").profiler.experimental.stop()
            found = sorted(Path(folder).glob("plugins/profile/*/*.xplane.pb"))
            content = found[-1].read_bytes() if found else b""
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self._write(step, read_trace(content), content)

    def _write(self, step: int, trace: Trace, capture: bytes) -> None:
        from tensorflow.python.eager import context
        if not trace.executions:
            _log.warning("step %d: no op ran inside a tf.function; nothing is written", step)
            return
        ran = self._instances.nodes()
        graph = self._graph = self._graph or FlatGraph(context.context())
        graph.layers = Layers(self._functions)
        for name in trace.functions:
            graph.add(name, find_arguments(self._functions, name))
        graph.add_missing(trace.executions, ran)
        directory = self._directory
        directory.write("graph.pb", graph.graph.SerializeToString())
        directory.write("tfprof_log", graph.op_log())
        if has_accelerators(capture):
            directory.write("step_%d.xplane.pb" % step, capture)
        else:
            directory.write("run_meta_%d" % step, run_metadata(trace, _DEVICE, ran, _memory.switched_on()))
            directory.write("captures/step_%d.xplane.pb" % step, capture)
        directory.tell(step, **coverage(trace, ran))


def coverage(trace: Trace, ran: Mapping[str, Any]) -> Dict[str, Any]:
    """How much of what ran was recorded: the nodes of the instances, how many were timed, and the types of the others.
    The runtime never times constants, arguments and the switches of loops; branches that were not taken did not run."""
    timed = {execution.node for execution in trace.executions}
    about: Dict[str, Any] = {"executions": len(trace.executions)}
    if ran:
        missing = Counter(node.op for name, node in ran.items() if name not in timed)
        about.update(nodes=len(ran), nodes_timed=len(ran) - sum(missing.values()),
                     types_not_timed=dict(missing.most_common()))
    return about


def run_metadata(trace: Trace, device: str, ran: Container[str], with_memory: bool) -> bytes:
    """A trace as a serialized RunMetadata."""
    # Blocks of other devices are not the CPU's.
    events = [event for event in trace.memory if with_memory and not event.allocator.startswith("GPU")]
    uses, added = _memory.by_execution(trace.executions, events, ran)
    proto = tensorflow("recording").compat.v1.RunMetadata()
    stats = proto.step_stats.dev_stats.add(device=device)
    for place, (node, op, start, nanos) in enumerate([*trace.executions, *added]):
        micros = max(1, round(nanos / 1000))
        record = stats.node_stats.add(
            node_name=node, all_start_micros=start // 1000, op_end_rel_micros=micros, all_end_rel_micros=micros,
            op_start_rel_micros=0, all_start_nanos=start, op_end_rel_nanos=nanos, all_end_rel_nanos=nanos,
            timeline_label="%s = %s()" % (node, op) if op else "")
        _memory.add_to(record, uses.get(place, ()))
    content: bytes = proto.SerializeToString()
    return content
