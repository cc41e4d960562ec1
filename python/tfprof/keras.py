"""Recording Keras training: `model.fit(..., callbacks=[tfprof.keras.ProfileCallback('run/', steps=[1, 10, 100])])`."""
from __future__ import annotations

import logging
import os
from typing import Any, Iterable, Union

from ._inputs import tensorflow
from ._memory import record_cpu_memory
from .tracing import Tracer, read_steps

_Base: Any = tensorflow("tfprof.keras").keras.callbacks.Callback


class ProfileCallback(_Base):  # type: ignore[misc]
    """Records chosen training steps into a run directory: graph, times, call stacks, variables.

    Steps count the batches of all epochs, the first is 1. The other steps cost a counter and a look into a set. An
    earlier recording in the directory is replaced when the first step is written.

    Args:
      logdir: the directory, made where it is not there.
      steps: which to record: ints, or text as '1,10,100'.
      memory: True: also each allocation on the CPU. TensorFlow must be told before it starts, by
        `tfprof.record_cpu_memory()` at the top of the program; RuntimeError says where this comes too late.
    """

    def __init__(self, logdir: Union[str, "os.PathLike[str]"], steps: Union[str, Iterable[int]] = (10,),
                 memory: bool = False) -> None:
        super().__init__()
        self._chosen = frozenset(read_steps(steps) or ())
        if not self._chosen:
            raise ValueError("steps: none are given")
        if memory:
            record_cpu_memory()
        self._tracer = Tracer(logdir, self._chosen)
        self.logdir = self._tracer.logdir
        self._step = 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Begins to count, over all calls of fit."""
        self._tracer.watch(self.model)

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Starts to record where this step is chosen."""
        self._step += 1
        if self._step in self._chosen:
            self._tracer.start(self._step)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes what was recorded."""
        if self._step in self._chosen:
            self._tracer.stop(self._step)

    def on_train_end(self, logs: Any = None) -> None:
        """Says which steps never came."""
        missing = sorted(step for step in self._chosen if step > self._step)
        if missing:
            logging.getLogger("tfprof").warning(
                "%s: training ended after step %d; never came: %s %s", self.logdir, self._step,
                "step" if len(missing) == 1 else "steps", ", ".join(str(step) for step in missing))
