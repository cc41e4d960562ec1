#!/bin/bash
# try_packages.sh DIST: uses what `make package` wrote as somebody would who has this system and nothing of the build: the
# checksums, the archive unpacked in an empty folder, the files of the Debian package, the wheel in a new environment.
set -euo pipefail
examples=$(cd "$(dirname "$0")/../examples" && pwd)
cd "$1"
dist=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sha256sum --check --strict SHA256SUMS

# runs WHAT PROGRAM...: its version, a report, and the page.
runs() {
  local what=$1
  shift
  (cd "$folder" && "$@" version && "$@" summary "$examples/resnet" | grep 75.29k >/dev/null && "$@" scope "$examples/resnet" -format html -o page.html)
  test -s "$folder/page.html"
  rm "$folder/page.html"
  echo "$what runs"
}

mkdir "$folder/archive"
tar -C "$folder/archive" -xf tfprof-*.tar.xz
runs "the archive" "$folder"/archive/tfprof-*/bin/tfprof

if command -v dpkg-deb >/dev/null; then
  dpkg-deb -x tfprof_*.deb "$folder/debian"
  runs "the Debian package" "$folder/debian/usr/bin/tfprof"
fi

python3 -m venv "$folder/python"
"$folder/python/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps "$dist"/tfprof-*.whl
runs "the wheel" "$folder/python/bin/tfprof"
