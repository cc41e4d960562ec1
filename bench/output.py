#!/usr/bin/env python3
"""How fast reports are written, once they are made: every row of the scope view, in text, JSON and CSV.

    output.py --program build/release/bench/bench_output [--nodes 1000000] [--work DIR] [--document docs/performance.md]
"""
import argparse
import os
import subprocess
import sys

from common import ONE_THREAD, ROOT, markdown, put, run_of, size_text, time_text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--program', default=os.path.join(ROOT, 'build', 'release', 'bench', 'bench_output'))
    parser.add_argument('--nodes', type=int, default=1_000_000)
    parser.add_argument('--work', default=os.path.join(ROOT, 'build', 'bench'), help='where inputs are kept')
    parser.add_argument('--document', help='put the table between the marks of this page')
    args = parser.parse_args()
    folder = run_of(args.work, args.nodes)
    done = subprocess.run([args.program, folder], stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **ONE_THREAD})
    lines = [['format', 'text', 'CPU time', 'a second']]
    for line in done.stdout.splitlines():
        name, size, seconds = line.split()
        lines.append([name, size_text(int(size)), time_text(float(seconds)), size_text(int(size) / float(seconds))])
    table = markdown(lines)
    print(table)
    if args.document:
        put(args.document, 'output', table)


if __name__ == '__main__':
    sys.exit(main())
