"""Runs from afar through the engine: their files are copied into a folder of the worker, which is removed afterwards.

One group of files (_places.py) at a time: a worker holds one run in memory, and one group on its disk.
"""
from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import IO, Any, Callable, ContextManager, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from .. import tables
from ._places import FoundFile, below, labels
from ._run_tables import Failure, RunTables, with_text_replaced

Open = Callable[[str], ContextManager[IO[bytes]]]
_ATTEMPTS = 3


class HowToRead(NamedTuple):
    """What the user said about all runs."""

    job: Optional[str] = None
    date: Optional[str] = None
    with_: str = ""
    options: Dict[str, Any] = {}

    def checked(self) -> "HowToRead":
        """Raises ValueError where a run could not be read like this, before any is."""
        tables._pairs(self.job, self.date, self.options)
        wanted = [word for word in self.with_.split(",") if word]
        known = [table.name for table in tables.schema().values() if table.on_request]
        for word in wanted:
            if word not in known:
                raise ValueError("with_: %r is not one of %s" % (word, ", ".join(known)))
        return self

    def table_names(self) -> List[str]:
        """The tables that there are then, without `failures`."""
        wanted = self.with_.split(",")
        return [table.name for table in tables.schema().values()
                if table.name != "failures" and (not table.on_request or table.name in wanted)]


@contextlib.contextmanager
def _copied(folder: str, files: Sequence[FoundFile], open_: Open) -> Iterator[str]:
    """PARENT/NAME of a temporary folder: what a run and its job are called goes by these."""
    _, last, parent = labels(folder, folder)
    with tempfile.TemporaryDirectory(prefix="tfprof-") as root:
        to = os.path.join(root, _safe(parent), _safe(last))
        for file in files:
            rest = below(file.path, folder)
            parts = rest.split("/") if rest else []
            if any(part in ("", ".", "..") for part in parts):
                raise OSError("%s: is no name of a file below %s" % (file.path, folder))
            path = os.path.join(to, *parts)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _fetch(file.path, path, open_)
            if file.modified:
                os.utime(path, (file.modified, file.modified))
        yield to


def _safe(part: str) -> str:
    return part if part not in ("", ".", "..") and "\0" not in part else "_"


def _fetch(source: str, path: str, open_: Open) -> None:
    for attempt in range(_ATTEMPTS):
        try:
            with open_(source) as remote, open(path, "wb") as local:
                shutil.copyfileobj(remote, local, 1 << 20)
            return
        except Exception:  # what file systems raise is theirs to choose
            if attempt == _ATTEMPTS - 1:
                raise


def look_into(folder: str, files: Sequence[FoundFile], open_: Open) -> str:
    """What a folder that has files and folders below is: 'owner' (a run, and so is nothing below), 'run', or '' (its
    files are nothing to read)."""
    try:
        with _copied(folder, files, open_) as copy:
            stranger = os.path.join(copy, "below")  # found only where the engine goes on below the folder
            os.makedirs(stranger, exist_ok=True)
            if not os.listdir(stranger):
                with open(os.path.join(stranger, "unknown"), "w", encoding="utf-8") as file:
                    file.write("?")
            found = [run.inputs for run in tables.find_runs(copy)]
            if found == [[copy]]:
                return "owner"
            return "run" if [run for run in found if run != [stranger]] else ""
    except Exception:  # told when it is read
        return "run"


def read_group(folder: str, files: Sequence[FoundFile], how: HowToRead, open_: Open) -> Iterator[Union[RunTables, Failure]]:
    """The runs of a folder's files, or of one file. What cannot be read is a Failure; nothing is raised for it."""
    files = sorted(set(files))
    base = min(file.base for file in files)
    try:
        with _copied(folder, files, open_) as copy:
            for run in tables.find_runs(copy):
                rest = os.path.relpath(run.inputs[0], copy)
                source = folder if rest == "." else folder + "/" + rest
                named = run._replace(name=labels(source, base)[0], source=source)
                yield _read(named, copy, folder, how)
    except Exception as error:
        name, _, parent = labels(folder, base)
        job = how.job or (name.split("/")[0] if "/" in name else parent)
        yield Failure(folder, job, how.date, "%s: %s" % (folder, str(error) or type(error).__name__))


def _read(run: tables.Run, local: str, folder: str, how: HowToRead) -> Union[RunTables, Failure]:
    found = tables.read(run, how.job, how.date, how.with_, **how.options)
    for name in ("runs", "failures"):
        found[name] = with_text_replaced(found[name], local, folder)
    failures = found["failures"]
    if not failures.rows:
        return RunTables.of(found)
    row = failures.arrow().to_pylist()[0]
    return Failure(row["source"], row["job"], row["date"], row["reason"])
