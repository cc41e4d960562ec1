#!/usr/bin/env python3
"""Keeps the facts in README.md and docs/ true.

    update_docs.py [--binary TFPROF]            runs the quoted commands again and writes what they print, and
                                                docs/options.md, the rules in docs/flops.md and the tables in
                                                docs/fleet.md, which are the program's own tables
    update_docs.py --check [--binary TFPROF]    writes nothing; prints what is out of date, exit status 1
    update_docs.py --bench FILE                 puts the tables that bench/compare.py wrote between the bench marks

A quoted command is a block that begins with ```console and `$ tfprof ...`: everything up to the closing ``` is what
the command prints on standard output. Several commands may follow one another in a block. They run in the top folder,
in bash, with the binary as `tfprof`. In docs/fleet.md a ```sql block and the table behind it are a question and its answer
from examples/history.db.
"""
import argparse
import difflib
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r'^```console\n(.*?)^```$', re.MULTILINE | re.DOTALL)
RULES = re.compile(r'(<!-- rules -->\n).*?(<!-- /rules -->)', re.DOTALL)
TABLES = re.compile(r'(<!-- tables -->\n).*?(<!-- /tables -->)', re.DOTALL)
QUESTION = re.compile(r'^```sql\n(.*?)^```\n\n(?:\|[^\n]*\n)*\n?', re.MULTILINE | re.DOTALL)
BENCH = re.compile(r'(<!-- bench -->\n).*?(<!-- /bench -->)', re.DOTALL)


def documents():
    return [TOP / 'README.md', *sorted((TOP / 'docs').glob('*.md'))]


class Runner:
    """Runs quoted commands; a scratch folder with a link named tfprof comes first in PATH."""

    def __init__(self, binary, folder):
        os.symlink(os.path.abspath(binary), os.path.join(folder, 'tfprof'))
        keep = ('HOME', 'ASAN_OPTIONS', 'UBSAN_OPTIONS')
        self.environment = {key: os.environ[key] for key in keep if key in os.environ}
        self.environment['PATH'] = folder + os.pathsep + os.environ['PATH']
        self.environment['LC_ALL'] = 'C.UTF-8'
        self.environment['TMPDIR'] = folder  # for what a quoted command writes

    def output(self, command):
        done = subprocess.run(['bash', '-c', command], cwd=TOP, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        if done.returncode:
            raise SystemExit('%s: exit status %d\n%s' % (command, done.returncode, done.stderr))
        return done.stdout

    def renewed(self, text):
        return BLOCK.sub(lambda block: '```console\n%s```' % self.block(block[1]), text)

    def block(self, text):
        commands = [line for line in text.splitlines() if line.startswith('$ ')]
        return '\n'.join('%s\n%s' % (line, self.output(line[2:])) for line in commands)


def answer(block):
    """A question, and its rows as a table."""
    connection = sqlite3.connect('file:%s?mode=ro' % (TOP / 'examples' / 'history.db'), uri=True)
    rows = connection.execute(block[1])
    names = [column[0] for column in rows.description]

    def cell(value):
        return '' if value is None else '%.4g' % value if isinstance(value, float) else str(value).replace('|', '\\|').split('\n')[0]

    lines = [names, ['---'] * len(names), *([cell(value) for value in row] for row in rows)]
    connection.close()
    return '```sql\n%s```\n\n%s\n' % (block[1], ''.join('| %s |\n' % ' | '.join(line) for line in lines))


def wanted(runner):
    """What each document should hold, by path."""
    texts = {path: runner.renewed(path.read_text()) for path in documents()}
    texts[TOP / 'docs' / 'options.md'] = runner.output('tfprof help options --format markdown')
    flops = TOP / 'docs' / 'flops.md'
    rules = runner.output('tfprof help flops --format markdown')
    texts[flops], count = RULES.subn(lambda m: m[1] + rules + m[2], texts[flops])
    if count != 1:
        raise SystemExit('docs/flops.md: one pair of <!-- rules --> and <!-- /rules --> is expected')
    fleet = TOP / 'docs' / 'fleet.md'
    tables = runner.output('tfprof help tables --format markdown')
    texts[fleet], count = TABLES.subn(lambda m: m[1] + tables + m[2], QUESTION.sub(answer, texts[fleet]))
    if count != 1:
        raise SystemExit('docs/fleet.md: one pair of <!-- tables --> and <!-- /tables --> is expected')
    return texts


def out_of_date(path, text):
    old = path.read_text() if path.exists() else ''
    name = str(path.relative_to(TOP))
    return list(difflib.unified_diff(old.splitlines(), text.splitlines(), name, name + ' (now)', lineterm=''))


def put_bench(tables):
    readme = TOP / 'README.md'
    text, count = BENCH.subn(lambda m: m[1] + tables + m[2], readme.read_text())
    if count != 1:
        raise SystemExit('README.md: one pair of <!-- bench --> and <!-- /bench --> is expected')
    readme.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--binary', default=str(TOP / 'build' / 'release' / 'tfprof'))
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--bench', metavar='FILE')
    args = parser.parse_args()
    if args.bench:
        put_bench(Path(args.bench).read_text())
        return 0
    with tempfile.TemporaryDirectory() as folder:
        texts = wanted(Runner(args.binary, folder))
    stale = 0
    for path, text in texts.items():
        difference = out_of_date(path, text)
        if not difference:
            continue
        stale += 1
        if args.check:
            print('\n'.join(difference))
        else:
            path.write_text(text)
            print('wrote %s' % path.relative_to(TOP))
    if stale and args.check:
        print('out of date; `make docs` writes them again')
    return 1 if stale and args.check else 0


if __name__ == '__main__':
    sys.exit(main())
