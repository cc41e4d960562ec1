"""--threads changes how long reading takes and nothing else: the same bytes for 1, 2 and 8, of whole and of damaged inputs. Inputs are
large enough that threads are used (base/ahead.h)."""

import pytest

from support import wire

NODES = 6000


def node(number):
    """A NodeDef with inputs, shapes and attributes that nobody asks for."""
    inputs = b"".join(wire.field(3, f"{'^' * (number % 5 == 0)}part_{(number - k) // 50}/op_{number - k}:0")
                      for k in (1, 2, 7) if number >= k)
    shape = wire.field(7, wire.field(2, wire.field(1, number % 64 + 1)) + wire.field(2, wire.field(1, 8)))
    shapes = wire.field(1, wire.field(7, wire.field(2, wire.field(1, number % 32))))
    entries = [("padding", wire.field(2, "x" * 150)), ("_output_shapes", shapes)] + [("shape", shape)] * (number % 3 == 0)
    attributes = b"".join(wire.field(5, wire.field(1, key) + wire.field(2, value)) for key, value in entries)
    return wire.field(1, name_of(number)) + wire.field(2, ["MatMul", "Add", "VariableV2"][number % 3]) + inputs + attributes


def name_of(number):
    return f"part_{number // 50}/op_{number}"


def record(number):
    memory = wire.field(6, wire.field(1, "cpu") + wire.field(2, number % 512) + wire.field(3, number % 512)
                        + wire.field(6, wire.field(1, 1_000_000 + number) + wire.field(2, number % 512)))
    described = wire.field(1, number % 300) + wire.field(2, number % 512)
    output = wire.field(7, wire.field(3, wire.field(1, 1) + wire.field(2, wire.field(2, wire.field(1, 4))) + wire.field(4, described)))
    label = wire.field(8, f"{name_of(number)} = {['MatMul', 'Add', '_FusedMatMul'][number % 3]}(a, b)" + " " * 100)
    return wire.field(1, name_of(number)) + wire.field(2, 1_000_000 + number) + wire.field(4, number % 90) + memory + output + label


def entry(number):
    frames = b"".join(wire.field(1, wire.field(2, line) + wire.field(6, 0) + wire.field(7, 1) + wire.field(8, 2))
                      for line in (*range(16), number % 40))
    return wire.field(1, name_of(number)) + wire.field(2, number * 10) + wire.field(3, f"type_{number % 4}") + wire.field(4, frames)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A folder with a graph, a step and an op log of more than a megabyte each."""
    folder = tmp_path_factory.mktemp("threads")
    order = [(i * 7919) % NODES for i in range(NODES)]
    (folder / "graph.pb").write_bytes(b"".join(wire.field(1, node(i)) for i in range(NODES)))
    devices = b"".join(wire.field(1, wire.field(1, name) + b"".join(wire.field(2, record(i)) for i in part))
                       for name, part in (("/job:a/device:CPU:0", order), ("/job:a/device:CPU:1", range(NODES, NODES + 50))))
    (folder / "run_meta_1").write_bytes(wire.field(1, devices))
    strings = b"".join(wire.field(2, wire.field(1, i) + wire.field(2, text)) for i, text in enumerate(("model.py", "build", "x = f(y)")))
    (folder / "tfprof_log").write_bytes(b"".join(wire.field(1, entry(i)) for i in order) + strings)
    assert all((folder / name).stat().st_size > 1 << 20 for name in ("graph.pb", "run_meta_1", "tfprof_log"))
    return folder


def said(tfprof, command, folder, **options):
    """What each number of threads prints, which is the same."""
    outcomes = []
    for threads in (1, 2, 8):
        outcome = tfprof(command, str(folder), threads=threads, **options)
        outcomes.append((outcome.status, outcome.text, outcome.err))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    return outcomes[0]


@pytest.mark.parametrize("command", ("scope", "graph", "op", "code", "memory", "summary", "info", "advise"))
def test_reports_are_the_same_for_any_number_of_threads(tfprof, run, command):
    options = {"max_depth": 100, "select": "micros,bytes,params,float_ops,occurrence"} if command in ("scope", "graph", "op", "code") else {}
    status, text, _ = said(tfprof, command, run, **options)
    assert status == 0 and len(text) > 200


def test_files_are_the_same_for_any_number_of_threads(tfprof, run, tmp_path):
    files = []
    for threads in (1, 2, 8):
        for command, name in (("timeline", "trace.json"), ("save", "profile")):
            tfprof(command, str(run), threads=threads, o=str(tmp_path / name)).ok()
        files.append([(tmp_path / name).read_bytes() for name in ("trace.json", "profile")])
    assert files[0] == files[1] == files[2]


@pytest.mark.parametrize("file", ("graph.pb", "run_meta_1", "tfprof_log"))
def test_damage_is_met_alike_by_any_number_of_threads(tfprof, run, tmp_path, file):
    for name in ("graph.pb", "run_meta_1", "tfprof_log"):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    whole = (run / file).read_bytes()
    third = len(whole) // 3
    for damaged in (whole[:third],                                        # cut
                    whole[:third] + b"\xff" * 40 + whole[third + 40:],    # overwritten
                    whole.replace(b"part_60/op_3005", b"part_60/op_\xff\xfe\xfd5")):  # no text
        (tmp_path / file).write_bytes(damaged)
        for going in (False, True):
            said(tfprof, "scope", tmp_path, max_depth=100, select="micros,params,float_ops", keep_going=going)
            said(tfprof, "code", tmp_path, max_depth=100, select="micros", keep_going=going)
    status, _, err = said(tfprof, "scope", tmp_path, max_depth=100, keep_going=True)
    assert status == 0 and ("UTF-8" in err or file == "tfprof_log")


def test_threads_are_a_number_of_threads(tfprof, run):
    assert "threads are 1 to 256" in tfprof("scope", str(run), threads=1000).fails(2).err
    assert "threads are 1 to 256" in tfprof("scope", str(run), threads=-1).fails(2).err
    assert tfprof("scope", str(run), threads=0).ok().text == tfprof("scope", str(run), threads=256).ok().text
