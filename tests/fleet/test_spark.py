"""tfprof.fleet.spark on a cluster of two executors, each a process of its own."""
import os
import sys

import pytest
from fleet_runs import database, made  # noqa: F401

pytest.importorskip('pyspark')
from tfprof import tables  # noqa: E402
from tfprof.fleet import spark  # noqa: E402


@pytest.fixture(scope='module')
def session(tmp_path_factory):
    from pyspark.sql import SparkSession
    os.environ['PYSPARK_PYTHON'] = sys.executable
    path = os.pathsep.join(filter(None, [os.environ.get('TFPROF_PACKAGE'), os.environ.get('PYTHONPATH')]))
    folder = tmp_path_factory.mktemp('spark')
    session = (SparkSession.builder.master('local-cluster[2,1,1024]').appName('tfprof')
               .config('spark.executorEnv.PYTHONPATH', path).config('spark.ui.enabled', 'false')
               .config('spark.executor.memory', '1g').config('spark.sql.shuffle.partitions', '4')
               .config('spark.sql.warehouse.dir', str(folder)).config('spark.local.dir', str(folder)).getOrCreate())
    yield session
    session.stop()


def test_tables_are_those_of_the_database(session, made, database):
    found = spark.read(session, str(made[0]))
    executors = session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()
    for name, table in tables.schema().items():
        if table.on_request:
            continue
        rows = sorted((tuple(row) for row in found[name].collect()), key=lambda row: [
            row[[field.name for field in table.fields].index(key)] for key in table.key.split(',')])
        assert rows == database.execute('select * from %s order by %s' % (name, table.key)).fetchall(), name
    assert len(executors) >= 3  # the driver and two
    assert sorted(row.source for row in found['failures'].collect()) == made[1]
    assert found['ops'].groupBy('op').sum('picos').count() == database.execute('select count(distinct op) from ops').fetchone()[0]
    found['packed'].unpersist()


def test_equal_runs_and_files_beside(session, tmp_path):
    import shutil

    from make_runs import write_runs
    write_runs(tmp_path / 'runs', runs=3, jobs=1)
    (tmp_path / 'runs' / 'README.txt').write_text('ours')
    shutil.copytree(tmp_path / 'runs' / 'mlp_00' / 'run_00002', tmp_path / 'runs' / 'mlp_00' / 'copy')
    shutil.copytree(tmp_path / 'runs' / 'mlp_00' / 'run_00000', tmp_path / 'runs' / 'mlp_00' / 'run_00001' / 'below')
    found = spark.read(session, '%s/*' % (tmp_path / 'runs'), with_='executions')
    assert sorted((row.name, row.job) for row in found['runs'].collect()) == [
        ('mlp_00/copy', 'mlp_00'), ('mlp_00/run_00000', 'mlp_00'), ('mlp_00/run_00001', 'mlp_00')]
    assert found['executions'].count() > 0 and found['failures'].count() == 0
    with pytest.raises(ValueError):
        spark.read(session, 'x', with_='everything')
