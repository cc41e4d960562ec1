#!/bin/bash
# stage.sh NAME COMMAND...   runs the command, and notes in the file $TFPROF_STAGES, if it is set, how long it took and how many processors it kept busy
# stage.sh --table           prints what was noted there
set -euo pipefail

if [ "${1:-}" = --table ]; then
  [ -s "${TFPROF_STAGES:-}" ] || exit 0
  awk -F '\t' '
    { printf "%6d s  %4.1f busy  %s%s\n", $2, ($2 > 0 ? $3 / $2 : 0), $1, $4 == 0 ? "" : "  (failed)"; all += $2; busy += $3 }
    END { printf "%6d s  %4.1f busy  together\n", all, (all > 0 ? busy / all : 0) }' "$TFPROF_STAGES"
  exit 0
fi

name=$1
shift
[ -n "${TFPROF_STAGES:-}" ] || exec "$@"
noted=$(mktemp)
trap 'rm -f "$noted"' EXIT
status=0
TIMEFORMAT='%R %U %S'
{ time "$@" 2>&3; } 3>&2 2> "$noted" || status=$?
read -r wall user system < <(tail -n 1 "$noted")
printf '%s\t%s\t%s\t%d\n' "$name" "$wall" "$(awk "BEGIN { print $user + $system }")" "$status" >> "$TFPROF_STAGES"
exit "$status"
