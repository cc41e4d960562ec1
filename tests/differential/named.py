"""Differences that are deliberate: each has a name, which docs/differences.md uses too, and a check.

A check holds only where the answers differ in nothing but what the name says.
"""
import re

from .compare import bars, difference, report_of, samples
from .options import PLAIN

HIDING = ('max_depth', 'show_name_regexes', 'hide_name_regexes', 'start_name_regexes', 'trim_name_regexes',
          *(name for name in PLAIN if name.startswith('min_')))

UNNAMED = ('is no RunMetadata', 'not recognised', 'is no GraphDef', 'is no OpLog')
# Cells of figures that are 0 in TensorFlow's text and n/a in ours.
ZERO = r'(n/a|(--|0(us|B)?)(/0(us|B)?)?)'
NO_SHARE = r'( \(0\.00%, 0\.00%\))?'


def says(got, *texts):
    return any(text in got.get('error', '') for text in texts)


def no_name(case, query, want, got):
    """A node, op or device that has none."""
    named = all(node.name and node.op for node in case.graph.node) and all(
        device.device for _, run in case.steps for device in run.step_stats.dev_stats)
    return not named and (says(got, *UNNAMED) or not all(node.name and node.op for node in case.graph.node))


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
    words = re.split(r'(n/a(?: params| float_ops)?|\s+)', got.strip())
    form = ''.join(ZERO + word[3:] + NO_SHARE if word.startswith('n/a') else r'\s+' if word.isspace() else re.escape(word)
                   for word in words)
    return want == got or ('n/a' in got and re.fullmatch(form, want.strip()) is not None)


def pprof_of_what_was_not_recorded(case, query, want, got):
    return query.options.get('output') == 'pprof' and says(got, 'was not recorded')


def types_of(case, node):
    """A node's types, except for devices that only a step tells."""
    found = {node.op}
    for entry in case.op_log.log_entries if case.op_log else ():
        found.update(entry.types if entry.name == node.name else ())
    return found | {device.device.lower() for _, run in case.steps for device in run.step_stats.dev_stats}


def counted_once(case, query, want, got):
    """Regexes that overlap: TensorFlow counts a node once for each that matches."""
    regexes = query.options.get('account_type_regexes', ())
    return query.view in ('op', 'code') and 'rows' in got and any(
        sum(any(re.fullmatch(regex, one) for one in types_of(case, node)) for regex in regexes) > 1 for node in case.graph.node)


def not_idle(case, query, want, got):
    """Accelerators of which no stream was traced are not called idle."""
    if query.view != 'advise' or 'advice' not in got:
        return False
    name = 'AcceleratorUtilizationChecker'
    said, ours = want['advice'][name], got['advice'][name]
    idle = [line for line in said if line not in ours]
    return all(line.endswith('low utilization: 0.00') for line in idle) and difference(
        query, {'advice': {**want['advice'], name: [line for line in said if line in ours]}}, got) is None


CANONICAL = re.compile(r'.*/(device:gpu|gpu|device:cpu|cpu):\d+')


def devices_of(case, number=None):
    """The devices that may be a node's own, by node, in the order of the steps' numbers, or in one step alone."""
    found = {}
    for step, run in sorted(case.steps, key=lambda pair: pair[0]):
        if number not in (None, str(step)):
            continue
        for device in run.step_stats.dev_stats:
            if CANONICAL.fullmatch(device.device.lower()):
                for record in device.node_stats:
                    found.setdefault(record.node_name.partition(':')[0], []).append(device.device.lower())
    return found


def steps_in_order(case, query, want, got):
    """Steps are read in the order of their numbers: that decides on which of several devices a node is."""
    numbers = [number for number, _ in case.steps]
    return numbers != sorted(numbers) and any(len(set(devices)) > 1 for devices in devices_of(case).values())


def more_bars(case, query, want, got):
    """Why our timeline has bars that TensorFlow's has not; None where that is not all."""
    if query.view != 'graph' or query.options['output'] != 'timeline' or sorted(want['files']) != sorted(got.get('files', ())):
        return None
    if want['rows'] != got['rows'] and want['rows'][0][1][0] != '':
        return None
    reasons = set()
    for name, content in got['files'].items():
        number = name.rpartition('_')[2]
        placed = devices_of(case, number)
        wanted, drawn = bars(want['files'][name]), bars(content)
        if wanted - drawn:
            return None
        taken = {(process, start) for process, _, start, _ in wanted}
        for process, node, start, _ in drawn - wanted:
            reasons.add('stream' if node not in placed else 'moment' if (process, start) in taken else 'unknown')
    return reasons


def streams_alone(case, query, want, got):
    """A timeline draws what ran on a stream alone; TensorFlow draws nodes that have a device."""
    return 'stream' in (reasons := more_bars(case, query, want, got) or ()) and 'unknown' not in reasons


def minima_of_each_step(case, query, want, got):
    """A timeline of all steps draws what the means show; TensorFlow compares the minima with each step's own figures."""
    minima = any(value for name, value in query.options.items() if name.startswith('min_'))
    return minima and query.view == 'graph' and query.options['output'] == 'timeline' and query.options['step'] == -1 and \
        len(case.steps) > 1 and 'rows' in got and sorted(want['files']) == sorted(got['files'])


def same_moment(case, query, want, got):
    """Of two executions that start in the same microsecond TensorFlow loses one."""
    return more_bars(case, query, want, got) == {'moment'}


def negative_time(case, query, want, got):
    """A negative duration counts as 0."""
    return any(record.op_end_rel_micros < 0 < record.all_start_micros for _, run in case.steps
               for device in run.step_stats.dev_stats for record in device.node_stats)


def pprof_of_inner_frames(case, query, want, got):
    """A frame that has frames below it keeps the samples of its own nodes."""
    if query.options.get('output') != 'pprof' or 'rows' not in got or want['rows'] != got['rows']:
        return False
    (types, wanted), (our_types, found) = samples(want['files']['out']), samples(got['files']['out'])
    more = [sample for sample in found if sample not in wanted]

    def has_callees(stack):
        return any(len(other) > len(stack) and other[len(other) - len(stack):] == stack for other, *_ in found)

    return types == our_types and all(one in found for one in wanted) and all(has_callees(stack) for stack, *_ in more)


def sizes(message):
    """Every number of a message and of what it holds."""
    for descriptor, value in message.ListFields():
        values = value if descriptor.is_repeated else [value]
        if descriptor.message_type and not descriptor.message_type.GetOptions().map_entry:
            for one in values:
                yield from sizes(one)
        elif descriptor.cpp_type == descriptor.CPPTYPE_INT64:
            yield from values


def recorded(case):
    """The numbers of the steps and of the op log, except for moments."""
    for message in (*(run for _, run in case.steps), case.op_log):
        yield from (size for size in (sizes(message) if message is not None else ()) if size != 1500000000000000)


def too_large(case, query, want, got):
    """Sums that exceed 64 bits stay at the largest number, times at 2^63 picoseconds."""
    return any(abs(size) >= 1 << 40 for size in recorded(case))


def negative_bytes(case, query, want, got):
    """The mean of negative bytes is negative; TensorFlow divides them as unsigned numbers."""
    several = query.view == 'advise' or len(case.steps) > 1  # advice has fewer than three op types where they hide one
    return query.options.get('step', -1) == -1 and several and any(size < 0 for size in recorded(case))


def gradient_before(case, query, want, got):
    """w_grad/gradients/x is no gradient: _grad/ stands before gradients/."""
    return query.view == 'code' and any(
        -1 < node.name.find('_grad/') < node.name.find('gradients/') for node in case.graph.node)


def last_step_alone(case, query, want, got):
    """Utilization is that of the last step; TensorFlow mixes in nodes that did not run in it, with their last."""
    if query.view != 'advise' or 'advice' not in got or len(case.steps) < 2:
        return False
    last = max(case.steps, key=lambda pair: pair[0])[1]
    own = {node: devices[0] for node, devices in devices_of(case).items()}
    # What another device than a node's own says of it does not count.
    ran = {name for device in last.step_stats.dev_stats for name in (record.node_name.partition(':')[0] for record in device.node_stats)
           if not CANONICAL.fullmatch(device.device.lower()) or own.get(name) == device.device.lower()}
    elsewhere = {node for node, device in own.items() if 'gpu' in device} - ran
    name = 'AcceleratorUtilizationChecker'
    return bool(elsewhere) and difference(query, {'advice': {**want['advice'], name: got['advice'][name]}}, got) is None


def pprof_of_hidden_frames(case, query, want, got):
    """What lies in hidden frames is one sample of the frame above, and callers are the true ones, hidden or not."""
    if query.options.get('output') != 'pprof' or 'rows' not in got or want['rows'] != got['rows']:
        return False
    (types, wanted), (our_types, found) = samples(want['files']['out']), samples(got['files']['out'])
    hides = any(query.options[name] != PLAIN[name] for name in HIDING)
    return hides and types == our_types and sum(values[1] for _, values, _ in wanted) <= sum(
        values[1] for _, values, _ in found)


def step_again(case, query, want, got):
    """A step that is added again replaces the one before; TensorFlow adds to it."""
    numbers = [number for number, _ in case.steps]
    return len(set(numbers)) < len(numbers)


def entry_again(case, query, want, got):
    """Of two entries of an op log for one node the later one counts; TensorFlow keeps the first call stack."""
    names = [entry.name for entry in case.op_log.log_entries] if case.op_log else []
    return len(set(names)) < len(names)


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
    """Occurrence and depth sort in trees: the same rows in another order."""
    return query.options.get('order_by') in ('occurrence', 'depth') and query.view != 'op' and \
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
    ('pprof of inner frames', pprof_of_inner_frames),
    ('too large', too_large),
    ('pprof of hidden frames', pprof_of_hidden_frames),
    ('gradients within _grad', gradient_before),
    ('utilization of the last step', last_step_alone),
    ('means of negative bytes', negative_bytes),
    ('negative durations', negative_time),
    ('a step that is added again', step_again),
    ('an op log with two entries for a node', entry_again),
    ('steps in order', steps_in_order),
    ('timeline of streams alone', streams_alone),
    ('two in one microsecond', same_moment),
    ('minima of each step', minima_of_each_step),
    ('accelerators without streams', not_idle),
    ('account regexes that overlap', counted_once),
    ('not recorded', not_recorded),
    ('order by occurrence or depth', sorts_by_it),
)


def name_of(case, query, want, got):
    """The first name that fits, or None."""
    return next((name for name, check in NAMED if check(case, query, want, got)), None)
