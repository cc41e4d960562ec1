#!/usr/bin/env python3
"""Times tfprof export on many small runs against the obvious loop in Python, and checks that all of them count alike.

    export.py --binary TFPROF [--runs 10000] [--small 1000] [--every 1] [--python PYTHON] [--keep DIR] [--document docs/fleet.md]

Makes the runs (bench/make_runs.py), then measures on one core, each in a process of its own, in seconds of the processor:
runs per second and memory of `tfprof export` on the small and on the large number of runs, the loop over the Python package on
the small number (PYTHON must have the package; without it this part is left out), and each ready question on the large
database. The database, Parquet files through DuckDB (where PYTHON has pyarrow and duckdb), the tables and aggregates of Beam's
runner of two processes (where it has apache_beam) and `tfprof` on every single run (--every N: on each Nth) must agree to the
last byte (agree.py).
"""
import argparse
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
PARQUET = 'import sys, tfprof; tfprof.export(sys.argv[1], sys.argv[2], format="parquet", partition="month")'
BEAM = ('-m tfprof.fleet --partition month --runner DirectRunner --direct_running_mode multi_processing '
        '--direct_num_workers 2').split()


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
    parser.add_argument('--every', type=int, default=1, help='ask tfprof of every Nth single run (1)')
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
    runs, tables, aggregates = format(args.runs, ','), [], []
    if has(args.python, 'pyarrow', 'duckdb'):
        tables.append(str(folder / 'parquet'))
        spent, memory = written(folder / 'parquet', [args.python, '-c', PARQUET, str(folder / str(args.runs)), tables[-1]])
        lines.append('| Parquet of %s runs | %.0f runs/s | %.0f MB |' % (runs, args.runs / spent, memory))
        if has(args.python, 'apache_beam'):
            tables.append(str(folder / 'beam'))
            aggregates.append(tables[-1])
            spent, memory = written(folder / 'beam', [args.python, *BEAM, '--input', str(folder / str(args.runs)), '--output', tables[-1]])
            lines.append('| Beam, two local processes, %s runs | %.0f runs/s | %.0f MB, of all processes the largest |' % (
                runs, args.runs / spent, memory))
    agree = [args.python, str(TOP / 'bench' / 'agree.py'), '--binary', args.binary, '--database', str(folder / 'large.db'),
             '--every', str(args.every), *(word for one in tables for word in ('--tables', one)),
             *(word for one in aggregates for word in ('--aggregates', one))]
    told = subprocess.run(agree, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return [*lines, '| %s | to the last byte | |' % told]


def written(folder, command):
    shutil.rmtree(folder, ignore_errors=True)
    return timed(command)[:2]


if __name__ == '__main__':
    main()
