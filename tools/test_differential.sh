#!/bin/bash
# test_differential.sh BUILD_DIRECTORY CASES SEED: random cases against TensorFlow's own tfprof, with the wheel of that build in
# the environment with TensorFlow that test_python.sh makes.
set -euo pipefail
cd "$(dirname "$0")/.."

python=.venv/tf/bin/python
if ! "$python" -c 'import tensorflow' 2>/dev/null; then
  echo "there is no environment with TensorFlow: run make test-python first" >&2
  exit 1
fi
tools/build_wheel.sh "$1"
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall dist/*.whl
cd tests
exec "../$python" -m differential "$2" "$3"
