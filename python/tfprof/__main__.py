"""`python -m tfprof` is the command line `tfprof`."""
from __future__ import annotations

import signal
import sys

from . import _engine


def main() -> int:
    """Runs the program with the arguments of this process."""
    if sys.argv[1:2] == ["mcp"]:
        from .mcp import main as serve
        return serve(sys.argv[2:])
    # The program has its own manners for these; Python's handlers would only take note of them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _engine.cli(["tfprof", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
