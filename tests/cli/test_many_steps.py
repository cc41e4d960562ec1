"""Runs of hundreds of steps: work grows with their number, not its square, and means need no step in memory."""
import json
import subprocess

import pytest

from make_steps import write_steps
from support.measure import cost
from support.tool import is_sanitized


def least(command, env, times=3):
    costs = [cost(command, env) for _ in range(times)]
    assert not any(one.status for one in costs), costs[0].said
    return min(one.seconds for one in costs)


def test_diff_of_times_is_linear_in_the_number_of_steps(binary, env, tmp_path):
    few, many = (write_steps(tmp_path / str(steps), steps, 60) for steps in (150, 600))
    command = [binary, "diff", "-select", "micros"]
    of_few, of_many = (least([*command, folder, folder], env) for folder in (few, many))
    assert of_many < 8 * of_few, f"4 times the steps took {of_many / of_few:.1f} times as long: {of_few:.2f} s, {of_many:.2f} s"


def test_a_mean_keeps_no_single_step_in_memory(binary, env, tmp_path):
    if is_sanitized(binary):
        pytest.skip("AddressSanitizer holds on to what was freed")
    folder = write_steps(tmp_path / "run", 300, 2000)
    mean = cost([binary, "scope", "-step", "-1", "-select", "micros", folder], env).memory
    one = cost([binary, "scope", "-step", "7", "-select", "micros", folder], env).memory
    # The mapped files are in both.
    assert mean < one * 2 / 3, f"{mean} bytes for the mean, {one} with all steps"


@pytest.mark.parametrize("view", ["scope", "op", "graph"])
def test_a_mean_of_many_steps_is_that_of_the_steps(binary, env, tmp_path, view):
    """Six steps are folded as they are read, by the saved profile of the same steps they are not."""
    folder = write_steps(tmp_path / "run", 6, 40)
    saved = tmp_path / "saved"
    subprocess.run([binary, "save", "-o", saved, folder], env=env, check=True, capture_output=True)
    select = "micros,cpu_micros,bytes,peak_bytes,occurrence,device"

    def report(path):
        done = subprocess.run([binary, view, "-select", select, "-format", "json", path], env=env, check=True, capture_output=True)
        return json.loads(done.stdout)

    of_run, of_saved = report(folder), report(saved)
    assert json.dumps(of_run.get("root", of_run.get("rows"))) == json.dumps(of_saved.get("root", of_saved.get("rows")))
    assert of_run["coverage"]["micros"] == of_saved["coverage"]["micros"] > 0
    assert of_run["coverage"]["micros_with_memory"] == of_saved["coverage"]["micros_with_memory"]


def test_info_lists_every_step_of_a_fold(binary, env, tmp_path):
    folder = write_steps(tmp_path / "run", 6, 40)
    done = subprocess.run([binary, "info", "-format", "json", folder], env=env, check=True, capture_output=True)
    steps = json.loads(done.stdout)["steps"]
    assert [(step["step"], step["nodes"], step["runs"]) for step in steps] == [(number, 40, 40) for number in range(6)]
    assert all(step["micros"] > 40 * 5 for step in steps)


@pytest.mark.parametrize("view", ["scope", "graph", "op"])
def test_diff_of_folded_steps_is_that_of_steps_that_are_kept(binary, env, tmp_path, view):
    """Of many steps the times of nodes are kept alone; where steps are named all of their figures are."""
    left, right = (write_steps(tmp_path / str(seed), 9, 40, seed) for seed in (1, 2))

    def tree(*inputs):
        command = [binary, "diff", "-view", view, "-select", "micros,cpu_micros,bytes", "-min_size", "0", "-delta", "0", "-format", "json"]
        done = subprocess.run([*command, *inputs], env=env, check=True, capture_output=True)
        return json.loads(done.stdout)["root"]

    means = tree(left, right)
    assert means["figures"]["micros"]["spread"] > 0
    assert len(means["children"]) > 0
    for other in ((f"{left}@step=0-8", f"{right}@step=0-8"), (left, f"{right}@step=0-8")):
        assert means == tree(*other)


def test_diff_keeps_of_a_step_its_times_alone(binary, env, tmp_path):
    if is_sanitized(binary):
        pytest.skip("AddressSanitizer holds on to what was freed")
    folder = write_steps(tmp_path / "run", 300, 2000)
    means = cost([binary, "diff", "-select", "micros", folder, folder], env).memory
    named = cost([binary, "diff", "-select", "micros", f"{folder}@step=0-299", folder], env).memory
    assert means < named * 2 / 3, f"{means} bytes for means, {named} with all figures"
