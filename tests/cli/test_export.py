"""tfprof export: runs as tables in SQLite and CSV."""
import csv
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.tool import BINARY

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from make_runs import write_runs  # noqa: E402


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """24 runs of 4 jobs."""
    folder = tmp_path_factory.mktemp("made") / "runs"
    write_runs(folder, runs=24, jobs=4)
    return folder


@pytest.fixture
def tool(binary, env, tmp_path):
    def run(*args, status=0, **more):
        done = subprocess.run([binary, *map(str, args)], env=env, cwd=tmp_path, capture_output=True, text=True, **more)
        assert done.returncode == status, done.stderr
        return done
    return run


def query(path, sql, *args):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql, args).fetchall()
    finally:
        connection.close()


def dump(path):
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_runs_become_rows(tool, runs, tmp_path):
    done = tool("export", runs, "-o", "history.db")
    assert "24 runs" in done.stderr and done.stdout == ""
    path = tmp_path / "history.db"
    assert query(path, "select job, count(*), min(date), max(date), sum(steps) from runs group by job") == [
        ("attention_03", 6, "2026-01-01", "2026-01-06", 18), ("conv_02", 6, "2026-01-01", "2026-01-06", 18),
        ("mlp_00", 6, "2026-01-01", "2026-01-06", 18), ("wide_01", 6, "2026-01-01", "2026-01-06", 18)]
    assert query(path, "select count(*) from steps") == [(72,)]
    assert query(path, "select count(*) from executions") == [(0,)]
    assert query(path, "select count(*) from failures") == [(0,)]
    names = {row[0] for row in query(path, "select distinct framework from runs")}
    assert names == {"TensorFlow"}


def total(tool, run, *options):
    shown = json.loads(tool("scope", run, "-format", "json", "-select",
                            "micros,bytes,peak_bytes,residual_bytes,output_bytes,params,float_ops,occurrence", *options).stdout)
    return shown["root"] if "root" in shown else shown


def test_figures_are_those_of_the_views(tool, runs, tmp_path):
    """Of the mean and of each step, to the last byte and microsecond."""
    tool("export", runs / "attention_03", "-o", "history.db")
    path = tmp_path / "history.db"
    for name in ("run_00000", "run_00005"):
        run = runs / "attention_03" / name
        (run_id,), = query(path, "select run_id from runs where name = ?", name)
        sums = "sum(picos) / 1000000, sum(accelerator_picos) / 1000000, sum(requested_bytes), sum(peak_bytes), " \
               "sum(residual_bytes), sum(output_bytes), sum(float_ops)"
        views = "total_exec_micros total_accelerator_exec_micros total_requested_bytes total_peak_bytes " \
                "total_residual_bytes total_output_bytes total_float_ops".split()
        for table in ("nodes", "ops"):
            found, = query(path, f"select {sums}, sum(parameters) from {table} where run_id = ?", run_id)
            shown = find_totals(total(tool, run))
            assert list(found) == [shown[view] for view in [*views, "total_parameters"]]
        for step in (1, 2, 3):
            found, = query(path, f"select {sums} from figures where run_id = ? and step = ?", run_id, step)
            shown = find_totals(total(tool, run, "-step", step))
            assert list(found) == [shown[view] for view in views]


def find_totals(shown):
    """The root of a view's JSON, wherever it lies."""
    if "total_exec_micros" in shown:
        return shown
    for value in shown.values():
        if isinstance(value, dict):
            found = find_totals(value)
            if found:
                return found
    return None


def test_peaks_are_those_of_memory(tool, runs, tmp_path):
    run = runs / "wide_01" / "run_00003"
    tool("export", run, "-o", "history.db")
    memory = json.loads(tool("memory", run, "-format", "json").stdout)
    shown = [(step["step"], device["device"], device["allocator"], device["evidence"], device["peak"]["bytes"])
             for step in memory["steps"] for device in step["devices"]]
    path = tmp_path / "history.db"
    assert query(path, "select step, device, allocator, evidence, peak_bytes from memory_peaks order by 1, 2") == shown
    assert query(path, "select max(peak_bytes) from memory_peaks") == query(path, "select peak_bytes from runs")


def test_same_run_again_changes_nothing(tool, runs, tmp_path):
    path = tmp_path / "history.db"
    tool("export", runs, "-o", path)
    before = dump(path)
    assert "0 runs, 24 there already" in tool("export", runs, "-o", path).stderr
    assert dump(path) == before
    moved = tmp_path / "elsewhere" / "mlp_00"
    shutil.copytree(runs / "mlp_00", moved)
    tool("export", moved, "-o", path)
    assert dump(path) == before, "the same files of the same job lie elsewhere"


def test_other_job_is_another_run_and_a_duplicate(tool, runs, tmp_path):
    path = tmp_path / "history.db"
    run = runs / "mlp_00" / "run_00000"
    tool("export", run, "-o", path)
    tool("export", run, "-o", path, "--job", "copy", "--date", "2026-02-03")
    assert query(path, "select job, date from runs order by job") == [("copy", "2026-02-03"), ("mlp_00", "2026-01-01")]
    assert query(path, "select copies, first_job, last_job from duplicates") == [(2, "copy", "mlp_00")]


def test_with_brings_executions_later_too(tool, runs, tmp_path):
    path = tmp_path / "history.db"
    run = runs / "wide_01" / "run_00000"
    tool("export", run, "-o", path)
    tool("export", run, "-o", path, "--with", "executions,allocations")
    assert query(path, "select count(*) from runs") == [(1,)]
    (nodes,), = query(path, "select nodes from runs")
    assert query(path, "select count(*) from executions") == [(nodes * 3 * 2,)]  # launched, and on the stream
    assert query(path, "select count(*) from allocations") == [(nodes * 3,)]
    assert query(path, "select sum(nanos) / 1000 from executions where counts_as = 'accelerator'") == query(
        path, "select sum(accelerator_picos) / 1000000 from figures")
    before = dump(path)
    tool("export", run, "-o", path)
    assert dump(path) == before
    assert "is not one of executions, allocations" in tool("export", run, "-o", path, "--with", "all", status=2).stderr


def test_what_was_not_recorded_is_null(tool, graph, tmp_path):
    tool("export", graph, "-o", "history.db")
    path = tmp_path / "history.db"
    assert query(path, "select steps, picos, wall_nanos, peak_bytes, start_nanos, host, parameters from runs") == [
        (0, None, None, None, None, None, 14)]
    assert query(path, "select distinct device, executions, picos, requested_bytes from nodes") == [(None, None, None, None)]
    assert query(path, "select name, scope, shape, parameters from nodes order by name") == [
        ("alpha/one", "alpha", None, 0), ("alpha/weights", "alpha", "10", 10), ("beta/bias", "beta", "4", 4)]


def test_damaged_run_is_told_and_the_others_go_on(tool, tmp_path):
    broken = write_runs(tmp_path / "runs", runs=20, jobs=2, damaged=5)
    (tmp_path / "runs" / "mlp_00" / "empty").mkdir()
    garbage = tmp_path / "runs" / "mlp_00" / "garbage"
    garbage.mkdir()
    (garbage / "graph.pb").write_bytes(b"\0\xff" * 100)
    done = tool("export", "runs", "-o", "history.db", status=3)
    assert "16 runs, 5 that cannot be read" in done.stderr
    path = tmp_path / "history.db"
    assert query(path, "select count(*) from runs") == [(16,)]
    found = dict(query(path, "select source, reason from failures"))
    assert {str(tmp_path / source) for source in found} == {str(place) for place in broken} | {str(garbage)}
    assert all("run_meta_2" in reason for source, reason in found.items() if "garbage" not in source)
    # Repaired: its row goes.
    source = sorted(set(found) - {"runs/mlp_00/garbage"})[0]
    write_runs(tmp_path / "again", runs=20, jobs=2)
    shutil.rmtree(tmp_path / source)
    shutil.copytree(tmp_path / "again" / os.path.relpath(source, "runs"), tmp_path / source)
    tool("export", source, "-o", "history.db")
    assert query(path, "select count(*) from failures") == [(4,)]
    assert query(path, "select count(*) from runs") == [(17,)]


def test_keep_going_takes_what_can_be_read(tool, tmp_path):
    write_runs(tmp_path / "runs", runs=2, jobs=1, damaged=2)
    tool("export", "runs", "-o", "history.db", "--keep_going")
    assert query(tmp_path / "history.db", "select count(*), sum(damage) > 0 from runs") == [(2, 1)]


def test_missing_input_writes_nothing(tool, tmp_path):
    assert "no such file" in tool("export", "nothing/", "-o", "history.db", status=3).stderr
    assert not (tmp_path / "history.db").exists()


def test_csv_has_the_same_rows(tool, runs, tmp_path):
    tool("export", runs, "-o", "history.db")
    tool("export", runs, "-o", "tables/", "-format", "csv")
    for table in ("runs", "steps", "devices", "memory_peaks", "ops", "nodes", "figures"):
        with open(tmp_path / "tables" / f"{table}.csv", newline="") as file:
            rows = list(csv.reader(file))
        columns = [row[1] for row in query(tmp_path / "history.db", f"pragma table_info({table})")]
        assert rows[0] == columns
        stored = query(tmp_path / "history.db", f"select * from {table}")
        as_text = sorted(["" if value is None else f"{value:g}" if isinstance(value, float) else str(value) for value in row] for row in stored)
        assert sorted(rows[1:]) == as_text, table
    before = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    tool("export", runs, "-o", "tables")
    assert {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()} == before


def test_csv_does_not_replace_what_is_not_its_own(tool, runs, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "runs.csv").write_text("my,own\n1,2\n")
    assert "no table of tfprof export" in tool("export", runs, "-o", "mine/", status=3).stderr
    assert (tmp_path / "mine" / "runs.csv").read_text() == "my,own\n1,2\n"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["runs.csv"]


def test_foreign_and_newer_databases_are_refused(tool, runs, tmp_path):
    def made(name, *statements):
        connection = sqlite3.connect(tmp_path / name)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return (tmp_path / name).read_bytes()

    for name, words, statements in (
            ("foreign.db", "not one that tfprof export made", ["create table runs(x)"]),
            ("newer.db", "made by a newer tfprof", ["pragma application_id=1952870514", "pragma user_version=2", "create table x(y)"]),
            ("halved.db", "its table runs is not the one", ["pragma application_id=1952870514", "pragma user_version=1", "create table x(y)"])):
        before = made(name, *statements)
        for command in (("export", runs, "-o", name), ("history", name)):
            assert words in tool(*command, status=3).stderr
        assert (tmp_path / name).read_bytes() == before
    for name, content in (("text.db", b"no database at all, but long enough to be one " * 100), ("short.db", b"x")):
        (tmp_path / name).write_bytes(content)
        assert "no SQLite database" in tool("export", runs, "-o", name, status=3).stderr
        assert "no SQLite database" in tool("history", name, status=3).stderr
        assert (tmp_path / name).read_bytes() == content
    (tmp_path / "folder.db").mkdir()
    assert "no regular file" in tool("export", runs, "-o", "folder.db", "-format", "sqlite", status=3).stderr
    os.mkfifo(tmp_path / "pipe.db")
    assert "no regular file" in tool("export", runs, "-o", "pipe.db", status=3, timeout=20).stderr


def test_damaged_database_is_an_error_and_no_crash(tool, runs, tmp_path):
    tool("export", runs, "-o", "good.db")
    good = (tmp_path / "good.db").read_bytes()
    for at in range(0, len(good), max(4096, len(good) // 12)):
        damaged = bytearray(good)
        for i in range(at, min(at + 512, len(good)), 7):
            damaged[i] ^= 0x5A
        (tmp_path / "bad.db").write_bytes(damaged)
        for command in (["history", "bad.db", "--by", "scope"], ["export", str(runs), "-o", "bad.db"]):
            done = subprocess.run([BINARY, *command], cwd=tmp_path,
                                  capture_output=True, text=True, timeout=60)
            assert done.returncode in (0, 1, 3), done.stderr
    (tmp_path / "cut.db").write_bytes(good[:len(good) // 2])
    done = tool("export", runs, "-o", "cut.db", status=3)
    assert "damaged" in done.stderr or "malformed" in done.stderr


def test_symbolic_link_and_permissions(tool, runs, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "data" / "real.db")
    tool("export", runs / "mlp_00", "-o", "link.db")
    assert (tmp_path / "link.db").is_symlink()
    assert query(tmp_path / "data" / "real.db", "select count(*) from runs") == [(6,)]
    assert "cannot be opened" in tool("export", runs, "-o", "nowhere/history.db", status=3).stderr
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["real.db"], "no journal is left"


def test_killed_export_leaves_whole_runs(binary, env, tmp_path, tool):
    write_runs(tmp_path / "runs", runs=400, jobs=4)
    process = subprocess.Popen([binary, "export", "runs", "-o", "history.db"], env=env, cwd=tmp_path,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(0.4)
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()
    tool("export", "runs", "-o", "history.db")
    assert query(tmp_path / "history.db", "pragma integrity_check") == [("ok",)]
    assert query(tmp_path / "history.db", "select count(*), sum(steps) from runs") == [(400, 1200)]
    assert query(tmp_path / "history.db", "select count(*) from steps") == [(1200,)]


def test_two_exports_at_once(binary, env, tmp_path, runs):
    commands = [[binary, "export", runs / job, "-o", "history.db"] for job in ("mlp_00", "wide_01", "conv_02")]
    started = [subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True) for command in commands]
    for process in started:
        assert process.communicate(timeout=60)[1].startswith("tfprof: wrote") and process.returncode == 0
    assert query(tmp_path / "history.db", "select count(*) from runs") == [(18,)]


def test_hostile_names(tool, tmp_path):
    """Names that are SQL, commands of terminals, formulas of spreadsheets, or what no line can hold."""
    names = ["'); drop table runs; --", "a/\\033[31mred", "=cmd|' /C calc'!A0", "x,y\\\"z", "nul\\000l", "new\\nline"]
    nodes = "".join('node { name: "%s" op: "Op" }\n' % name for name in names)
    job = tmp_path / "job 'x'; drop table runs; --"
    job.mkdir()
    (job / "graph.pbtxt").write_text(nodes)
    tool("export", job, "-o", "history.db")
    tool("export", job, "-o", "csv/")
    path = tmp_path / "history.db"
    stored = [row[0] for row in query(path, "select name from nodes order by node")]
    assert len(stored) == len(set(stored)) == len(names)
    assert all(name.isprintable() for name in stored)
    with open(tmp_path / "csv" / "nodes.csv", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == stored
    tool("export", job, "-o", "csv/", "-defuse", "always")
    with open(tmp_path / "csv" / "nodes.csv", newline="") as file:
        assert "'=cmd|' /C calc'!A0" in [row["name"] for row in csv.DictReader(file)]
    assert query(path, "select job from runs") == [(tmp_path.name,)]


def test_every_question_has_an_answer(tool, runs, tmp_path):
    tool("export", runs, "-o", "history.db")
    path = tmp_path / "history.db"
    named = [row[0] for row in query(path, "select name from documentation where kind = 'question'")]
    assert {"top_ops", "peaks", "idle_accelerators", "flops_efficiency", "duplicates"} <= set(named)
    empty = {name for name in named if not query(path, f"select * from {name}")}
    assert empty <= {"duplicates", "broken_inputs", "slow_steps"}
    share, = query(path, "select sum(share) from top_ops")
    assert share[0] == pytest.approx(1)
    assert [row[0] for row in query(path, "select job from idle_accelerators order by job")] == ["attention_03", "wide_01"]
    for table, column, in query(path, "select name, field from documentation where kind = 'column'"):
        query(path, f"select {column} from {table} limit 1")


def test_options_are_checked(tool, runs):
    assert "-o history.db" in tool("export", runs, status=2).stderr
    assert "needs runs to read" in tool("export", "-o", "x.db", status=2).stderr
    assert "is no day" in tool("export", runs, "-o", "x.db", "--date", "yesterday", status=2).stderr
    assert "sqlite and csv" in tool("export", runs, "-o", "x.db", "-format", "json", status=2).stderr
    assert "is for tfprof export" in tool("scope", runs / "mlp_00" / "run_00000", "-format", "sqlite", status=2).stderr


def test_other_inputs_have_rows_too(tool, tmp_path):
    """A capture, a model, a memory profile."""
    done = tool("export", ROOT / "examples/jax", ROOT / "examples/lstm", ROOT / "examples/resnet", "-o", "history.db")
    assert "3 runs" in done.stderr
    path = tmp_path / "history.db"
    rows = dict(query(path, "select name, formats from runs"))
    assert set(rows) == {"jax", "lstm", "resnet"} and "XPlane" in rows["jax"]
    (accelerators, steps), = query(path, "select accelerators, steps from runs where name = 'jax'")
    assert accelerators >= 1 and steps >= 1
    assert query(path, "select count(*) from steps join runs using (run_id) where name = 'jax' and on_accelerator = 1") == [(steps,)]


def test_mended_input_is_forgiven_whatever_it_is_called(tool, tmp_path):
    place = tmp_path / "runs" / "new\nline \\ \x1b[31m" / "r"
    write_runs(tmp_path / "made", runs=1, jobs=1)
    shutil.copytree(tmp_path / "made" / "mlp_00" / "run_00000", place)
    whole = (place / "run_meta_2").read_bytes()
    (place / "run_meta_2").write_bytes(whole[:300])
    tool("export", "runs", "-o", "history.db", status=3)
    (source,), = query(tmp_path / "history.db", "select source from failures")
    assert source.isprintable()
    (place / "run_meta_2").write_bytes(whole)
    tool("export", "runs", "-o", "history.db")
    assert query(tmp_path / "history.db", "select count(*) from failures") == [(0,)]
    assert query(tmp_path / "history.db", "select source from runs") == [(source,)]


def test_database_that_cannot_grow_keeps_what_it_has(tool, runs, tmp_path):
    """As on a full disk: an error, and the runs of before as they were."""
    path = tmp_path / "history.db"
    tool("export", runs / "mlp_00", "-o", path)
    before = dump(path)
    most = path.stat().st_size + 8192

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    # Python ignores the signal that a file is too large, and so do its children: the write fails.
    done = tool("export", runs, "-o", path, status=3, preexec_fn=limited, restore_signals=False)
    assert "history.db" in done.stderr
    assert dump(path) == before and query(path, "pragma integrity_check") == [("ok",)]
    tool("export", runs, "-o", path)
    assert query(path, "select count(*) from runs") == [(24,)]


def test_export_waits_for_another_writer(tool, runs, tmp_path):
    path = tmp_path / "history.db"
    tool("export", runs / "mlp_00", "-o", path)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin exclusive")
    timer = threading.Timer(1.0, lambda: other.execute("commit"))
    timer.start()
    tool("export", runs, "-o", path)
    timer.join()
    other.close()
    assert query(path, "select count(*) from runs") == [(24,)]


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is forbidden to root")
def test_folder_that_may_not_be_written_is_told(tool, runs, tmp_path):
    (tmp_path / "shut").mkdir(0o555)
    assert "Permission denied" in tool("export", runs, "-o", "shut/history.db", status=3).stderr


def test_agree_asks_of_every_single_run(binary, env, tool, runs, tmp_path):
    """The bench that compares 10,000 runs sees one byte of one node, and one peak."""
    tool("export", runs, "-o", "history.db")

    def agree(path, status):
        done = subprocess.run([sys.executable, ROOT / "bench/agree.py", "--binary", binary, "--database", path], env=env,
                              capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    assert agree(tmp_path / "history.db", 0).startswith("24 single runs")
    for sql, words in (("update nodes set requested_bytes = requested_bytes + 1 where node = 7", "tfprof scope"),
                       ("update ops set float_ops = null where op = 'MatMul'", "tfprof op"),
                       ("update memory_peaks set peak_bytes = peak_bytes - 1 where step = 2", "tfprof memory")):
        shutil.copy(tmp_path / "history.db", tmp_path / "other.db")
        connection = sqlite3.connect(tmp_path / "other.db")
        connection.execute(sql + " and run_id = (select max(run_id) from runs)")
        connection.commit()
        assert connection.total_changes == 1
        connection.close()
        assert words in agree(tmp_path / "other.db", 1)
