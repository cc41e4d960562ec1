"""Recording tf.functions: graph, times of ops, and call stacks, as a run directory."""
from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterable, Iterator, List, Optional, Union

from . import _engine
from ._functions import FlatGraph, find_arguments, read_trace, run_metadata
from ._inputs import tensorflow

_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def read_steps(steps: Union[None, int, str, Iterable[int]], name: str = "steps") -> Optional[List[int]]:
    """Steps as a list; also one int, or text as '1,10,100'."""
    if steps is None:
        return None
    if isinstance(steps, str):
        steps = [int(part) if part.strip().isdigit() else -1 for part in steps.split(",") if part.strip()]
    try:
        found = [int(steps)] if isinstance(steps, int) else [int(step) for step in steps]
    except (TypeError, ValueError):
        found = [-1]
    if any(step < 0 for step in found):
        raise ValueError("%s: %r are no steps; give ints from 0 up" % (name, steps))
    return found


class Tracer:
    """Records chosen steps of TensorFlow 2 code into a directory that every command of `tfprof` reads.

        tracer = tfprof.Tracer('run/', steps=[10, 100], functions=[train_step])
        for step, batch in enumerate(data):
            with tracer.step(step):
                train_step(batch)
        print(tfprof.summary('run/'))

    Writes `graph.pb`, `tfprof_log` (call stacks) and `run_meta_STEP`. Times are those of the ops on the host; memory
    is not recorded. Other steps cost nothing but a look into a set.

    Args:
      logdir: the directory, made where it is not there.
      steps: which to record; None: all that `step` is asked for.
      functions: the tf.functions that run, or Keras models: tells the variables.
    """

    def __init__(self, logdir: Union[str, "os.PathLike[str]"], steps: Union[None, str, Iterable[int]] = None,
                 functions: Iterable[Any] = ()) -> None:
        chosen = read_steps(steps)
        self.logdir = os.fspath(logdir)
        self._steps = None if chosen is None else frozenset(chosen)
        self._functions = list(functions)
        self._folder: Optional[str] = None
        self._graph: Optional[FlatGraph] = None

    @contextmanager
    def step(self, step: int) -> Iterator[None]:
        """Records what runs inside, if the step is one of those chosen."""
        if not self.wants(step):
            yield
            return
        self.start()
        try:
            yield
        finally:
            self.stop(step)

    def wants(self, step: int) -> bool:
        """Whether this step is to be recorded."""
        return self._steps is None or step in self._steps

    def start(self) -> None:
        """Begins to record."""
        tf = tensorflow("recording")
        profiler = tf.profiler.experimental
        self._folder = tempfile.mkdtemp(prefix="tfprof_")
        try:
            profiler.start(self._folder, profiler.ProfilerOptions(host_tracer_level=3, python_tracer_level=0))
        except Exception:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
            raise

    def stop(self, step: int) -> None:
        """Ends the recording and writes it as this step."""
        folder, self._folder = self._folder, None
        if folder is None:
            return
        try:
            tensorflow("recording").profiler.experimental.stop()
            found = sorted(Path(folder).glob("plugins/profile/*/*.xplane.pb"))
            content = found[-1].read_bytes() if found else b""
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self._write(step, content)

    def _write(self, step: int, xspace: bytes) -> None:
        from tensorflow.python.eager import context
        executions, called = read_trace(xspace)
        if not executions:
            import logging
            logging.getLogger("tfprof").warning("step %d: no op ran inside a tf.function; nothing is written", step)
            return
        graph = self._graph = self._graph or FlatGraph(context.context())
        for name in called:
            graph.add(name, find_arguments(self._functions, name))
        graph.add_missing(executions)
        os.makedirs(self.logdir, exist_ok=True)
        _engine.write_file(os.path.join(self.logdir, "graph.pb"), graph.graph.SerializeToString())
        _engine.write_file(os.path.join(self.logdir, "tfprof_log"), graph.op_log())
        _engine.write_file(os.path.join(self.logdir, "run_meta_%d" % step), run_metadata(executions, _DEVICE))
