#!/usr/bin/env python3
"""Times tfprof export on many small runs against the obvious loop in Python, and checks that all of them count alike.

    export.py --binary TFPROF [--runs 10000] [--small 1000] [--python PYTHON] [--keep DIR] [--document docs/fleet.md]

Makes the runs (bench/make_runs.py), then measures on one core, each in a process of its own, in seconds of the processor:
runs per second and memory of `tfprof export` on the small and on the large number of runs, the loop over the Python package on
the small number (PYTHON must have the package; without it this part is left out), and each ready question on the large
database. Totals of the database, of Parquet files through DuckDB (where PYTHON has pyarrow and duckdb) and of `tfprof scope`
on single runs must be equal.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_runs import write_runs  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parent.parent
MARKS = re.compile(r'(<!-- export bench -->\n).*?(<!-- /export bench -->)', re.DOTALL)
SUMS = {'figures': ('picos', 'requested_bytes', 'float_ops', 'executions'), 'memory_peaks': ('peak_bytes',),
        'nodes': ('picos', 'parameters', 'output_bytes'), 'steps': ('picos', 'wall_nanos')}

# What one writes without the command: load each run, take the rows of its steps and its peaks, insert them.
LOOP = r'''
import os, sqlite3, sys, tfprof
folder, path = sys.argv[1:]
database = sqlite3.connect(path)
database.execute('create table nodes(job, run, step, name, op, device, micros, bytes, output_bytes, float_ops)')
database.execute('create table peaks(job, run, step, device, allocator, bytes)')
for job in sorted(os.listdir(folder)):
    for run in sorted(os.listdir(os.path.join(folder, job))):
        profile = tfprof.load(os.path.join(folder, job, run))
        for step in (1, 2, 3):
            stack, rows = [profile.scope(step=step, select=['micros', 'bytes', 'float_ops', 'device', 'op_types'], max_depth=100)], []
            while stack:
                node = stack.pop()
                stack += node.children
                rows.append((job, run, step, node.name, None, ','.join(node.devices), node.exec_micros, node.requested_bytes,
                             node.output_bytes, node.float_ops))
            database.executemany('insert into nodes values (?,?,?,?,?,?,?,?,?,?)', rows)
        database.executemany('insert into peaks values (?,?,?,?,?,?)', [
            (job, run, step['step'], device['device'], device['allocator'], device['peak']['bytes'])
            for step in profile.memory()['steps'] for device in step['devices']])
database.commit()
'''
PARQUET = r'''
import duckdb, json, sys, tfprof
from tfprof import tables
folder, out, sums = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
tfprof.export(folder, out, format='parquet', partition='month')
connection = duckdb.connect()
connection.execute(tables.duckdb_views(out))
print(json.dumps({table: [int(value) for value in connection.execute('select %s from %s' % (
    ', '.join('sum(%s)' % column for column in columns), table)).fetchone()] for table, columns in sums.items()}))
'''


def timed(command):
    """(CPU seconds, megabytes, what it prints), on one core."""
    core = min(os.sched_getaffinity(0))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit('%s: exit status %d' % (command[:3], process.returncode))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out


def export(binary, runs, database):
    return timed([binary, 'export', str(runs), '-o', str(database)])[:2]


def totals(database):
    connection = sqlite3.connect(database)
    return {table: list(connection.execute('select %s from %s' % (
        ', '.join('sum(%s)' % column for column in columns), table)).fetchone()) for table, columns in SUMS.items()}


def check_single_runs(binary, folder, database, count):
    """Of some runs the totals of each step, as the program itself shows them."""
    connection = sqlite3.connect(database)
    for source, run_id in connection.execute('select source, run_id from runs order by run_id limit ?', [count]):
        for step in (1, 2, 3):
            shown = subprocess.run([binary, 'scope', source, '-step', str(step), '-select', 'micros,bytes,float_ops', '-format',
                                    'json'], check=True, capture_output=True, text=True).stdout
            root = json.loads(shown)
            root = root.get('root', root)
            found = connection.execute('select sum(picos) / 1000000, sum(requested_bytes), sum(float_ops) from figures '
                                       'where run_id = ? and step = ?', [run_id, step]).fetchone()
            assert found == (root['total_exec_micros'], root['total_requested_bytes'], root['total_float_ops']), source


def questions(database):
    connection = sqlite3.connect(database)
    out = []
    for name, in connection.execute("select name from documentation where kind = 'question'").fetchall():
        begin = time.monotonic()
        connection.execute('select * from ' + name).fetchall()
        out.append((time.monotonic() - begin, name))
    return sorted(out, reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--binary', default=str(TOP / 'build' / 'release' / 'tfprof'))
    parser.add_argument('--runs', type=int, default=10_000)
    parser.add_argument('--small', type=int, default=1_000)
    parser.add_argument('--python', default=sys.executable)
    parser.add_argument('--keep', help='make and leave the runs here')
    parser.add_argument('--document', help='put the figures between the marks of this page')
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp())
    lines = []
    try:
        for count in (args.small, args.runs):
            if not (folder / str(count)).exists():
                write_runs(folder / str(count), count)
        for database in ('small.db', 'large.db', 'loop.db'):
            (folder / database).unlink(missing_ok=True)
        small = export(args.binary, folder / str(args.small), folder / 'small.db')
        large = export(args.binary, folder / str(args.runs), folder / 'large.db')
        for (cpu, memory), count in ((small, args.small), (large, args.runs)):
            lines.append('| `tfprof export` of %s runs | %.0f runs/s | %.2f s, %.0f MB |' % (format(count, ','), count / cpu, cpu, memory))
        lines.append('| %d times the runs cost | %.1f times the time | %+.0f MB |' % (
            args.runs // args.small, large[0] / small[0], large[1] - small[1]))
        again = export(args.binary, folder / str(args.runs), folder / 'large.db')
        lines.append('| the same again, which changes nothing | %.0f runs/s | |' % (args.runs / again[0]))
        slowest = questions(folder / 'large.db')[0]
        lines.append('| slowest ready question at %s runs | %.2f s | `%s` |' % (format(args.runs, ','), *slowest))
        check_single_runs(args.binary, folder, folder / 'large.db', 20)
        lines += python_parts(args, folder, small[0])
    finally:
        if not args.keep:
            shutil.rmtree(folder)
    table = '| | | |\n|---|---|---|\n' + '\n'.join(lines) + '\n'
    print(table)
    if args.document:
        page = pathlib.Path(args.document)
        text, count = MARKS.subn(lambda m: m[1] + table + m[2], page.read_text())
        if count != 1:
            raise SystemExit('%s: one pair of <!-- export bench --> marks is expected' % page)
        page.write_text(text)


def has(python, *packages):
    return subprocess.run([python, '-c', '\n'.join('import ' + package for package in packages)], capture_output=True).returncode == 0


def python_parts(args, folder, seconds):
    lines = []
    if not has(args.python, 'tfprof'):
        return ['| the loop in Python | left out: %s has no tfprof | |' % args.python]
    loop, _, _ = timed([args.python, '-c', LOOP, str(folder / str(args.small)), str(folder / 'loop.db')])
    lines.append('| the obvious loop in Python, %s runs | %.0f runs/s | %.1f times as long |' % (
        format(args.small, ','), args.small / loop, loop / seconds))
    if has(args.python, 'pyarrow', 'duckdb'):
        shutil.rmtree(folder / 'parquet', ignore_errors=True)
        spent, _, out = timed([args.python, '-c', PARQUET, str(folder / str(args.runs)), str(folder / 'parquet'), json.dumps(SUMS)])
        assert json.loads(out) == totals(folder / 'large.db'), 'Parquet and SQLite differ'
        lines.append('| Parquet of %s runs, and sums by DuckDB | %.0f runs/s | equal to the last byte |' % (
            format(args.runs, ','), args.runs / spent))
    return lines


if __name__ == '__main__':
    main()
