"""Several jobs at once into one folder of a local file system: whoever adds runs holds the folder's lock, and tells in the
lock's file which. A job reads there what others added since it listed the folder, and leaves those runs out.

A line is the file of `runs`, below the folder, and the keys of its runs. It is written before the file gets its name: a line
whose file is not there says nothing. Stores (gs://, s3://) have no lock: there one job at a time.
"""
from __future__ import annotations

import contextlib
import os
from typing import Any, Dict, Iterable, Iterator, Optional

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


class Ledger:
    """The ledger while its lock is held. `alone`: the file system has locks, and nobody else adds runs."""

    def __init__(self, folder: str, file: Any, alone: bool) -> None:
        self._folder, self._file, self.alone = folder, file, alone

    def added_since(self, begin: int) -> Dict[int, str]:
        """The file of each run that was added, and is there."""
        out: Dict[int, str] = {}
        self._file.seek(begin if begin <= os.fstat(self._file.fileno()).st_size else 0)
        for line in self._file.read().decode("utf-8", "surrogateescape").splitlines():
            *ids, path = line.split(" ", int(line.partition(" ")[0]) + 1)[1:]
            if os.path.exists(os.path.join(self._folder, path)):
                out.update((int(one), path) for one in ids)
        return out

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
