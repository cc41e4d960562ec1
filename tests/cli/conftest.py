"""What the tests of the command line share: the binary, small graphs, and a bare environment."""

import os
import pathlib
import subprocess

import pytest

from support.tool import BINARY
from terminal_session import TerminalSession


@pytest.fixture(scope="session")
def binary():
    path = pathlib.Path(BINARY).resolve()
    assert path.exists(), f"{path}: build it, or set TFPROF_BINARY"
    return path


def variable(name, size):
    shape = f'attr {{ key: "shape" value {{ shape {{ dim {{ size: {size} }} }} }} }}'
    return f'node {{ name: "{name}" op: "VariableV2" {shape} }}\n'


@pytest.fixture
def graph(tmp_path):
    """A few nodes: alpha/one, alpha/weights (10 parameters), beta/bias (4 parameters)."""
    path = tmp_path / "graph.pbtxt"
    path.write_text('node { name: "alpha/one" op: "Add" }\n' + variable("alpha/weights", 10) + variable("beta/bias", 4))
    return path


@pytest.fixture
def long_graph(tmp_path):
    """Far more rows than a screen, a terminal's buffer or a pipe hold; the last one is zz_last."""
    path = tmp_path / "long.pbtxt"
    nodes = "".join(f'node {{ name: "node_{i:05}" op: "Add" }}\n' for i in range(8000))
    path.write_text(nodes + 'node { name: "zz_last" op: "Add" }\n')
    return path


@pytest.fixture
def home(tmp_path):
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture
def env(home):
    """Nothing of the caller's but PATH; no colour, so that rows can be compared."""
    path = os.environ["PATH"]
    return {"HOME": str(home), "PATH": path, "TERM": "xterm", "PAGER": "cat", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


@pytest.fixture
def terminal(binary, env, tmp_path):
    """Starts tfprof on a terminal: terminal(graph), terminal("scope", graph, env={...}, rows=50)."""
    sessions = []

    def start(*words, env=env, **options):
        session = TerminalSession([str(binary), *map(str, words)], env=env, cwd=tmp_path, **options)
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.__exit__()


@pytest.fixture
def pipe(binary, env, tmp_path):
    """Runs tfprof with `text` on standard input: pipe("scope\\n", graph)."""

    def run(text, *words):
        return subprocess.run(
            [binary, *map(str, words)], input=text, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=30
        )

    return run
