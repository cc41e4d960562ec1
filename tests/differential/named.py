"""Differences that are deliberate: each has a name, which docs/differences.md uses too, and a check.

A check holds only where the answers differ in nothing but what the name says.
"""
import re

from .compare import report_of

UNNAMED = ('is no RunMetadata', 'not recognised', 'is no GraphDef')
# Cells of figures that are 0 in TensorFlow's text and n/a in ours.
ZERO = r'(--|0(us|B)?)(/0(us|B)?)?( params| float_ops)?( \(0\.00%, 0\.00%\))?'


def says(got, *texts):
    return any(text in got.get('error', '') for text in texts)


def no_name(case, query, want, got):
    """A node, op or device that has none."""
    named = all(node.name and node.op for node in case.graph.node) and all(
        device.device for _, run in case.steps for device in run.step_stats.dev_stats)
    return not named and says(got, *UNNAMED)


def nothing_to_draw(case, query, want, got):
    return query.options.get('output') == 'timeline' and says(got, 'there is nothing to draw', 'a timeline cannot be drawn')


def op_has_no_timeline(case, query, want, got):
    return query.view == 'op' and says(got, 'the op view has no timeline')


def pprof_is_of_code(case, query, want, got):
    return query.view != 'code' and query.options.get('output') == 'pprof' and says(got, 'is for call stacks')


def unknown_step(case, query, want, got):
    return query.options.get('step') not in (-1, *(step for step, _ in case.steps)) and says(got, '-step')


def no_call_stacks(case, query, want, got):
    return query.view == 'code' and says(got, 'needs call stacks')


def zero_where_not_recorded(want, got):
    """Whether a line of TensorFlow's says 0 where ours says n/a, and is the same elsewhere."""
    words = re.split(r'(n/a|\s+)', got.strip())
    form = ''.join(ZERO if word == 'n/a' else r'\s+' if word.isspace() else re.escape(word) for word in words)
    return want == got or ('n/a' in got and re.fullmatch(form, want.strip()) is not None)


def pprof_of_what_was_not_recorded(case, query, want, got):
    return query.options.get('output') == 'pprof' and says(got, 'was not recorded')


def root_is_never_trimmed(case, query, want, got):
    return any(re.fullmatch(regex, '_TFProfRoot') for regex in query.options.get('trim_name_regexes', ()))


def not_recorded(case, query, want, got):
    """Text says n/a for what no input recorded; everything else is the same."""
    if 'rows' not in got or want['rows'] != got['rows'] or query.options['output'] not in ('stdout', 'file'):
        return False
    texts = [answer['text'] if query.options['output'] == 'stdout' else answer['files'].get('out', b'') for answer in (want, got)]
    a, b = ((report_of(text) or b'').decode(errors='replace').split('\n') for text in texts)
    return len(a) == len(b) and all(zero_where_not_recorded(*lines) for lines in zip(a, b))


def sorts_by_it(case, query, want, got):
    """Occurrence and depth sort in scope and graph: the same rows in another order."""
    return query.options.get('order_by') in ('occurrence', 'depth') and query.view in ('scope', 'graph') and \
        'rows' in got and sorted(map(repr, want['rows'])) == sorted(map(repr, got['rows']))


NAMED = (
    ('no name', no_name),
    ('nothing to draw', nothing_to_draw),
    ('no timeline of op', op_has_no_timeline),
    ('pprof of code alone', pprof_is_of_code),
    ('unknown step', unknown_step),
    ('no call stacks', no_call_stacks),
    ('pprof of a figure that was not recorded', pprof_of_what_was_not_recorded),
    ('the root is never trimmed', root_is_never_trimmed),
    ('not recorded', not_recorded),
    ('order by occurrence or depth', sorts_by_it),
)


def name_of(case, query, want, got):
    """The first name that fits, or None."""
    return next((name for name, check in NAMED if check(case, query, want, got)), None)
