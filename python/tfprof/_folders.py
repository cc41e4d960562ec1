"""Folders that a server may read, and nothing beside them.

A path of a client is refused unless it lies in one of the folders after every link is followed, and so are folders that
hold links to elsewhere, since reading a folder would follow them. What lies elsewhere is never told apart from what is
not there.
"""
from __future__ import annotations

import os
import re
import stat
from typing import Iterator, List, NamedTuple, Sequence, Tuple

_SUFFIX = re.compile(r"(?:@[a-z_]+=[\w.,:+-]*)+$")  # one step or run of an input: run@step=10
_MOST_FILES = 20_000  # below one input
_STATE_PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')  # quoted, in the file named `checkpoint`


class Refused(Exception):
    """What a client asked for and does not get."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class Input(NamedTuple):
    """A path that may be read."""

    path: str  # real, with the suffix behind it
    state: Tuple[Tuple[str, int, int], ...]  # name, time and size of its files: it has changed when this has
    size: int  # bytes of all its files


class Folders:
    """The folders that were given at the start."""

    def __init__(self, folders: Sequence[str]) -> None:
        if not folders:
            raise ValueError("no folder: give those that may be read")
        for folder in folders:
            if not os.path.isdir(folder):
                raise ValueError("%s is no folder" % folder)
        self.roots: List[str] = [os.path.realpath(folder) for folder in folders]

    def _inside(self, real: str) -> bool:
        return any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in self.roots)

    def _outside(self, given: str) -> Refused:
        return Refused("path_refused", "%r is not in the folders of this server" % given,
                       "paths are relative to %s; the tool files lists what is there" % " or ".join(self.roots))

    def real(self, given: str) -> str:
        """The path that a client's path stands for; it may not exist. Refused: it is none, or not inside."""
        if not given or given == "-" or "\0" in given or re.match(r"[A-Za-z][A-Za-z0-9+.-]*://|file:", given):
            raise Refused("path_refused", "%r is no path of a file or folder" % given,
                          "give a path relative to %s" % " or ".join(self.roots))
        try:
            if len(os.fsencode(given)) > 4096:
                raise Refused("path_refused", "the path is too long")
        except UnicodeError:
            raise Refused("path_refused", "%r is no name of a file" % given) from None
        candidates = [os.path.realpath(os.path.join(root, given)) for root in self.roots]
        inside = [real for real in candidates if self._inside(real)]
        if not inside:
            raise self._outside(given)
        return next((real for real in inside if os.path.lexists(real)), inside[0])

    def input(self, given: str) -> Input:
        """An input of a report: a file, a folder, or the prefix of a checkpoint. Refused: it leads elsewhere."""
        try:
            real, suffix = self.real(given), ""
            found = _SUFFIX.search(given)
            if found and not os.path.lexists(real):
                suffix = found[0]
                real = self.real(given[:found.start()] or ".")
            return self._checked(real, suffix, given)
        except OSError as error:
            raise Refused("not_found", "%r: %s" % (given, error.strerror)) from None

    def _checked(self, real: str, suffix: str, given: str) -> Input:
        state, size = [], 0
        for path in self._files(real, given):
            about = os.stat(path)
            if not stat.S_ISREG(about.st_mode):
                if path == real:
                    raise Refused("path_refused", "%r is neither a file nor a folder" % given)
                continue
            if os.path.basename(path) == "checkpoint":
                self._check_state(path, given)
            state.append((path, about.st_mtime_ns, about.st_size))
            size += about.st_size
        return Input(real + suffix, tuple(sorted(state)), size)

    def _files(self, real: str, given: str) -> Iterator[str]:
        """Everything that reading this path may open."""
        if os.path.isdir(real):
            yield from self._below(real, given)
            return
        if os.path.lexists(real):
            yield real
        self._check_link(os.path.join(os.path.dirname(real), "run.json"), given)  # which recording it is of
        if os.path.basename(real).startswith("saved_model.pb"):  # its values lie beside it
            values = os.path.join(os.path.dirname(real), "variables")
            self._check_link(values, given)
            if os.path.isdir(values):
                yield from self._below(values, given)
        # The parts of a checkpoint begin with its prefix; files beside a capture or a log do not matter, but no link
        # of that name may lead elsewhere.
        folder, prefix = os.path.split(real)
        found = os.path.lexists(real)
        for entry in os.scandir(folder) if os.path.isdir(folder) else ():
            if entry.name.startswith(prefix) and entry.name != prefix:
                self._check_link(entry.path, given)
                if not found or entry.name.startswith((prefix + ".index", prefix + ".data-")):
                    yield entry.path
                    found = True
        if not found:
            raise Refused("not_found", "%r is not there" % given, "the tool files lists what is")

    def _below(self, real: str, given: str) -> Iterator[str]:
        waiting, count = [real], 0
        while waiting:
            for entry in os.scandir(waiting.pop()):
                count += 1
                if count > _MOST_FILES:
                    raise Refused("too_many_files", "%r holds more than %d files" % (given, _MOST_FILES),
                                  "name the folder of one run")
                if entry.is_symlink():
                    self._check_link(entry.path, given)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_dir():
                    if os.path.exists(entry.path):
                        yield entry.path

    def _check_link(self, path: str, given: str) -> None:
        if not self._inside(os.path.realpath(path)):
            raise Refused("path_refused", "%r holds the link %r, which leads out of the folders of this server" % (
                given, os.path.basename(path)))

    def _check_state(self, path: str, given: str) -> None:
        """The file `checkpoint` names the checkpoint that is read in its folder."""
        with open(path, "rb") as file:
            text = file.read(1 << 20).decode("utf-8", "surrogateescape")
        for name in _STATE_PATH.findall(text):
            target = os.path.realpath(os.path.join(os.path.dirname(path), name.replace("\0", "")))
            if "\\" in name or not self._inside(target):
                raise Refused("path_refused", "%r holds a file `checkpoint` that names %r, which is not in the folders "
                              "of this server" % (given, name))
