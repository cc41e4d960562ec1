#!/usr/bin/env python3
"""Makes examples/history.db: what `tfprof export` has of a small team's jobs, for docs/fleet.md.

    make_history.py TFPROF

Three jobs: `recommender` trains every night on a GPU, and a layer of it becomes slower on January 10; `vision` runs on a
CPU and needs more memory from January 4 on; `translate` has few runs, of which one was recorded twice and one is cut off.
"""
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / 'bench'))
from make_runs import DAY_MICROS, FIRST_DAY_MICROS, Model  # noqa: E402

JOBS = {  # model, size, on a GPU, runs, (run from which on, scope, factor of time, of memory)
    'recommender': ('wide', 1, True, 14, (9, b'dense_1', 2.5, 1)),
    'vision': ('conv', 1, False, 6, (3, b'conv_2', 1, 1.5)),
    'translate': ('attention', 1, True, 3, (99, b'', 1, 1)),
}


def write(folder):
    rand = random.Random(7)
    for job, (kind, size, on_gpu, runs, change) in JOBS.items():
        model = Model(kind, size, on_gpu)
        for run in range(runs):
            place = folder / job / f'2026-01-{run + 1:02d}'
            place.mkdir(parents=True)
            (place / 'graph.pb').write_bytes(model.graph)
            now = FIRST_DAY_MICROS + run * DAY_MICROS
            moved = run >= change[0]
            for step in (100, 101):
                first = (b'', 6) if (job, run, step) == ('vision', 2, 101) else (change[1], change[2] if moved else 1)
                data, now = model.step(now, rand, first, (change[1], change[3] if moved else 1))
                (place / f'run_meta_{step}').write_bytes(data)
                now += 300
    shutil.copytree(folder / 'translate' / '2026-01-01', folder / 'translate_copy' / '2026-01-01')
    broken = folder / 'translate' / '2026-01-03' / 'run_meta_101'
    broken.write_bytes(broken.read_bytes()[:500])
    for file in folder.rglob('*'):  # a file that cannot be read has no day but its own
        os.utime(file, (FIRST_DAY_MICROS // 1_000_000,) * 2)


def main(binary):
    target = REPOSITORY / 'examples' / 'history.db'
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder) / 'runs')
        done = subprocess.run([binary, 'export', 'runs/', '-o', 'history.db'], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 3 and '1 that cannot be read' in done.stderr, done.stderr
        connection = sqlite3.connect(pathlib.Path(folder) / 'history.db')
        connection.execute('vacuum')
        connection.close()
        shutil.copyfile(pathlib.Path(folder) / 'history.db', target)
    print('wrote %s: %d bytes' % (target, target.stat().st_size))


if __name__ == '__main__':
    main(str(pathlib.Path(sys.argv[1]).resolve()))
