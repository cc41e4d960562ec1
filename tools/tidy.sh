#!/bin/bash
# tidy.sh BUILD FILE...: clang-tidy over the files, with the compile commands of BUILD; says only what it found.
# A file that was clean is not checked again until it, a header, .clang-tidy or the tool changes.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
shift
export build CLANG_TIDY=${CLANG_TIDY:-clang-tidy-14} clean=$build/tidy
mkdir -p "$clean"
# Every header counts for every file: coarse, but never wrong.
common=$({ "$CLANG_TIDY" --version; cat .clang-tidy; find include src -name '*.h' | sort | xargs cat; } | sha256sum)
export common

check_one() {
  local stamp
  stamp=$clean/$({ echo "$common"; echo "$1"; cat "$1"; } | sha256sum | cut -c1-32)
  [ ! -e "$stamp" ] || return 0
  if "$CLANG_TIDY" --quiet -p "$build" "$1" 2>/dev/null; then
    touch "$stamp"
  else
    echo "clang-tidy: $1" >&2
    return 1
  fi
}
export -f check_one
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'check_one {}'
echo "clang-tidy: $# files are clean"
