"""Which files are one run, told from their addresses: the rules of `tfprof.tables.find_runs` for places that only can be
listed. Nothing here reads a file.

A folder with files is a run, and what lies below a run belongs to it. Whether a folder that has files and folders below
is a run only its files can tell: `outer` folders are looked into (_copies.look_into). `LOG/plugins/profile/CAPTURE` belongs to LOG, which is
a run of one capture or a folder of several: the engine decides, on the copy.
"""
from __future__ import annotations

import re
from typing import Iterator, List, NamedTuple, Tuple

_WILD = re.compile(r"[*?\[{]")
_CAPTURE = re.compile(r"^(?P<log>.*)/plugins/profile/[^/]+$")


class FoundFile(NamedTuple):
    """A file that a pattern matches."""

    path: str
    bytes: int
    modified: int  # seconds since 1970; 0: not known
    base: str  # the folder that names of runs begin below


def is_pattern(text: str) -> bool:
    return _WILD.search(text) is not None


def base_of(pattern: str) -> str:
    """The folder that a user would have given: all before the first part with a wildcard."""
    parts = pattern.rstrip("/").split("/")
    for i, part in enumerate(parts):
        if _WILD.search(part):
            return "/".join(parts[:i]) or ("/" if pattern.startswith("/") else ".")
    return pattern.rstrip("/") or "/"


def below(path: str, folder: str) -> str:
    """The rest of a path below a folder; '': it is not below."""
    if folder == ".":
        return path
    start = folder if folder.endswith("/") else folder + "/"
    return path[len(start):] if path.startswith(start) else ""


def folder_of(file: FoundFile) -> str:
    """The folder whose run a file belongs to, unless a folder around it is one."""
    folder = file.path.rpartition("/")[0] or ("/" if file.path.startswith("/") else ".")
    capture = _CAPTURE.match(folder)
    if capture and (capture["log"] == file.base or below(capture["log"], file.base)):
        return capture["log"]
    return folder


def around(folder: str, base: str) -> Iterator[str]:
    """The folders around one, the nearest first, up to the base."""
    while folder != base:
        folder = folder.rpartition("/")[0]
        if folder != base and not below(folder, base):
            return
        yield folder


def labels(folder: str, base: str) -> Tuple[str, str, str]:
    """The name of a run, the last part of its address, and that of the folder around it."""
    parts = [part for part in folder.split("/") if part not in ("", ".")]
    last = parts[-1] if parts else "run"
    return below(folder, base) or last, last, parts[-2] if len(parts) > 1 else "runs"


def patterns_of(pattern: str) -> List[str]:
    """What is listed for a pattern: what it names, and all that lies below folders that it names."""
    bare = pattern.rstrip("/")
    return [pattern] if bare.endswith("**") else [bare, bare + "/**"]
