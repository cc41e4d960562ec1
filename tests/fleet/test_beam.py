"""python -m tfprof.fleet on Beam's runner of several processes: what it writes is what one machine writes."""
import json
import os
import random
import shutil
import subprocess
import sys

import pytest
from fleet_runs import ROOT, check, database, files_in, made  # noqa: F401
import tfprof
from make_runs import write_runs
from tfprof import tables

beam = pytest.importorskip('apache_beam')
from tfprof import fleet  # noqa: E402
from tfprof.fleet import _read, _write  # noqa: E402


def run_fleet(*arguments, workers=2):
    runner = ['--runner', 'DirectRunner', '--direct_running_mode', 'multi_processing', '--direct_num_workers', str(workers)]
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, [os.environ.get('TFPROF_PACKAGE'), os.environ.get('PYTHONPATH')]))}
    done = subprocess.run([sys.executable, '-m', 'tfprof.fleet', *map(str, arguments), *(runner if workers > 1 else [])],
                          capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-4000:]
    return done


@pytest.fixture(scope='module')
def output(made, tmp_path_factory):
    out = tmp_path_factory.mktemp('beam') / 'out'
    run_fleet('--input', made[0], '--output', out, '--partition', 'month')
    return out


def test_every_run_is_there_once_and_the_damaged_are_told(output, check):
    check(output)
    assert any(name.startswith('runs/job=mlp_00/date=2026-01/part-') for name in files_in(output))


def test_again_changes_nothing(output, made, check):
    before = files_in(output)
    run_fleet('--input', '%s/*/run_*' % made[0], '--output', output, '--partition', 'day')
    # Of the failures the files are written anew, the answers too.
    assert {name: when for name, when in files_in(output).items() if not name.startswith(('failures/part', 'aggregates'))} == {
        name: when for name, when in before.items() if not name.startswith(('failures/part', 'aggregates'))}
    check(output)


def test_sqlite_duckdb_beam_and_tfprof_agree(output, made, database):
    """To the last byte and picosecond: totals of all runs, and of each op and device."""
    duckdb = pytest.importorskip('duckdb')
    duck = duckdb.connect()
    duck.execute(tables.duckdb_views(output))
    for table, figures in (('ops', 'nodes picos accelerator_picos cpu_picos float_ops requested_bytes parameters'.split()),
                           ('figures', 'picos requested_bytes peak_bytes float_ops output_bytes'.split()),
                           ('memory_peaks', ['peak_bytes']), ('runs', 'steps nodes float_ops peak_bytes wall_nanos'.split())):
        sql = 'select count(*), %s from %s' % (', '.join('sum(%s)' % figure for figure in figures), table)
        assert duck.execute(sql).fetchone() == database.execute(sql).fetchone(), table
    sql = ('select op, count(*), sum(nodes), sum(picos), sum(accelerator_picos), sum(cpu_picos), sum(float_ops), sum(requested_bytes) '
           'from ops where picos is not null group by op order by 4 desc, 1')
    totals = database.execute(sql).fetchall()
    answer = duck.execute("select * from read_parquet('%s/aggregates/top_ops.parquet')" % output).fetchall()
    assert [tuple(cell if cell is None or isinstance(cell, str) else int(cell) for cell in row) for row in answer] == totals
    peaks = duck.execute("select * from read_parquet('%s/aggregates/peaks.parquet')" % output).fetchall()
    stored = database.execute('select * from peaks').fetchall()
    assert [(*row[:2], int(row[2]), int(row[3]), *row[4:6], int(row[6])) for row in peaks] == [
        (*row[:3], round(row[3] * 1e6), *row[4:6], round(row[6] * 1e6)) for row in stored]
    # And tfprof on the single runs.
    binary = os.environ.get('TFPROF_BINARY', str(ROOT / 'build/release/tfprof'))
    sums = [0, 0, 0]
    for source, in database.execute('select source from runs').fetchall():
        shown = json.loads(subprocess.run([binary, 'scope', source, '-format', 'json', '-select', 'micros,bytes,float_ops'],
                                          capture_output=True, text=True, check=True).stdout)
        root = shown.get('root', shown)
        for i, name in enumerate(('total_exec_micros', 'total_requested_bytes', 'total_float_ops')):
            sums[i] += root.get(name) or 0
    assert sums[1:] == [sum(row[7] or 0 for row in totals), sum(row[6] or 0 for row in totals)]
    assert sums[0] == sum(row[3] for row in totals) // 10**6


def test_broken_run_that_was_mended_is_forgiven(tmp_path):
    broken = write_runs(tmp_path / 'runs', runs=4, jobs=1, damaged=2)
    arguments = ('--input', tmp_path / 'runs', '--output', tmp_path / 'out', '--job', 'mine')
    run_fleet(*arguments, workers=1)
    assert len(list((tmp_path / 'out' / 'failures').glob('part-*'))) == 2
    shutil.copy(broken[0] / 'run_meta_1', broken[0] / 'run_meta_2')
    run_fleet(*arguments, workers=1)
    assert len(list((tmp_path / 'out' / 'failures').glob('part-*'))) == 1
    assert len(list((tmp_path / 'out' / 'runs').glob('job=mine/*/part-*'))) == 3
    # One machine goes on where many ended.
    done = tfprof.export(tmp_path / 'runs', tmp_path / 'out', format='parquet', job='mine')
    assert (done.added, done.known, done.failed) == (0, 3, 1)


def collected(pcollection, path):
    name = path.name
    (pcollection | name + ' as text' >> beam.Map(repr)
     | name + ' written' >> beam.io.WriteToText(str(path), shard_name_template=''))


def test_runs_are_found_as_on_one_machine(tmp_path):
    """Folders of folders, a file beside runs, what lies below a run, equal runs, files that were given, and nothing."""
    root = tmp_path / 'runs'
    write_runs(root, runs=3, jobs=1)
    (root / 'README.txt').write_text('ours')
    (root / '.hidden').write_text('x')
    shutil.copytree(root / 'mlp_00' / 'run_00000', root / 'mlp_00' / 'run_00001' / 'below')
    shutil.copytree(root / 'mlp_00' / 'run_00002', root / 'mlp_00' / 'copy')
    (root / 'other').mkdir()
    (root / 'other' / 'notes').write_text('nothing to read')
    local = tables.find_runs(root)
    runs = {run.source for run in local if not tables.read(run)['failures'].rows}
    with beam.Pipeline() as pipeline:
        found = pipeline | fleet.ReadProfiles([str(root), str(root / 'nowhere' / '*')])
        collected(found.runs | 'Names' >> beam.Map(lambda run: (run.source, run.name, run.job)), tmp_path / 'found')
        collected(found.failures | 'Sources' >> beam.Map(lambda failure: failure.source), tmp_path / 'failed')
        alone = pipeline | 'Alone' >> fleet.ReadProfiles(str(root / 'mlp_00' / 'run_00000' / 'graph.pb'))
        collected(alone.runs | 'One' >> beam.Map(lambda run: (run.source, run.name, run.job)), tmp_path / 'alone')
        collected(found.runs | fleet.ToRows('steps') | 'Steps' >> beam.Map(lambda step: step['step']), tmp_path / 'steps')
    got = [eval(line) for line in open(tmp_path / 'found')]
    # Of the equal ones the first by name: `copy` before `run_00002`.
    assert {source for source, _, _ in got} == runs - {str(root / 'mlp_00' / 'run_00002')}
    assert all(source == '%s/%s' % (root, name) and job == 'mlp_00' for source, name, job in got)
    failed = {eval(line) for line in open(tmp_path / 'failed')}
    assert failed == {str(root / 'nowhere' / '*')} | {run.source for run in local if run.source not in runs}
    assert [eval(line) for line in open(tmp_path / 'alone')] == [
        (str(root / 'mlp_00' / 'run_00000' / 'graph.pb'), 'graph.pb', 'run_00000')]
    assert sorted(map(int, open(tmp_path / 'steps'))) == sorted([1, 2, 3] * len(got))


def commit(group, out):
    """As a job that began before anything was there."""
    assert list(_write._Commit(out).process(group, 0)) == [None]


def test_repeated_bundle_writes_nothing_twice(tmp_path):
    """A group written by three attempts, in other orders and committed at once, is one file of each table."""
    write_runs(tmp_path / 'runs', runs=5, jobs=1)
    group = [fleet.RunTables.of(tables.read(run)) for run in tables.find_runs(tmp_path / 'runs')]
    out = str(tmp_path / 'out')
    attempts = []
    for seed in range(3):
        random.Random(seed).shuffle(group)
        attempts += list(_write._WriteGroup(out, out + '/.temporary/x', list(tables.schema())).process(('job=a/date=b#0', group)))
    for file in attempts[1].files[:2]:  # ended in the middle
        _write._rename(file)
    for group in [*attempts, attempts[0]]:
        commit(group, out)
    assert attempts[0].files[-1].final.startswith(out + '/runs/')
    assert sorted(files_in(tmp_path / 'out')) == sorted(['.lock', *(os.path.relpath(file.final, out) for file in attempts[0].files)])
    _write._clean(out, out + '/.temporary/x')
    assert tfprof.export(tmp_path / 'runs', out, format='parquet').known == 5


def keys_in(folder, table):
    import pyarrow.parquet
    return sorted(key for path in (folder / table).rglob('part-*.parquet')
                  for key in set(pyarrow.parquet.ParquetFile(path).read(['run_id'])['run_id'].to_pylist()))


def test_groups_of_two_jobs_that_overlap_have_each_run_once(tmp_path):
    """Both jobs listed the folder before the other wrote; one is ended in the middle of giving names, and repeated."""
    write_runs(tmp_path / 'runs', runs=8, jobs=1)
    runs = [fleet.RunTables.of(tables.read(run)) for run in tables.find_runs(tmp_path / 'runs')]
    out, names = str(tmp_path / 'out'), [name for name, table in tables.schema().items() if not table.on_request]

    def written(part):
        group, = _write._WriteGroup(out, out + '/.temporary/x', names).process(('job=a/date=b#0', part))
        return group

    first, second, inside, last = written(runs[:5]), written(runs[3:]), written(runs[1:3]), written(runs)
    for file in second.files[:3]:
        _write._rename(file)
    commit(first, out)
    with open(out + '/.lock', 'a') as ledger:
        ledger.write('3 17 ')  # whoever wrote this was ended in the middle
    for group in (second, inside, last, first):
        commit(group, out)
    for table in ('runs', 'nodes', 'figures', 'memory_peaks', 'steps'):
        assert keys_in(tmp_path / 'out', table) == sorted(run.run_id for run in runs), table
    assert not list((tmp_path / 'out' / '.temporary').rglob('*-*'))
    assert tfprof.export(tmp_path / 'runs', out, format='parquet', job='a').known == 0  # another job, and nothing is removed
    assert len(keys_in(tmp_path / 'out', 'nodes')) == 16


def test_what_a_killed_job_left_is_removed_by_the_next(tmp_path):
    """It was ended before its file of `runs`; since then a run came, so that the next job's files are called otherwise."""
    write_runs(tmp_path / 'runs', runs=4, jobs=1)
    runs = [fleet.RunTables.of(tables.read(run)) for run in tables.find_runs(tmp_path / 'runs')]
    out = str(tmp_path / 'out')
    group, = _write._WriteGroup(out, out + '/.temporary/x', ['nodes', 'runs']).process(('job=mlp_00/date=2026-01#0', runs[:3]))
    _write._rename(group.files[0])
    assert len(keys_in(tmp_path / 'out', 'nodes')) == 3
    run_fleet('--input', tmp_path / 'runs', '--output', out, '--partition', 'month', workers=1)
    assert keys_in(tmp_path / 'out', 'nodes') == sorted(run.run_id for run in runs)


def test_partition_may_change_between_jobs(tmp_path):
    write_runs(tmp_path / 'runs', runs=3, jobs=2)
    for partition in ('none', 'none', 'month', 'day'):
        run_fleet('--input', tmp_path / 'runs', '--output', tmp_path / 'out', '--partition', partition, workers=1)
        assert len(keys_in(tmp_path / 'out', 'runs')) == len(keys_in(tmp_path / 'out', 'nodes')) == 3
        assert tfprof.export(tmp_path / 'runs', tmp_path / 'out', format='parquet').known == 3


def test_jobs_at_the_same_time_write_no_run_twice(made, check, tmp_path):
    """Two of Beam and one of tfprof.export, over the same runs, with files of other groups."""
    def begin(*arguments):
        return subprocess.Popen([sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, 'PYTHONPATH': os.environ.get('TFPROF_PACKAGE', '')})

    out = tmp_path / 'out'
    export = 'import sys, tfprof; tfprof.export(sys.argv[1], sys.argv[2], format="parquet", partition="none")'
    started = [begin('-m', 'tfprof.fleet', '--input', made[0], '--output', out, '--partition', 'month', '--shards', 3),
               begin('-m', 'tfprof.fleet', '--input', '%s/*/run_*' % made[0], '--output', out, '--partition', 'day'),
               begin('-c', export, made[0], out)]
    for process in started:
        told = process.communicate(timeout=600)[0]
        assert process.returncode == 0, told[-3000:]
    check(out)


def test_runs_that_meet_in_their_key_are_told():
    one, other = (fleet.RunTables(7, content * 32, 'job', '', name, 'at/' + name, {}) for content, name in (('a', 'x'), ('b', 'y')))
    again = fleet.RunTables(7, 'a' * 32, 'job', '', 'z', 'at/z', {})
    for order in ([one, other, again], [again, other, one], [other, again, one]):
        found = list(_read._first((7, order)))
        assert found[0] is one
        assert [each.value.source for each in found[1:]] == ['at/y'] and 'same key 7' in found[1].value.reason
    assert list(_read._first((7, [again, one]))) == [one]
    ids = _write._Ids()
    there = ids.extract_output(ids.add_input(ids.create_accumulator(), [(9, 1), (7, _write._half('a' * 32))]))
    assert list(_write._new(one, there)) == [] and _write._new(other, there).__next__().tag == 'failures'
    assert list(_write._new(other, b'')) == [other]


def test_wrong_arguments_are_told_before_anything_runs(tmp_path):
    for wrong in ({'each': 'line'}, {'with_': 'everything'}, {'no_such_option': 1}):
        with pytest.raises(ValueError):
            fleet.ReadProfiles('x', **wrong)
    for wrong in ({'partition': 'year'}, {'shards': 0}, {'with_': 'all'}):
        with pytest.raises(ValueError):
            fleet.WriteTables('x', **wrong)
    with pytest.raises(ValueError):
        fleet.ToRows('failures')
    tfprof.export(ROOT / 'examples' / 'resnet', tmp_path / 'out', format='arrow')
    with pytest.raises(tfprof.Error, match='format arrow'):
        _write.check_output(str(tmp_path / 'out'))
