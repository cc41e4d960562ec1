#!/bin/bash
# test_python.sh BUILD_DIRECTORY: builds the wheel and tests it: in an environment with nothing but pytest, in one with JAX
# and the SDK of `tfprof mcp`, in one with TensorBoard alone, in one with DuckDB, and in one with TensorFlow, to compare with. Environments are made once, below .venv; what cannot be downloaded is left out, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
tools/build_wheel.sh "$1" || status=$?
if [ "$status" -eq 75 ]; then
  echo "tests/python are left out"
  exit 0
fi
[ "$status" -eq 0 ] || exit "$status"
wheel=$(ls dist/*.whl)

python=$(command -v python3)
[ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null && python=/usr/bin/python3

# environment NAME PACKAGE...: makes .venv/NAME where it is not there, or has other packages.
environment() {
  local folder=.venv/$1
  shift
  [ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
  if [ "$(cat "$folder/complete" 2>/dev/null)" != "$*" ]; then
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@" || return 1
    echo "$*" > "$folder/complete"
  fi
}

tests() {
  local folder=.venv/$1
  shift
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$wheel"
  TFPROF_PACKAGE_NEEDED=1 "$folder/bin/python" -m pytest -q -p no:cacheprovider "$@"
}

if ! environment bare pytest; then
  echo "tests/python are left out: pip cannot download pytest"
  exit 0
fi
TFPROF_WHEEL=$PWD/$wheel tests bare tests/python
if environment jax pytest jax 'mcp>=2'; then
  tests jax tests/python/test_mcp.py tests/python/test_jax.py tests/python/test_docs.py
else
  echo "the tests with JAX and of tfprof mcp are left out: pip cannot download jax or mcp"
fi
if environment tensorboard pytest tensorboard; then
  tests tensorboard tests/python/test_tensorboard.py tests/python/test_ui.py
else
  echo "the tests in TensorBoard are left out: pip cannot download tensorboard"
fi
if environment tables pytest pyarrow duckdb; then
  tests tables tests/python/test_export.py
else
  echo "the tests of Parquet and DuckDB are left out: pip cannot download pyarrow or duckdb"
fi
if ! environment tf pytest mypy pandas pyarrow tensorflow-cpu tensorboard; then
  echo "the tests with TensorFlow are left out: pip cannot download tensorflow-cpu or tensorboard"
  exit 0
fi
tests tf tests/python
