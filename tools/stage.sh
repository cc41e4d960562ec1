#!/bin/bash
# stage.sh NAME COMMAND...   runs the command, and notes in the file $TFPROF_STAGES, if it is set, how long it took
# stage.sh --table           prints what was noted there
set -euo pipefail

if [ "${1:-}" = --table ]; then
  [ -s "${TFPROF_STAGES:-}" ] || exit 0
  awk -F '\t' '
    { printf "%6d s  %s%s\n", $2, $1, $3 == 0 ? "" : "  (failed)"; all += $2 }
    END { printf "%6d s  together\n", all }' "$TFPROF_STAGES"
  exit 0
fi

name=$1
shift
began=$SECONDS
status=0
"$@" || status=$?
[ -z "${TFPROF_STAGES:-}" ] || printf '%s\t%d\t%d\n' "$name" "$((SECONDS - began))" "$status" >> "$TFPROF_STAGES"
exit "$status"
