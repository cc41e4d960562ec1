"""README.md and docs/ quote real output: every quoted command prints what is written there, every link leads somewhere."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*REPOSITORY.glob('*.md'), *REPOSITORY.glob('docs/*.md'), *REPOSITORY.glob('examples/*/*.md'),
                REPOSITORY / 'bench' / 'README.md'])


def update_docs(binary, *more):
    return subprocess.run([sys.executable, str(REPOSITORY / 'tools' / 'update_docs.py'), '--binary', binary, *more],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def test_quoted_commands_print_what_is_written(binary):
    done = update_docs(binary, '--check')
    assert done.returncode == 0, done.stdout


def test_the_readme_quotes_something():
    text = (REPOSITORY / 'README.md').read_text()
    assert text.count('```console\n$ tfprof ') >= 5


@pytest.mark.parametrize('page', PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_links_lead_somewhere(page):
    for target in re.findall(r'\]\(([^)#]+)(?:#[^)]*)?\)', page.read_text()):
        if '://' not in target:
            assert (page.parent / target).exists(), target


def test_every_page_of_the_docs_is_in_their_index():
    index = (REPOSITORY / 'docs' / 'README.md').read_text()
    for page in REPOSITORY.glob('docs/*.md'):
        assert page.name == 'README.md' or '(%s)' % page.name in index, page.name
