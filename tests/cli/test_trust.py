"""What must hold when the world is unkind: streams that cannot be written, no memory, signals, files that change,
names that are commands to a terminal."""

import ctypes
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

import pytest
from support import wire
from support.tool import is_sanitized

OUT_OF_MEMORY = 4
STATUSES = {0, 1, 2, 3, OUT_OF_MEMORY}


def shell(binary, line, env, cwd):
    return subprocess.run(["sh", "-c", line.replace("TFPROF", str(binary))], env=env, cwd=cwd, capture_output=True,
                          timeout=60)


# --- Streams.

@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full", "2</dev/null"])
def test_a_report_comes_out_when_stderr_cannot_be_written(binary, graph, env, tmp_path, stderr):
    expected = shell(binary, f"TFPROF scope {graph} -select params -viz", env, tmp_path)
    found = shell(binary, f"TFPROF scope {graph} -select params -viz {stderr}", env, tmp_path)
    assert b"has no effect" in expected.stderr
    assert (found.returncode, found.stdout) == (0, expected.stdout)


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_the_exit_status_stands_when_stderr_cannot_be_written(binary, env, tmp_path, stderr):
    assert shell(binary, f"TFPROF scope not_there.pb {stderr}", env, tmp_path).returncode == 3
    assert shell(binary, f"TFPROF scope -no_such_option {stderr}", env, tmp_path).returncode == 2


def test_a_message_never_ends_in_a_file_that_took_the_number_of_stderr(binary, graph, env, tmp_path):
    found = shell(binary, f"TFPROF scope {graph} -viz -o out.txt 2>&- </dev/null", env, tmp_path)
    assert found.returncode == 0
    assert b"has no effect" not in (tmp_path / "out.txt").read_bytes()


@pytest.mark.parametrize("words", ["version", "--version", "help", "help options", "completion bash", "scope GRAPH",
                                   "info GRAPH"])
@pytest.mark.parametrize("stdout", [">/dev/full", ">&-"])
def test_a_stdout_that_cannot_be_written_is_an_error(binary, graph, env, tmp_path, words, stdout):
    found = shell(binary, f"TFPROF {words.replace('GRAPH', str(graph))} {stdout}", env, tmp_path)
    assert found.returncode == 3
    assert b"standard output: cannot be written" in found.stderr


# --- Memory.

def limited(binary, words, megabytes, env, cwd, **options):
    if is_sanitized(binary):
        pytest.skip("sanitizers reserve address space")

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return subprocess.run([str(binary), *map(str, words)], env=env, cwd=cwd, capture_output=True, timeout=120,
                          preexec_fn=limit, **options)


@pytest.fixture(scope="module")
def large_graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "graph.pbtxt"
    path.write_text("".join(f'node {{ name: "part_{i % 97}/layer_{i % 13}/node_{i}" op: "Add" }}\n'
                            for i in range(60000)))
    return path


COMMANDS = ["scope -max_depth 10", "graph -max_depth 10", "op", "code", "summary", "advise", "info", "model",
            "scope -format json", "scope -format html", "save -outfile saved.pb", "scope -o out.txt"]


@pytest.mark.parametrize("command", COMMANDS)
def test_out_of_memory_is_a_message_and_a_status(binary, large_graph, env, tmp_path, command):
    words = command.split()
    words.insert(1, large_graph)
    before = set(tmp_path.iterdir())
    statuses = []
    for megabytes in (24, 32, 40, 52, 70, 100):
        found = limited(binary, words, megabytes, env, tmp_path)
        statuses.append(found.returncode)
        assert found.returncode in STATUSES, (megabytes, found.returncode, found.stderr[-300:])
        if found.returncode == OUT_OF_MEMORY:
            assert b"out of memory" in found.stderr
        if found.returncode != 0:
            assert set(tmp_path.iterdir()) == before
        else:
            break
    if command.startswith("scope"):  # others may need no more than the least of these
        assert OUT_OF_MEMORY in statuses


def test_out_of_memory_in_a_command_of_the_prompt_is_its_status_alone(binary, large_graph, env, tmp_path):
    for megabytes in range(60, 400, 10):
        found = limited(binary, [large_graph], megabytes, env, tmp_path, input=b"version\ngraph -max_depth 10\nversion\n")
        assert found.returncode in STATUSES, found.stderr[-300:]
        if found.returncode == 0:
            return
        if found.stdout.count(b"tfprof ") == 2:  # the last command ran as if nothing had been
            assert b"out of memory" in found.stderr
            assert found.returncode == OUT_OF_MEMORY
    pytest.fail("never enough memory")


# --- Signals and the files they leave.

@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("directory", ["disk", "memory"])
def test_signals_leave_no_temporary_files(binary, large_graph, env, tmp_path, number, directory):
    place = tmp_path / "out"
    if directory == "memory" and os.path.isdir("/dev/shm"):
        place = type(tmp_path)(f"/dev/shm/tfprof-test-{os.getpid()}-{int(number)}")
    place.mkdir()
    try:
        target = place / "report.json"
        for delay in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4):
            process = subprocess.Popen([str(binary), "scope", str(large_graph), "-max_depth", "10", "-format", "json", "-o",
                                        str(target)], env=env, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(number)
            assert process.wait(timeout=60) in (0, -number)
            assert [item.name for item in place.iterdir() if item.name != "report.json"] == []
            if target.exists():
                json.loads(target.read_text())
    finally:
        for item in place.iterdir():
            item.unlink()
        place.rmdir()


# --- What -o writes to.

def run(binary, words, env, cwd, **options):
    return subprocess.run([str(binary), *map(str, words)], env=env, cwd=cwd, capture_output=True, timeout=60, **options)


def test_a_link_is_written_through(binary, graph, env, tmp_path):
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target.txt"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to("folder/target.txt")
    assert run(binary, ["scope", graph, "-o", link], env, tmp_path).returncode == 0
    assert link.is_symlink()
    assert "_TFProfRoot" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640
    assert [item.name for item in target.parent.iterdir()] == ["target.txt"]


def test_a_link_to_nothing_makes_its_target(binary, graph, env, tmp_path):
    link = tmp_path / "link.txt"
    link.symlink_to("new.txt")
    assert run(binary, ["scope", graph, "-o", link], env, tmp_path).returncode == 0
    assert link.is_symlink() and "_TFProfRoot" in (tmp_path / "new.txt").read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator may give files away")
def test_the_owner_of_a_file_stays(binary, graph, env, tmp_path):
    target = tmp_path / "target.txt"
    target.write_text("old")
    os.chown(target, 1234, 4321)
    assert run(binary, ["scope", graph, "-o", target], env, tmp_path).returncode == 0
    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 4321)


@pytest.mark.parametrize("length", [248, 249, 255])
def test_names_of_any_length_are_written(binary, graph, env, tmp_path, length):
    target = tmp_path / ("n" * length)
    assert run(binary, ["scope", graph, "-o", target], env, tmp_path).returncode == 0
    assert "_TFProfRoot" in target.read_text()


def test_new_files_have_the_mode_of_any_new_file(binary, graph, env, tmp_path):
    target = tmp_path / "new.txt"
    run(binary, ["scope", graph, "-o", target], env, tmp_path, preexec_fn=lambda: os.umask(0o027))
    assert target.stat().st_mode & 0o777 == 0o640


# --- Inputs.

def without_privileges():
    """Permissions hold for the administrator too."""
    libc = ctypes.CDLL(None)
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        libc.prctl(24, capability, 0, 0, 0)


def test_an_unreadable_file_of_a_directory_is_left_out_with_a_note(binary, graph, env, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    graph.rename(folder / "graph.pbtxt")
    stray = folder / "stray"
    stray.write_text("secret")
    stray.chmod(0)
    found = run(binary, ["scope", folder, "-select", "params"], env, tmp_path, preexec_fn=without_privileges)
    assert found.returncode == 0, found.stderr
    assert b"stray: cannot be opened: Permission denied; it is left out" in found.stderr
    assert b"alpha" in found.stdout


def test_files_of_proc_are_not_empty(binary, env, tmp_path):
    found = run(binary, ["scope", "/proc/self/status"], env, tmp_path)
    assert found.returncode == 3
    assert b"empty" not in found.stderr


def test_a_file_that_is_cut_short_while_it_is_read_is_named(binary, large_graph, env, tmp_path):
    graph = tmp_path / "cut.pbtxt"
    seen = set()
    for delay in (0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.08):
        graph.write_bytes(large_graph.read_bytes() * 4)
        process = subprocess.Popen([str(binary), "scope", str(graph), "-o", str(tmp_path / "out")], env=env,
                                   stderr=subprocess.PIPE)
        time.sleep(delay)
        os.truncate(graph, 4096)
        _, message = process.communicate(timeout=60)
        assert process.returncode in (0, 3), message
        seen.add(b"cut.pbtxt: was cut short" in message)
        assert {item.name for item in tmp_path.iterdir()} <= {"cut.pbtxt", "out", "home"}
    assert True in seen


def test_a_file_that_is_written_to_while_it_is_read_is_refused(binary, large_graph, env, tmp_path):
    graph = tmp_path / "torn.pbtxt"
    content = large_graph.read_bytes() * 2
    seen = set()
    for delay in (0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2):
        graph.write_bytes(content)
        process = subprocess.Popen([str(binary), "scope", str(graph), "-o", str(tmp_path / "out")], env=env,
                                   stderr=subprocess.PIPE)
        time.sleep(delay)
        with open(graph, "r+b") as file:  # the same file and size, other content
            file.write(content[:len(content) // 2].replace(b"part_", b"tear_"))
        _, message = process.communicate(timeout=60)
        assert process.returncode in (0, 3), message
        seen.add(b"torn.pbtxt: was written to while it was being read" in message)
        assert process.returncode == 0 or b"torn.pbtxt" in message
    assert True in seen


def test_a_file_that_another_takes_the_place_of_is_read_as_it_was(binary, large_graph, env, tmp_path):
    graph = tmp_path / "graph.pbtxt"
    graph.write_bytes(large_graph.read_bytes())
    words = [str(binary), "op", str(graph), "-format", "json"]
    expected = subprocess.run(words, env=env, capture_output=True).stdout
    process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.02)
    (tmp_path / "other").write_text('node { name: "a" op: "Mul" }\n')
    (tmp_path / "other").rename(graph)
    found, message = process.communicate(timeout=60)
    assert process.returncode == 0, message
    assert found == expected or b"Mul" in found  # the old one or the new, never both


@pytest.mark.parametrize("command", ["scope", "model"])
def test_a_model_that_is_cut_short_is_refused(binary, env, tmp_path, command):
    graph = wire.graph(*[wire.node("n%d" % i, "VariableV2", dims=[i + 1]) for i in range(20)])
    model = wire.message(_1=1, _2=wire.message(_1=wire.message(_4="serve"), _2=graph))
    for name, content in (("saved_model.pb", model), ("graph.pb", graph)):
        (tmp_path / name).write_bytes(content[:len(content) // 2 + 1])
        found = run(binary, [command, tmp_path / name], env, tmp_path)
        assert found.returncode == 3 and name.encode() in found.stderr, found
        assert b"cut short" in found.stderr or b"damaged" in found.stderr


# --- Terminals.

def test_a_pager_that_does_not_exist_swallows_nothing(terminal, graph, env, long_graph):
    terminal("scope", long_graph, "-max_rows", "0", env={**env, "PAGER": "no_such_pager -R"}).wait_for("zz_last")


def test_a_huge_history_is_not_read_as_a_whole(terminal, graph, env, home):
    history = home / ".local/state/tfprof/history"
    history.parent.mkdir(parents=True)
    with open(history, "wb") as file:
        file.truncate(1 << 40)  # a hole
        file.seek(0, 2)
        file.write(b"\nscope -max_depth 3\n")
    terminal(graph).wait_for("tfprof> ")
