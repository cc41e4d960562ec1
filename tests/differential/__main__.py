"""python -m differential [CASES [SEED]]: random cases against TensorFlow's own tfprof. SEED/N runs case N alone."""
import os
import sys
import time

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'python'))

SHOWN = int(os.environ.get('TFPROF_DIFFERENCES') or 5)  # differences that are minimised and printed


def describe(case, difference):
    query, = case.queries
    from .options import PLAIN
    changed = {name: value for name, value in query.options.items() if value != PLAIN.get(name)}
    lines = ['== case %s%s: %s %s' % (case.seed, ' (live)' if case.live else '', query.view, changed),
             'graph { %s }' % str(case.graph).replace('\n', ' ')]
    lines += ['step %d { %s }' % (step, str(run).replace('\n', ' ')) for step, run in case.steps]
    lines.append('op log { %s }' % str(case.op_log).replace('\n', ' '))
    return '\n'.join(' '.join(line.split()) for line in lines) + '\n' + str(difference)


def main(words):
    from . import run
    count, base = int(words[0]) if words else 300, words[1] if len(words) > 1 else '0'
    seeds = [base] if '/' in base else ['%s/%d' % (base, number) for number in range(count)]
    runner, begun = run.Runner(), time.time()

    def progress(outcome):
        if outcome.cases % 500 == 0:
            print('%d cases, %d unexplained, %.0f s' % (outcome.cases, len(outcome.unexplained), time.time() - begun), flush=True)

    outcome = runner.run(seeds, progress)
    print(outcome)
    kinds = {}  # the first of each kind is shown first
    for found in outcome.unexplained:
        kinds.setdefault((found[0].queries[found[1]].view, run.kind_of(found[2])), []).append(found)
    for (view, kind), found in sorted(kinds.items()):
        print('%6d in %s: %s' % (len(found), view, kind))
    in_turn = sorted(((turn, found) for group in kinds.values() for turn, found in enumerate(group)), key=lambda pair: pair[0])
    for _, (case, number, difference) in in_turn[:SHOWN]:
        smaller, found = runner.smallest(case, number, difference)
        print(describe(smaller, found or '%s (not again)' % difference), flush=True)
    runner.close()
    return 1 if outcome.unexplained else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
