#!/usr/bin/env python3
"""What a step costs when a run has very many: time must be linear in them, and the memory of a view must not grow.

    steps.py --binary build/release/tfprof [--nodes 10000] [--steps 1,10,100,1000] [--work DIR] [--document docs/performance.md]

A run of K steps is made of a few different run_meta files (make_input.py), again and again under K names (hard links: a thousand would
be 5 GB otherwise). Seconds never fail it. Exit status: 1 when the mean of the steps is not that of the files.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

from common import ONE_THREAD, ROOT, load, markdown, memory_of, put, run_of, say, shown, size_text, time_of, time_text

DIFFERENT = 8  # run_meta files with figures of their own


def run_of_steps(work, nodes, steps):
    """(folder with a run of this many steps, the time that all of them took)."""
    made = run_of(work, nodes, '--steps', DIFFERENT)
    folder = os.path.join(work, 'steps_%d_of_%d' % (steps, nodes))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ('graph.pb', 'tfprof_log'):
        os.link(os.path.join(made, name), os.path.join(folder, name))
    for step in range(steps):
        os.link(os.path.join(made, 'run_meta_%d' % (step % DIFFERENT)), os.path.join(folder, 'run_meta_%d' % step))
    each = load(os.path.join(made, 'expected.json'))['steps']
    return folder, sum(each[step % DIFFERENT]['micros'] for step in range(steps))


def mean_micros(binary, folder):
    done = subprocess.run([binary, 'scope', folder, '--select=micros', '--max_depth=1', '--format=json'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)['root']['total_exec_micros']


def cost(command, times):
    """(CPU seconds, peak of private memory or None)."""
    return time_of(command, times, ONE_THREAD).cpu, memory_of(command, ONE_THREAD)


def rows_of(binary, work, nodes, counts):
    """Lines of the table, and what was wrong."""
    lines, wrong, first = [['steps', 'scope', 'of a further step', 'memory', 'diff with another such run', 'of a further step', 'memory']], [], None
    for steps in counts:
        say('%s steps' % format(steps, ','))
        folder, micros = run_of_steps(work, nodes, steps)
        # The mean of a node is a whole number, rounded down: up to a microsecond of each is lost.
        found = mean_micros(binary, folder)
        if not 0 <= micros / steps - found < nodes:
            wrong.append('%d steps: the mean of their time is %s us, expected %s' % (steps, found, micros / steps))
        times = 3 if steps <= 100 else 1
        scope = cost([binary, 'scope', folder, '--select=micros', '--max_depth=4'], times)
        diff = cost([binary, 'diff', folder, folder, '--select=micros'], times)
        first = first or (steps, scope[0], diff[0])
        more = ['', ''] if steps == first[0] else [time_text((part[0] - begin) / (steps - first[0]))
                                                   for part, begin in ((scope, first[1]), (diff, first[2]))]
        lines.append([format(steps, ','), time_text(scope[0]), more[0], shown(scope[1], size_text),
                      time_text(diff[0]), more[1], shown(diff[1], size_text)])
        shutil.rmtree(folder)
    return lines, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', default=os.path.join(ROOT, 'build', 'release', 'tfprof'))
    parser.add_argument('--nodes', type=int, default=10_000)
    parser.add_argument('--steps', default='1,10,100,1000')
    parser.add_argument('--work', default=os.path.join(ROOT, 'build', 'bench'))
    parser.add_argument('--document')
    args = parser.parse_args()
    lines, wrong = rows_of(args.binary, args.work, args.nodes, [int(count) for count in args.steps.split(',')])
    print(markdown(lines))
    if args.document:
        put(args.document, 'steps', markdown(lines))
    for line in wrong:
        say('WRONG: ' + line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
