#!/bin/bash
# python_environments.sh [NAME]   makes the environments that tests of the Python package run in, or one of them, below .venv. Each is made
# once, and again where its packages are others. Exit status 1: what it needs cannot be downloaded.
# Several may run at the same time: `make test` begins with all of them beside everything else, and the tests wait for theirs.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(command -v python3)
[ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null && python=/usr/bin/python3

# make_environment NAME PACKAGE...
make_environment() {
  local folder=.venv/$1
  shift
  [ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
  # Of a large package hardly a file is used: those are compiled when they are.
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile "$@" &
  installing=$!
  wait "$installing" && echo "$*" > "$folder/complete"
}
installing=
trap '[ -z "$installing" ] || kill "$installing" 2>/dev/null; exit 143' TERM  # what nobody waits for any more is not downloaded

mkdir -p .venv
status=0
while read -r name packages; do
  [ -z "${1:-}" ] || [ "$1" = "$name" ] || continue
  exec 9> ".venv/$name.lock"
  flock 9
  if [ "$(cat ".venv/$name/complete" 2>/dev/null)" != "$packages" ]; then
    # shellcheck disable=SC2086
    make_environment "$name" $packages </dev/null 9>&- || status=1
  fi
  exec 9>&-
done <<END
bare pytest
jax pytest jax mcp>=2
tensorboard pytest tensorboard
tables pytest pyarrow duckdb
tf pytest pytest-xdist mypy pandas pyarrow tensorflow-cpu tensorboard
END
exit $status
