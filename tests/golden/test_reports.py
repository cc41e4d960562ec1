"""Reports of our own as they are read: each file of reports/ is a command and what it prints, to be reviewed in a diff.

A file begins with `$ tfprof WORDS`, run in the repository; then comes what it writes, and where it is not empty
`--- stderr` with the messages, and `--- status N` where it fails. To add a case write the first line into a new file;
`make goldens` (TFPROF_WRITE_GOLDENS=1) writes the rest, and git shows what changed.
"""
import os
import re
import shlex
from pathlib import Path

import pytest

from support.tool import run

REPOSITORY = Path(__file__).resolve().parents[2]
REPORTS = Path(__file__).resolve().parent / 'reports'
CASES = sorted(REPORTS.glob('*.txt'))
PROMPT = '$ tfprof '


def first_line(case: Path) -> str:
    return case.read_text(encoding='utf-8').partition('\n')[0]


def printed(binary: str, line: str) -> str:
    """What the file should hold for a command line."""
    assert line.startswith(PROMPT), 'a case begins with "%s": %r' % (PROMPT, line)
    done = run([binary, *shlex.split(line[len(PROMPT):])], REPOSITORY, env={'COLUMNS': '100', 'NO_COLOR': '1'})
    text = line + '\n' + done.text
    if done.err:
        text += '--- stderr\n' + done.err
    if done.status:
        text += '--- status %d\n' % done.status
    return text


@pytest.mark.parametrize('case', CASES, ids=[case.stem for case in CASES])
def test_report(binary, case):
    text = printed(binary, first_line(case))
    if os.environ.get('TFPROF_WRITE_GOLDENS'):
        case.write_text(text, encoding='utf-8')
    assert text == case.read_text(encoding='utf-8')


def test_every_report_of_our_own_has_a_case():
    kinds = {first_line(case)[len(PROMPT):].split()[0] for case in CASES}
    assert {'summary', 'memory', 'info', 'advise', 'diff', 'model', 'checkpoint', 'oom', 'history'} <= kinds


def test_no_case_depends_on_the_machine():
    for case in CASES:
        assert not re.search(r'(?<![\w.])/(home|root|tmp)/', case.read_text(encoding='utf-8')), case.name
