#!/usr/bin/env python3
"""TensorFlow's own profiler doing one job of the benchmark: load a graph, a step and an op log, and print one view.

    tensorflow_peer.py VIEW MAX_DEPTH GRAPH RUN_META OP_LOG
    tensorflow_peer.py timeline MAX_DEPTH GRAPH RUN_META OP_LOG FILE      the graph view, drawn into FILE

compare.py runs it with the Python of an environment that has TensorFlow, one process a job. It answers on stdout, one
JSON object a line: {"event": "ready"} after the import, {"event": "done", "seconds": ..., "cpu": ...} after the job, then
{"event": "totals", ...}. The view itself goes to /dev/null, as that of tfprof does.
"""
import json
import os
import resource
import sys
import time

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
from tensorflow.core.profiler import tfprof_options_pb2, tfprof_output_pb2  # noqa: E402
from tensorflow.python.util import _pywrap_tfprof as profiler  # noqa: E402

COLUMNS = ['micros', 'bytes', 'params', 'float_ops']


def take_stdout():
    """Keeps stdout for our answers and sends what TensorFlow prints from C++ to /dev/null."""
    answers = os.fdopen(os.dup(1), 'w')
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return answers


def tell(answers, event, **more):
    print(json.dumps({'event': event, **more}), file=answers, flush=True)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def die_first():
    """When memory runs out, the system ends this process rather than somebody else's."""
    with open('/proc/self/oom_score_adj', 'w') as f:
        f.write('1000')


def limit_cpu():
    """Ends this process after PEER_CPU_SECONDS more (SIGXCPU); waiting for the processor does not count."""
    seconds = int(time.process_time()) + int(os.environ['PEER_CPU_SECONDS'])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def options(max_depth, trace):
    """The same options as compare.py gives to tfprof; everything else at its default."""
    return tfprof_options_pb2.OptionsProto(
        max_depth=int(max_depth), step=-1, order_by='name', account_type_regexes=['.*'],
        start_name_regexes=['.*'], show_name_regexes=['.*'], select=COLUMNS,
        output='timeline:outfile=' + trace if trace else 'stdout').SerializeToString()


def profile(view, max_depth, graph, run_meta, op_log, trace=None):
    """Load and view. The input bytes are let go as soon as TensorFlow has parsed them, to be fair to its memory."""
    profiler.NewProfiler(read(graph), read(op_log))
    profiler.AddStep(0, b'', read(run_meta), b'')
    return profiler.Profile(b'graph' if trace else view.encode(), options(max_depth, trace))


def totals(view, result):
    """The root's totals, under the names of expected.json. Only the graph view's node count is that of the graph."""
    kind = tfprof_output_pb2.MultiGraphNodeProto if view in ('op', 'code') else tfprof_output_pb2.GraphNodeProto
    root = kind.FromString(result)
    found = {'micros': root.total_exec_micros, 'requested_bytes': root.total_requested_bytes,
             'params': root.total_parameters, 'float_ops': root.total_float_ops}
    if view in ('scope', 'graph'):
        found['run_count'] = root.total_run_count
    if view == 'graph':
        found['nodes'] = root.total_definition_count
    return found


def main(view, max_depth, graph, run_meta, op_log, trace=None):
    answers = take_stdout()
    die_first()
    tell(answers, 'ready')
    if not sys.stdin.readline():  # compare.py measures the memory after import, then lets us go on
        return
    limit_cpu()
    start, cpu = time.perf_counter(), time.process_time()
    result = profile(view, max_depth, graph, run_meta, op_log, trace)
    tell(answers, 'done', seconds=time.perf_counter() - start, cpu=time.process_time() - cpu)
    profiler.DeleteProfiler()
    if result and not trace:
        tell(answers, 'totals', **totals(view, result))
    answers.flush()
    os._exit(0)  # freeing what is left takes long and says nothing


if __name__ == '__main__':
    main(*sys.argv[1:])
