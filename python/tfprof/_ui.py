"""`tfprof.ui(...)`: the page of `tfprof ui`, in a notebook or in the browser."""
from __future__ import annotations

import hmac
import html
import os
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Optional, Sequence, Union

from ._site import Answer, Site, refusal

_PathLike = Union[str, "os.PathLike[str]"]
_OUR_NAMES = ("127.0.0.1", "localhost", "[::1]")
_IDLE_SECONDS = 30  # a client that neither sends nor takes anything is let go


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        self.token = secrets.token_hex(16)
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    """Answers as the server of the command line does: to its own name, to GET, to addresses with the token."""

    server: _Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "tfprof", ""
    timeout = _IDLE_SECONDS

    def _answer(self) -> Answer:
        # A page elsewhere can point a name of its own at this machine, but cannot make the browser send another name.
        host = self.headers.get("Host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name not in _OUR_NAMES:
            return refusal(403, "this server has another name")
        if self.command != "GET":
            return refusal(405, "GET is all there is")
        path, _, query = self.path.partition("#")[0].partition("?")
        token, slash, rest = path[1:].partition("/")
        if not path.startswith("/") or not slash or not hmac.compare_digest(token.encode(), self.server.token.encode()):
            return refusal(403, "the address lacks its token: take the whole address that tfprof.ui gave")
        return self.server.site.get(rest, query)

    def _serve(self) -> None:
        answer = self._answer()
        self.send_response(answer.status)
        for name, value in answer.headers():
            self.send_header(name, value)
        if self.command != "GET":
            self.send_header("Allow", "GET")
            self.send_header("Connection", "close")  # what it sent besides is not read
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = _serve

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are nobody's output."""


class Page:
    """A page that is served until it is closed or the process ends; as the result of a notebook's cell it shows itself.

    Attributes:
      url: its address, which works on this machine alone and for those who know it.
    """

    def __init__(self, site: Site, port: int, height: int) -> None:
        self._height = height
        self._server: Optional[_Server] = _Server(site, port)
        self.url = "http://127.0.0.1:%d/%s/" % (self._server.server_address[1], self._server.token)
        self._thread = threading.Thread(target=self._server.serve_forever, name="tfprof.ui", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops serving and forgets what was loaded."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()
            self._thread.join()

    def wait(self) -> None:
        """Serves until Ctrl-C, for scripts that would end."""
        try:
            while self._thread.is_alive():
                self._thread.join(1.0)
        except KeyboardInterrupt:
            self.close()

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<tfprof.ui: %s>" % (self.url if self._server else "closed")

    def _repr_html_(self) -> str:
        if not self._server:
            return "<p>This page of tfprof is closed.</p>"
        return '<iframe src="%s" title="tfprof" width="100%%" height="%d" style="border: 0"></iframe>' % (
            html.escape(self.url), self._height)


def _in_notebook() -> bool:
    """Whether results of cells are shown as HTML; asked without importing IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")


def _open_browser(url: str) -> bool:
    # Browsers that would take over the terminal are not meant.
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in (
            "DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        return False
    import webbrowser
    return webbrowser.open(url)


def ui(inputs: Union[_PathLike, Sequence[_PathLike]], *, source: Sequence[_PathLike] = (), open: bool = True, port: int = 0,
       height: int = 800) -> Page:
    """Shows the page of `tfprof ui`: in a notebook as the result of the cell, elsewhere in the browser.

    Args:
      inputs: what to show: a run directory, a folder of them, files; one or several.
      source: folders whose files may be shown as source text.
      open: whether a browser is opened outside notebooks; where there is none, the address is printed.
      port: of 127.0.0.1; 0: any that is free.
      height: of the page in a notebook, in pixels.

    Raises:
      Error: there is nothing to show.
      OSError: the port is taken.
    """
    paths = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    page = Page(Site(paths, source), port, height)
    if open and not _in_notebook() and not _open_browser(page.url):
        print("tfprof: open %s in a browser" % page.url)
    return page
