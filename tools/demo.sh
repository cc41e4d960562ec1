#!/bin/bash
# demo.sh TFPROF: a short tour of the recorded training steps in examples/, each report under its command.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$PWD/$1
export TFPROF_OPTS=--no-pager

# The note that names the files of the directory is the same each time: it is shown once.
show() {
  printf '\n\033[1m%s\033[0m\n$ tfprof %s\n' "$1" "$2"
  if [ -n "${quiet:-}" ]; then
    eval "'$binary' $2" 2>/dev/null
  else
    eval "'$binary' $2"
  fi
  quiet=yes
}

show 'A training step of JAX on a GPU: its kernels name only command_buffer_N, here they are by layer' \
  'scope examples/jax -select accelerator_micros -order_by accelerator_micros -max_depth 5 -min_accelerator_micros 90'
show 'One page about a recorded training step' \
  'summary examples/resnet'
show 'Which kinds of ops take the time?' \
  'op examples/resnet -select cpu_micros,bytes,occurrence -order_by cpu_micros -max_depth 9'
show 'Which part of the model takes it?' \
  'scope examples/resnet -select cpu_micros,bytes,params -order_by cpu_micros -max_depth 3 -min_micros 200'
show 'Which lines of the Python program built what takes it?' \
  "code examples/resnet -frames user -start_name_regexes 'models.py:.*' -select cpu_micros,float_ops -order_by cpu_micros -min_micros 200"
show 'Who holds the memory at its peak?' \
  'memory examples/resnet -step 100 -by scope -max_depth 2 -top 6'
show 'Every execution over time, for https://ui.perfetto.dev or chrome://tracing' \
  'timeline examples/resnet -o build/demo-timeline.json'

printf '\nNow on your own recording: %s help, and docs/inputs.md on how to make one.\n' "$1"
