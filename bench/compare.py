#!/usr/bin/env python3
"""Times tfprof against TensorFlow's own profiler and against the least that any reader must do, on the same inputs, in the same run.

    compare.py --binary build/release/tfprof [--sizes 10000,100000,1000000] [--jobs scope,graph,op,code]
               [--peer-sizes 10000,100000] [--peer-seconds 900] [--no-tensorflow | --reuse-tensorflow | --show] [--python PYTHON] [--work DIR]
               [--readme FILE] [--document docs/performance.md] [--plot docs/images/performance.svg]

Seconds never fail it. Exit status: 0 fine; 1 when an engine's totals differ from those the generator wrote down or
tfprof could not do a job; 2 bad usage. Where TensorFlow is missing or dies, the table says so. See README.md here.
"""
import argparse
import json
import os
import subprocess
import sys
from collections import namedtuple
from dataclasses import asdict, dataclass, field, replace

import peer
import plot
from common import (FILES, HERE, ONE_THREAD, ROOT, Failure, load, machine, make_ready, markdown, memory_of, put, run_of, say, shown,
                    size_text, time_of, time_text)

ALL = 1_000_000_000
# same_as: the job whose work TensorFlow does; it folds no names, so that there the two are one.
Job = namedtuple('Job', 'name view depth options same_as', defaults=((), None))
RAW = ('--names=raw',)
JOBS = {job.name: job for job in (
    Job('load', 'info', None), Job('scope', 'scope', 4), Job('scope, names raw', 'scope', 4, RAW, 'scope'), Job('graph', 'graph', 4),
    Job('op', 'op', 4), Job('code', 'code', 4), Job('scope, all rows', 'scope', ALL),
    Job('all rows, names raw', 'scope', ALL, RAW, 'scope, all rows'), Job('timeline', 'timeline', ALL))}
OURS_ALONE = ('load',)           # TensorFlow has no such job
SIZES = '10000,30000,100000,300000,1000000,3000000'
PEER_SIZES = '10000,100000,1000000'
BYTES_PER_NODE = 2000            # that a job takes, with the file of a timeline, rounded up
BIG = 1_000_000                  # of more nodes fewer runs are enough
PEER_BIG = 100_000               # from this size on TensorFlow runs once, not three times
PEER_FIELDS = ('peer_cpu', 'peer_wall', 'peer_memory', 'peer_note', 'peer_ended')
SMALLEST = 100                   # nodes of the input whose cost is that of starting, not of nodes
LINEAR = 1.3                     # cost of a node at one size over that at a smaller one, at most


@dataclass
class Row:
    """One job on one input, done by both. None: not measured, peer_note says why."""
    nodes: int
    job: str
    cpu: float = None
    median: float = None
    wall: float = None           # with all cores
    memory: int = None
    peer_cpu: float = None
    peer_wall: float = None
    peer_memory: int = None
    peer_note: str = ''
    peer_ended: bool = False     # before it was done: its figures are the least that it would have had


@dataclass
class Results:
    facts: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    start: dict = field(default_factory=dict)    # by job: the Row of the smallest input
    floors: dict = field(default_factory=dict)   # by nodes: read, walk, fields, bytes
    load: float = 0                              # the most that the machine had to do meanwhile
    wrong: list = field(default_factory=list)


# tfprof

def command(binary, job, folder):
    """The program's arguments for a job; a timeline has every execution and the memory of every device."""
    files = dict(zip(('--graph_path=', '--run_meta_path=0=', '--op_log_path='), FILES))
    arguments = [binary, 'graph' if job.view == 'timeline' else job.view,
                 *(option + os.path.join(folder, name) for option, name in files.items())]
    if job.view == 'info':
        return arguments
    arguments += ['--select=micros,bytes,params,float_ops', '--max_depth=%d' % job.depth, *job.options]
    return arguments + (['--output=timeline:outfile=' + trace_of(folder)] if job.view == 'timeline' else [])


def trace_of(folder):
    return os.path.join(folder, 'timeline.json')


def our_totals(binary, job, folder):
    if job.view == 'timeline':
        return {'micros': peer.drawn_micros(trace_of(folder))}
    if job.view == 'info':
        return {}
    # Without --classic parameters are told from the state of optimizers; TensorFlow adds them.
    done = subprocess.run([*command(binary, job._replace(depth=1), folder), '--classic', '--format=json'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    try:
        root = json.loads(done.stdout)['root']
        found = {'micros': root['total_exec_micros'], 'requested_bytes': root['total_requested_bytes'],
                 'params': root['total_parameters'], 'float_ops': root['total_float_ops']}
        if job.view in ('scope', 'graph'):
            found['run_count'] = root['total_run_count']
        if job.view == 'graph':
            found['nodes'] = root['total_definition_count']
        return found
    except (ValueError, KeyError, TypeError) as error:
        raise Failure('%s %s: no totals in its JSON: %r' % (binary, job.name, error)) from None


def totals_of(expected):
    """What one step must add up to, under one set of names for generator, tfprof and TensorFlow."""
    step = expected['steps'][0]
    return {'nodes': expected['nodes'], 'params': expected['params'],
            **{key: step[key] for key in ('micros', 'requested_bytes', 'float_ops', 'run_count')}}


def differences(who, job, expected, found):
    """Messages for totals that are not as expected; a total that a view does not give is not compared."""
    return ['%s, %s: %s is %s, expected %s' % (who, job.name, key, value, expected[key])
            for key, value in found.items() if key in expected and value != expected[key]]


def repeats(nodes):
    return 3 if nodes > BIG else 6 if nodes >= 100_000 else 15


def measure_ours(binary, row, folder, expected, compared):
    """Fills in our half of the row; returns what was wrong. Wall time is told beside TensorFlow's alone."""
    job = JOBS[row.job]
    arguments = command(binary, job, folder)

    def ready():
        make_ready([os.path.join(folder, name) for name in FILES], row.nodes * BYTES_PER_NODE)
    try:
        alone = time_of(arguments, repeats(row.nodes), ONE_THREAD, ready)
        row.cpu, row.median = alone.cpu, alone.median
        if compared:
            row.wall = time_of(arguments, 2, ready=ready).wall
        seen = [memory_of(arguments, ONE_THREAD) for _ in range(1 if row.nodes > BIG else 2)]  # polling may miss a peak
        row.memory = max(filter(None, seen), default=None)
        return differences('tfprof', job, expected, our_totals(binary, job, folder))
    except Failure as failure:
        return [str(failure)]


def measure_peer(python, row, folder, expected, seconds):
    """Fills in TensorFlow's half of the row; returns what was wrong with its totals."""
    job = JOBS[row.job]
    try:
        runs = [peer.ask(python, job, row.nodes, folder, seconds) for _ in range(1 if row.nodes >= PEER_BIG else 3)]
    except Failure as failure:
        row.peer_note = str(failure)
        return []
    row.peer_cpu, row.peer_wall, row.peer_memory = (min(getattr(run, key) for run in runs) for key in ('cpu', 'wall', 'memory'))
    row.peer_ended = runs[-1].ended
    if runs[-1].totals is None:
        row.peer_note = '' if row.peer_ended else 'gave no totals'
        return []
    return differences('TensorFlow', job, expected, runs[-1].totals)


# The floor: what no reader of these files can do without

def floor_program(work):
    """bench/floor.cc, compiled as tfprof is."""
    source, program = os.path.join(HERE, 'floor.cc'), os.path.join(work, 'floor')
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        os.makedirs(work, exist_ok=True)
        subprocess.run([os.environ.get('CXX', 'c++'), '-O2', '-std=c++20', source, '-o', program], check=True)
    return program


def measure_floor(program, nodes, folder):
    """CPU seconds to read the files' bytes and to walk over their fields, and how many those are."""
    files = [os.path.join(folder, name) for name in FILES]
    runs = [json.loads(subprocess.run([program, *files], stdout=subprocess.PIPE, check=True).stdout)
            for _ in range(repeats(nodes))]
    return {**{key: min(run[key] for run in runs) for key in runs[0]}, 'bytes': sum(map(os.path.getsize, files))}


# Report

def ratio(theirs, ours):
    return '%.1fx' % (theirs / ours) if theirs and ours else 'n/a'


def peer_time(row):
    """TensorFlow's time, or why there is none, or both when the time is there but its totals are not."""
    if row.peer_cpu is None:
        return row.peer_note or 'n/a'
    return over(row) + time_text(row.peer_cpu) + (' (%s)' % row.peer_note if row.peer_note else '')


def over(row):
    return 'over ' if row.peer_ended else ''


def side_by_side(rows):
    head = ['nodes', 'job', 'tfprof', 'median', 'all cores', 'TensorFlow', 'faster', 'tfprof memory', 'TensorFlow memory', 'smaller']
    return markdown([head] + [
        [format(r.nodes, ','), r.job, shown(r.cpu, time_text), shown(r.median, time_text), shown(r.wall, time_text), peer_time(r),
         over(r) + ratio(r.peer_cpu, r.cpu), shown(r.memory, size_text), over(r) + shown(r.peer_memory, size_text),
         over(r) + ratio(r.peer_memory, r.memory)] for r in rows])


def floor_table(results):
    """Each job as a multiple of the walk over the same fields."""
    jobs = list(dict.fromkeys(row.job for row in results.rows))
    at = {(row.nodes, row.job): row for row in results.rows}
    lines = [['nodes', 'bytes', 'fields', 'read the bytes', 'walk the fields', *jobs]]
    for nodes, floor in results.floors.items():
        lines.append([format(nodes, ','), size_text(floor['bytes']), format(floor['fields'], ','), time_text(floor['read']),
                      time_text(floor['walk']),
                      *(shown(at[nodes, job].cpu, lambda s: '%s, %.1fx' % (time_text(s), s / floor['walk'])) for job in jobs)])
    return markdown(lines)


def growth_table(results, key, text):
    """What a node costs at each size, start-up taken off; the last column: at most how many times what it does at a smaller size."""
    sizes = list(results.floors)
    at = {(row.nodes, row.job): getattr(row, key) for row in results.rows}
    lines = [['job', 'start', *(format(nodes, ',') for nodes in sizes), 'growth']]
    for job, first in results.start.items():
        start = getattr(first, key)
        costs = [None if at.get((nodes, job)) is None else (at[nodes, job] - (start or 0)) / nodes for nodes in sizes]
        known = [cost for cost in costs if cost is not None and cost > 0]  # of a few nodes less than starting, by chance
        growth = max((cost / min(known[:i]) for i, cost in enumerate(known) if i), default=None)
        lines.append([job, shown(start, time_text if key == 'cpu' else size_text), *(shown(cost, text) for cost in costs),
                      shown(growth, lambda g: '%.2f%s' % (g, '' if g <= LINEAR else ', **more than %.1f**' % LINEAR))])
    return markdown(lines)


def sections(results):
    """The parts of the report, by the mark that they have in the page."""
    compared = [row for row in results.rows if row.peer_cpu is not None or row.peer_note]
    busy = ('load average', 'up to %.1f while measuring' % results.load)
    parts = {'machine': markdown([['', ''], *results.facts, busy]), 'floor': floor_table(results)}
    if compared:
        parts['TensorFlow'] = side_by_side(compared)
    if len(results.floors) > 1:
        parts['growth'] = ('CPU time per node:\n\n%s\n\nPrivate memory per node:\n\n%s' % (
            growth_table(results, 'cpu', lambda s: '%.2f us' % (s * 1e6)), growth_table(results, 'memory', lambda b: '%.0f B' % b)))
    return parts


def for_the_readme(results, binary):
    """The largest comparison, and how long the program takes to start."""
    largest = max((row.nodes for row in results.rows if row.peer_cpu is not None), default=max(results.floors))
    start = time_of([binary, 'version'], 20)
    return '%s\n\nStart-up (`tfprof version`): %s; goal: under 10 ms.\n' % (
        side_by_side([row for row in results.rows if row.nodes == largest and row.job not in OURS_ALONE]), time_text(start.wall))


# Measuring

class PeerFigures:
    """TensorFlow's halves of rows, kept in a file: measuring them takes long, and they do not change with tfprof."""

    def __init__(self, work):
        self.path = os.path.join(work, 'tensorflow.json')
        self.rows = load(self.path) if os.path.exists(self.path) else {}

    def keep(self, row):
        self.rows['%s %d' % (row.job, row.nodes)] = {key: getattr(row, key) for key in PEER_FIELDS}
        with open(self.path, 'w') as out:
            json.dump(self.rows, out, indent=1)

    def fill_in(self, row):
        for key, value in self.rows.get('%s %d' % (JOBS[row.job].same_as or row.job, row.nodes), {}).items():
            setattr(row, key, value)


def measure(args, python):
    note = ', its figures of an earlier run on this machine' if args.reuse_tensorflow else ''
    results = Results(facts=machine(args.binary) + ([('TensorFlow', peer.version(python) + note)] if python else []))
    kept = PeerFigures(args.work)
    program = floor_program(args.work)
    for nodes in [SMALLEST, *args.sizes]:
        folder = run_of(args.work, nodes)
        expected = totals_of(load(os.path.join(folder, 'expected.json')))
        for name in args.jobs:
            say('%s nodes, %s' % (format(nodes, ','), name))
            row = Row(nodes, name)
            compared = python and nodes in args.peer_sizes and name not in OURS_ALONE
            results.wrong += measure_ours(args.binary, row, folder, expected, compared)
            if nodes == SMALLEST:
                results.start[name] = row
                continue
            results.rows.append(row)
            if not compared:
                continue
            if args.reuse_tensorflow or JOBS[name].same_as in args.jobs:
                kept.fill_in(row)
            else:
                results.wrong += measure_peer(python, row, folder, expected, args.peer_seconds)
                kept.keep(row)
        if nodes != SMALLEST:
            results.floors[nodes] = measure_floor(program, nodes, folder)
        results.load = max(results.load, os.getloadavg()[0])
        with open(os.path.join(args.work, 'results.json'), 'w') as out:  # what there is, should this be ended
            json.dump(asdict(results), out, indent=1)
    return results


def measured_before(work):
    """The results of the last run, as far as it came, with what is known of TensorFlow by now."""
    kept, found = PeerFigures(work), load(os.path.join(work, 'results.json'))
    results = Results(**{**found, 'facts': [tuple(fact) for fact in found['facts']], 'rows': [Row(**row) for row in found['rows']],
                         'start': {job: Row(**row) for job, row in found['start'].items()},
                         'floors': {int(nodes): floor for nodes, floor in found['floors'].items()}})
    for row in results.rows:
        kept.fill_in(row)
    results.rows = [row for row in results.rows if row.nodes in results.floors]  # of sizes that were finished
    return results


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--binary', default=os.path.join(ROOT, 'build', 'release', 'tfprof'))
    parser.add_argument('--sizes', default=SIZES, help='numbers of nodes')
    parser.add_argument('--peer-sizes', default=PEER_SIZES, help='those that TensorFlow does too')
    parser.add_argument('--peer-seconds', type=int, default=peer.CPU_SECONDS, help='of CPU, after which a job of TensorFlow is ended')
    parser.add_argument('--jobs', default=';'.join(JOBS), help='with semicolons between')
    parser.add_argument('--no-tensorflow', action='store_true', help='measure tfprof alone')
    parser.add_argument('--reuse-tensorflow', action='store_true', help="its figures as kept in --work; only tfprof's are measured")
    parser.add_argument('--show', action='store_true', help='measure nothing: the results in --work, also of a run that was ended')
    parser.add_argument('--python', help='a Python that has TensorFlow (default: an environment in .venv/tensorflow)')
    parser.add_argument('--work', default=os.path.join(ROOT, 'build', 'bench'), help='where inputs are kept')
    parser.add_argument('--readme', help='write the table for README.md to this file')
    parser.add_argument('--document', help='put the tables between the marks of this page')
    parser.add_argument('--plot', help='draw the growth into this SVG file')
    args = parser.parse_args()
    args.sizes = [int(size) for size in args.sizes.split(',')]
    args.peer_sizes = [] if args.no_tensorflow else [int(size) for size in args.peer_sizes.split(',')]
    args.jobs = args.jobs.split(';')
    if not set(args.jobs) <= set(JOBS):
        parser.error('jobs are ' + '; '.join(JOBS))
    if not os.access(args.binary, os.X_OK):
        parser.error('no program at %s: build it first (make)' % args.binary)
    return args


def main():
    args = arguments()
    results = measured_before(args.work) if args.show else measure(args, None if args.no_tensorflow else peer.environment(args.python))
    parts = sections(results)
    print('\n\n'.join(parts.values()))
    if args.readme:
        with open(args.readme, 'w') as out:
            out.write(for_the_readme(results, args.binary))
    if args.document:
        for mark, text in parts.items():
            put(args.document, mark, text)
    if args.plot:
        plot.draw(args.plot, replace(results, rows=[row for row in results.rows if not JOBS[row.job].same_as]))
    for line in results.wrong:
        say('WRONG: ' + line)
    return 1 if results.wrong else 0


if __name__ == '__main__':
    sys.exit(main())
