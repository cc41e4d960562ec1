"""Captures of JAX and TensorFlow 2: kernels, host ops, programs, memory and call stacks of what runs inside a block."""
from __future__ import annotations

import contextlib
import functools
import logging
import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, ContextManager, Dict, Iterator, List, Optional, Type, Union

from ._engine import Error
from ._inputs import tensorflow

if TYPE_CHECKING:
    from ._profile import Profile

_FRAMEWORKS = ("jax", "tensorflow")


def _imported() -> Optional[str]:
    """The framework that the program uses: programs of JAX often import TensorFlow for its input pipelines alone."""
    return next((name for name in _FRAMEWORKS if name in sys.modules), None)


def step(number: int, name: str = "train") -> ContextManager[Any]:
    """Marks what runs inside as one step, under its number; for use inside `tfprof.trace`, next to nothing elsewhere.

        for number, batch in enumerate(data):
            with tfprof.step(number):
                train_step(batch)
    """
    if isinstance(number, bool) or not hasattr(number, "__index__") or number < 0:
        raise ValueError("step: %r is no step; steps are ints from 0 up" % (number,))
    number = int(number)
    framework = _running or _imported()
    if framework == "jax":
        return _jax_step(name, number)
    if framework == "tensorflow":
        trace = tensorflow("a step").profiler.experimental.Trace
        return trace(name, step_num=number, _r=1)  # type: ignore[no-any-return]
    return contextlib.nullcontext()


@contextlib.contextmanager
def _jax_step(name: str, number: int) -> Iterator[None]:
    import jax

    # A GPU's kernels belong to the step that launched them, whenever they run. Programs of the CPU run in other
    # threads, and are of the step in which they run.
    def finish() -> None:
        if _running and jax.default_backend() == "cpu":
            _wait_for_jax()

    with jax.profiler.StepTraceAnnotation(name, step_num=number):
        try:
            yield
        except BaseException:
            with contextlib.suppress(Exception):
                finish()
            raise
        finish()


_running: Optional[str] = None  # the framework that records: there is one profiler in a process


class trace:
    """Captures what runs inside into a log directory that every command of `tfprof` reads, and TensorBoard.

        with tfprof.trace('run') as run:
            for number in range(5):
                with tfprof.step(number):
                    state = train_step(state, batch)
        print(run.profile().summary())

    Run a few steps before: compilation is not what you want to see. What JAX has begun is waited for at the end. An
    exception ends the capture and goes on. Each capture is a run of its own in the directory; commands take the newest.

    Args:
      logdir: the directory, made where it is not there.
      framework: 'jax' or 'tensorflow'; None: the one that is imported, JAX where both are.
      python: True: also each call of Python, at the price of slower steps and a larger file.

    Attributes:
      path: the folder of this capture, once it is there.
    """

    def __init__(self, logdir: Union[str, "os.PathLike[str]"], framework: Optional[str] = None, python: bool = False
                 ) -> None:
        self.logdir = os.fspath(logdir)
        if not isinstance(self.logdir, str) or not self.logdir:
            raise ValueError("logdir: the directory has no name")
        if framework is not None and framework not in _FRAMEWORKS:
            raise ValueError("framework: %r is none of %s" % (framework, ", ".join(_FRAMEWORKS)))
        self._framework, self._python = framework, python
        self._before: Dict[str, int] = {}
        self.path: Optional[str] = None

    def __enter__(self) -> "trace":
        global _running
        if _running is not None:
            raise RuntimeError("a capture is running already: there is one profiler in a process")
        framework = self._framework or _imported()
        if framework is None:
            raise RuntimeError("neither jax nor tensorflow is imported: there is nothing to capture")
        self.path, self._before = None, _captures(self.logdir)
        os.makedirs(self.logdir, exist_ok=True)
        _start(framework, self.logdir, self._python)
        _running = framework
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        global _running
        framework, _running = _running, None
        if framework is None:
            return
        try:
            _stop(framework, failed=error is not None)
        except Exception as problem:
            if error is None:
                raise
            logging.getLogger("tfprof").warning("the capture could not be written: %s", problem)
        found = [path for path, written in _captures(self.logdir).items() if self._before.get(path) != written]
        if found:
            self.path = os.path.dirname(max(found, key=os.path.getmtime))
        elif error is None:
            raise Error("%s: %s wrote no capture" % (self.logdir, framework))

    def profile(self, **options: Any) -> "Profile":
        """What was captured, as `tfprof.load` gives it."""
        from ._api import load
        return load(self, **options)

    def __fspath__(self) -> str:
        if self.path is None:
            raise RuntimeError("%s: nothing has been captured yet: the block has not ended" % self.logdir)
        return self.path


def _captures(logdir: str) -> Dict[str, int]:
    """The captures of a log directory, and when each was written."""
    found: Dict[str, int] = {}
    for folder, _, names in os.walk(os.path.join(logdir, "plugins", "profile")):
        for name in names:
            if name.endswith(".xplane.pb"):
                path = os.path.join(folder, name)
                found[path] = os.stat(path).st_mtime_ns
    return found


def _start(framework: str, logdir: str, python: bool) -> None:
    if framework == "jax":
        import jax
        _wait_for_jax()  # what ran before is not of this capture, nor is the compilation of what waits
        options: List[Any] = []
        if hasattr(jax.profiler, "ProfileOptions"):
            options.append(jax.profiler.ProfileOptions())
            options[0].python_tracer_level = int(python)
        jax.profiler.start_trace(logdir, **({"profiler_options": options[0]} if options else {}))
        return
    profiler = tensorflow("a capture").profiler.experimental
    profiler.start(logdir, profiler.ProfilerOptions(host_tracer_level=2, python_tracer_level=int(python)))


def _stop(framework: str, failed: bool) -> None:
    if framework == "jax":
        import jax
        try:
            if not failed:
                _wait_for_jax()
        finally:
            jax.profiler.stop_trace()
        return
    tensorflow("a capture").profiler.experimental.stop()


@functools.lru_cache(maxsize=None)
def _jax_waits() -> List[Callable[[], Any]]:
    """For each device a program of next to nothing, compiled; a device's programs run one after the other."""
    import jax

    def tfprof_wait(number: Any) -> Any:
        return number + 1

    program = jax.jit(tfprof_wait)
    return [functools.partial(program, jax.device_put(0, device)) for device in jax.local_devices()]


def _wait_for_jax() -> None:
    """Until every device has done what it was told before, also where nobody holds the results."""
    import jax
    jax.block_until_ready([wait() for wait in _jax_waits()])
    jax.block_until_ready(jax.live_arrays())
