#!/usr/bin/env python3
"""Compares tables of many runs with what tfprof says of each of them alone: all must be equal, to the last byte.

    agree.py --binary TFPROF --database HISTORY.DB [--tables DIR]... [--aggregates DIR] [--every 1]

Of every run in the database (with --every N of each Nth) the program is asked `scope`, `op` and `memory`, in processes of their own;
sums over its tables must be these numbers, per run, per type of op, and per step and device. Folders of Parquet files, of
`tfprof.export` or of Beam, are summed by DuckDB (needed with --tables) and compared with the database run by run, and the
aggregates of Beam with the sums of what the program said. Exit status 1 at the first difference.
"""
import argparse
import collections
import concurrent.futures
import json
import sqlite3
import subprocess
import sys

# Figures of the mean step: (column of the tables, of the views' JSON, how much of the one is one of the other).
FIGURES = (('picos', 'exec_micros', 10**6), ('accelerator_picos', 'accelerator_exec_micros', 10**6),
           ('cpu_picos', 'cpu_exec_micros', 10**6), ('requested_bytes', 'requested_bytes', 1),
           ('peak_bytes', 'peak_bytes', 1), ('residual_bytes', 'residual_bytes', 1), ('output_bytes', 'output_bytes', 1),
           ('float_ops', 'float_ops', 1), ('parameters', 'parameters', 1))
SELECT = 'micros,bytes,peak_bytes,residual_bytes,output_bytes,params,float_ops'
SUMS = ', '.join('sum(%s)' % column for column, _, _ in FIGURES)
QUESTIONS = {
    'nodes': 'select run_id, count(*), %s from nodes group by run_id' % SUMS,
    'ops': 'select run_id, op, nodes, %s from ops group by run_id, op, nodes' % SUMS,
    'figures': 'select run_id, step, count(*), %s from figures group by run_id, step' % SUMS.rpartition(',')[0],
    'memory_peaks': 'select run_id, step, device, allocator, evidence, peak_bytes, at_nanos from memory_peaks',
    'steps': 'select run_id, step, picos, wall_nanos, busy_nanos, idle_nanos, peak_bytes from steps',
    'runs': 'select run_id, job, date, name, source, content, steps, nodes, picos, peak_bytes, float_ops, parameters from runs',
    'devices': 'select run_id, device, nodes, picos from devices',
}


def rows_of(connection, sql):
    """Sorted, sums as integers: DuckDB gives them as such of 128 bits, or as decimals."""
    whole = lambda cell: cell if cell is None or isinstance(cell, str) else int(cell)
    return sorted(tuple(whole(cell) for cell in row) for row in connection.execute(sql).fetchall())


def asked(binary, source):
    def ask(*words):
        done = subprocess.run([binary, words[0], source, '-format', 'json', *words[1:]], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit('%s %s: %s' % (words[0], source, done.stderr))
        return json.loads(done.stdout)
    return (ask('scope', '-select', SELECT, '-max_depth', '0')['root'], ask('op', '-select', SELECT)['root'],
            ask('memory')['steps'])


def shown(node, prefix=''):
    return tuple(node[prefix + name] for _, name, _ in FIGURES)


def stored(sums):
    """As the program shows them: whole microseconds."""
    return tuple(None if value is None else value // scale for value, (_, _, scale) in zip(sums, FIGURES))


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit('%s differ:\n  %s\n  %s' % (what, found, wanted))


def check_run(source, answers, of_run):
    """`of_run`: rows of each table without the run's id. Returns the picoseconds and bytes of the ops, as added up."""
    scope, op, memory = answers
    (nodes, *sums), = of_run['nodes']
    expect('%s: nodes and tfprof scope' % source, stored(sums), shown(scope, 'total_'))
    by_op = {name: (count, stored(sums)) for name, count, *sums in of_run['ops']}
    expect('%s: ops and tfprof op' % source, by_op,
           {child['name']: (len(child['graph_nodes']), shown(child)) for child in op['children']})
    expect('%s: nodes' % source, nodes, sum(count for count, _ in by_op.values()))
    peaks = [(step['step'], device['device'], device['allocator'], device['evidence'], device['peak']['bytes'])
             for step in memory for device in step['devices']]
    expect('%s: memory_peaks and tfprof memory' % source, sorted(row[:5] for row in of_run['memory_peaks']), sorted(peaks))


def check_single_runs(binary, connection, every):
    by_run = {}
    for table in ('nodes', 'ops', 'memory_peaks'):
        by_run[table] = collections.defaultdict(list)
        for run_id, *rest in rows_of(connection, QUESTIONS[table]):
            by_run[table][run_id].append(tuple(rest))
    runs = connection.execute('select run_id, source from runs order by run_id').fetchall()[::every]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (run_id, source), answers in zip(runs, pool.map(lambda run: asked(binary, run[1]), runs)):
            check_run(source, answers, {table: rows[run_id] for table, rows in by_run.items()})
    return len(runs)


def check_tables(connection, folder):
    import duckdb
    from tfprof import tables
    duck = duckdb.connect()
    duck.execute(tables.duckdb_views(folder))
    for table, sql in QUESTIONS.items():
        found, wanted = rows_of(duck, sql), rows_of(connection, sql)
        if found != wanted:
            odd = sorted(set(found) ^ set(wanted))
            raise SystemExit('%s: %s differ in %d rows, the first is %s' % (folder, table, len(odd), odd[:2]))


def check_aggregates(connection, folder):
    import duckdb
    duck = duckdb.connect()
    found = rows_of(duck, "select * from read_parquet('%s/aggregates/top_ops.parquet')" % folder)
    expect('%s: top_ops' % folder, found, rows_of(connection, '''select op, count(*), sum(nodes), sum(picos), sum(accelerator_picos),
        sum(cpu_picos), sum(float_ops), sum(requested_bytes) from ops where picos is not null group by op'''))
    found = rows_of(duck, "select job, device, runs, peak_bytes from read_parquet('%s/aggregates/peaks.parquet')" % folder)
    expect('%s: peaks' % folder, found, rows_of(connection, '''select job, device, count(distinct r.run_id), max(p.peak_bytes)
        from memory_peaks p join runs r on r.run_id = p.run_id group by job, device'''))


def agree(binary, database, tables=(), aggregates=(), every=1):
    """How many single runs were compared; ends the program where something differs."""
    connection = sqlite3.connect(database)
    for folder in tables:
        check_tables(connection, folder)
    for folder in aggregates:
        check_aggregates(connection, folder)
    return check_single_runs(binary, connection, every)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--binary', required=True)
    parser.add_argument('--database', required=True)
    parser.add_argument('--tables', action='append', default=[])
    parser.add_argument('--aggregates', action='append', default=[])
    parser.add_argument('--every', type=int, default=1)
    args = parser.parse_args()
    count = agree(args.binary, args.database, args.tables, args.aggregates, args.every)
    print('%d single runs, the database, %d folders of tables and %d of aggregates agree' % (count, len(args.tables), len(args.aggregates)))


if __name__ == '__main__':
    sys.exit(main())
