"""What two answers to one query differ in: the returned message field by field, text byte for byte, files as they are read."""
import gzip
import json
from collections import Counter

from protos import first_difference
from support import perfetto, pprof

# The Doc: block in front of a report has its own wording.
LEGEND = b'node name |'
END = b'\n======================End of Report=========================='


def report_of(text):
    """A printed report from its legend line on; None where there is none."""
    start = text.find(LEGEND)
    return None if start < 0 else text[start:].partition(END)[0]


def differing_text(want, got):
    want, got = report_of(want), report_of(got)
    if want == got or (want is None and not got):
        return None
    if want is None or got is None:
        return 'text: want %.200r, got %.200r' % (want, got)
    lines = want.split(b'\n'), got.split(b'\n')
    for number, (a, b) in enumerate(zip(*lines)):
        if a != b:
            return 'text, line %d: want\n  %s\ngot\n  %s' % (number + 1, a.decode(errors='replace'), b.decode(errors='replace'))
    return 'text: %d lines, want %d: %r' % (len(lines[1]), len(lines[0]), (want[len(got):] or got[len(want):])[:200])


def bars(content):
    """The complete events of a timeline as (process, name, start, duration)."""
    events = json.loads(content)['traceEvents'] or []
    process = {e['pid']: e['args']['name'] for e in events if e['ph'] == 'M' and e['name'] == 'process_name'}
    return Counter((process[e['pid']], e['name'], e['ts'], e['dur']) for e in events
                   if e['ph'] == 'X' and not e.get('cat') == 'memory')


def differing_timeline(want, got):
    """All of TensorFlow's bars and no others."""
    want, got = bars(want), bars(got)
    return None if want == got else 'timeline: missing %s, more %s' % (sorted(want - got)[:3], sorted(got - want)[:3])


def samples(content):
    """(types, samples as (stack, values, labels) in one order); less strict than what our own must pass."""
    fields = perfetto.message(gzip.decompress(content))
    text = [entry.decode() for entry in fields[6]]
    types = [(text[pprof.one(t, 1)], text[pprof.one(t, 2)]) for t in map(perfetto.message, fields[1])]
    locations, functions = (pprof.by_id(fields.get(number, [])) for number in (4, 5))

    def frame(number):
        line = perfetto.message(locations[number][4][0])
        function = text[pprof.one(functions[pprof.one(line, 1)], 2)]
        return '%s:%d' % (function.partition(':')[2], pprof.one(line, 2))

    out = []
    for sample in map(perfetto.message, fields.get(2, [])):
        labels = [(text[pprof.one(label, 1)], text[pprof.one(label, 2)]) for label in map(perfetto.message, sample.get(3, []))]
        out.append(([frame(number) for number in pprof.packed(sample.get(1, []))], pprof.packed(sample[2]), sorted(labels)))
    return types, sorted(out)


def differing_pprof(want, got):
    """Types and samples; frames as function and line, for TensorFlow sometimes names another file."""
    want, got = samples(want), samples(got)
    if want[0] != got[0]:
        return 'pprof: types %s, want %s' % (got[0], want[0])
    return None if want == got else 'pprof: %d samples, want %d: %.600s' % (
        len(got[1]), len(want[1]), [pair for pair in zip(want[1], got[1]) if pair[0] != pair[1]][:1])


def differing_files(query, want, got):
    if sorted(want) != sorted(got):
        return 'files: %s, want %s' % (sorted(got), sorted(want))
    for name, content in want.items():
        kind = query.options['output']
        check = {'file': differing_text, 'timeline': differing_timeline, 'pprof': differing_pprof}[kind]
        if difference := check(content, got[name]):
            return difference
    return None


def advice_figures(advice):
    """What is compared of advice: utilization and the top op types, whose lines are TensorFlow's."""
    types = [text for text in advice['ExpensiveOperationChecker'] if text.startswith('top 1 operation type')]
    return {'utilization': advice['AcceleratorUtilizationChecker'], 'op types': types}


def differing_rows(query, want, got):
    # With a timeline of all steps TensorFlow returns an empty message, ours comes with its tree.
    if query.options['output'] == 'timeline' and want[0][1][0] == '':
        return None
    return first_difference(want, got)


def difference(query, want, got):
    """None where TensorFlow's answer and ours are equal, else what differs first."""
    if 'error' in got:
        return 'error: %s' % got['error']
    if 'error' in want:
        return 'TensorFlow: %s' % want['error']
    if query.view == 'advise':
        a, b = advice_figures(want['advice']), advice_figures(got['advice'])
        return None if a == b else 'advice: want %s got %s' % (a, b)
    return (differing_rows(query, want['rows'], got['rows'])
            or (differing_text(want['text'], got['text']) if query.options['output'] == 'stdout' else None)
            or differing_files(query, want['files'], got['files']))
