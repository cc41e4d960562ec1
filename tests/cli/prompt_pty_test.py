"""The prompt as a person meets it: on a real terminal."""

import stat

import pytest

from terminal_session import PROMPT

UP, LEFT, CTRL_A, CTRL_C, CTRL_D = "\x1b[A", "\x1b[D", "\x01", "\x03", "\x04"


def history_of(home):
    return (home / ".local/state/tfprof/history").read_text().splitlines()


def at_prompt(session):
    session.wait_for(PROMPT)
    return session


def run(session, line):
    """Enters a line; gives what it printed, the echo included."""
    session.send(line + "\r")
    return session.wait_for(PROMPT)


def test_says_what_was_loaded(terminal, graph):
    greeting = terminal(graph).wait_for(PROMPT)
    assert "loaded 3 nodes, no run metadata" in greeting


def test_command_prints_its_report(terminal, graph):
    shown = run(at_prompt(terminal(graph)), "scope -select params")
    assert "alpha/weights (10, 10/10 params)" in shown


@pytest.mark.parametrize(
    "typed, entered",
    [
        ("sco\t", "scope "),
        ("scope -sel\tpar\t,occ\t", "scope -select params,occurrence"),
        ("scope --ord\tnam\t", "scope --order_by=name "),
        ("op -order_by par\t-max_d\t3", "op -order_by params -max_depth 3"),
        ("scope -show_name_regexes al\tw\t", "scope -show_name_regexes alpha/weights"),
        ("scope -show_name_regexes .*,be\t", "scope -show_name_regexes .*,beta/"),
        ("scope -show_name_regexes 'be\tb\t'", "scope -show_name_regexes 'beta/bias'"),
        ("set -max_d\t5", "set -max_depth 5"),
        ("help sco\t", "help scope "),
        ("info -o hom\tout", "info -o home/out"),
    ],
)
def test_tab_completes(terminal, graph, home, typed, entered):
    session = at_prompt(terminal(graph))
    run(session, typed)
    assert history_of(home) == [entered]


def test_tab_lists_what_is_possible_and_keeps_the_line(terminal, graph, home):
    session = at_prompt(terminal(graph))
    session.send("s\t")
    listed = session.wait_for(PROMPT)
    for word in ("save", "scope", "set"):
        assert word in listed
    run(session, "cope")
    assert history_of(home) == ["scope"]


def test_tab_in_the_middle_completes_the_word_before_the_cursor(terminal, graph, home):
    session = at_prompt(terminal(graph))
    run(session, "op -order_by par -max_depth 3" + LEFT * len(" -max_depth 3") + "\t")
    assert history_of(home) == ["op -order_by params  -max_depth 3"]


def test_history_lasts_across_sessions(terminal, graph, home):
    first = at_prompt(terminal(graph))
    run(first, "scope -select params")
    run(first, "version")
    first.send("quit\r")
    assert first.exit_status() == 0
    assert history_of(home) == ["scope -select params", "version", "quit"]

    second = at_prompt(terminal(graph))
    assert "alpha/weights (10, 10/10 params)" in run(second, UP * 3)


def test_history_is_in_the_state_directory_and_private(terminal, graph, home, env, tmp_path):
    before = sorted(path.name for path in tmp_path.iterdir())
    session = at_prompt(terminal(graph, env={**env, "XDG_STATE_HOME": str(home / "state")}))
    run(session, "version")
    path = home / "state/tfprof/history"
    assert path.read_text() == "version\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not (home / ".local").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == before  # the working directory


def test_relative_state_directory_does_not_count(terminal, graph, home, env, tmp_path):
    session = at_prompt(terminal(graph, env={**env, "XDG_STATE_HOME": "here"}))
    run(session, "version")
    assert not (tmp_path / "here").exists()
    assert history_of(home) == ["version"]


def test_prompt_works_without_any_place_for_history(terminal, graph, env):
    bare = {key: value for key, value in env.items() if key != "HOME"}
    session = at_prompt(terminal(graph, env=bare))
    assert "tfprof 0" in run(session, "version")


def test_same_line_again_and_blank_lines_are_not_remembered(terminal, graph, home):
    session = at_prompt(terminal(graph))
    for line in ("version", "version", "", "   ", "version"):
        run(session, line)
    assert history_of(home) == ["version"]


def test_empty_line_shows_the_options(terminal, graph):
    lines = run(at_prompt(terminal(graph, rows=60)), "").replace("\r", "").split("\n")
    assert f"{'-max_depth':<28}10" in lines
    assert f"{'-select':<28}params" in lines  # what a graph alone gives
    assert f"{'-account_displayed_op_only':<28}false" in lines
    assert not any(line.startswith("-graph_path") for line in lines)


def test_set_keeps_options_for_later_commands(terminal, graph):
    session = at_prompt(terminal(graph, rows=60))
    assert "alpha/weights" in run(session, "scope")
    run(session, "set -max_depth 2 --order_by=params")
    assert f"{'-max_depth':<28}2" in run(session, "set")
    shown = run(session, "scope")
    assert "alpha (" in shown and "alpha/weights" not in shown
    assert "alpha/weights" in run(session, "scope -max_depth 10")  # for this line alone
    assert "alpha/weights" not in run(session, "scope")


def test_set_that_fails_changes_nothing(terminal, graph):
    session = at_prompt(terminal(graph, rows=60))
    assert "error" in run(session, "set -max_depth 2 -order_by nonsense")
    assert f"{'-max_depth':<28}10" in run(session, "set")


@pytest.mark.parametrize(
    "line, said",
    [
        ("scop", "did you mean 'scope'"),
        ("qiut", "no command 'qiut'"),
        ("scope -selct params", "did you mean 'select'"),
        ("scope 'open", "not closed"),
        ("scope -show_name_regexes '('", "error"),
        ("scope other.pbtxt", "loaded at its start"),
        ("scope -graph_path other.pbtxt", "loaded at its start"),
        ("-max_depth 3", "set -max_depth"),
        ("completion bash", "outside the prompt"),
        ("set scope", "is a command"),
    ],
)
def test_bad_line_says_why_and_the_prompt_goes_on(terminal, graph, line, said):
    session = at_prompt(terminal(graph))
    shown = run(session, line)
    assert "error" in shown and said in shown
    assert "alpha/weights" in run(session, "scope")


def test_help(terminal, graph):
    session = at_prompt(terminal(graph, rows=60))
    shown = run(session, "help")
    assert "scope" in shown and "set" in shown and "completion" not in shown
    shown = run(session, "help scope")
    assert "-max_depth" in shown and "-graph_path" not in shown
    assert "keep options" in run(session, "help set")
    assert "-max_depth" in run(session, "op --help")


def test_ctrl_c_forgets_the_line(terminal, graph, home):
    session = at_prompt(terminal(graph))
    session.send("nonsense")
    session.wait_for("nonsense")
    session.send(CTRL_C)
    session.wait_for(PROMPT)
    assert "tfprof 0" in run(session, "version")
    assert history_of(home) == ["version"]


def test_ctrl_c_stops_a_report_and_leaves_the_prompt(terminal, long_graph):
    session = at_prompt(terminal(long_graph))
    # Nobody reads while the report is printed, so that it is still at it however fast the machine is.
    session.send("scope --no-pager\r")
    session.wait_for("node_00001")
    session.send(CTRL_C)
    shown = session.wait_for(PROMPT)
    assert "stopped" in shown and "zz_last" not in shown
    assert "tfprof 0" in run(session, "version")
    session.send(CTRL_D)
    assert session.exit_status() == 0


@pytest.mark.parametrize("leave", ["quit\r", "exit\r", CTRL_D])
def test_leaving(terminal, graph, leave):
    session = at_prompt(terminal(graph))
    run(session, "nonsense")  # on a terminal a mistake is no failure
    session.send(leave)
    assert session.exit_status() == 0
    assert session.output.endswith("\n")  # the shell's prompt begins its own line


def pager(tmp_path, env, script):
    path = tmp_path / "pager"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return {**env, "PAGER": str(path)}


def test_pager_shows_what_is_longer_than_the_screen(terminal, long_graph, env, tmp_path):
    paging = pager(tmp_path, env, "echo PAGED\nexec tail -n 1\n")
    session = at_prompt(terminal(long_graph, env=paging))
    shown = run(session, "scope")
    assert "PAGED" in shown and "zz_last" in shown
    shown = run(session, "scope -max_depth 1")  # fits
    assert "PAGED" not in shown and "_TFProfRoot" in shown


def test_no_pager(terminal, long_graph, env, tmp_path):
    paging = pager(tmp_path, env, "echo PAGED\nexec cat\n")
    session = at_prompt(terminal(long_graph, env=paging))
    shown = run(session, "scope --no-pager")
    assert "PAGED" not in shown and "zz_last" in shown


def test_pager_that_is_left_early_is_no_error(terminal, long_graph, env, tmp_path):
    paging = pager(tmp_path, env, "exec head -n 1\n")
    session = at_prompt(terminal(long_graph, env=paging))
    assert "error" not in run(session, "scope")
    assert "tfprof 0" in run(session, "version")
    one_shot = terminal("scope", long_graph, env=paging)
    assert one_shot.exit_status() == 0


def test_ctrl_c_in_a_pager_that_lives_on_gives_the_prompt_only_after_it(terminal, long_graph, env, tmp_path):
    paging = pager(tmp_path, env, "trap '' INT\necho PAGER UP\nread key </dev/tty\ncat >/dev/null\necho PAGER DONE\n")
    session = at_prompt(terminal(long_graph, env=paging))
    session.send("scope\r")
    session.wait_for("PAGER UP")
    session.send(CTRL_C)
    session.wait_for("^C")
    session.send("\r")  # to the pager, which alone may read the terminal now
    assert PROMPT not in session.wait_for("PAGER DONE")
    session.wait_for(PROMPT)
    assert "tfprof 0" in run(session, "version")


def test_colour_on_a_terminal_unless_the_user_says_no(terminal, graph, env):
    def shown(*words, **more):
        without = {key: value for key, value in env.items() if key != "NO_COLOR"}
        session = terminal("scope", graph, *words, env={**without, **more})
        assert session.exit_status() == 0
        return session.output

    assert "\x1b[1m_TFProfRoot" in shown()
    assert "\x1b" not in shown(NO_COLOR="1")
    assert "\x1b" not in shown(TERM="dumb")
    assert "\x1b" not in shown("-color", "never")
    assert "\x1b[1m_TFProfRoot" in shown("-color", "always", NO_COLOR="1")


def test_dumb_terminal_reads_plain_lines(terminal, graph, env):
    session = at_prompt(terminal(graph, env={**env, "TERM": "dumb"}))
    assert "alpha/weights" in run(session, "scope")
    session.send("nonsense")
    session.wait_for("nonsense")
    session.send(CTRL_C)
    session.wait_for(PROMPT)
    assert "tfprof 0" in run(session, "version")
    session.send(CTRL_D)
    assert session.exit_status() == 0
    assert "\x1b" not in session.output


def test_names_beyond_ascii_can_be_typed_and_completed(terminal, tmp_path, home):
    graph = tmp_path / "umlaut.pbtxt"
    graph.write_text('node { name: "größe/a" op: "Add" }\nnode { name: "größe/b" op: "Add" }\n', encoding="utf-8")
    session = at_prompt(terminal(graph))
    run(session, "scope -show_name_regexes gr\tb\t")
    run(session, "scope -show_name_regexes grö\ta\t")
    assert history_of(home) == ["scope -show_name_regexes größe/b", "scope -show_name_regexes größe/a"]
