"""Recording Keras training: `model.fit(..., callbacks=[tfprof.keras.ProfileCallback('run/', steps=[1, 10, 100])])`."""
from __future__ import annotations

import os
from typing import Any, Iterable, Union

from ._inputs import tensorflow
from .tracing import Tracer, read_steps

_Base: Any = tensorflow("tfprof.keras").keras.callbacks.Callback


class ProfileCallback(_Base):  # type: ignore[misc]
    """Records chosen training steps into a run directory: graph, times, call stacks, variables.

    Steps count the batches of all epochs, the first is 1. The other steps cost a counter and a look into a set.
    """

    def __init__(self, logdir: Union[str, "os.PathLike[str]"], steps: Union[str, Iterable[int]] = (10,)) -> None:
        super().__init__()
        self._chosen = frozenset(read_steps(steps) or ())
        self.logdir = os.fspath(logdir)
        self._step = 0
        self._tracer: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Begins to count, over all calls of fit."""
        if self._tracer is None:
            self._tracer = Tracer(self.logdir, self._chosen, [self.model])

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Starts to record where this step is chosen."""
        self._step += 1
        if self._step in self._chosen:
            self._tracer.start()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes what was recorded."""
        if self._step in self._chosen:
            self._tracer.stop(self._step)
