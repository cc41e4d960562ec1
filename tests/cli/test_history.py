"""tfprof history: how jobs went from run to run, from a database of tfprof export."""
import csv
import io
import json
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
from pathlib import Path

import pytest


ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from make_runs import Model, changes, job_name, write_runs  # noqa: E402

JOBS, RUNS = 4, 30


@pytest.fixture(scope="module")
def database(binary, tmp_path_factory):
    """Job 1 becomes slower, job 3 larger; 0 and 2 stay."""
    folder = tmp_path_factory.mktemp("history")
    write_runs(folder / "runs", runs=JOBS * RUNS, jobs=JOBS)
    subprocess.run([binary, "export", "runs", "-o", "history.db"], cwd=folder, check=True, capture_output=True)
    return folder / "history.db"


@pytest.fixture
def history(binary, env, tmp_path):
    def run(path, *args, status=0):
        done = subprocess.run([binary, "history", str(path), *map(str, args)], env=env, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == status, done.stderr + done.stdout
        return done
    return run


def as_json(done):
    return json.loads(done.stdout)["jobs"]


def test_one_line_per_run(history, database):
    text = history(database, "--job", job_name(0), "--last", 5).stdout
    lines = [line for line in text.splitlines() if "run_000" in line]
    assert len(lines) == 5 and "run_00029" in lines[-1] and "2026-01-30" in lines[-1]
    assert "30 runs, the last 5" in text


def test_figures_are_those_of_the_runs(history, database):
    stored = sqlite3.connect(database).execute(
        "select picos / 1000000, peak_bytes, parameters from runs where job = ? order by date", [job_name(1)]).fetchall()
    job, = as_json(history(database, "--job", job_name(1), "-last", 0, "-select", "micros,peak_bytes,params", "-format", "json"))
    assert [(run["micros"], run["peak_bytes"], run["params"]) for run in job["runs"]] == stored
    assert job["runs_in_all"] == RUNS


def test_change_points_are_where_they_were_made(history, database):
    found = {job["job"]: job["changes"] for job in as_json(history(database, "--last", 0, "-format", "json"))}
    for job in range(JOBS):
        change = changes(job, RUNS)
        told = [(one["figure"], one["run"]) for one in found[job_name(job)]]
        if change is None:
            assert told == []
            continue
        figure = "micros" if change[2] > 1 else "peak_bytes"
        assert told == [(figure, f"{job_name(job)}/run_{change[0]:05d}")]
        assert all(one["p"] < 0.01 and one["after"] > one["before"] for one in found[job_name(job)])


def test_by_names_the_part_that_moved(history, database):
    for by, part in (("scope", "dense_1"), ("op", "dense_1/")):
        job, = as_json(history(database, "--job", job_name(1), "--last", 0, "--by", by, "-format", "json"))
        parts = job["changes"][0]["parts"]
        assert parts[0]["name"].startswith(part) and parts[0]["after"] > parts[0]["before"]
    text = history(database, "--job", job_name(3), "--last", 0, "--by", "scope").stdout
    assert "block_0" in text[text.index("Changes"):]
    assert "op, scope and type" in history(database, "--by", "code", status=2).stderr


def test_sparkline(history, database, binary, env):
    text = history(database, "--job", job_name(3), "--last", 0).stdout
    line = next(line for line in text.splitlines() if line.strip().startswith("peak bytes"))
    assert line.split()[-1] == "▁" * 15 + "█" * 15
    plain = subprocess.run([binary, "history", database, "--job", job_name(3), "--last", "0"], env={**env, "LC_ALL": "C"},
                           capture_output=True, check=True).stdout
    assert b"_" * 15 + b"#" * 15 in plain and plain.isascii()


def test_every_format(history, database):
    rows = list(csv.DictReader(io.StringIO(history(database, "-format", "csv", "--last", 0).stdout)))
    assert len(rows) == JOBS * RUNS and {row["micros_changed"] for row in rows} == {"true", "false"}
    assert "| 2026-01-30" in history(database, "-format", "markdown").stdout
    assert "<html" in history(database, "-format", "html").stdout


def test_limits_against_the_median(history, database):
    done = history(database, "--job", job_name(3), "--last", 15, "--fail_if", "peak_bytes>+5%")
    assert "broken" not in done.stderr
    # Of the 29 runs before the newest 15 have the old size: so has the median.
    done = history(database, "--job", job_name(3), "--last", 0, "--fail_if", "peak_bytes>+5%", status=1)
    assert f"limit peak_bytes>+5% is broken by {job_name(3)}: peak_bytes" in done.stderr


def test_limit_is_broken_by_the_newest_run(history, binary, tmp_path):
    """The first run of a new level, which no rank test can know of yet."""
    write_runs(tmp_path / "runs", runs=31, jobs=1)
    job = tmp_path / "runs" / job_name(0)
    for folder in sorted(job.iterdir())[11:]:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    newest = job / "run_00011"
    newest.mkdir()
    made = Model("mlp", 1, on_gpu=False)
    (newest / "graph.pb").write_bytes(made.graph)
    for step in (1, 2, 3):
        data, _ = made.step(1_780_000_000_000_000 + step * 1_000_000, random.Random(1), (b"dense_2", 3), (b"dense_2", 4))
        (newest / f"run_meta_{step}").write_bytes(data)
    subprocess.run([binary, "export", "runs", "-o", "h.db"], cwd=tmp_path, check=True, capture_output=True)
    database = tmp_path / "h.db"
    done = history(database, "--fail_if", "peak_bytes>+5%", "--fail_if", "peak_bytes:CPU:0>+5%", "--fail_if",
                   "bytes>+10%@dense_2", "--fail_if", "micros>+200%", status=1)
    assert "limit peak_bytes>+5% is broken by mlp_00: peak_bytes" in done.stderr
    assert "limit peak_bytes:CPU:0>+5% is broken by mlp_00: CPU:0" in done.stderr
    assert "limit bytes>+10%@dense_2 is broken by mlp_00: dense_2: bytes" in done.stderr
    assert "micros>+200%" not in done.stderr
    assert "matches no row" in history(database, "--fail_if", "bytes>+10%@nowhere", status=1).stderr
    assert "is no limit" in history(database, "--fail_if", "bytes", status=2).stderr
    assert "history has no residual_bytes" in history(database, "--fail_if", "residual_bytes>+1%", status=2).stderr


def test_time_within_what_runs_had_is_chance(history, database):
    done = history(database, "--job", job_name(2), "--last", 0, "--fail_if", "micros>+0")
    assert "micros>+0 holds" in done.stderr and "within what runs before it had" in done.stderr


def test_first_run_breaks_nothing(history, binary, tmp_path):
    write_runs(tmp_path / "runs", runs=1, jobs=1)
    subprocess.run([binary, "export", "runs", "-o", "h.db"], cwd=tmp_path, check=True, capture_output=True)
    assert "nothing to compare" in history(tmp_path / "h.db", "--fail_if", "bytes>+1%").stderr


def test_what_is_not_there(history, database, tmp_path):
    assert "did you mean 'mlp_00'" in history(database, "--job", "mlp_0", status=1).stderr
    assert "No such file" in history("nothing.db", status=3).stderr
    assert not (tmp_path / "nothing.db").exists()
    assert "history has no device" in history(database, "-select", "device", status=2).stderr
    (tmp_path / "empty.db").write_bytes(b"")
    assert "no SQLite database" in history(tmp_path / "empty.db", status=3).stderr
    assert "one database" in history(database, database, status=2).stderr


def test_nothing_is_written(history, database):
    before = database.read_bytes()
    history(database, "--by", "scope")
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir() if path.suffix != ""] == ["history.db"]


def by_hand(path, job, before, after):
    """Medians of the whole microseconds of each scope, over the runs of days before and after; 0 where a run has none of it."""
    connection = sqlite3.connect(path)
    sums = {}
    for date, scope, micros in connection.execute(
            "select date, scope, sum(n.picos) / 1000000 from nodes n join runs r on r.run_id = n.run_id where job = ? group by 1, 2",
            [job]):
        sums.setdefault(scope, {})[date] = micros
    connection.close()

    def median(days, of):
        return round(statistics.median(of.get(day, 0) for day in days))
    return {scope: (median(before, of), median(after, of)) for scope, of in sums.items()}


def days(first, last):
    return ["2026-01-%02d" % day for day in range(first, last + 1)]


def test_parts_are_the_medians_of_the_windows(history, database):
    job, = as_json(history(database, "--job", job_name(1), "--last", 0, "--by", "scope", "-format", "json"))
    change, = job["changes"]
    assert change["date"] == "2026-01-21"
    expected = by_hand(database, job_name(1), days(11, 20), days(21, 25))
    largest = sorted(expected.items(), key=lambda one: (-abs(one[1][1] - one[1][0]), one[0]))[:3]
    assert [(part["name"], (part["before"], part["after"])) for part in change["parts"]] == largest


@pytest.fixture
def gaps(database, tmp_path):
    """Some runs of job 1 have no times: six before its change, one after."""
    path = tmp_path / "gaps.db"
    shutil.copy(database, path)
    connection = sqlite3.connect(path)
    for day in days(14, 19) + days(22, 22):
        for table in ("nodes", "runs"):
            connection.execute(f"update {table} set picos = null where run_id = (select run_id from runs where job = ? and date = ?)",
                               [job_name(1), day])
    connection.commit()
    connection.close()
    return path


def test_runs_without_times_are_in_no_window(history, gaps):
    job, = as_json(history(gaps, "--job", job_name(1), "--last", 0, "--by", "scope", "-select", "micros", "-format", "json"))
    assert sum(run["micros"] is None for run in job["runs"]) == 7
    change, = job["changes"]
    assert change["date"] == "2026-01-21"
    expected = by_hand(gaps, job_name(1), days(5, 13) + days(20, 20), days(21, 21) + days(23, 26))
    assert change["parts"] and change["parts"][0]["name"] == "dense_1"
    assert all((part["before"], part["after"]) == expected[part["name"]] for part in change["parts"])


def test_scope_whose_times_were_not_recorded_is_not_new(history, gaps):
    """Of the five before the newest none has times: nothing to compare with, and no growth from 0."""
    connection = sqlite3.connect(gaps)
    connection.execute("delete from runs where job = ? and (date < '2026-01-15' or date > '2026-01-20')", [job_name(1)])
    connection.commit()
    connection.close()
    done = history(gaps, "--job", job_name(1), "--last", 0, "--fail_if", "micros>+1000us@dense_1", status=1)
    assert "is broken" not in done.stderr and "matches no row" in done.stderr


def test_job_is_found_as_it_is_called_and_as_it_is_shown(history, binary, tmp_path):
    write_runs(tmp_path / "made", runs=2, jobs=1)
    for name in ("new\nline", "=cmd|x", "-dash", "quo'te\"s", "\u00fcn\u00ef"):
        shutil.copytree(tmp_path / "made" / "mlp_00", tmp_path / "runs" / name)
    subprocess.run([binary, "export", "runs", "-o", "h.db"], cwd=tmp_path, check=True, capture_output=True)
    assert len(as_json(history(tmp_path / "h.db", "-format", "json"))) == 5
    for name in ("new\nline", "new\\x0aline", "=cmd|x", "-dash", "quo'te\"s", "\u00fcn\u00ef"):
        job, = as_json(history(tmp_path / "h.db", "--job", name, "-format", "json"))
        assert len(job["runs"]) == 2
