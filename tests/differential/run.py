"""Runs cases and sorts what they give: equal, named differences, crashes of TensorFlow, and what nobody explains."""
import re
from collections import Counter
from dataclasses import dataclass, field

from . import compare, named
from .minimise import minimise
from .worker import Worker


@dataclass
class Outcome:
    """The figures of a run."""

    cases: int = 0
    queries: int = 0
    rows: int = 0
    equal: int = 0
    crashes: Counter = field(default_factory=Counter)  # of TensorFlow's, by what it was doing
    named: Counter = field(default_factory=Counter)
    unexplained: list = field(default_factory=list)  # (case, query number, difference)

    def __str__(self):
        lines = ['%d cases, %d reports, %d equal in %d rows' % (self.cases, self.queries, self.equal, self.rows),
                 'TensorFlow gave no answer: %d %s' % (sum(self.crashes.values()), dict(self.crashes) or '')]
        lines += ['%6d %s' % (count, name) for name, count in self.named.most_common()]
        return '\n'.join([*lines, 'unexplained: %d' % len(self.unexplained)])


def verdict(case, number, want, got):
    """('equal' | 'crash' | 'named' | 'unexplained', what)."""
    query = case.queries[number]
    if 'died' in got:
        return 'unexplained', 'our process died: %s' % got['died']
    if 'died' in want or 'error' in want:
        return 'crash', ('%s %s' % (query.view, 'died' if 'died' in want else want['error']))
    difference = compare.difference(query, want, got)
    if difference is None:
        return 'equal', None
    name = named.name_of(case, query, want, got)
    return ('named', name) if name else ('unexplained', difference)


def kind_of(difference):
    """What a difference is about: a smaller case must not drift to another."""
    return difference[:25] if difference.startswith(('error', 'our')) else re.split(r'[: ]', difference)[0]


class Runner:
    """One worker for many cases."""

    def __init__(self):
        self.worker, self.maker = Worker(), Worker()

    def close(self):
        self.worker.stop()
        self.maker.stop()

    def both(self, case):
        ours, theirs = self.worker.answers_to('ours', case), self.worker.answers_to('theirs', case)
        return [(theirs[number], ours[number]) for number in range(len(case.queries))]

    def run(self, seeds, progress=None):
        outcome = Outcome()
        for seed in seeds:
            case = self.maker.made(seed)
            outcome.cases += 1
            for number, (want, got) in enumerate(self.both(case)):
                self.count(outcome, case, number, want, got)
            if progress:
                progress(outcome)
        return outcome

    @staticmethod
    def count(outcome, case, number, want, got):
        outcome.queries += 1
        kind, what = verdict(case, number, want, got)
        if kind == 'equal':
            outcome.equal += 1
            outcome.rows += len(want.get('rows', ()))
        elif kind == 'crash':
            outcome.crashes[what] += 1
        elif kind == 'named':
            outcome.named[what] += 1
        else:
            outcome.unexplained.append((case, number, what))

    def smallest(self, case, number, difference):
        """The case cut down to what still differs, and the difference."""
        def found(smaller):
            (want, got), = self.both(smaller)
            kind, what = verdict(smaller, 0, want, got)
            return what if kind == 'unexplained' else None

        def differs(smaller):
            what = found(smaller)
            return what if what and kind_of(what) == wanted else None

        wanted = kind_of(difference)

        return minimise(case, number, differs)
