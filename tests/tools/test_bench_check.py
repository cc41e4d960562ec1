"""`make bench-check` fails where a stage takes 5 % more instructions than recorded, and only there."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
CHECK = REPOSITORY / 'bench' / 'check.py'
# Stands for valgrind: counts as many instructions as the program's file has bytes.
COUNTER = '''#!/bin/sh
[ "$1" = --version ] && { echo valgrind-0; exit; }
for word; do case "$word" in */program_*) program="$word" ;; esac; done
echo "==1== I   refs:      $(wc -c <"$program")" >&2
'''


def check(folder, *arguments):
    return subprocess.run([sys.executable, str(CHECK), '--work', str(folder / 'work'), '--baseline', str(folder / 'base.json'), *arguments],
                          env={**os.environ, 'PATH': '%s:%s' % (folder, os.environ['PATH'])}, capture_output=True, text=True, check=False)


@pytest.fixture(name='folder', scope='module')
def a_folder(tmp_path_factory):
    """A counter, programs of 1000, 1050 and 1051 "instructions", and a baseline of the first."""
    folder = tmp_path_factory.mktemp('bench')
    (folder / 'valgrind').write_text(COUNTER)
    for size in (1000, 1050, 1051):
        (folder / ('program_%d' % size)).write_bytes(b'#' * size)
    for name in ('valgrind', 'program_1000', 'program_1050', 'program_1051'):
        (folder / name).chmod(0o755)
    done = check(folder, '--binary', str(folder / 'program_1000'), '--write')
    assert done.returncode == 0, done.stderr
    return folder


def test_the_same_counts_pass(folder):
    done = check(folder, '--binary', str(folder / 'program_1000'))
    assert done.returncode == 0 and re.search(r'\| scope +\| 1,000 +\| 1,000 +\| \+0.00 % +\|', done.stdout), done.stdout


def test_five_percent_more_pass_and_a_bit_more_fails(folder):
    assert check(folder, '--binary', str(folder / 'program_1050')).returncode == 0
    done = check(folder, '--binary', str(folder / 'program_1051'), '--stages', 'scope,op')
    assert done.returncode == 1 and 'above the baseline: scope, op' in done.stdout and '+5.10 %' in done.stdout, done.stdout


def test_a_stage_without_a_baseline_fails(folder, tmp_path):
    recorded = json.loads((folder / 'base.json').read_text())
    del recorded['instructions']['op']
    (tmp_path / 'base.json').write_text(json.dumps(recorded))
    done = check(folder, '--binary', str(folder / 'program_1000'), '--baseline', str(tmp_path / 'base.json'))
    assert done.returncode == 1 and 'above the baseline: op.' in done.stdout, done.stdout


def test_counts_of_another_compiler_decide_nothing(folder, tmp_path):
    recorded = json.loads((folder / 'base.json').read_text())
    recorded['tools']['compiler'] = 'another one'
    (tmp_path / 'base.json').write_text(json.dumps(recorded))
    done = check(folder, '--binary', str(folder / 'program_1051'), '--baseline', str(tmp_path / 'base.json'))
    assert done.returncode == 0 and 'the baseline has another one' in done.stdout, done.stdout


def test_against_another_program(folder):
    done = check(folder, '--binary', str(folder / 'program_1051'), '--against', str(folder / 'program_1000'), '--stages', 'op')
    assert done.returncode == 1 and '+5.10 %' in done.stdout, done.stdout


def test_a_program_that_fails_is_no_count(folder, tmp_path):
    (tmp_path / 'valgrind').write_text('#!/bin/sh\n[ "$1" = --version ] && exit\nexit 3\n')
    (tmp_path / 'valgrind').chmod(0o755)
    done = subprocess.run([sys.executable, str(CHECK), '--work', str(folder / 'work'), '--binary', str(folder / 'program_1000')],
                          env={**os.environ, 'PATH': '%s:%s' % (tmp_path, os.environ['PATH'])}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and 'exit status 3' in done.stderr


def test_the_recorded_baseline_has_every_stage(folder):
    """What was added to the stages is in bench/instructions.json too."""
    recorded = json.loads((REPOSITORY / 'bench' / 'instructions.json').read_text())['instructions']
    assert recorded.keys() == json.loads((folder / 'base.json').read_text())['instructions'].keys()
