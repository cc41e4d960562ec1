#!/bin/bash
# Runs pytest with a Python that has it: Debian's first (the python3 of PATH may be another one), then that of
# PATH, then an environment of our own in .venv/test.
set -euo pipefail
cd "$(dirname "$0")/.."

for python in /usr/bin/python3 python3 .venv/test/bin/python; do
  if "$python" -c 'import pytest, xdist' 2>/dev/null; then
    exec "$python" -m pytest "$@"
  fi
done
python3 -m venv .venv/test
.venv/test/bin/python -m pip install --quiet pytest pytest-xdist
exec .venv/test/bin/python -m pytest "$@"
