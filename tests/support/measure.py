"""What a command costs."""

import subprocess
import sys
from typing import NamedTuple

# Run by an interpreter of its own: a process that was started by a large one begins with the peak of that one.
MEASURE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
"""


class Cost(NamedTuple):
    """CPU seconds and the peak of memory in bytes: neither depends on what else the machine does (much)."""
    status: int
    said: str
    seconds: float
    memory: int


def cost(words, env, **options) -> Cost:
    done = subprocess.run([sys.executable, '-c', MEASURE, *map(str, words)], env=env, capture_output=True, text=True, check=True,
                          **options)
    status, seconds, memory = done.stdout.split()
    return Cost(int(status), done.stderr, float(seconds), int(memory))
