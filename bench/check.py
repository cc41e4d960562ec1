#!/usr/bin/env python3
"""Counts the instructions of each stage of tfprof and fails where one takes 5 % more than the recorded baseline.

    check.py --binary build/release/tfprof [--stages scope,op] [--limit 5] [--against OTHER_TFPROF]
    check.py --binary build/release/tfprof --write          record what is counted now as the baseline

Counts come from valgrind (cachegrind without its cache): unlike seconds they repeat, whatever else the machine does.
Threads are one and addresses fixed; seeds of hash tables stay random, as always, which moves a count by less than 0.1 %.
Counts of another compiler, C library or valgrind are no measure of a change: then the table is printed, says what
differs, and does not fail. --against counts another binary instead of reading the baseline, here and now.
Exit status: 0 fine; 1 a stage grew by more than the limit, or failed, or has no baseline; 2 bad usage.
"""
import argparse
import functools
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import common

BASELINE = os.path.join(common.HERE, 'instructions.json')
NODES, EVENTS, GRAPH_BYTES = 10_000, 20_000, 2_000_000
COLUMNS = '--select=micros,bytes,params,float_ops'
ALL = '--max_depth=1000000000'


def inputs(run):
    return ['--graph_path=%s/graph.pb' % run, '--run_meta_path=0=%s/run_meta_0' % run, '--op_log_path=%s/tfprof_log' % run]


def stages(work):
    """What is counted: name, arguments. Every row is written, into a file that is thrown away."""
    run = common.run_of(work, NODES)
    other = common.run_of(work, NODES, '--seed', 2)
    capture = os.path.join(work, 'events_%d.xplane.pb' % EVENTS)
    subprocess.run([sys.executable, os.path.join(common.HERE, 'make_capture.py'), capture, '--events', str(EVENTS)],
                   check=True, stdout=subprocess.DEVNULL)
    graphs = os.path.join(work, 'graphs.xplane.pb')
    subprocess.run([sys.executable, os.path.join(common.HERE, 'repeat_capture.py'),
                    os.path.join(common.ROOT, 'examples', 'jax', 'transformer.xplane.pb.gz'), graphs, '--bytes', str(GRAPH_BYTES)],
                   check=True, stdout=subprocess.DEVNULL)
    views = {view: [view, *inputs(run), COLUMNS, ALL] for view in ('scope', 'graph', 'op', 'code')}
    return {
        'start': ['version'],
        'load': ['info', *inputs(run)],
        **views,
        'json': [*views['scope'], '--format=json'],
        'csv': [*views['scope'], '--format=csv'],
        'timeline': ['graph', *inputs(run), ALL, '--output=timeline:outfile=' + os.devnull],
        'summary': ['summary', *inputs(run)],
        'memory': ['memory', *inputs(run)],
        'advise': ['advise', *inputs(run)],
        'model': ['model', run + '/graph.pb'],
        'float ops': ['op', *inputs(run), '--flops=native', '--select=float_ops'],
        'diff': ['diff', run, other, '--select=micros'],
        'capture op': ['op', capture, '--select=accelerator_micros', ALL],
        'capture steps': ['steps', capture],
        'capture graphs': ['op', graphs, '--select=accelerator_micros', ALL],
    }


def tools(binary):
    """What a count depends on besides the program's text."""
    valgrind = subprocess.run(['valgrind', '--version'], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return {'compiler': common.compiler_of(binary), 'C library': ' '.join(platform.libc_ver()), 'valgrind': valgrind,
            'machine': platform.machine()}


@functools.cache
def fixed_addresses():
    """What runs a command at addresses that are not drawn; nothing where that is forbidden, as in some containers."""
    command = ['setarch', platform.machine(), '-R']
    allowed = shutil.which('setarch') and subprocess.run([*command, 'true'], stderr=subprocess.DEVNULL).returncode == 0
    return command if allowed else []


def count(binary, arguments):
    """Instructions of one run of the program, in user space."""
    command = [*fixed_addresses(), 'valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', binary, *arguments]
    # Only what the program needs to know: the rest of the environment would move its stack.
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8', **common.ONE_THREAD})
    found = re.search(r'I +refs: +([\d,]+)', done.stderr)
    if done.returncode or not found:
        raise common.Failure('%s: exit status %d: %s' % (' '.join(arguments[:2]), done.returncode, done.stderr[-500:]))
    return int(found[1].replace(',', ''))


def counts(binary, wanted):
    """Instructions by stage; as many at once as there are cores, for counting is slow and counts do not care."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return dict(zip(wanted, pool.map(lambda arguments: count(binary, arguments), wanted.values())))


def compared(baseline, now, limit):
    """(table, stages that grew beyond the limit or have no baseline)."""
    lines, grown = [['stage', 'baseline', 'now', 'change']], []
    for stage, value in now.items():
        before = baseline.get(stage)
        change = (value - before) / before * 100 if before else None
        if change is None or change > limit:
            grown.append(stage)
        lines.append([stage, common.shown(before, '{:,}'.format), format(value, ','), common.shown(change, '{:+.2f} %'.format)])
    return common.markdown(lines), grown


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', default=os.path.join(common.ROOT, 'build', 'release', 'tfprof'))
    parser.add_argument('--stages', help='these alone, with commas between')
    parser.add_argument('--limit', type=float, default=5, help='percent that a stage may grow by')
    parser.add_argument('--against', metavar='BINARY', help='another tfprof to compare with')
    parser.add_argument('--baseline', default=BASELINE, metavar='FILE')
    parser.add_argument('--write', action='store_true', help='record the counts as the baseline')
    parser.add_argument('--work', default=os.path.join(common.ROOT, 'build', 'bench'), help='where inputs are kept')
    args = parser.parse_args()
    if not shutil.which('valgrind'):
        parser.error('valgrind is needed')
    for program in filter(None, (args.binary, args.against)):
        if not os.access(program, os.X_OK):
            parser.error('no program at %s: build it first (make)' % program)
    if args.write and (args.stages or args.against):
        parser.error('--write records all stages of one binary')
    return parser, args


def main():
    parser, args = arguments()
    os.makedirs(args.work, exist_ok=True)
    wanted = stages(args.work)
    if args.stages:
        names = args.stages.split(',')
        if not set(names) <= set(wanted):
            parser.error('stages are ' + ', '.join(wanted))
        wanted = {name: wanted[name] for name in names}
    used = tools(args.binary)
    try:
        now = counts(args.binary, wanted)
        if args.write:
            with open(args.baseline, 'w') as out:
                json.dump({'tools': used, 'nodes': NODES, 'events': EVENTS, 'graph_bytes': GRAPH_BYTES, 'instructions': now}, out, indent=1)
                out.write('\n')
            print('wrote %s' % os.path.relpath(args.baseline))
            return 0
        recorded = {'tools': tools(args.against), 'instructions': counts(args.against, wanted)} if args.against \
            else common.load(args.baseline)
    except common.Failure as failure:
        common.say(str(failure))
        return 1
    return verdict(recorded, used, now, args.limit)


def verdict(recorded, used, now, limit):
    table, grown = compared(recorded['instructions'], now, limit)
    print(table)
    other = ['%s: %s, the baseline has %s' % (key, used.get(key), value) for key, value in recorded['tools'].items() if used.get(key) != value]
    if other:
        print('\nNot comparable, nothing is decided:\n  ' + '\n  '.join(other) +
              '\nRecord a baseline of the version before the change with these (make bench-baseline), or give --against BINARY.')
        return 0
    if grown:
        print('\nMore than %g %% above the baseline: %s.\nWhere that is meant, make bench-baseline records it.' % (limit, ', '.join(grown)))
    return 1 if grown else 0


if __name__ == '__main__':
    sys.exit(main())
