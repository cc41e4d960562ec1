"""Run directories: what recorders write, and `run.json`, which says which recording it is and what belongs to it."""
from __future__ import annotations

import json
import os
import re
import time
import uuid
from typing import Any, Dict, List, Union

from . import _engine

_IDENTITY = "run.json"
_FORMAT = "tfprof run 1"


_CAPTURE = re.compile(r"(captures/)?step_\d+\.xplane\.pb")


def _is_of_a_run(name: str) -> bool:
    """Files that commands read as parts of a run, and the captures beside them; never a name that leads elsewhere."""
    if _CAPTURE.fullmatch(name):
        return True
    return os.path.basename(name) == name and (
        name in ("graph.pb", "graph.pbtxt", "tfprof_log", _IDENTITY) or name.startswith(("run_meta_", "profile_")))


class RunDirectory:
    """One recording, written into a directory.

    What an earlier recording wrote there goes when the first file of this one comes: steps of two runs never mix. A
    directory with files of a run that no `run.json` tells of is not touched.

    Raises:
      FileExistsError: it holds a run that is not known to be ours.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], recorder: str) -> None:
        self.path = os.fspath(path)
        if not isinstance(self.path, str) or not self.path:
            raise ValueError("logdir: the directory has no name")
        self._about: Dict[str, Any] = {
            "format": _FORMAT, "id": uuid.uuid4().hex, "recorder": recorder, "tfprof": _engine.version,
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "files": [], "steps": {}}
        self._begun = False
        self._check()

    @property
    def id(self) -> str:
        """The recording's identity."""
        return str(self._about["id"])

    def _names(self) -> List[str]:
        try:
            return sorted(os.listdir(self.path))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def _earlier(self) -> List[str]:
        """The files of an earlier recording by tfprof."""
        try:
            with open(os.path.join(self.path, _IDENTITY), encoding="utf-8") as file:
                about = json.load(file)
            if about["format"] != _FORMAT or about["id"] == self.id:
                return []
            return [name for name in about["files"] if isinstance(name, str) and _is_of_a_run(name)]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def _check(self) -> None:
        known = set(self._earlier()) | {_IDENTITY}
        foreign = [name for name in self._names() if _is_of_a_run(name) and name not in known]
        if foreign:
            raise FileExistsError("%s holds another recording (%s%s); choose another directory, or empty this one" % (
                self.path, ", ".join(foreign[:3]), "..." if len(foreign) > 3 else ""))

    def _begin(self) -> None:
        if self._begun:
            return
        self._check()
        os.makedirs(self.path, exist_ok=True)
        earlier = self._earlier()
        for name in [*earlier, _IDENTITY]:
            try:
                os.remove(os.path.join(self.path, name))
            except FileNotFoundError:
                pass
        if earlier:
            import logging
            logging.getLogger("tfprof").info("%s: the earlier recording is replaced", self.path)
        self._begun = True

    def write(self, name: str, content: bytes) -> None:
        """Writes a file of this recording."""
        self._begin()
        if name not in self._about["files"]:
            self._about["files"].append(name)
        # Told first: what is found without being told of is somebody else's.
        self._write_identity()
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _engine.write_file(path, content)

    def tell(self, step: int, **about: Any) -> None:
        """Notes what is to know of a step."""
        self._begin()
        self._about["steps"].setdefault(str(step), {}).update(about)
        self._write_identity()

    def _write_identity(self) -> None:
        text = json.dumps(self._about, indent=1) + "\n"
        _engine.write_file(os.path.join(self.path, _IDENTITY), text.encode())
