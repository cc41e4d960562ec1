#!/bin/bash
# test_python.sh BUILD_DIRECTORY: builds the wheel and tests it: in an environment with nothing but pytest, in one with JAX and the SDK of
# `tfprof mcp`, in one with TensorBoard alone, in one with DuckDB, and in one with TensorFlow, to compare with (python_environments.sh). What
# cannot be downloaded is left out, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

made() { tools/python_environments.sh "$1"; }

# All of them, one after another, while the tests of those before run.
tools/python_environments.sh 2>/dev/null &
maker=$!
trap 'kill "$maker" 2>/dev/null || true' EXIT

status=0
tools/build_wheel.sh "$1" || status=$?
if [ "$status" -eq 75 ]; then
  echo "tests/python are left out"
  exit 0
fi
[ "$status" -eq 0 ] || exit "$status"
wheel=$(ls dist/*.whl)

tests() {
  local folder=.venv/$1
  shift
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$wheel"
  TFPROF_PACKAGE_NEEDED=1 "$folder/bin/python" -m pytest -q -p no:cacheprovider "$@"
}

if ! made bare; then
  echo "tests/python are left out: pip cannot download pytest"
  exit 0
fi

with_jax() {
  if made jax; then
    tests jax tests/python/test_mcp.py tests/python/test_jax.py tests/python/test_docs.py
  else
    echo "the tests with JAX and of tfprof mcp are left out: pip cannot download jax or mcp"
  fi
}
with_tensorboard() {
  if made tensorboard; then
    tests tensorboard tests/python/test_tensorboard.py tests/python/test_ui.py
  else
    echo "the tests in TensorBoard are left out: pip cannot download tensorboard"
  fi
}
with_tables() {
  if made tables; then
    tests tables tests/python/test_export.py
  else
    echo "the tests of Parquet and DuckDB are left out: pip cannot download pyarrow or duckdb"
  fi
}

# Each is one process: two at a time.
log=$(mktemp)
(set -e; with_jax; with_tables) > "$log" 2>&1 &
beside=$!
trap 'kill "$maker" "$beside" 2>/dev/null || true; rm -f "$log"' EXIT
TFPROF_WHEEL=$PWD/$wheel tests bare tests/python
with_tensorboard
wait "$beside" || status=$?
cat "$log"
[ "$status" -eq 0 ] || exit "$status"

if ! made tf; then
  echo "the tests with TensorFlow are left out: pip cannot download tensorflow-cpu or tensorboard"
  exit 0
fi
tests tf -n "$(nproc)" tests/python
