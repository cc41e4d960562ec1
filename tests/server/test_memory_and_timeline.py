"""Memory in layers and bars in lanes: the numbers of `memory` and `timeline`, whatever part of them is asked for."""
import collections
import json
import subprocess

import pytest

from support.site import REPOSITORY

JAX, JAX_PLAIN, LSTM, RESNET = 0, 1, 2, 3
NAMES = {JAX: 'jax', JAX_PLAIN: 'jax_plain', RESNET: 'resnet'}
CLASSES = {'parameters', 'gradients', 'activations', 'optimizer', 'temporary', 'outputs', 'other state', 'not attributed'}


def path(run):
    return str(REPOSITORY / 'examples' / NAMES[run])


def report(binary, run, *words):
    """`tfprof memory` as JSON."""
    done = subprocess.run([binary, 'memory', path(run), '-format', 'json', '-top', '0', *words], check=True, capture_output=True)
    return json.loads(done.stdout)


def peaks(step):
    return {(d['device'], d['allocator']): d['peak'] for d in step['devices']}


def check_layers(answer):
    """Layers add up to the total at every time."""
    assert answer['layers'][-1]['name'] == 'not attributed'
    for i, total in enumerate(answer['total']):
        assert sum(layer['bytes'][i] for layer in answer['layers']) == total
    assert all(len(layer['bytes']) == len(answer['times']) for layer in answer['layers'])
    assert answer['times'] == sorted(answer['times'])
    assert answer['times'][0] == answer['from'] and answer['times'][-1] <= answer['to']


@pytest.mark.parametrize('run, step', [(RESNET, 0), (RESNET, 10), (RESNET, 100), (JAX, None), (JAX_PLAIN, None)])
@pytest.mark.parametrize('by', ['class', 'scope', 'op', 'type', 'code'])
def test_layers_reach_the_peak_of_the_report(site, binary, run, step, by):
    expected = peaks(report(binary, run, *([] if step is None else ['-step', str(step)]))['steps'][0])
    chosen = {} if step is None else {'step': step}
    first = site.get('api/memory/layers', run=run, by=by, **chosen)
    assert first['step'] == step
    assert {(d['device'], d['allocator']): d['peak_bytes'] for d in first['devices']} == {k: p['bytes'] for k, p in expected.items()}
    for (device, allocator), peak in expected.items():
        for points, layers in ((600, 12), (37, 2)):
            answer = site.get('api/memory/layers', run=run, by=by, device=device, allocator=allocator or '', points=points,
                              layers=layers, **chosen)
            check_layers(answer)
            assert len(answer['times']) <= points and len(answer['layers']) <= layers + 2
            assert max(answer['total']) == answer['peak']['bytes'] == peak['bytes']
            assert abs(answer['peak']['micros'] - peak['micros']) < 1
            if by == 'class':
                assert {layer['name'] for layer in answer['layers']} <= CLASSES | {'other'}


def test_steps_of_a_capture_are_parts_of_it(site, binary):
    steps = site.get('api/memory/layers', run=JAX)['steps']
    assert len(steps) > 1
    for step in steps:
        expected = peaks(report(binary, JAX, '-step', str(step))['steps'][0])
        for (device, allocator), peak in expected.items():
            answer = site.get('api/memory/layers', run=JAX, step=step, device=device, allocator=allocator)
            check_layers(answer)
            assert answer['step'] == step and answer['begin'] == answer['from'] <= answer['times'][-1]
            assert max(answer['total']) == answer['peak']['bytes'] == peak['bytes']
            live = site.get('api/memory/live', run=JAX, step=step, device=device, allocator=allocator, limit=5000)
            assert sum(t['bytes'] for t in live['tensors']) + live['not_attributed'] == peak['bytes']


def test_captures_tell_fragmentation_and_capacity(site):
    answer = site.get('api/memory/layers', run=JAX)
    shares = [share for share in answer['fragmentation'] if share is not None]
    assert len(answer['fragmentation']) == len(answer['times']) and shares and all(0 <= share <= 1 for share in shares)
    assert answer['capacity'] > answer['peak']['bytes'] and answer['measured'] is None
    plain = site.get('api/memory/layers', run=RESNET)
    assert plain['fragmentation'] is None and plain['capacity'] is None


def test_layers_of_a_part_of_the_time(site):
    whole = site.get('api/memory/layers', run=RESNET, step=10, points=10000)
    assert whole['exact']
    middle = whole['span'] / 3
    part = site.get('api/memory/layers', run=RESNET, step=10, points=10000, **{'from': middle, 'to': 2 * middle})
    check_layers(part)
    state = dict(zip(whole['times'], whole['total']))
    for time, total in list(zip(part['times'], part['total']))[1:]:
        assert state[time] == total
    inside = [t for t in whole['times'] if part['from'] < t <= part['to']]
    assert part['times'][1:] == inside


@pytest.mark.parametrize('run, step', [(RESNET, 10), (JAX, None)])
@pytest.mark.parametrize('by, field', [('class', 'class'), ('op', 'name'), ('type', 'type')])
def test_live_tensors_are_the_rows_of_the_report(site, binary, run, step, by, field):
    words = [] if step is None else ['-step', str(step)]
    chosen = {} if step is None else {'step': step}
    for device in report(binary, run, '-by', by, *words)['steps'][0]['devices']:
        live = site.get('api/memory/live', run=run, device=device['device'], allocator=device['allocator'] or '', limit=5000, **chosen)
        assert live['count'] == len(live['tensors'])
        assert sum(t['bytes'] for t in live['tensors']) == live['matched_bytes']
        assert live['matched_bytes'] + live['not_attributed'] == live['bytes'] == device['peak']['bytes']
        sums = collections.Counter()
        for tensor in live['tensors']:
            sums[tensor[field] or tensor['name']] += tensor['bytes']
            assert tensor['death'] is None or tensor['birth'] <= live['at'] < tensor['death'] or tensor['birth'] == tensor['death']
        assert dict(sums) == {row['name']: row['bytes'] for row in device['rows']}


def test_live_at_any_moment_as_the_report_says(site, binary):
    for at in (0, 500, 2000, 5000):
        for device in report(binary, RESNET, '-step', '10', '-at', str(at))['steps'][0]['devices']:
            live = site.get('api/memory/live', run=RESNET, step=10, device=device['device'], allocator=device['allocator'], at=at,
                            limit=5000)
            assert live['bytes'] == device['moment']['bytes'] and live['at'] == at
            assert live['not_attributed'] == device['not_attributed']['bytes']


def test_live_tensors_say_what_they_are(site):
    live = site.get('api/memory/live', run=RESNET, step=10, limit=5000)
    told = [t for t in live['tensors'] if t['shape']]
    assert len(told) > len(live['tensors']) / 2
    for tensor in told:
        elements = 1
        for dim in tensor['shape'].split('x'):
            elements *= int(dim)
        if tensor['dtype'] == 'float32':
            assert elements * 4 <= tensor['bytes']
    assert any(t['file'] and t['line'] > 0 for t in live['tensors'])
    some = live['tensors'][0]['name']
    found = site.get('api/memory/live', run=RESNET, step=10, q=some.upper())
    assert found['count'] >= 1 and {t['name'].lower() for t in found['tensors']} == {some.lower()} or found['count'] > 1
    by_name = site.get('api/memory/live', run=RESNET, step=10, sort='name', offset=1, limit=3)['tensors']
    assert [t['name'] for t in by_name] == sorted(t['name'] for t in live['tensors'])[1:4]


def test_what_memory_cannot_answer(site):
    assert site.error('api/memory/layers', run=LSTM)[0] in (404, 422)
    assert site.error('api/memory/layers', run=RESNET, step=77)[0] == 400
    assert site.error('api/memory/layers', run=RESNET, device='/gpu:9')[0] == 404
    assert site.error('api/memory/layers', run=RESNET, by='colour')[0] == 400
    assert site.error('api/memory/layers', run=RESNET, points=1)[0] == 400
    assert site.error('api/memory/layers', run=RESNET, **{'from': 'x'})[0] == 400
    assert site.error('api/memory/layers', run=RESNET, **{'from': 5, 'to': 4})[0] == 400
    assert site.error('api/memory/live', run=RESNET, at='-1')[0] == 400
    assert site.error('api/memory/live', run=RESNET, q='/(/')[0] == 400
    assert site.error('api/memory/live', run=RESNET, sort='colour')[0] == 400
    assert site.error('api/timeline', run=LSTM)[0] in (404, 422)
    assert site.error('api/timeline', run=RESNET, step=77)[0] == 400
    assert site.error('api/timeline', run=RESNET, pixels=0)[0] == 400
    assert site.error('api/timeline/find', run=RESNET)[0] == 400


def drawn_by_the_command(binary, run, step, folder):
    """Bars of the Chrome file: (process, thread) -> [(start, length, name)]."""
    file = folder / 'timeline.json'
    words = [] if step is None else ['-step', str(step)]
    subprocess.run([binary, 'timeline', path(run), *words, '-o', file], check=True, capture_output=True)
    trace = json.loads(file.read_text(encoding='utf-8'))['traceEvents']
    processes = {e['pid']: e['args']['name'] for e in trace if e['ph'] == 'M' and e['name'] == 'process_name'}
    bars = collections.defaultdict(list)
    for e in trace:
        if e['ph'] == 'X':
            bars[processes[e['pid']], e['tid']].append((e['ts'], e['dur'], e['args']['name']))
    flows = sum(e['ph'] == 's' for e in trace)
    return {key: sorted(list_) for key, list_ in bars.items()}, flows


@pytest.mark.parametrize('run, step', [(RESNET, 10), (JAX, 3), (JAX_PLAIN, 3)])
def test_lanes_have_the_bars_of_the_timeline(site, binary, tmp_path, run, step):
    steps = site.get('api/timeline', run=run)['steps']
    step = step if step in steps else steps[-1]
    expected, flows = drawn_by_the_command(binary, run, step, tmp_path)
    answer = site.get('api/timeline', run=run, step=step, pixels=20000)
    assert answer['step'] == step and answer['events'] == sum(len(bars) for bars in expected.values())
    assert answer['arrows_in_window'] == flows and len(answer['arrows']) == min(flows, 2000)
    counts = collections.Counter()
    for lane in answer['lanes']:
        bars = lane['bars']
        assert len({len(column) for column in bars.values()}) == 1
        assert lane['events'] == sum(bars['count'])
        assert lane['busy'] == pytest.approx(sum(bars['busy']), abs=1e-6)
        for row, count in zip(bars['row'], bars['count']):
            counts[lane['id'], row] += count
    assert sorted(counts.values()) == sorted(len(bars) for bars in expected.values())
    busiest = max(expected.values(), key=len)
    start, end = busiest[0][0], busiest[min(40, len(busiest) - 1)][0]
    close = site.get('api/timeline', run=run, step=step, pixels=20000, **{'from': start, 'to': end})
    seen = {(s, d, close['names'][n]) for lane in close['lanes']
            for s, d, n, c in zip(*(lane['bars'][k] for k in ('start', 'length', 'name', 'count'))) if c == 1}
    assert set(busiest[:40]) <= seen
    if run == RESNET:
        assert answer['memory'] and answer['memory'][0]['device']
        peak = site.get('api/memory/layers', run=run, step=step)['peak']['bytes']
        assert max(max(curve['bytes']) for curve in answer['memory']) == peak


def test_narrow_bars_are_joined(site):
    fine = site.get('api/timeline', run=RESNET, step=10, pixels=20000)
    coarse = site.get('api/timeline', run=RESNET, step=10, pixels=50)
    for a, b in zip(fine['lanes'], coarse['lanes']):
        assert sum(a['bars']['count']) == sum(b['bars']['count'])
        assert sum(a['bars']['busy']) == pytest.approx(sum(b['bars']['busy']), abs=1e-6)
        assert len(b['bars']['row']) <= len(a['bars']['row'])
        for count, node in zip(b['bars']['count'], b['bars']['node']):
            assert (node is None) == (count > 1)
    assert sum(len(lane['bars']['row']) for lane in coarse['lanes']) < coarse['events']


def test_a_whole_capture_on_one_clock(site):
    whole = site.get('api/timeline', run=JAX)
    assert whole['step'] is None
    assert whole['events'] == sum(site.get('api/timeline', run=JAX, step=s)['events'] for s in whole['steps'])
    for curve in whole['memory']:
        assert max(curve['bytes']) in [d['peak_bytes'] for d in site.get('api/memory/layers', run=JAX)['devices']]


def test_bars_are_found_by_name(site, binary, tmp_path):
    expected, _ = drawn_by_the_command(binary, RESNET, 10, tmp_path)
    bars = sorted(bar for lane in expected.values() for bar in lane if 'conv2d' in bar[2].lower())
    found = site.get('api/timeline/find', run=RESNET, step=10, q='conv2d')
    assert found['count'] == len(bars) > 3
    assert sorted((f['start'], f['length'], f['name']) for f in found['found']) == bars[:100]
    later = site.get('api/timeline/find', run=RESNET, step=10, q='/Conv2D$/', **{'from': bars[2][0]})
    assert all(f['start'] >= bars[2][0] and f['name'].lower().endswith('conv2d') for f in later['found'])
