"""What a file, a pipe or a list of options can make tfprof take: memory is bounded by the size of the inputs, and refused with a
message beyond it (docs/security.md)."""

import gzip
import pathlib
import resource
import subprocess
import zlib

import pytest

from support import wire
from support.measure import cost
from support.tool import is_sanitized

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
MEGABYTE = 1_000_000
CONSTANT, PER_BYTE = 256 << 20, 64  # as memory_limit.h has them


@pytest.fixture
def measured(binary, env, tmp_path):
    """Runs and tells status, what was said, and the largest memory in bytes."""
    if is_sanitized(binary):
        pytest.skip("sanitizers take memory of their own")

    def run(*words, **options):
        done = cost([binary, *words], env, **{"cwd": tmp_path, **options})
        return done.status, done.said, done.memory
    return run


def node(name, op="A"):
    return wire.field(1, wire.field(1, name) + wire.field(2, op))


def test_a_gzip_bomb_is_refused_after_a_hundred_times_its_size(measured, tmp_path):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(1000)) + packer.flush()
    (tmp_path / "bomb.gz").write_bytes(packed)
    status, said, memory = measured("scope", "bomb.gz")
    assert (status, said) == (3, f"tfprof: error: bomb.gz: unpacks to more than {100 * len(packed) + (16 << 20)} bytes; "
                                 "--max_input SIZE allows more\n")
    assert memory < 101 * len(packed) + (64 << 20)


def test_what_was_packed_well_is_read_when_asked(measured, tmp_path):
    nodes = node("a" * 100) * 1_000_000
    (tmp_path / "graph.gz").write_bytes(gzip.compress(nodes))
    assert measured("info", "graph.gz")[0] == 3
    assert measured("info", "graph.gz", "--max_input", "1GB")[0] == 0


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_devices_are_refused_at_once(measured, device):
    status, said, memory = measured("scope", device)
    assert (status, said) == (3, f"tfprof: error: {device}: is a device, not a file\n")
    assert memory < 32 * MEGABYTE
    with open(device, "rb") as endless:
        status, said, memory = measured("scope", "-", stdin=endless)
    assert (status, said) == (3, "tfprof: error: standard input: is a device, not a file\n")


def test_nothing_at_all_is_an_empty_file(measured):
    assert "the file is empty" in measured("scope", "/dev/null")[1]


def test_a_pipe_without_end_is_refused(measured):
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        status, said, memory = measured("scope", "-", "--max_input", "100MB", stdin=endless.stdout)
        endless.stdout.close()
        endless.kill()
    assert (status, said) == (3, "tfprof: error: standard input: has more than 100000000 bytes; --max_input SIZE allows more\n")
    assert memory < 200 * MEGABYTE


def test_a_file_beyond_max_input_is_refused(measured, tmp_path):
    (tmp_path / "graph.pb").write_bytes(node("a") * 1000)
    status, said, _ = measured("scope", "graph.pb", "--max_input", "1KB")
    assert (status, said) == (3, "tfprof: error: graph.pb: has more than 1000 bytes; --max_input SIZE allows more\n")


def nodes_of_few_bytes():
    return b"".join(node("%x" % i) for i in range(400_000))


def names_of_many_levels():
    return node("/".join("a" * 2_000_000)) + node("/".join("b" * 2_000_000))


def functions_that_double():
    function = lambda i: wire.field(2, wire.field(1, wire.field(1, wire.field(1, "f%d" % i)) + b"".join(
        wire.field(3, wire.field(1, name) + wire.field(2, "f%d" % (i + 1))) for name in ("one", "two"))))
    return node("start", "f0") + b"".join(function(i) for i in range(40))


@pytest.mark.parametrize("make", [nodes_of_few_bytes, names_of_many_levels, functions_that_double], ids=lambda make: make.__name__)
@pytest.mark.parametrize("command", [["scope"], ["graph"], ["op"], ["model"], ["scope", "-format", "json"]], ids=" ".join)
def test_memory_is_bounded_by_the_size_of_the_input(measured, tmp_path, make, command):
    data = make()
    (tmp_path / "graph.pb").write_bytes(data)
    status, said, memory = measured(*command, "graph.pb")
    assert status == 0, said
    assert memory < CONSTANT + PER_BYTE * len(data)


def test_max_memory_is_a_limit_that_is_said(measured, tmp_path):
    (tmp_path / "graph.pb").write_bytes(nodes_of_few_bytes())
    status, said, memory = measured("scope", "graph.pb", "-max_memory", "40MB", "-o", "out.txt")
    assert (status, said) == (4, "tfprof: error: out of memory: more than 40 MB, as --max_memory says\n")
    assert memory < 100 * MEGABYTE  # with the mapped file, and the program
    assert not (tmp_path / "out.txt").exists()


# Whoever runs out of it: a listing of a folder, a mapping, SQLite.
@pytest.mark.parametrize("words", [["scope", "resnet"], ["info", "."], ["history", "history.db"], ["export", "resnet", "-o", "OUT"],
                                   ["oom", "resnet/README.md"]], ids=" ".join)
def test_no_memory_at_all_is_status_4_and_no_fault_of_a_file(measured, tmp_path, words):
    words = [str(tmp_path / "out.db") if word == "OUT" else word for word in words]
    status, said, _ = measured(*words, "-max_memory", "1", cwd=EXAMPLES)
    assert (status, said.splitlines()[-1]) == (4, "tfprof: error: out of memory: more than 0 MB, as --max_memory says")


@pytest.mark.parametrize("limit, words", [(resource.RLIMIT_DATA, ["-max_memory", "8GB"]), (resource.RLIMIT_AS, [])], ids=["data", "addresses"])
def test_a_lower_limit_of_the_system_stays_and_is_said(binary, env, tmp_path, limit, words):
    if is_sanitized(binary):
        pytest.skip("sanitizers take memory of their own")
    (tmp_path / "graph.pb").write_bytes(nodes_of_few_bytes())
    done = subprocess.run([str(binary), "scope", "graph.pb", *words], env=env, cwd=tmp_path, capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(limit, (60_000_000, 60_000_000)))
    assert (done.returncode, done.stderr) == (4, b"tfprof: error: out of memory: more than 60 MB, which the process was started with (ulimit)\n")


def test_a_million_names_as_regexes_take_seconds(binary, env, graph, tmp_path):
    names = ",".join("layer_%d" % i for i in range(1_000_000))
    done = subprocess.run([str(binary), str(graph)], env=env, cwd=tmp_path, capture_output=True, timeout=60,
                          input=f"scope -show_name_regexes {names}\n".encode())
    assert done.returncode == 0, done.stderr[-300:]


def test_too_many_regexes_are_refused(binary, env, graph, tmp_path):
    patterns = ",".join("layer_%d.*" % i for i in range(100_000))
    done = subprocess.run([str(binary), str(graph)], env=env, cwd=tmp_path, capture_output=True, timeout=60,
                          input=f"scope -show_name_regexes {patterns}\n".encode())
    assert done.returncode == 2
    assert b"-show_name_regexes: more than 10000 regular expressions that are no plain names" in done.stderr
