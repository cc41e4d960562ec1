"""The page of `tfprof ui` for servers written in Python: TensorBoard's and that of notebooks.

Every answer comes from the engine (docs/server.md lists the addresses); what is here carries it over HTTP.
"""
from __future__ import annotations

import os
import re
from typing import List, NamedTuple, Sequence, Tuple, Union

from . import _engine

_MEMORY = 4 << 30  # bytes of loaded profiles that are kept, about


class Answer(NamedTuple):
    """What is to be sent."""

    status: int
    type: str
    body: bytes
    file_name: str = ""  # to be saved as; "": to be shown

    def headers(self) -> List[Tuple[str, str]]:
        """All headers but those of the connection."""
        # Whoever shows the page in a frame (a notebook, TensorBoard in a notebook) has an origin of its own.
        policy = [part for part in _engine.content_security_policy.split("; ") if not part.startswith("frame-ancestors")]
        out = [("Content-Type", self.type), ("Content-Length", str(len(self.body))),
               ("Content-Security-Policy", "; ".join(policy)), ("X-Content-Type-Options", "nosniff"),
               ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
               ("Cache-Control", "no-store")]
        if self.file_name:
            name = re.sub(r"[^A-Za-z0-9.-]", "_", self.file_name)
            out.append(("Content-Disposition", 'attachment; filename="%s"' % name))
        return out


def refusal(status: int, message: str) -> Answer:
    """A failure, as the engine words its own."""
    import json
    return Answer(status, "application/json", json.dumps({"error": message}).encode())


class Site:
    """Answers requests about inputs: run directories, folders of them, files. Threads may share it.

    Raises:
      Error: there is nothing to show.
    """

    def __init__(self, inputs: Sequence[Union[str, "os.PathLike[str]"]],
                 source: Sequence[Union[str, "os.PathLike[str]"]] = (), memory: int = _MEMORY) -> None:
        self._site = _engine.site([("inputs", [os.fspath(path) for path in inputs])],
                                  [os.fspath(path) for path in source], memory)

    def get(self, path: str, query: str = "") -> Answer:
        """The answer to an address below the page's own; both as they were sent, percent signs and all."""
        return Answer(*_engine.ask(self._site, path, query))
