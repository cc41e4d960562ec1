"""XPlane captures: what every command says of recorded and of made ones, against what is expected of each.

data/xplane/recorded.tar.xz has a folder per case with the capture and `expected.json`. Where kernels run inside CUDA
graphs (`aligned`), totals must agree to the nanosecond and 99 % of the device time must be on the right op; everywhere else
every figure of every node.
"""
import io
import json
import lzma
import tarfile
from collections import defaultdict
from pathlib import Path

import pytest

from support.tool import run

ARCHIVE = Path(__file__).resolve().parent.parent / 'data' / 'xplane' / 'recorded.tar.xz'
SHARE = 0.99


def unpacked() -> dict:
    files = defaultdict(dict)
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(ARCHIVE.read_bytes()))) as tar:
        for entry in tar:
            case, _, path = entry.name.partition('/')
            files[case][path] = tar.extractfile(entry).read()
    return files


FILES = unpacked()
CASES = sorted(FILES)


@pytest.fixture(scope='module')
def captures(tmp_path_factory):
    """case -> the path to give to the program."""
    top, out = tmp_path_factory.mktemp('captures'), {}
    for case, files in FILES.items():
        for path, data in files.items():
            (top / case / path).parent.mkdir(parents=True, exist_ok=True)
            (top / case / path).write_bytes(data)
        given = json.loads(files['expected.json']).get('input') or next(p for p in files if p != 'expected.json')
        out[case] = top / case / given
    return out


def answer(binary, capture, command, *words):
    done = run([binary, command, str(capture), '-format', 'json', *words], capture.parent)
    assert done.status == 0, done.err
    return json.loads(done.text)


def near(a, b, mean=False):
    return abs((a or 0) - (b or 0)) <= (0.0031 if mean else 0.0011)


def rows_of(root):
    todo = [((), root)]
    while todo:
        path, row = todo.pop()
        for child in row.get('children', []):
            here = path + (child['name'],)
            yield here, child
            todo.append((here, child))


def check_shares(what, want, got):
    total = sum(want.values())
    right = sum(min(v, got.get(k, 0)) for k, v in want.items())
    assert total == 0 or right >= SHARE * total, '%s: %.2f %% of the device time is right' % (what, 100 * right / total)


def view(binary, capture, kind, step):
    # What is expected of means is of all steps, warm-up and all.
    return answer(binary, capture, kind, '-names', 'raw', '-step', 'all' if step == '-1' else step, '-max_depth', '1000000',
                  '-order_by', 'name', '-select', 'accelerator_micros,cpu_micros,occurrence,float_ops')['root']


def figures(row, prefix=''):
    return [row[prefix + 'accelerator_exec_micros'] or 0, row[prefix + 'cpu_exec_micros'] or 0]


def cases_with(kind):
    return [c for c in CASES if json.loads(FILES[c]['expected.json']).get(kind)]


def expected(case):
    return json.loads(FILES[case]['expected.json'])


@pytest.mark.parametrize('case', cases_with('scope'))
def test_scope(binary, captures, case):
    aligned = expected(case)['attribution'] == 'aligned'
    for step, want in expected(case)['scope'].items():
        root = view(binary, captures[case], 'scope', step)
        mean = step == '-1'
        assert all(near(a, b, mean) for a, b in zip(figures(root, 'total_'), want['root']))
        own = {row['name']: row for _, row in rows_of(root)}
        if aligned:
            sums = [defaultdict(float), defaultdict(float)]
            for name, row in want['nodes'].items():
                sums[0][name.rpartition('/')[0]] += row[0]
            for name, row in own.items():
                sums[1][name.rpartition('/')[0]] += figures(row)[0]
            check_shares('framework ops', *sums)
            continue
        for name, row in want['nodes'].items():
            assert name in own
            assert all(near(a, b, mean) for a, b in zip(figures(own[name]), row)), name
            assert mean or (own[name]['run_count'] or 0) == row[2], name
            assert abs((own[name]['float_ops'] or 0) - row[3]) <= mean, name
        assert not [n for n, r in own.items() if n not in want['nodes'] and sum(figures(r)) > 0.0011]


@pytest.mark.parametrize('case', cases_with('op'))
def test_op(binary, captures, case):
    for step, want in expected(case)['op'].items():
        own = {row['name']: row for _, row in rows_of(view(binary, captures[case], 'op', step))}
        if expected(case)['attribution'] == 'aligned':
            check_shares('op types', {k: v[0] for k, v in want.items()}, {k: figures(r)[0] for k, r in own.items()})
            continue
        for name, row in want.items():
            assert all(near(a, b, step == '-1') for a, b in zip(figures(own[name]), row)), name


@pytest.mark.parametrize('case', cases_with('code'))
def test_code(binary, captures, case):
    for step, want in expected(case)['code'].items():
        own = {' > '.join(path): row for path, row in rows_of(view(binary, captures[case], 'code', step))}
        if expected(case)['attribution'] == 'aligned':
            check_shares('source lines', {k: v[0] for k, v in want.items()}, {k: figures(r)[0] for k, r in own.items()})
            continue
        for name, row in want.items():
            own_and_total = zip(figures(own[name]) + figures(own[name], 'total_'), (row[0], row[2], row[1], row[3]))
            assert all(near(a, b, step == '-1') for a, b in own_and_total), name


@pytest.mark.parametrize('case', cases_with('info'))
def test_info(binary, captures, case):
    want, got = expected(case)['info'], answer(binary, captures[case], 'info')
    if 'steps' in want:
        assert [s['step'] for s in got['steps']] == [s['step'] for s in want['steps']]
        assert all(near(a['micros'], b['micros']) for a, b in zip(got['steps'], want['steps']))
    for a, b in zip(sorted(got['devices'], key=lambda d: d['name']), sorted(want.get('devices', []), key=lambda d: d['name'])):
        assert a['name'] == b['name']
        assert all(near(a[k], b[k]) for k in ('micros', 'busy_micros') if b.get(k) is not None)
    for key, value in want.get('capture', {}).items():
        found = got['capture'][key]
        assert near(found, value) if isinstance(value, float) else found == value, key


@pytest.mark.parametrize('case', sorted({*cases_with('memory'), *cases_with('programs')}))
def test_memory(binary, captures, case):
    got = answer(binary, captures[case], 'memory', '-names', 'raw', '-top', '0')
    devices = {'%s %s' % (d['device'], d['allocator']): d for s in got['steps'] for d in s['devices']}
    for key, want in expected(case).get('memory', {}).items():
        d = devices[key]
        assert [s['step'] for s in got['steps']] == [None]
        assert d['peak']['bytes'] == want['peak_bytes'] and near(d['peak']['micros'], want['peak_micros'])
        for name in ('baseline_bytes', 'capacity_bytes', 'lifetime_peak_bytes'):
            assert name not in want or d[name] == want[name]
        assert {r['name']: r['bytes'] for r in d['rows']} == want['rows']
        assert d['not_attributed']['bytes'] == want['not_attributed_bytes'] == d['peak']['bytes'] - sum(want['rows'].values())
        last = {round(t * 1000): v for t, v in want['points']}
        assert {round(t * 1000): v for t, v in d['series']['points']} == last
    programs = {str(p['program_id']): p for p in got['programs']}
    for key, want in expected(case).get('programs', {}).items():
        for name, value in want.items():
            found = programs[key][name]
            assert ({r['name']: r['bytes'] for r in found} if name == 'temp_rows' else found) == value, name


@pytest.mark.parametrize('case', sorted({*cases_with('kernels'), *cases_with('copies')}))
def test_kernels(binary, captures, case):
    got = answer(binary, captures[case], 'kernels', '-top', '0')
    for kind, keys in (('kernels', ('count', 'micros', 'min_micros', 'max_micros')), ('copies', ('count', 'micros', 'bytes'))):
        want = expected(case).get(kind)
        if want is None:
            continue
        found = {'%s %s' % (k['device'], k['name']): k for k in got[kind]}
        assert set(found) == set(want)
        for name, row in want.items():
            assert all(near(found[name][k], v) if 'micros' in k else found[name][k] == v for k, v in zip(keys, row)), name


@pytest.mark.parametrize('case', cases_with('refuse'))
def test_refused(binary, captures, case):
    want = expected(case)['refuse']
    for command in want['commands']:
        done = run([binary, command, str(captures[case])], captures[case].parent)
        assert done.status == want['exit'] and all(word in done.err for word in want['stderr'])


def test_kept_of_a_cut_capture(binary, captures):
    done = run([binary, 'info', str(captures['quirk_truncated']), '--keep_going', '-format', 'json'], ARCHIVE.parent)
    assert done.status in (0, 3)
    if done.status == 0:
        assert json.loads(done.text)['damage']


def test_names_are_readable_unless_raw(binary, captures):
    def names(*words):
        root = answer(binary, captures['gpu_graphs_transformer'], 'scope', '-max_depth', '20', *words)['root']
        return {'/'.join(path).split('/')[-1] for path, _ in rows_of(root)} | {row['name'] for _, row in rows_of(root)}
    folded, raw = names(), names('-names', 'raw')
    assert any(name.endswith('layers/mlp/(backward)') for name in folded)
    assert any(name.endswith('layers/mlp/(recomputed)') for name in folded)
    assert not any('jvp' in name for name in folded) and any('jvp' in name for name in raw)
