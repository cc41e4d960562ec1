"""tfprof completion: the scripts work in their shells, and the man page is sound."""

import re
import shutil
import subprocess

import pytest


def completion(binary, word):
    return subprocess.run([binary, "completion", word], capture_output=True, text=True, timeout=30)


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


BASH = r"""
source <("$0" completion bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_tfprof
printf '%s\n' "${COMPREPLY[@]}"
"""


@needs("bash")
@pytest.mark.parametrize(
    "words, offered",
    [
        (["sco"], ["scope"]),
        (["scope", "-sel"], ["-select"]),
        (["scope", "--sel"], ["--select="]),
        (["scope", "--order_by", "=", "mic"], ["micros"]),  # as bash splits it
        (["scope", "-order_by", "mic"], ["micros"]),
        (["scope", "-select", "params,mic"], ["params,micros"]),
        (["scope", "gra"], ["graph.pbtxt"]),
        (["scope", "-graph_path", "gra"], ["graph.pbtxt"]),
        (["scope", "-output", "file", ":", "outfile", "=", "gra"], ["graph.pbtxt"]),
        (["scope", "-max_depth", ""], [""]),
        (["info", "-max_r"], ["-max_rows"]),
        (["help", "inf"], ["info"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_bash(binary, graph, words, offered):
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH, binary, "tfprof", *words],
        cwd=graph.parent, capture_output=True, text=True, timeout=30,
    )
    assert done.stdout.splitlines() == offered


@pytest.mark.parametrize("shell", [pytest.param(name, marks=needs(name)) for name in ("bash", "zsh", "fish")])
def test_syntax(binary, shell, tmp_path):
    script = tmp_path / "script"
    script.write_text(completion(binary, shell).stdout)
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert script.stat().st_size > 1000


@needs("fish")
@pytest.mark.parametrize(
    "line, offered",
    [
        ("tfprof sco", "scope"),
        ("tfprof scope -sel", "-select"),
        ("tfprof scope -select params,mic", "params,micros"),
        ("tfprof scope --order_by=mic", "--order_by=micros"),
    ],
)
def test_fish(binary, line, offered, env, tmp_path):
    code = f"source ('{binary}' completion fish | psub); complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=30
    )
    assert [row.split("\t")[0] for row in done.stdout.splitlines()] == [offered]


@needs("groff")
def test_man_page_has_no_warnings(binary):
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=completion(binary, "man").stdout,
        capture_output=True, text=True, timeout=30,
    )
    assert done.stderr == ""
    text = re.sub(".\b", "", done.stdout)  # bold is overstrike
    for title in ("NAME", "SYNOPSIS", "COMMANDS", "OPTIONS", "INPUTS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"):
        assert title in text


@pytest.mark.parametrize("word, said", [("bsh", "did you mean 'bash'"), ("powershell", "only for bash, zsh, fish, man")])
def test_wrong_word(binary, word, said):
    done = completion(binary, word)
    assert done.returncode == 2
    assert done.stdout == "" and said in done.stderr


def test_no_word(binary):
    done = subprocess.run([binary, "completion"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "bash" in done.stderr
