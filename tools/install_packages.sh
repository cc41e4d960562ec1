#!/bin/bash
# Installs the Debian packages named as arguments, quietly, and only those that are missing: where nothing is
# missing apt is not called at all.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
  echo "tfprof: this is no Debian or Ubuntu; if the build stops, install what these packages hold: $*" >&2
  exit 0
fi

missing=()
for package in "$@"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "tfprof: these packages are missing, and installing them needs root or sudo: ${missing[*]}" >&2
    echo "tfprof: as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "tfprof: $* failed" >&2
    exit 1
  fi
}
quietly apt-get update -qq
quietly apt-get install -y -qq --no-install-recommends "${missing[@]}"
