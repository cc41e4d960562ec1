"""tfprof save: one file that says all that the inputs said, and the same as TensorFlow's tfprof saved."""
import pathlib

import pytest

from support.tool import run

DATA = pathlib.Path(__file__).resolve().parents[1] / 'data' / 'views'
MODELS = sorted(p.name for p in DATA.iterdir() if (p / 'profile').exists())

# ProfileProto as far as a test needs it: field number -> (name, kind). Maps are messages with key 1 and value 2.
NUMBER, TEXT, INTS, RAW = 'number', 'text', 'ints', 'raw'
TUPLE = {1: ('values', INTS)}
TRACE = {2: ('line', NUMBER), 5: ('start', NUMBER), 6: ('file', NUMBER), 7: ('function', NUMBER), 8: ('source', NUMBER)}
OUTPUT = {1: ('key', NUMBER), 2: ('value', {1: ('bytes', NUMBER), 2: ('address', NUMBER)})}
MEMORY = {**{n: ('field%d' % n, NUMBER) for n in range(1, 11)}, 11: ('outputs', OUTPUT),
          1000: ('histories', RAW), 1001: ('moments', RAW)}  # ours: TensorFlow ignores them
TIMES = {1: ('key', TEXT), 2: ('value', {1: ('times', TUPLE)})}
EXEC = {1: ('runs', NUMBER), 2: ('start', NUMBER), 3: ('end', NUMBER), 4: ('accelerator', TIMES), 5: ('cpu', TIMES),
        6: ('devices', TEXT), 7: ('memory', MEMORY), 11: ('allocations', {1: ('micros', NUMBER), 2: ('bytes', NUMBER)})}
NODE = {1: ('name', TEXT), 2: ('inputs', {1: ('key', NUMBER), 2: ('value', NUMBER)}), 4: ('shape', INTS),
        5: ('types', TEXT), 6: ('device', TEXT), 7: ('host', TEXT), 8: ('float_ops', NUMBER), 9: ('op', TEXT),
        10: ('trace', {1: ('traces', TRACE)}), 11: ('attrs', RAW), 12: ('execs', {1: ('key', NUMBER), 2: ('value', EXEC)}),
        13: ('id', NUMBER), 14: ('sources', {1: ('key', NUMBER), 2: ('value', NUMBER)}),
        15: ('outputs', {1: ('key', NUMBER), 2: ('value', TUPLE)})}
PROFILE = {1: ('nodes', {1: ('key', NUMBER), 2: ('value', NODE)}), 2: ('has_trace', NUMBER), 3: ('steps', INTS),
           4: ('strings', {1: ('key', NUMBER), 2: ('value', TEXT)}), 5: ('misses_stream', NUMBER)}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return (value - (1 << 64) if value >> 63 else value), at


def decode(data, schema):
    """A message as {field: [values]}, zeros and empty map values left out; unnamed fields are an error."""
    out, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        name, kind = schema[tag >> 3]
        if tag & 7 == 0:
            value, at = varint(data, at)
            values = [value]
        else:
            assert tag & 7 == 2, 'wire type'
            size, at = varint(data, at)
            body, at = data[at:at + size], at + size
            values = [decode(body, kind)] if isinstance(kind, dict) else packed(body) if kind == INTS else [body]
        out.setdefault(name, []).extend(v for v in values if kind == INTS or not (v == 0 or name == 'value' and v == {}))
    return {name: values for name, values in out.items() if values}


def packed(body):
    values, at = [], 0
    while at < len(body):
        value, at = varint(body, at)
        values.append(value)
    return values


ORDERED = ('traces', 'times', 'memory', 'allocations', 'values', 'shape')


def canonical(value, ordered=False):
    """Maps and sets have no order and are compared sorted."""
    if isinstance(value, dict):
        return {k: canonical(v, k in ORDERED) for k, v in value.items()}
    if isinstance(value, list):
        items = [canonical(v) for v in value]
        return items if ordered else sorted(items, key=repr)
    return value


def nodes_of(data):
    """Nodes by name, with ids replaced by what they stand for."""
    profile = decode(data, PROFILE)
    nodes = {e.get('key', [0])[0]: e['value'][0] for e in profile['nodes']}
    text = {e.get('key', [0])[0]: e['value'][0] for e in profile.get('strings', [])}
    name = {key: node['name'][0] for key, node in nodes.items()}
    for node in nodes.values():
        node.pop('id', None)
        for field, end in (('inputs', 'value'), ('sources', 'key')):
            for entry in node.get(field, []):
                entry[end] = [name[entry.get(end, [0])[0]]]
        for trace in node.get('trace', [{}])[0].get('traces', []):
            for field in ('file', 'function', 'source'):
                trace[field] = [text[trace.get(field, [0])[0]]]
    rest = {k: profile.get(k) for k in ('has_trace', 'steps', 'misses_stream')}
    return {node['name'][0]: canonical(node) for node in nodes.values()}, rest


def inputs(model):
    folder = DATA / model
    runs = sorted(folder.glob('run_meta_*'), key=lambda p: int(p.name.split('_')[-1]))
    return ['--graph_path=%s' % (folder / 'graph.pb'), '--op_log_path=%s' % (folder / 'tfprof_log'),
            '--run_meta_path=' + ','.join('%s=%s' % (p.name.split('_')[-1], p) for p in runs)]


def save(binary, tmp_path, *args):
    out = tmp_path / 'saved'
    assert run([str(binary), 'save', *args, '-o', str(out)], tmp_path).ok().out == b''
    return out


@pytest.mark.parametrize('model', MODELS)
def test_saved_inputs_equal_what_tensorflow_saved(binary, tmp_path, model):
    ours = nodes_of(save(binary, tmp_path, *inputs(model)).read_bytes())
    theirs = nodes_of((DATA / model / 'profile').read_bytes())
    for node in ours[0].values():  # the op type of what only ran, for which the format has no place
        attributes = [a for a in node.get('attrs', []) if b'_ran_as' not in a]
        node.pop('attrs', None)
        node.update({'attrs': attributes} if attributes else {})
        for step in node.get('execs', []):  # the history of every allocator, to the nanosecond
            for memory in step['value'][0].get('memory', []):
                memory.pop('histories', None)
                memory.pop('moments', None)
    assert ours[1] == theirs[1]
    assert ours[0].keys() == theirs[0].keys()
    different = [name for name in theirs[0] if ours[0][name] != theirs[0][name]]
    assert different == []


@pytest.mark.parametrize('model', MODELS)
def test_saving_a_saved_profile_changes_nothing(binary, tmp_path, model):
    again = nodes_of(save(binary, tmp_path, '--profile_path=%s' % (DATA / model / 'profile')).read_bytes())
    assert again == nodes_of((DATA / model / 'profile').read_bytes())


@pytest.mark.parametrize('view', ['scope', 'graph', 'op', 'code'])
def test_every_figure_survives(binary, tmp_path, view):
    saved = save(binary, tmp_path, *inputs('resnet_gpu'))
    for step in ('-1', '1', '2'):
        words = ['--format=json', '--max_depth=10000', '--step=' + step]
        raw = run([str(binary), view, *inputs('resnet_gpu'), *words], tmp_path).ok().json()['root']
        assert run([str(binary), view, str(saved), *words], tmp_path).ok().json()['root'] == raw


def test_save_needs_a_file_to_write(binary, tmp_path):
    run([str(binary), 'save', str(DATA / 'mlp' / 'graph.pb')], tmp_path).fails(2, '-o FILE')


def test_an_unwritable_target_is_an_error_and_leaves_nothing(binary, tmp_path):
    target = str(tmp_path / 'no' / 'such' / 'p')
    run([str(binary), 'save', str(DATA / 'mlp' / 'graph.pb'), '-o', target], tmp_path).fails(3, 'cannot be written')
    assert list(tmp_path.iterdir()) == []
