"""What the tests of tfprof.fleet on real engines have in common. `make test-fleet` runs them, on TFPROF_FLEET_RUNS runs (300);
without TFPROF_FLEET they are left out.

TFPROF_BINARY is the program, TFPROF_PACKAGE a folder to import the package from (an installed wheel otherwise), TFPROF_PRISM
the Prism runner.
"""
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNS = int(os.environ.get('TFPROF_FLEET_RUNS', '300'))

sys.path[:0] = [str(ROOT / 'bench'), *filter(None, [os.environ.get('TFPROF_PACKAGE')])]
if not os.environ.get('TFPROF_FLEET'):
    pytest.skip('make test-fleet runs these', allow_module_level=True)


@pytest.fixture(scope='session')
def made(tmp_path_factory):
    """Runs, of which every hundredth is damaged: (folder, the damaged ones)."""
    from make_runs import write_runs
    folder = tmp_path_factory.mktemp('made') / 'runs'
    return folder, sorted(map(str, write_runs(folder, runs=RUNS, jobs=10, damaged=100)))


@pytest.fixture(scope='session')
def database(made, tmp_path_factory):
    """The same runs in SQLite, by the program."""
    path = tmp_path_factory.mktemp('sqlite') / 'history.db'
    binary = os.environ.get('TFPROF_BINARY', str(ROOT / 'build/release/tfprof'))
    done = subprocess.run([binary, 'export', str(made[0]), '-o', str(path)], capture_output=True, text=True)
    assert path.exists(), done.stderr
    connection = sqlite3.connect(path)
    yield connection
    connection.close()


def files_in(folder):
    return {os.path.relpath(os.path.join(place, name), folder): os.stat(os.path.join(place, name)).st_mtime_ns
            for place, _, names in os.walk(folder) for name in names}


@pytest.fixture(scope='session')
def check(made, database):
    """Checks that a folder has the tables of all runs that can be read, each once, and the failures of the others."""
    import pyarrow
    import pyarrow.parquet
    from tfprof import tables

    def check_folder(folder):
        for name, table in tables.schema().items():
            if table.on_request:
                continue
            paths = [path for path in (folder / name).rglob('*.parquet')]
            found = pyarrow.concat_tables(pyarrow.parquet.ParquetFile(path).read() for path in paths)
            assert found.schema.equals(tables.arrow_schema(name)), name
            keys = table.key.split(',')
            rows = [tuple(row.values()) for row in sorted(found.to_pylist(), key=lambda row: [row[key] for key in keys])]
            assert rows == database.execute('select * from %s order by %s' % (name, table.key)).fetchall(), name
        assert sorted(row[0] for row in database.execute('select source from failures')) == made[1]
        assert not (folder / '.temporary').exists()
    return check_folder
