"""The peer of compare_captures.py, run by the Python that has xprof: op statistics of one capture, by its public call.

    xprof_peer.py CAPTURE      prints JSON: CPU seconds of the conversion alone, bytes of its answer
"""
import json
import resource
import sys

from xprof.convert import raw_to_tool_data


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


before = used()
data, _ = raw_to_tool_data.xspace_to_tool_data([sys.argv[1]], 'framework_op_stats', {})
print(json.dumps({'seconds': used() - before, 'bytes': len(data or b'')}))
