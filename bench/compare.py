#!/usr/bin/env python3
"""Times tfprof against TensorFlow's own profiler on the same inputs, in the same run, and prints ratios.

    compare.py --binary build/release/tfprof [--sizes 10000,100000,1000000] [--views scope,graph,op,code,timeline]
               [--no-tensorflow] [--python PYTHON] [--work DIR] [--markdown FILE]

Seconds never fail it. Exit status: 0 fine; 1 when an engine's totals differ from those the generator wrote down or
tfprof could not do a job; 2 bad usage. Where TensorFlow is missing or dies, the table says so. See README.md here.
"""
import argparse
import hashlib
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TIMELINE = 'timeline'            # the graph view, drawn into a file
VIEWS = ('scope', 'graph', 'op', 'code', TIMELINE)
COLUMNS = 'micros,bytes,params,float_ops'
BIG = 1_000_000                  # from this size on TensorFlow runs once, not three times
# What TensorFlow takes at its peak, rounded up: refuse to drive a machine into swap.
PEER_BYTES_PER_NODE = 12_000
PEER_BYTES_PER_NODE_DRAWN = 18_000
PEER_SECONDS = 300               # a job of TensorFlow that takes longer is ended, and the table says so
POLL_SECONDS = 0.002


@dataclass
class Row:
    """One line of the table: one view of one input, done by both. None: not measured, peer_note says why."""
    nodes: int
    view: str
    seconds: float = None
    memory: int = None
    peer_seconds: float = None
    peer_memory: int = None
    peer_note: str = ''
    peer_ended: bool = False  # it was ended before it was done: its figures are the least that it would have had


class Failure(Exception):
    """A job that gave no result; the text goes into the table or onto stderr."""


class TooLong(Exception):
    """A job that was ended after PEER_SECONDS; carries the peak of its memory until then."""


def say(text):
    print(text, file=sys.stderr, flush=True)


# Inputs

def inputs(work, nodes):
    """The folder with the input of this size and its expected totals; made now unless the cache has it."""
    folder = os.path.join(work, 'n%d' % nodes)
    generator = os.path.join(HERE, 'make_input.py')
    with open(generator, 'rb') as f:
        fingerprint = hashlib.sha256(f.read()).hexdigest()
    expected = os.path.join(folder, 'expected.json')
    if not os.path.exists(expected) or load(expected).get('generator') != fingerprint:
        say('making the input of %s nodes' % format(nodes, ','))
        if os.path.exists(expected):
            os.remove(expected)
        subprocess.run([sys.executable, generator, '--nodes', str(nodes), '--out', folder], check=True)
    return folder, totals_of(load(expected))


def load(path):
    with open(path) as f:
        return json.load(f)


def totals_of(expected):
    """What one step must add up to, under one set of names for generator, tfprof and TensorFlow."""
    step = expected['steps'][0]
    return {'nodes': expected['nodes'], 'params': expected['params'],
            **{key: step[key] for key in ('micros', 'requested_bytes', 'float_ops', 'run_count')}}


def differences(who, view, expected, found):
    """Messages for totals that are not as expected; a total that a view does not give is not compared."""
    return ['%s, %s: %s is %s, expected %s' % (who, view, key, value, expected[key])
            for key, value in found.items() if key in expected and value != expected[key]]


# Memory

def private_memory(pid):
    """Bytes of anonymous memory; mapped files do not count, the system can drop those at any time."""
    try:
        with open('/proc/%d/status' % pid) as f:
            for line in f:
                if line.startswith('RssAnon:'):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


class MemoryWatch(threading.Thread):
    """Polls a process and keeps the peak; use as `with`."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.over = pid, 0, threading.Event()

    def run(self):
        while not self.over.wait(POLL_SECONDS):
            self.peak = max(self.peak, private_memory(self.pid))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def available_memory():
    with open('/proc/meminfo') as f:
        return next(int(line.split()[1]) * 1024 for line in f if line.startswith('MemAvailable:'))


# tfprof

def command(binary, view, folder, *more):
    path = {key: os.path.join(folder, key) for key in ('graph.pb', 'run_meta_0', 'tfprof_log')}
    return [binary, view, '--graph_path=' + path['graph.pb'], '--run_meta_path=0=' + path['run_meta_0'],
            '--op_log_path=' + path['tfprof_log'], '--select=' + COLUMNS, *more]


def drawing(binary, folder, path):
    """Every execution and the memory of every device, as `timeline:outfile=` in TensorFlow's tfprof."""
    return command(binary, 'graph', folder, '--max_depth=1000000000', '--output=timeline:outfile=' + path)


def drawn_micros(path):
    """The time of all bars in a trace, read line by line or piece by piece: a file may be larger than memory."""
    total, rest = 0, b''
    with open(path, 'rb') as f:
        while piece := f.read(1 << 24):
            piece = rest + piece
            cut = piece.rfind(b'}') + 1
            total += sum(int(n) for n in re.findall(rb'"dur":\s*(\d+)', piece[:cut]))
            rest = piece[cut:]
    return total


def timed(arguments):
    """Wall time of a whole process, start included."""
    start = time.perf_counter()
    done = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise Failure('%s: exit status %d: %s' % (' '.join(arguments[:2]), done.returncode,
                                                  done.stderr.decode(errors='replace').strip()[-300:]))
    return seconds


def peak_memory(arguments):
    """Peak private memory of a process, in a run of its own so that polling does not touch the times."""
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        with MemoryWatch(process.pid) as watch:
            process.wait()
    return watch.peak


def our_totals(binary, view, folder):
    arguments = command(binary, view, folder, '--format=json', '--max_depth=1')
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        root = json.loads(done.stdout)['root']
        found = {'micros': root['total_exec_micros'], 'requested_bytes': root['total_requested_bytes'],
                 'params': root['total_parameters'], 'float_ops': root['total_float_ops']}
        if view in ('scope', 'graph'):
            found['run_count'] = root['total_run_count']
        if view == 'graph':
            found['nodes'] = root['total_definition_count']
        return found
    except (ValueError, KeyError, TypeError) as error:
        raise Failure('%s %s: no totals in its JSON: %r' % (binary, view, error)) from None


def measure_ours(binary, row, folder, expected):
    """Fills in our half of the row; returns what was wrong."""
    trace = os.path.join(folder, 'timeline.json')
    draws = row.view == TIMELINE
    arguments = drawing(binary, folder, trace) if draws else command(binary, row.view, folder, '--max_depth=4')
    try:
        row.seconds = min(timed(arguments) for _ in range(3))
        row.memory = peak_memory(arguments)
        found = {'micros': drawn_micros(trace)} if draws else our_totals(binary, row.view, folder)
        return differences('tfprof', row.view, expected, found)
    except Failure as failure:
        return [str(failure)]


# The floor: what no reader of these files can do without

def floor_program(work):
    """bench/floor.cc, compiled as tfprof is."""
    source, program = os.path.join(HERE, 'floor.cc'), os.path.join(work, 'floor')
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        os.makedirs(work, exist_ok=True)
        subprocess.run([os.environ.get('CXX', 'c++'), '-O2', '-std=c++20', source, '-o', program], check=True)
    return program


def cpu_seconds(arguments):
    """CPU time of a process, best of three: the system's own share counts, waiting does not."""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        timed(arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(once() for _ in range(3))


def measure_floor(program, binary, views, folder):
    """The floor of one input, and the CPU time of each view."""
    files = [os.path.join(folder, name) for name in ('graph.pb', 'run_meta_0', 'tfprof_log')]
    runs = [json.loads(subprocess.run([program, *files], stdout=subprocess.PIPE, check=True).stdout) for _ in range(3)]
    floor = {key: min(run[key] for run in runs) for key in runs[0]}
    floor['views'] = {view: cpu_seconds(command(binary, view, folder, '--max_depth=4')) for view in views if view != TIMELINE}
    return floor


def floor_table(floors):
    views = list(next(iter(floors.values()))['views'])
    lines = [['nodes', 'fields', 'read the bytes', 'walk the fields', *views]]
    for nodes, floor in floors.items():
        lines.append([format(nodes, ','), format(floor['fields'], ','), time_text(floor['read']), time_text(floor['walk']),
                      *('%s, %.1fx' % (time_text(seconds), seconds / floor['walk']) for seconds in floor['views'].values())])
    return lines


def start_up(binary):
    return statistics.median(timed([binary, 'version']) for _ in range(20))


# TensorFlow

def environment(wanted):
    """A Python that has TensorFlow, or None: the one asked for, or one of our own, made on first use."""
    python = wanted or os.path.join(ROOT, '.venv', 'tensorflow', 'bin', 'python')
    folder = os.path.dirname(os.path.dirname(python))
    check = [python, '-c', 'import tensorflow']
    quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
    try:
        if not wanted and not os.path.exists(python):
            say('installing TensorFlow into %s (once)' % os.path.relpath(folder))
            subprocess.run([sys.executable, '-m', 'venv', folder], check=True)
        if subprocess.run(check, **quiet).returncode and not wanted:
            subprocess.run([python, '-m', 'pip', 'install', '--quiet', 'tensorflow-cpu'], check=True)
        return python if subprocess.run(check, **quiet).returncode == 0 else None
    except (OSError, subprocess.CalledProcessError) as error:
        say('no TensorFlow here: %s' % error)
        return None


def ask_peer(python, view, folder):
    """One job of tensorflow_peer.py: (seconds, peak memory over that after import, totals or None)."""
    names = ('graph.pb', 'run_meta_0', 'tfprof_log') + (('timeline_peer.json',) if view == TIMELINE else ())
    files = [os.path.join(folder, name) for name in names]
    arguments = [python, os.path.join(HERE, 'tensorflow_peer.py'), view, *files]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as peer:
        if not answer(peer, 'ready'):
            raise Failure('did not start')
        before = private_memory(peer.pid)
        limit = threading.Timer(PEER_SECONDS, peer.kill)
        limit.start()
        with MemoryWatch(peer.pid) as watch:
            peer.stdin.write('go\n')
            peer.stdin.flush()
            done = answer(peer, 'done')
        in_time = limit.is_alive()
        limit.cancel()
        totals = answer(peer, 'totals')
        peer.wait()
    if not done and not in_time:
        raise TooLong(watch.peak - before)
    if not done:
        code = -peer.returncode
        raise Failure('died: ' + (signal.Signals(code).name if code > 0 else 'exit status %d' % peer.returncode))
    if view == TIMELINE:
        totals = {'micros': drawn_micros(files[-1] + '_0')}  # it appends the step
    return done['seconds'], watch.peak - before, totals


def answer(peer, event):
    """The peer's next line, or None when it is gone or says something else."""
    line = peer.stdout.readline()
    message = json.loads(line) if line else {}
    return message if message.get('event') == event else None


def measure_peer(python, row, folder, expected):
    """Fills in TensorFlow's half of the row; returns what was wrong with its totals."""
    needed = row.nodes * (PEER_BYTES_PER_NODE_DRAWN if row.view == TIMELINE else PEER_BYTES_PER_NODE)
    if needed > available_memory():
        row.peer_note = 'needs about %s of memory' % size_text(needed)
        return []
    try:
        runs = [ask_peer(python, row.view, folder) for _ in range(1 if row.nodes >= BIG else 3)]
    except TooLong as ended:
        row.peer_seconds, row.peer_memory, row.peer_ended = PEER_SECONDS, ended.args[0], True
        return []
    except Failure as failure:
        row.peer_note = str(failure)
        return []
    row.peer_seconds = min(seconds for seconds, _, _ in runs)
    row.peer_memory = min(memory for _, memory, _ in runs)
    if runs[-1][2] is None:
        row.peer_note = 'gave no totals'
        return []
    return differences('TensorFlow', row.view, expected, runs[-1][2])


# Report

def time_text(seconds):
    return '%.1f ms' % (seconds * 1e3) if seconds < 1 else '%.2f s' % seconds


def size_text(size):
    return '%.1f MB' % (size / 1e6) if size < 1e9 else '%.2f GB' % (size / 1e9)


def shown(value, text, note='n/a'):
    return note if value is None else text(value)


def ratio(theirs, ours):
    return '%.1fx' % (theirs / ours) if theirs and ours else 'n/a'


def per_node(seconds, nodes):
    return shown(seconds, lambda s: '%.2f us' % (s / nodes * 1e6))


def peer_time(row):
    """TensorFlow's time, or why there is none, or both when the time is there but its totals are not."""
    if row.peer_seconds is None:
        return row.peer_note or 'n/a'
    return over(row) + time_text(row.peer_seconds) + (' (%s)' % row.peer_note if row.peer_note else '')


def over(row):
    return 'over ' if row.peer_ended else ''


def main_table(rows):
    head = ['nodes', 'view', 'tfprof', 'TensorFlow', 'faster', 'tfprof memory', 'TensorFlow memory', 'smaller',
            'tfprof per node', 'TensorFlow per node']
    return [head] + [[format(r.nodes, ','), r.view, shown(r.seconds, time_text), peer_time(r),
                      over(r) + ratio(r.peer_seconds, r.seconds),
                      shown(r.memory, size_text), over(r) + shown(r.peer_memory, size_text),
                      over(r) + ratio(r.peer_memory, r.memory),
                      per_node(r.seconds, r.nodes), over(r) + per_node(r.peer_seconds, r.nodes)] for r in rows]


def growth_table(rows):
    """Time per node at the larger size over that at the smaller one, between neighbouring sizes; 1.00 = linear."""
    sizes = sorted({row.nodes for row in rows})
    at = {(row.nodes, row.view): row for row in rows}
    lines = [['from', 'to', 'view', 'tfprof', 'TensorFlow']]
    for small, large in zip(sizes, sizes[1:]):
        for view in dict.fromkeys(row.view for row in rows):
            a, b = at[small, view], at[large, view]
            ours, theirs = (shown((q / large) / (p / small) if p and q else None, lambda g: '%.2f' % g)
                            for p, q in ((a.seconds, b.seconds), (a.peer_seconds, b.peer_seconds)))
            lines.append([format(small, ','), format(large, ','), view, ours, 'n/a' if b.peer_ended else theirs])
    return lines


def markdown(lines):
    """A table in Markdown, padded so that it reads well in a terminal too."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = ['| ' + ' | '.join(cell.ljust(w) for cell, w in zip(line, widths)) + ' |' for line in lines]
    text.insert(1, '|' + '|'.join('-' * (w + 2) for w in widths) + '|')
    return '\n'.join(text)


def report(rows, start, floors):
    parts = [markdown(main_table(rows))]
    if len({row.nodes for row in rows}) > 1:
        parts.append('Growth of the time per node (1.00 = linear):\n\n' + markdown(growth_table(rows)))
    if floors:
        parts.append('The floor, in CPU time, and load and view as multiples of the walk over the same fields:\n\n'
                     + markdown(floor_table(floors)))
    parts.append('Start-up (`tfprof version`, median of 20): %s; goal: under 10 ms.' % shown(start, time_text))
    return '\n\n'.join(parts) + '\n'


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--binary', default=os.path.join(ROOT, 'build', 'release', 'tfprof'))
    parser.add_argument('--sizes', default='10000,100000,1000000', help='numbers of nodes')
    parser.add_argument('--views', default=','.join(VIEWS))
    parser.add_argument('--no-tensorflow', action='store_true', help='measure tfprof alone')
    parser.add_argument('--python', help='a Python that has TensorFlow (default: an environment in .venv/tensorflow)')
    parser.add_argument('--work', default=os.path.join(ROOT, 'build', 'bench'), help='where inputs are kept')
    parser.add_argument('--markdown', help='write the tables to this file too')
    args = parser.parse_args()
    args.sizes = [int(size) for size in args.sizes.split(',')]
    args.views = args.views.split(',')
    if not set(args.views) <= set(VIEWS):
        parser.error('views are ' + ', '.join(VIEWS))
    if not os.access(args.binary, os.X_OK):
        parser.error('no program at %s: build it first (make)' % args.binary)
    return args


def main():
    args = arguments()
    python = None if args.no_tensorflow else environment(args.python)
    rows, wrong, start, floors = [], [], None, {}
    try:
        start = start_up(args.binary)
    except Failure as failure:
        wrong.append(str(failure))
    for nodes in args.sizes:
        folder, expected = inputs(args.work, nodes)
        for view in args.views:
            say('%s nodes, %s' % (format(nodes, ','), view))
            row = Row(nodes, view, peer_note='' if python else 'not installed' if not args.no_tensorflow else 'not run')
            rows.append(row)
            wrong += measure_ours(args.binary, row, folder, expected)
            wrong += measure_peer(python, row, folder, expected) if python else []
        floors[nodes] = measure_floor(floor_program(args.work), args.binary, args.views, folder)
    text = report(rows, start, floors)
    print(text)
    if args.markdown:
        with open(args.markdown, 'w') as out:
            out.write(text)
    for line in wrong:
        say('WRONG: ' + line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
