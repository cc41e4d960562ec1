"""tfprof info of a folder of runs: a line each."""
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from make_runs import write_runs  # noqa: E402

GRAPH = 'node { name: "a" op: "NoOp" }\nnode { name: "b" op: "NoOp" }\n'


@pytest.fixture
def info(binary, env, tmp_path):
    def run(*args, status=0):
        done = subprocess.run([binary, "info", *map(str, args)], env=env, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return done

    return run


@pytest.fixture
def runs(tmp_path):
    """Two recorded ones, a graph that did not run, one that is cut, one of which nothing is known."""
    folder = tmp_path / "runs"
    write_runs(folder, runs=2, jobs=1)
    for name, text in {"plain/graph.pbtxt": GRAPH, "cut/graph.pbtxt": GRAPH[:-4], "notes/todo.txt": "nothing"}.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    os.utime(folder / "plain/graph.pbtxt", (1_700_000_000, 1_700_000_000))
    os.utime(folder / "plain", (1_700_000_000, 1_700_000_000))
    return folder


def test_a_line_each(info, runs):
    done = info(runs, "-format", "json", status=3)
    listed = {run["name"]: run for run in json.loads(done.stdout)["runs"]}
    assert list(listed) == ["cut", "mlp_00/run_00000", "mlp_00/run_00001", "notes", "plain"]
    recorded = listed["mlp_00/run_00000"]
    assert (recorded["steps"], recorded["nodes"], recorded["framework"]) == (3, 43, "TensorFlow")
    assert recorded["formats"] == "GraphDef, RunMetadata" and recorded["error"] is None
    files = [path.stat() for path in (runs / "mlp_00/run_00000").iterdir()]
    assert recorded["bytes"] == sum(file.st_size for file in files)
    assert recorded["modified"] >= int(max(file.st_mtime for file in files))


def test_what_was_not_recorded_is_not_0(info, runs):
    done = info(runs, "-format", "json", status=3)
    plain = json.loads(done.stdout)["runs"][-1]
    assert (plain["steps"], plain["nodes"], plain["devices"]) == (None, 2, None)
    row = next(line for line in info(runs, status=3).stdout.splitlines() if "plain" in line)
    assert row.split() == ["plain", "2023-11-14", "22:13", f"{len(GRAPH)}B", "TensorFlow", "n/a", "2", "n/a", "GraphDef"]


def test_a_run_that_cannot_be_read_says_why_and_the_others_stand(info, runs):
    done = info(runs, status=3)
    assert done.stdout.splitlines()[0] == "5 runs, 2 of them cannot be read"
    rows = {line.split()[0]: line for line in done.stdout.splitlines()[2:]}
    assert "cannot be read: graph.pbtxt:2:22: " in rows["cut"] and "n/a" in rows["cut"]
    assert rows["notes"].endswith("cannot be read: the directory holds nothing that tfprof reads")
    assert "GraphDef, RunMetadata" in rows["mlp_00/run_00001"]
    assert str(runs / "cut") in done.stderr and "and 1 more that cannot be read" in done.stderr


def test_every_format_lists_the_same_runs(info, runs):
    rows = json.loads(info(runs, "-format", "json", status=3).stdout)["runs"]
    table = list(csv.DictReader(io.StringIO(info(runs, "-format", "csv", status=3).stdout)))
    as_text = [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    assert table == as_text
    for word in ("markdown", "html"):
        page = info(runs, "-format", word, status=3).stdout
        assert "GraphDef, RunMetadata" in page and "cannot be read" in page


def test_rows_can_be_limited(info, runs):
    done = info(runs, "-max_rows", 2, status=3)
    assert "... and 3 more runs" in done.stdout
    assert "plain" not in done.stdout


def test_several_folders_and_files(info, runs, tmp_path):
    (tmp_path / "one.pbtxt").write_text(GRAPH)
    done = info(runs / "mlp_00", tmp_path / "one.pbtxt", runs, "-format", "json", status=3)
    names = [run["name"] for run in json.loads(done.stdout)["runs"]]
    assert names[:2] == ["run_00000", "run_00001"] and names[-1] == "one.pbtxt"


def test_a_run_is_not_a_folder_of_runs(info, runs):
    assert "Coverage" in info(runs / "plain").stdout
    assert "Coverage" in info(ROOT / "examples/jax").stdout  # a log directory with one capture


def test_a_folder_without_runs_is_an_error(info, tmp_path):
    (tmp_path / "empty/below").mkdir(parents=True)
    done = info("empty", status=3)
    assert done.stdout == "" and "the directory holds nothing that tfprof reads" in done.stderr


def test_links_out_of_the_folder_are_refused(info, runs, tmp_path):
    outside = tmp_path / "outside.pbtxt"
    outside.write_text(GRAPH)
    (runs / "plain/also.pbtxt").symlink_to(outside)
    rows = json.loads(info(runs, "-format", "json", status=3).stdout)["runs"]
    assert "leads out of what was given" in rows[-1]["error"]
