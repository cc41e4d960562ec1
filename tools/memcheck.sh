#!/bin/bash
# memcheck.sh TFPROF: every command on recorded inputs under valgrind: no error, no byte lost. Sanitizers see what our own code
# does; this sees the libraries as well, and values that were never set.
set -euo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -C "$folder" -xJf tests/data/xplane/recorded.tar.xz
tar -C "$folder" -xJf tests/data/checkpoints/recorded.tar.xz
tar -C "$folder" -xJf tests/data/models/recorded.tar.xz
capture=$(find "$folder" -name '*.xplane.pb*' -size -600k | sort | head -1)
model=$(find "$folder" -name 'saved_model.pb*' | sort | head -1)
run=examples/resnet
data=tests/data

# One command on a line; the status that it may have besides 0 is 1, "nothing to show".
commands() {
  cat <<LIST
version
help options
scope $run -select micros,bytes,params,float_ops -max_depth 5
scope $data/views/mlp -select params -format json
scope $data/views/two_cpus -select accelerator_micros,cpu_micros -format csv
graph $run -select micros -max_depth 8 -format markdown
graph $data/views/seq2seq -select bytes -max_depth 6
op $run -order_by micros -select micros,occurrence,input_shapes
op $data/views/functions -select params,float_ops -format html -o $folder/op.html
code $run -frames user -order_by micros
code $data/views/seq2seq -output pprof:outfile=$folder/code.pb.gz
summary $run
summary $capture
advise $run
advise $capture
info $data/views/transformer_step
info $run/run_meta_10
memory $run -by scope -max_depth 3
memory $data/memory/after_gpu.prof
kernels $capture -top 20
steps $capture
model examples/lstm
model $model -format json
model $data/hlo/step.hlo.pb.gz
model $data/keras/nested.keras
oom $data/oom/jax_larger.log
oom $data/oom/full.dump -format json
oom $data/oom/tf2_function.log --with $run
checkpoint $folder/object/model-1 -values
checkpoint $folder/v1/model -values
checkpoint $folder/damaged/data_flipped/model -values
timeline $run -o $folder/trace.json
timeline $capture -o $folder/trace.pftrace
save $run -o $folder/profile_100
scope $folder/profile_100 -select micros
diff $run $data/views/resnet -view scope -select bytes,micros
diff $data/diff/resnet_b4 $data/diff/resnet_b16
diff $data/memory/before_cpu.prof $data/memory/after_cpu.prof -format json
scope README.md
scope -definitely_not_an_option $run
completion man
LIST
}

check=(valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect --show-leak-kinds=definite,indirect
  --child-silent-after-fork=yes --suppressions=tools/memcheck.supp)
failed=0 count=0
# report STATUS WORDS: what is 99 is valgrind's.
report() {
  count=$((count + 1))
  [ "$1" -eq 99 ] || [ "$1" -ge 128 ] || { echo "fine ($1): $2"; return; }
  failed=$((failed + 1))
  echo "FOUND ($1): $2"
  cat "$folder/log"
}
while read -r line; do
  status=0
  # shellcheck disable=SC2086  # the words of the line are the arguments
  "${check[@]}" --log-file="$folder/log" "$binary" $line >"$folder/out" 2>"$folder/err" </dev/null || status=$?
  report "$status" "tfprof $line"
done < <(commands)

"${check[@]}" --log-file="$folder/log" "$binary" ui examples -no_open >"$folder/out" 2>"$folder/err" &
server=$!
address=
for _ in $(seq 600); do
  address=$(grep -ohE 'http://[0-9.:]+/[0-9a-f]+/' "$folder/out" "$folder/err" | head -1) && break
  sleep 0.2
done
for path in '' app.js api/runs 'api/run?run=3' 'api/report/summary?run=3' 'api/tree/scope?run=3' 'api/flame/code?run=3' \
  'api/memory/layers?run=3' 'api/timeline?run=3' 'api/report/diff?run=3&run=3@step=10' 'api/run?run=99' '../../etc/passwd'; do
  curl -s -o /dev/null -w "%{http_code} /$path\n" --path-as-is "$address$path"
done
kill -INT $server
status=0
wait $server || status=$?
report $((status == 130 ? 0 : status)) "tfprof ui with 12 requests"
echo "memcheck: $count commands, $failed with findings"
[ "$failed" -eq 0 ]
