#!/bin/bash
# test_fleet.sh BUILD_DIRECTORY: tests tfprof.fleet on real engines: Beam's runner of several processes, Prism (built with
# go) with a worker that is killed, and a Spark cluster of two executors. TFPROF_FLEET_RUNS says how many runs (300). The environment
# is made once, below .venv; what cannot be downloaded or built is left out, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/build_wheel.sh "$1"
folder=.venv/fleet
packages="pytest apache-beam pyarrow duckdb pyspark pandas"
[ -x $folder/bin/python ] || python3 -m venv $folder
if [ "$(cat $folder/complete 2>/dev/null)" != "$packages" ]; then
  if ! $folder/bin/python -m pip install --quiet --disable-pip-version-check $packages; then
    echo "the tests of tfprof.fleet are left out: pip cannot download one of $packages"
    exit 0
  fi
  echo "$packages" > $folder/complete
fi
$folder/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall dist/*.whl

prism=build/go/bin/prism
PATH=$PATH:/usr/local/go/bin
if [ ! -x $prism ]; then
  GOPATH=$PWD/build/go GOFLAGS=-modcacherw go install github.com/apache/beam/sdks/v2/go/cmd/prism@latest 2> build/prism.log ||
    echo "the test on Prism is left out: go cannot build it (build/prism.log)"
fi
command -v java >/dev/null || echo "the tests on Spark are left out: there is no java"
tests="tests/fleet/test_beam.py tests/fleet/test_prism.py"
command -v java >/dev/null && tests="$tests tests/fleet/test_spark.py"

TFPROF_FLEET=1 TFPROF_BINARY=$PWD/$1/tfprof TFPROF_PRISM=$([ -x $prism ] && echo "$PWD/$prism") \
  $folder/bin/python -m pytest -q -p no:cacheprovider $tests
