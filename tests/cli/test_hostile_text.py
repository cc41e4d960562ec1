"""Text from outside that is a command to a terminal, to a spreadsheet or to a reader of Markdown: in every string of
the inputs, for every command and format, byte by byte."""

import json
import re
import subprocess

import pytest

# Clipboard (OSC 52), colour by C0 and C1, DEL, direction and line marks.
EVIL = "\x1b]52;c;aGk=\x07\x1b[31m\x9b31m\x85\x7f\u202e\u2066\u2028\u2029\r\t"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def quoted(text):
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode("utf-8", "surrogateescape")) + '"'


def write_inputs(folder, evil):
    def text(word):
        return quoted(word + evil)
    nodes, stats, log = [], [], []
    for i in range(3):
        name = text(f"scope{i}/name")
        nodes.append(
            f'node {{ name: {name} op: {text("Op")} device: {text("/device:GPU:0")} input: {text("scope0/name")} '
            f'attr {{ key: {text("key")} value {{ s: {text("value")} }} }} '
            f'attr {{ key: "_output_shapes" value {{ list {{ shape {{ dim {{ size: 7 }} }} }} }} }} }}\n')
        stats.append(
            f'node_stats {{ node_name: {name} timeline_label: {text("label")} all_start_micros: {10 + i} '
            f'op_end_rel_micros: 5 all_end_rel_micros: 6 op_start_rel_micros: 1 '
            f'memory {{ allocator_name: {text("GPU_0_bfc")} total_bytes: 4096 peak_bytes: 4096 }} '
            f'output {{ slot: 0 tensor_description {{ dtype: DT_FLOAT shape {{ dim {{ size: 7 }} }} '
            f'allocation_description {{ requested_bytes: 28 allocator_name: {text("GPU_0_bfc")} }} }} }} }}\n')
        log.append(
            f'log_entries {{ name: {name} float_ops: 99 types: {text("type")} code_def {{ traces {{ '
            f'file: {text("file.py")} lineno: 3 function: {text("function")} line: {text("line")} '
            f'func_start_line: 1 }} }} }}\n')
    (folder / "graph.pbtxt").write_text("".join(nodes))
    (folder / "run_meta").write_text(
        f'step_stats {{ dev_stats {{ device: {text("/device:GPU:0")} {"".join(stats)} }} }}\n')
    (folder / "op_log").write_text("".join(log))


def evil_words(folder, command, *more):
    return [*command.split(), "-graph_path", folder / "graph.pbtxt", "-run_meta_path", folder / "run_meta",
            "-op_log_path", folder / "op_log", *more]


COMMANDS = {
    "scope": "scope -max_depth 9 -select micros,bytes,params,float_ops,device,op_types,occurrence,input_shapes",
    "graph": "graph -max_depth 9 -select micros,bytes,device,op_types,input_shapes",
    "op": "op -select micros,bytes,device,op_types,occurrence,input_shapes",
    "code": "code -max_depth 9 -select micros,bytes,device",
    "summary": "summary", "advise": "advise", "info": "info", "memory": "memory", "steps": "steps",
}


@pytest.fixture
def run(binary, env, tmp_path):
    def go(words):
        return subprocess.run([str(binary), *map(str, words)], env=env, cwd=tmp_path, capture_output=True, timeout=60)
    return go


def check(data, what):
    text = data.decode("utf-8")  # strictly
    found = UNSAFE.search(text)
    assert not found, (what, text[max(0, found.start() - 60): found.end() + 20])


@pytest.mark.parametrize("evil", [EVIL, EVIL + "\udc9b31m\udcff"], ids=["utf8", "invalid"])
@pytest.mark.parametrize("format", ["text", "csv", "markdown", "json", "html"])
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_of_the_input_acts_on_a_terminal(run, tmp_path, command, format, evil):
    write_inputs(tmp_path, evil)
    found = run(evil_words(tmp_path, COMMANDS[command], "-format", format))
    check(found.stderr, "stderr")
    if format == "html":
        return  # a page is no terminal; its texts are checked where pages are
    check(found.stdout, format)
    if command in ("scope", "code", "op") and evil == EVIL:  # names that are no text at all may be refused
        assert found.returncode == 0, found.stderr
        assert re.search(rb"\\(x|u00)1b(\\)?\]52", found.stdout)


def walk(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item)
    elif isinstance(value, str):
        yield value


def test_json_keeps_the_exact_text_of_names(run, tmp_path):
    write_inputs(tmp_path, EVIL)
    found = json.loads(run(evil_words(tmp_path, COMMANDS["op"], "-format", "json")).stdout)
    assert "Op" + EVIL in set(walk(found))


def test_folded_stacks_are_safe(run, tmp_path):
    write_inputs(tmp_path, EVIL)
    found = run(evil_words(tmp_path, "code -max_depth 9 -select micros", "-output", "folded:outfile=out.folded"))
    assert found.returncode == 0, found.stderr
    check((tmp_path / "out.folded").read_bytes(), "folded")


def test_messages_about_names_of_files_are_safe(run, tmp_path):
    name = "file" + "\x1b]52;c;aGk=\x07\x9b\u202e"
    check(run(["scope", name]).stderr, "missing")
    (tmp_path / name).write_text('node { name: "a" op: "Add" }\n')
    for words in (["info", name], ["scope", name], ["info", name, "-format", "csv"], ["scope", tmp_path]):
        found = run(words)
        check(found.stderr, words)
        check(found.stdout, words)
    (tmp_path / (name + ".bad")).write_bytes(b"\x0a\xff\xff")
    check(run(["scope", name + ".bad"]).stderr, "damaged")


def test_messages_about_options_are_safe(run, tmp_path):
    (tmp_path / "g").write_text('node { name: "a" op: "Add" }\n')
    evil = "(\x1b]52;c;aGk=\x07\x9b"
    (tmp_path / "rules").write_text(f"{evil} {evil}\n{evil}: n(in0\n")
    for words in (["-show_name_regexes", evil], ["-flops_file", "rules", "-select", "float_ops"], ["-" + evil], ["-select", evil],
                  ["-format", evil], ["-order_by", evil], ["-step", evil], ["-o", evil + "/x"]):
        found = run(["scope", "g", *words])
        assert found.returncode in (2, 3), words
        check(found.stderr, words)


# --- Spreadsheets and Markdown.

FORMULAS = ["=1+1", "+cmd", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "=HYPERLINK(\"http://x\",\"y\")"]


def test_cells_that_a_spreadsheet_would_run_are_defused_in_files(run, tmp_path):
    (tmp_path / "g").write_text("".join(f"node {{ name: {quoted(name)} op: \"Add\" }}\n" for name in FORMULAS))
    command = ["scope", "g", "-select", "params,op_types", "-max_depth", "9", "-format", "csv"]
    assert run([*command, "-o", "out.csv"]).returncode == 0
    import csv
    cells = [cell for row in csv.reader((tmp_path / "out.csv").open()) for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "@") or cell.startswith("-2")]
    assert "'=1+1" in cells
    assert b"'=1+1" not in run(command).stdout
    assert b"'=1+1" in run([*command, "-defuse", "always"]).stdout
    run([*command, "-o", "out.csv", "-defuse", "never"])
    assert "'=1+1" not in (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize("name, shown", [
    ("[a](http://x)", r"[a\](http\://x)"),
    ("www.example.com", r"www\.example.com"),
    ("a@example.com", r"a\@example.com"),
    ("<script>", r"\<script>"),
    ("[x, 3]", "[x, 3]"),
])
def test_markdown_leaves_no_active_link(run, tmp_path, name, shown):
    (tmp_path / "g").write_text(f"node {{ name: {quoted(name)} op: \"Add\" }}\n")
    text = run(["graph", "g", "-select", "params", "-format", "markdown"]).stdout.decode()
    assert shown in text


def test_model_in_csv_and_markdown_is_valid_utf8(run, tmp_path):
    write_inputs(tmp_path, EVIL + "\udcff")
    for format in ("text", "csv", "markdown"):
        found = run(["model", tmp_path / "graph.pbtxt", "-format", format])
        check(found.stdout, format)
        check(found.stderr, format)
