#!/bin/bash
# build_wheel.sh BUILD_DIRECTORY: builds the wheel of the Python package into dist/. It uses what was compiled for the
# program in that directory, so that only the module itself is left to do. Exit status 75: scikit-build-core is not there
# and cannot be downloaded.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(command -v python3)
[ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null && python=/usr/bin/python3
environment=.venv/build
[ -x $environment/bin/python ] || "$python" -m venv $environment
if ! $environment/bin/python -c 'import scikit_build_core' 2>/dev/null; then
  if ! $environment/bin/python -m pip install --quiet --disable-pip-version-check 'scikit-build-core>=0.10'; then
    echo "the wheel is not built: pip cannot download scikit-build-core" >&2
    exit 75
  fi
fi
rm -rf dist
TFPROF_COMPILER_LAUNCHER=$(command -v ccache || true) \
  $environment/bin/python -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --wheel-dir dist --config-settings=build-dir="$1"
ls -l dist/*.whl | awk '{printf "%s: %.1f MB\n", $NF, $5 / 1e6}'
