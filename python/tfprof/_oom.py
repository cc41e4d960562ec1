"""Out of memory: the report of a log, and a guard that records what a failed allocation printed."""
from __future__ import annotations

import collections
import functools
import json
import os
import sys
import threading
import time
import traceback
from types import TracebackType
from typing import Any, Callable, Deque, Dict, List, Optional, Type, TypeVar, Union

from . import _engine
from . import _options
from ._nodes import Text

PathLike = Union[str, "os.PathLike[str]"]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_KEPT = 32 << 20  # bytes of standard error; a dump stands at its end
_WORDS = ("RESOURCE_EXHAUSTED", "OOM when allocating", "Out of memory while trying to allocate")


def oom(*logs: PathLike, run: Optional[PathLike] = None, **options: Any) -> Text:
    """Why allocations failed and who held the memory, from logs and MemoryDump files.

    `run` is a traced run of the same model: whose tensors have the sizes of the chunks, and what would help.

    >>> import tfprof
    >>> tfprof.oom('tests/data/oom/tf2_function.log')['events'][0]['verdict']
    'too_much_held'
    """
    pairs: List[Any] = [("inputs", [os.fspath(path) for path in (*logs, *([] if run is None else [run]))])]
    document, _, _ = _engine.make("oom", None, [*pairs, *_options.to_pairs(options)], [])
    return Text(document)


def is_out_of_memory(error: Optional[BaseException]) -> bool:
    """Whether an exception, or one that it came from, says that memory was not enough: of TensorFlow, JAX or Python."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if type(error).__name__ == "ResourceExhaustedError" or isinstance(error, MemoryError):
            return True
        if any(word in str(error) for word in _WORDS):
            return True
        error = error.__cause__ or error.__context__
    return False


class _Tee:
    """Standard error goes on as before, and its last bytes are kept. The allocator writes to the file descriptor."""

    def __init__(self) -> None:
        self._kept: Deque[bytes] = collections.deque()
        self._size = 0
        sys.stderr.flush()
        self._before = os.dup(2)
        self._read, write = os.pipe()
        os.dup2(write, 2)
        os.close(write)
        self._thread = threading.Thread(target=self._copy, name="tfprof.oom_guard", daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        while True:
            part = os.read(self._read, 1 << 16)
            if not part:
                return
            self._kept.append(part)
            self._size += len(part)
            while self._size - len(self._kept[0]) > _KEPT:
                self._size -= len(self._kept.popleft())
            view = memoryview(part)
            try:
                while view:
                    view = view[os.write(self._before, view):]
            except OSError:
                pass  # nobody reads it any more; what is kept is kept

    def close(self) -> bytes:
        """Puts standard error back; gives what was kept."""
        sys.stderr.flush()
        os.dup2(self._before, 2)  # closes the last end of the pipe that is written to, unless a child holds it
        self._thread.join(timeout=5)
        os.close(self._before)
        if not self._thread.is_alive():
            os.close(self._read)
        return b"".join(self._kept)


def _devices() -> Dict[str, Any]:
    """What the frameworks that are loaded say of their devices; nothing is imported for it."""
    found: Dict[str, Any] = {}
    try:
        tensorflow = sys.modules.get("tensorflow")
        if tensorflow is not None:
            for device in tensorflow.config.list_logical_devices():
                try:
                    found[device.name] = dict(tensorflow.config.experimental.get_memory_info(device.name))
                except Exception:  # the CPU has no such figures
                    found[device.name] = None
        jax = sys.modules.get("jax")
        if jax is not None:
            for device in jax.local_devices():
                found[str(device)] = device.memory_stats()
    except Exception as error:  # what failed once may fail again: the log matters more
        found["error"] = repr(error)
    return found


class oom_guard:
    """When an allocation fails inside, writes everything about it into a folder and prints the report.

        with tfprof.oom_guard('oom', profile='run/'):
            model.fit(...)

    or as a decorator of the function that trains. The exception goes on as it came. Below `folder` each failure has a folder
    of its own: `log.txt` (what was printed to standard error, at most the last 32 MiB, and the traceback), `report.txt`,
    `report.html`, `device.json`, and `profile` if one was given.

    Args:
      folder: where it goes; made when it is needed.
      profile: a traced run of the model, as a path, a Profile or a Profiler: the report then says whose the chunks are.
    """

    def __init__(self, folder: PathLike = "oom", profile: Any = None) -> None:
        self._folder = os.fspath(folder)
        self._profile = profile
        self._tee: Optional[_Tee] = None
        self.written: Optional[str] = None  # the folder of the last failure

    def __enter__(self) -> "oom_guard":
        if self._tee is not None:
            raise RuntimeError("this oom_guard is entered already")
        self._tee = _Tee()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._tee is None:
            return
        log, self._tee = self._tee.close(), None
        if not is_out_of_memory(error):
            return
        try:
            log += b"\n" + "".join(traceback.format_exception(kind, error, trace)).encode("utf-8", "replace")
            self._write(log)
        except Exception as problem:  # never in place of the exception that goes through
            print("tfprof: oom_guard could not record this: %r" % problem, file=sys.stderr)

    def __call__(self, function: _Function) -> _Function:
        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            with oom_guard(self._folder, self._profile):
                return function(*args, **kwargs)
        return guarded  # type: ignore[return-value]

    def _write(self, log: bytes) -> None:
        name = "%s-%d" % (time.strftime("%Y%m%d-%H%M%S"), os.getpid())
        folder = os.path.join(self._folder, name)
        number = 1
        while os.path.exists(folder):
            number += 1
            folder = os.path.join(self._folder, "%s-%d" % (name, number))
        os.makedirs(folder)

        def put(file: str, data: bytes) -> str:
            path = os.path.join(folder, file)
            _engine.write_file(path, data)
            return path

        path = put("log.txt", log)
        put("device.json", json.dumps(_devices(), indent=1, default=str).encode())
        run = self._save_profile(put)
        try:
            report = oom(path, run=run)
        except _engine.Error as problem:  # a profile without memory does not spoil the rest
            print("tfprof: %s" % problem, file=sys.stderr)
            report = oom(path)
        text = report.render("text")
        put("report.txt", text.encode())
        put("report.html", report.render("html").encode())
        self.written = folder
        print("%s\ntfprof: recorded in %s" % (text, folder), file=sys.stderr)

    def _save_profile(self, put: Callable[[str, bytes], str]) -> Optional[str]:
        if self._profile is None or isinstance(self._profile, (str, os.PathLike)):
            return None if self._profile is None else os.fspath(self._profile)
        return put("profile", self._profile.serialize_to_string())


__all__ = ["is_out_of_memory", "oom", "oom_guard"]
