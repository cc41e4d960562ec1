"""The prompt fed from a pipe or a file: no person, no prompt, and an exit status that scripts can use."""

import subprocess

import pytest


def test_prints_reports_alone(pipe, graph):
    done = pipe("scope -select params\n", graph)
    assert done.returncode == 0
    assert "alpha/weights (10, 10/10 params)" in done.stdout
    assert "tfprof>" not in done.stdout + done.stderr
    assert "-select params" not in done.stdout  # no echo
    assert done.stderr.splitlines()[-1] == "tfprof: loaded 3 nodes, no run metadata"


def test_same_report_as_the_command_line(pipe, graph):
    assert pipe("op -select params -order_by params\n", graph).stdout == pipe("", "op", graph, "-order_by", "params").stdout


def test_last_line_needs_no_end(pipe, graph):
    assert "alpha/weights" in pipe("scope", graph).stdout


def test_lines_may_end_as_on_windows(pipe, graph):
    done = pipe("scope -order_by name\r\n", graph)
    assert done.returncode == 0 and "alpha/weights" in done.stdout


def test_set_and_empty_line(pipe, graph):
    done = pipe("set -max_depth 2\n\n", graph)
    assert f"{'-max_depth':<28}2  (was 10)\n" in done.stdout


def test_set_marks_what_was_changed_and_reset_undoes_it(pipe, graph):
    def options(script, *words):
        lines = pipe(script + "set\n", *words, graph).stdout.splitlines()
        return {line[:28].strip(): line[28:] for line in lines}

    changed = "set -max_depth 3 -order_by params -hide_name_regexes x\n"
    found = options(changed)
    assert (found["-max_depth"], found["-order_by"]) == ("3  (was 10)", "params  (was auto)")
    found = options(changed + "reset -max_depth\n")
    assert (found["-max_depth"], found["-order_by"]) == ("10", "params  (was auto)")
    assert options(changed + "reset order_by --max_depth -hide_name_regexes\n") == options("")
    assert options(changed + "reset\n") == options("")
    assert options(changed + "reset\n", "-max_depth", "4")["-max_depth"] == "4"
    done = pipe("reset -depth\n", graph)
    assert done.returncode == 2 and "'-depth' is none" in done.stderr


def test_options_of_the_start_hold_for_all_commands(pipe, graph):
    assert "alpha/weights" not in pipe("scope\n", graph, "-max_depth", "2").stdout


@pytest.mark.parametrize(
    "script, status",
    [
        ("", 0),
        ("scope\n", 0),
        ("nonsense\n", 2),
        ("nonsense\nscope\n", 2),  # a later success does not hide it
        ("scope -step 77\nscope -o /nowhere/at/all\nscope\n", 3),  # the last failure
        ("scope -o /nowhere/at/all\nnonsense\n", 2),
        ("set -order_by nonsense\n", 2),
        ("quit\nnonsense\n", 0),
    ],
)
def test_exit_status(pipe, graph, script, status):
    assert pipe(script, graph).returncode == status


def test_bad_line_does_not_end_the_script(pipe, graph):
    done = pipe("nonsense\nscope\n", graph)
    assert "no command 'nonsense'" in done.stderr and "alpha/weights" in done.stdout


def test_each_line_of_a_script_file_runs_once(binary, graph, env, tmp_path):
    # A child process that put back read-ahead of a seekable script would make the parent read lines twice.
    script = tmp_path / "script"
    script.write_text("version\n" * 20)
    with script.open() as stdin:
        done = subprocess.run([binary, graph], stdin=stdin, env=env, capture_output=True, text=True, timeout=30)
    assert done.stdout.count("tfprof 0") == 20


def test_reader_that_leaves_ends_the_program(binary, long_graph, env, tmp_path):
    script = tmp_path / "script"
    script.write_text("scope\n" * 50)
    with script.open() as stdin, subprocess.Popen(
        [binary, long_graph], stdin=stdin, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        program.stdout.readline()
        program.stdout.close()
        assert program.wait(timeout=30) != 0
        assert b"error" not in program.stderr.read()


def test_history_is_for_people(pipe, graph, home):
    pipe("scope\n", graph)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("words", [["-"], ["-graph_path", "-"]])
def test_standard_input_cannot_be_data_and_commands(pipe, graph, words):
    done = pipe(graph.read_text(), *words)
    assert done.returncode == 2
    assert done.stdout == "" and "tfprof scope -" in done.stderr


def test_bad_input_is_said_before_anything_is_read(pipe):
    done = pipe("scope\n", "missing.pbtxt")
    assert done.returncode == 3 and "missing.pbtxt" in done.stderr


def test_no_command_reads_the_inputs_again(binary, env, tmp_path, data):
    (tmp_path / "graph.pb").write_bytes((data / "mlp" / "graph.pb").read_bytes())
    run_meta = next((data / "mlp").glob("run_meta_*"))
    (tmp_path / "run_meta_0").write_bytes(run_meta.read_bytes())
    command = [binary, "graph.pb", "run_meta_0"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, env=env, cwd=tmp_path, text=True) as prompt:
        while "loaded" not in prompt.stderr.readline():
            assert prompt.poll() is None
        (tmp_path / "graph.pb").unlink()
        (tmp_path / "run_meta_0").unlink()
        lines = ["advise", "summary", "memory", "timeline -o t.json", "save -o p", "scope", "info"]
        out, err = prompt.communicate("\n".join(lines) + "\n", timeout=60)
    assert prompt.returncode == 0, err
    assert "Checker:" in out and "Peak memory" in out and "live at the peak" in out
    assert (tmp_path / "t.json").exists() and (tmp_path / "p").exists()
