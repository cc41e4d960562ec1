"""`python -m tfprof` is the command line `tfprof`."""
from __future__ import annotations

import signal
import sys

from . import _engine


def main() -> int:
    """Runs the program with the arguments of this process."""
    # The program has its own manners for these; Python's handlers would only take note of them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _engine.cli(["tfprof", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
