"""Several jobs at once into one folder of a local file system: whoever adds runs holds the folder's lock, and tells in the
lock's file which. A job reads there what others added since it listed the folder, and leaves those runs out.

A line is the file of `runs`, below the folder, and the keys of its runs. It is written before the file gets its name: a line
whose file is not there says nothing. Stores (gs://, s3://) have no lock: there one job at a time.
"""
from __future__ import annotations

import contextlib
import os
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

from .._table_files import LOCK, lock_folder, tell


def is_local(folder: str) -> bool:
    return "://" not in folder


def mark(folder: str) -> int:
    """How far the ledger is; -1: there is none."""
    if not is_local(folder):
        return -1
    try:
        return os.stat(os.path.join(folder, LOCK)).st_size
    except OSError:
        return 0


class Added:
    """Runs that were added since a mark. What was read stays: a job with many files reads each line once."""

    def __init__(self, begin: int) -> None:
        self._at = begin
        self._files: Dict[int, str] = {}

    def among(self, ids: Iterable[int], ledger: "Ledger") -> Dict[int, str]:
        """Those of these runs that are there, with their file."""
        self._at, lines = ledger.read(self._at)
        for line in lines:
            try:
                count, _, rest = line.partition(" ")
                *keys, path = rest.split(" ", int(count))
                self._files.update((int(key), path) for key in keys)
            except ValueError:  # whoever wrote it was ended in the middle
                continue
        return {one: self._files[one] for one in ids if one in self._files and ledger.has(self._files[one])}


class Ledger:
    """The ledger while its lock is held. `alone`: the file system has locks, and nobody else adds runs."""

    def __init__(self, folder: str, file: Any, alone: bool) -> None:
        self._folder, self._file, self.alone = folder, file, alone

    def read(self, begin: int) -> Tuple[int, List[str]]:
        """Where it ends, and its lines from there on."""
        end = os.fstat(self._file.fileno()).st_size
        self._file.seek(begin if begin <= end else 0)
        return end, self._file.read().decode("utf-8", "surrogateescape").splitlines()

    def has(self, path: str) -> bool:
        return os.path.exists(os.path.join(self._folder, path))

    def add(self, path: str, ids: Iterable[int]) -> None:
        tell(self._file, path, list(ids))


@contextlib.contextmanager
def held(folder: str) -> Iterator[Optional[Ledger]]:
    """Waits for its turn. None: the folder lies in a store."""
    if not is_local(folder):
        yield None
        return
    os.makedirs(folder, exist_ok=True)
    file, alone = lock_folder(folder)
    with file:
        yield Ledger(folder, file, alone)
