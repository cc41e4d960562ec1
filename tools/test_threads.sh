#!/bin/bash
# test_threads.sh BUILD: what has threads, built with ThreadSanitizer: records decoded ahead, hosts of a run decoded side by side, layers
# of memory, inputs of a comparison, and the server with many requests at once. A race anywhere, also in a server that a test
# started, leaves a report below BUILD/races, and this fails.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
rm -rf "$build/races"
mkdir "$build/races"
export TSAN_OPTIONS="log_path=$build/races/report suppressions=$PWD/tools/tsan.supp" TFPROF_THREADS=4
export TFPROF_PATIENCE=10 # programs take many times as long here
status=0
"$build/tests/tfprof_unit" --gtest_brief=1 || status=1
TFPROF_BINARY=$build/tfprof tools/pytest.sh -q tests/server tests/cli/test_threads.py tests/cli/test_runs_and_hosts.py \
  tests/cli/test_captures.py tests/cli/test_diff.py tests/cli/test_memory.py || status=1
if compgen -G "$build/races/*" >/dev/null; then
  cat "$build"/races/*
  echo "ThreadSanitizer has findings: $build/races" >&2
  exit 1
fi
exit $status
