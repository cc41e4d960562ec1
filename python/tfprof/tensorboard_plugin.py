"""tfprof for TensorBoard: the page of `tfprof ui` as a tab, for the runs below --logdir.

TensorBoard finds it by the entry point `tensorboard_plugins` of the installed package (`pip install
'tfprof[tensorboard]'`). Nothing here needs TensorFlow, and nothing is read before somebody looks.
"""
from __future__ import annotations

import os
import re
import threading
import time
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple
from urllib.parse import quote

from tensorboard.plugins import base_plugin

from . import _engine
from ._site import Answer, Site, refusal

_NAME = "tfprof"
_PREFIX = "/data/plugin/%s/" % _NAME
# What recorders write: a run directory, a saved profile, a capture.
_RECORDING = re.compile(r"run\.json|tfprof_log|run_meta_.*|profile_\d+|graph\.pb(txt)?(\.gz)?|.*\.xplane\.pb(\.gz)?")
_MOST_FILES = 20_000  # looked at for a recording
_FRESH = 10.0  # seconds for which a logdir without a recording is believed to have none

# TensorBoard asks the module to render itself into the frame of the tab. The page stands in a frame of its own, with its
# own policy. Its address holds its state, which would be lost whenever TensorBoard is loaded again: the tab keeps it.
_MODULE = b"""\
const key = 'tfprof';
export function render() {
  const frame = document.createElement('iframe');
  frame.title = 'tfprof';
  frame.style.cssText = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0';
  const page = new URL('./index.html', import.meta.url);
  page.hash = sessionStorage.getItem(key) || '';
  frame.src = page.href;
  frame.addEventListener('load', () => {
    const inside = frame.contentWindow;
    const keep = () => sessionStorage.setItem(key, inside.location.hash);
    for (const change of ['hashchange', 'popstate', 'pagehide']) inside.addEventListener(change, keep);
    window.addEventListener('pagehide', keep);
  });
  document.body.style.margin = '0';
  document.body.replaceChildren(frame);
}
"""

_Environment = Dict[str, Any]
_Application = Callable[[_Environment, Callable[..., Any]], Iterable[bytes]]


def _log_directories(context: Any) -> List[str]:
    """Those on this machine: --logdir, or the paths of --logdir_spec=NAME:PATH,..."""
    given = [context.logdir] if context.logdir else []
    specification = getattr(context.flags, "logdir_spec", "") if context.flags else ""
    for part in (specification or "").split(","):
        name, colon, path = part.partition(":")
        given.append(path if colon and "/" not in name else part)
    return [os.path.expanduser(path) for path in given if path and "://" not in path]


def _holds_recording(directories: Iterable[str]) -> bool:
    """Whether there is a file below with the name of a recording; stops at the first."""
    waiting, seen = list(directories), 0
    while waiting and seen < _MOST_FILES:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                seen += 1
                if _RECORDING.fullmatch(entry.name):
                    return True
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return False


class TfprofPlugin(base_plugin.TBPlugin):  # type: ignore[misc]
    """The tab."""

    plugin_name = _NAME

    def __init__(self, context: Any) -> None:
        self._directories = _log_directories(context)
        self._lock = threading.Lock()
        self._site: Optional[Site] = None
        self._active = False
        self._looked = -_FRESH

    def get_plugin_apps(self) -> Dict[str, _Application]:
        """Every address below the plugin's is one of the site."""
        return {"/index.js": self._serve_module, "/*": self._serve}

    def is_active(self) -> bool:
        """Whether there is a recording; once there was one, the tab stays."""
        if not self._active and time.monotonic() - self._looked >= _FRESH:
            self._active = _holds_recording(self._directories)
            self._looked = time.monotonic()
        return self._active

    def frontend_metadata(self) -> Any:
        """Reloading is the page's own affair."""
        return base_plugin.FrontendMetadata(es_module_path="/index.js", tab_name=_NAME, disable_reload=True)

    def _answer(self, path: str, query: str) -> Answer:
        if not self._directories:
            return refusal(404, "tfprof reads log directories of this machine alone: start TensorBoard with --logdir")
        try:
            with self._lock:
                if self._site is None:
                    if not _holds_recording(self._directories):
                        return refusal(404, "there is no recording below %s yet" % ", ".join(self._directories))
                    self._site = Site(self._directories)
        except (_engine.Error, ValueError) as error:
            return refusal(422, str(error))
        return self._site.get(path, query)

    def _serve(self, environment: _Environment, start_response: Callable[..., Any]) -> Iterable[bytes]:
        # WSGI has decoded the path; the engine wants it as it was sent.
        path = quote(environment.get("PATH_INFO", "").encode("latin-1")).partition(_PREFIX)[2]
        return self._send(self._answer(path, environment.get("QUERY_STRING", "")), environment, start_response)

    def _serve_module(self, environment: _Environment, start_response: Callable[..., Any]) -> Iterable[bytes]:
        return self._send(Answer(200, "text/javascript; charset=utf-8", _MODULE), environment, start_response)

    @staticmethod
    def _send(answer: Answer, environment: _Environment, start_response: Callable[..., Any]) -> Iterable[bytes]:
        headers: List[Tuple[str, str]] = []
        if environment.get("REQUEST_METHOD") != "GET":
            answer = refusal(405, "GET is all there is")
            headers.append(("Allow", "GET"))
        from http.client import responses
        start_response("%d %s" % (answer.status, responses.get(answer.status, "Failure")), answer.headers() + headers)
        return [answer.body]
