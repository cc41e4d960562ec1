"""ProfileContext: profiles Session.run at chosen steps without a change to the training code."""
from __future__ import annotations

import os
import threading
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _engine
from ._inputs import default_graph, tensorflow
from ._profile import Profiler
from .tracing import read_steps

_COMMANDS = ("scope", "graph", "op", "code")


_WARM_UP = 10  # runs of a fetch before it is traced where no steps are given


def _key(fetches: Any) -> Any:
    """What tells one fetch from another."""
    try:
        hash(fetches)
        return fetches
    except TypeError:
        return repr(fetches)


class ProfileContext:
    """Traces calls of Session.run while it is entered, and profiles and saves them.

        with tfprof.ProfileContext('/tmp/run', trace_steps=[10, 20], dump_steps=[20]) as context:
            context.add_auto_profiling('op', options, profile_steps=[20])
            train()

    Steps count the calls of Session.run inside, the first is 0. Steps that are not traced cost a look into a set.

    Args:
      profile_dir: where `profile_STEP` files go.
      trace_steps: steps to trace; None: each fetch once, after ten runs of it.
      dump_steps: steps at which everything traced so far is saved; None: all that are traced by `trace_steps`.
      enabled: False: does nothing.
      debug: also saves each traced step as `run_meta_STEP`, with the graph, and says what it does.
    """

    def __init__(self, profile_dir: Union[str, "os.PathLike[str]"], trace_steps: Union[None, str, Iterable[int]] = None,
                 dump_steps: Union[None, str, Iterable[int]] = None, enabled: bool = True,
                 debug: bool = False) -> None:
        if not isinstance(profile_dir, (str, os.PathLike)) or not os.fspath(profile_dir):
            raise ValueError("profile_dir: %r is no name of a directory" % (profile_dir,))
        self._dir = os.fspath(profile_dir)
        traced, dumped = read_steps(trace_steps, "trace_steps"), read_steps(dump_steps, "dump_steps")
        self._traced = None if traced is None else set(traced)
        self._dumped = None if dumped is None else set(dumped)
        self._enabled, self._debug = enabled, debug
        self._auto: List[Tuple[str, Mapping[str, Any], frozenset[int]]] = []
        self._also: set[int] = set()
        self._runs: Dict[Any, int] = {}  # of each fetch, where no steps are given
        self._views: Dict[str, Dict[int, Any]] = {}
        self._automatic: set[int] = set()  # steps that no one asked for
        self._trace_next = self._dump_next = False
        self._step = 0
        self._profiler: Optional[Profiler] = None
        self._lock = threading.Lock()
        self._patched: Optional[Tuple[Any, Any]] = None

    def add_auto_profiling(self, cmd: str, options: Mapping[str, Any],
                           profile_steps: Union[int, str, Iterable[int]]) -> None:
        """Traces these steps too and reports on each: `cmd` is scope, graph, op or code."""
        if cmd not in _COMMANDS:
            raise ValueError("%r is no view: %s" % (cmd, ", ".join(_COMMANDS)))
        steps = frozenset(read_steps(profile_steps, "profile_steps") or ())
        self._auto.append((cmd, options, steps))
        self._also |= steps

    def trace_next_step(self) -> None:
        """Traces the next step."""
        self._trace_next = True

    def dump_next_step(self) -> None:
        """Traces the next step and saves everything so far."""
        self._trace_next = self._dump_next = True

    @property
    def profiler(self) -> Optional[Profiler]:
        """What has been traced so far; None where the context is not enabled."""
        if self._enabled and self._profiler is None:
            self._profiler = Profiler(default_graph())
        return self._profiler

    def get_profiles(self, cmd: str) -> Dict[int, Any]:
        """The results of auto profiling with `cmd`, by step."""
        if cmd not in self._views:
            raise ValueError("no auto profiling with %r has run" % cmd)
        return self._views[cmd]

    def __enter__(self) -> "ProfileContext":
        if not self._enabled:
            return self
        session = tensorflow("ProfileContext").compat.v1.Session
        owner = next(base for base in session.__mro__ if "run" in vars(base))
        original = owner.run
        context = self

        def run(this: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
            step = context._next_step(fetches)
            if step is None:
                return original(this, fetches, feed_dict, options, run_metadata)
            return context._run(step, original, this, fetches, feed_dict, options, run_metadata)

        owner.run = run
        self._patched = (owner, original)
        return self

    def __exit__(self, *ignored: Any) -> None:
        if self._patched:
            owner, original = self._patched
            owner.run = original
            self._patched = None

    def _next_step(self, fetches: Any = None) -> Optional[int]:
        """Counts a call of run; the step where it is to be traced, else None."""
        with self._lock:
            step = self._step
            self._step += 1
            if not (self._chosen(step, fetches) or step in self._also or self._trace_next
                    or (self._dumped is not None and step in self._dumped)):
                return None
            self._trace_next = False
            return step

    def _chosen(self, step: int, fetches: Any) -> bool:
        if self._traced is not None:
            return step in self._traced
        key = _key(fetches)
        runs = self._runs[key] = self._runs.get(key, 0) + 1
        if runs == _WARM_UP + 1:
            self._automatic.add(step)
            return True
        return False

    def _run(self, step: int, original: Any, session: Any, fetches: Any, feed_dict: Any, options: Any,
             run_metadata: Any) -> Any:
        tf = tensorflow("ProfileContext").compat.v1
        traced = tf.RunOptions()
        if options is not None:
            traced.CopyFrom(options)
        traced.trace_level = tf.RunOptions.FULL_TRACE
        metadata = tf.RunMetadata() if run_metadata is None else run_metadata
        result = original(session, fetches, feed_dict, traced, metadata)
        with self._lock:
            if self._profiler is None:
                self._profiler = Profiler(session.graph)
            self._profiler.add_step(step, metadata)
            self._save(step, session, metadata)
            self._report(step)
        return result

    def _save(self, step: int, session: Any, metadata: Any) -> None:
        assert self._profiler is not None
        traced = self._automatic if self._traced is None else self._traced
        chosen = step in (traced if self._dumped is None else self._dumped)
        if self._debug:
            os.makedirs(self._dir, exist_ok=True)
            graph = session.graph.as_graph_def(add_shapes=True)
            self._write("graph.pb", graph.SerializeToString())
            self._write("run_meta_%d" % step, metadata.SerializeToString())
            print("tfprof: traced step %d" % step)
        if chosen or self._dump_next:
            self._dump_next = False
            os.makedirs(self._dir, exist_ok=True)
            self._write("profile_%d" % step, self._profiler.serialize_to_string())

    def _write(self, name: str, content: bytes) -> None:
        _engine.write_file(os.path.join(self._dir, name), content)

    def _report(self, step: int) -> None:
        assert self._profiler is not None
        for cmd, options, steps in self._auto:
            if step in steps:
                self._views.setdefault(cmd, {})[step] = self._profiler.profile(options, cmd)
