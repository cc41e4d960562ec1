"""tfprof.export and tfprof.tables: Parquet, Arrow, and what they have in common with the database."""
import os
import sqlite3
import subprocess
import sys

import pytest
import tfprof
from package_paths import REPOSITORY
from tfprof import tables

sys.path.insert(0, str(REPOSITORY / 'bench'))
from make_runs import write_runs  # noqa: E402

pyarrow = pytest.importorskip('pyarrow', reason='the tables of Python need pyarrow')
import pyarrow.parquet  # noqa: E402


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp('made') / 'runs'
    write_runs(folder, runs=20, jobs=4)
    return folder


@pytest.fixture(scope='module')
def parquet(runs, tmp_path_factory):
    out = tmp_path_factory.mktemp('parquet') / 'out'
    done = tfprof.export(runs, out, format='parquet')
    assert (done.added, done.known, done.failed) == (20, 0, 0)
    return out


@pytest.fixture(scope='module')
def database(runs, tmp_path_factory):
    path = tmp_path_factory.mktemp('sqlite') / 'history.db'
    assert tfprof.export(runs, path, format='sqlite').added == 20
    return path


def files(folder):
    return {os.path.relpath(os.path.join(place, name), folder): open(os.path.join(place, name), 'rb').read()
            for place, _, names in os.walk(folder) for name in names}


def test_partitions(parquet):
    names = set(files(parquet))
    assert any(name.startswith('runs/job=mlp_00/date=2026-01-05/part-') for name in names)
    assert {'%s/empty.parquet' % table for table in ('runs', 'steps', 'nodes', 'figures', 'failures')} <= names
    assert not any('executions' in name or name.endswith('.tmp') for name in names)


def test_parquet_has_the_rows_of_the_database(parquet, database):
    connection = sqlite3.connect(database)
    for name, table in tables.schema().items():
        if table.on_request:
            continue
        paths = [parquet / name / path for path in files(parquet / name)]
        found = pyarrow.concat_tables(pyarrow.parquet.ParquetFile(path).read() for path in paths)
        keys = table.key.split(',')
        rows = [tuple(row.values()) for row in sorted(found.to_pylist(), key=lambda row: [row[key] for key in keys])]
        stored = connection.execute('select * from %s order by %s' % (name, table.key)).fetchall()
        assert rows == stored, name
        assert [field.name for field in found.schema] == [field.name for field in table.fields]


def test_again_changes_nothing(parquet, runs):
    before = files(parquet)
    done = tfprof.export(runs, parquet, format='parquet')
    assert (done.added, done.known) == (0, 20)
    assert files(parquet) == before


def test_what_a_crash_left_is_removed(runs, tmp_path):
    out = tmp_path / 'out'
    tfprof.export(runs / 'mlp_00', out, format='parquet')
    whole = files(out)
    # As if it had ended before the file of `runs`, which makes the others count.
    for name in [name for name in whole if name.startswith('runs/job=mlp_00/date=2026-01-02')]:
        os.remove(out / name)
    done = tfprof.export(runs / 'mlp_00', out, format='parquet')
    assert (done.added, done.known) == (1, 4)
    assert set(files(out)) == set(whole)


def test_damaged_runs_are_rows_of_failures(tmp_path):
    broken = write_runs(tmp_path / 'runs', runs=10, jobs=1, damaged=5)
    out = tmp_path / 'out'
    done = tfprof.export(tmp_path / 'runs', out, format='parquet')
    assert (done.added, done.failed) == (8, 2) and 'run_meta_2' in done.failures[0]
    failures = pyarrow.concat_tables(pyarrow.parquet.read_table(out / 'failures' / name) for name in os.listdir(out / 'failures'))
    assert sorted(failures['source'].to_pylist()) == sorted(map(str, broken))
    write_runs(tmp_path / 'again', runs=10, jobs=1)
    for place in broken:
        (place / 'run_meta_2').write_bytes((tmp_path / 'again' / place.relative_to(tmp_path / 'runs') / 'run_meta_2').read_bytes())
    assert tfprof.export(tmp_path / 'runs', out, format='parquet').added == 2
    assert os.listdir(out / 'failures') == ['empty.parquet']


@pytest.mark.parametrize('output', [None, 'out'])
def test_runs_that_meet_in_their_key_are_said(runs, tmp_path, monkeypatch, output):
    monkeypatch.setattr(tables.Columns, 'integer', lambda self, column, row=0: 7)
    done = tfprof.export(runs, output and tmp_path / output, format='arrow')
    assert (done.added, done.known, done.failed) == (1, 0, 19)
    assert all('another run has the same key 7' in reason for reason in done.failures)


def test_arrow_in_memory_and_as_files(runs, tmp_path):
    done = tfprof.export([runs / 'mlp_00', runs / 'wide_01'], format='arrow', with_='executions')
    assert done.added == 10 and done.tables['runs'].num_rows == 10 and done.tables['steps'].num_rows == 30
    assert done.tables['executions'].num_rows > 0
    assert done.tables['runs'].schema.field('picos').metadata[b'doc']
    tfprof.export(runs / 'mlp_00', tmp_path / 'out', format='arrow', partition='none')
    import pyarrow.feather
    part, = [name for name in os.listdir(tmp_path / 'out' / 'runs') if name.startswith('part-')]
    assert pyarrow.feather.read_table(tmp_path / 'out' / 'runs' / part).num_rows == 5
    with pytest.raises(tfprof.Error, match='in the format arrow'):
        tfprof.export(runs / 'mlp_00', tmp_path / 'out', format='parquet')


def test_read_gives_one_run(runs):
    found = tables.read(runs / 'conv_02' / 'run_00001', job='mine', date='2026-03-04')
    assert found['runs'].text('job') == 'mine' and found['runs'].text('date') == '2026-03-04'
    assert found['nodes'].arrow().num_rows == found['nodes'].rows == len(found['nodes'])
    copy = tables.Run('run_1', 'gs://bucket/run_1', [str(runs / 'conv_02' / 'run_00001')])
    again = tables.read(copy, job='mine', date='2026-03-04')
    assert again['runs'].text('source') == 'gs://bucket/run_1'
    assert again['runs'].integer('run_id') == found['runs'].integer('run_id')
    assert again['nodes'].arrow() == found['nodes'].arrow()
    with pytest.raises(ValueError, match='find_runs'):
        tables.read(runs)


def test_errors(runs, tmp_path):
    for wrong in ({'format': 'xml'}, {'format': 'parquet'}, {'output': tmp_path / 'x', 'format': 'parquet', 'partition': 'year'},
                  {'output': tmp_path / 'x', 'with_': 'everything'}, {'output': tmp_path / 'x', 'date': 'today'}):
        with pytest.raises(ValueError):
            tfprof.export(runs, **wrong)
    with pytest.raises(tfprof.Error, match='no such file'):
        tfprof.export(tmp_path / 'nowhere', tmp_path / 'x', format='parquet')
    (tmp_path / 'file').write_text('x')
    with pytest.raises(tfprof.Error):
        tfprof.export(runs, tmp_path / 'file', format='parquet')


def test_hostile_job_stays_below_the_folder(runs, tmp_path):
    out = tmp_path / 'out'
    tfprof.export(runs / 'mlp_00' / 'run_00000', out, format='parquet', job='../../escape/=%2F')
    assert {os.path.dirname(name) for name in files(out) if name.startswith('runs/job')} == {
        'runs/job=..%2F..%2Fescape%2F%3D%252F/date=2026-01-01'}
    assert [path.name for path in tmp_path.iterdir()] == ['out']


def test_without_pyarrow_the_error_says_so(runs, tmp_path):
    code = ("import sys; sys.modules['pyarrow'] = None\nimport tfprof\n"
            "tfprof.export(%r, %r, format='sqlite')\n"
            "try:\n    tfprof.export(%r, %r, format='parquet')\n"
            "except ImportError as error:\n    print(error)\n") % (
                str(runs / 'mlp_00'), str(tmp_path / 'x.db'), str(runs / 'mlp_00'), str(tmp_path / 'y'))
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, env={**os.environ, 'PYTHONPATH': os.pathsep.join(
        [os.environ.get('TFPROF_PACKAGE', ''), os.environ.get('PYTHONPATH', '')])})
    assert 'pip install pyarrow' in done.stdout, done.stderr


def test_duckdb_answers_as_sqlite_does(parquet, database):
    """Every ready question, the same SQL."""
    duckdb = pytest.importorskip('duckdb')
    connection, stored = duckdb.connect(), sqlite3.connect(database)
    connection.execute(tables.duckdb_views(parquet))
    for name in tables.questions():
        ours = stored.execute('select * from ' + name)
        theirs = connection.execute('select * from ' + name)
        assert [column[0] for column in ours.description] == [column[0] for column in theirs.description]
        ours, theirs = ours.fetchall(), theirs.fetchall()
        assert len(ours) == len(theirs), name
        for one, other in zip(ours, theirs):
            for a, b in zip(one, other):
                assert a == (pytest.approx(float(b), rel=1e-9) if isinstance(a, float) else b), name
    for table, column in (('figures', 'picos'), ('nodes', 'requested_bytes'), ('ops', 'float_ops'), ('memory_peaks', 'peak_bytes')):
        sql = 'select sum(%s), count(*) from %s' % (column, table)
        assert stored.execute(sql).fetchone() == connection.execute(sql).fetchone()
