"""tfprof checkpoint, checkpoints beside graphs, and checkpoints that were made to break their readers."""
import os
import struct

import pytest
from support import bundle, wire


@pytest.fixture
def tfprof(classic):
    """What these tests look at are rows in TensorFlow's order."""
    return classic


DATA = 'model.data-00000-of-00001'


def floats(*values) -> bytes:
    return struct.pack('<%df' % len(values), *values)


def write(tfprof, entries, data=b'', prefix='model', head=None, **options):
    tfprof.file(prefix + '.index', bundle.table([head or bundle.header(), *sorted(entries)], **options))
    tfprof.file(prefix + '.data-00000-of-00001', data)


def small(tfprof, prefix='model', **options):
    """a: 2x2 floats, b: one int64, c/d: three int32."""
    parts = {b'a': (bundle.FLOAT, [2, 2], floats(1, -2.5, float('nan'), float('inf'))),
             b'b': (bundle.INT64, [], struct.pack('<q', -7)),
             b'c/d': (bundle.INT32, [3], struct.pack('<3i', 1, 2, 3))}
    entries, data = [], b''
    for name, (dtype, dims, part) in parts.items():
        entries.append((name, bundle.entry(dtype, dims, part, len(data))))
        data += part
    write(tfprof, entries, data, prefix, **options)


def read(tfprof, *words, status=0):
    done = tfprof('checkpoint', *(words or ['model']), '--values', format='json')
    assert done.status == status, done.err
    return {tensor['name']: tensor for tensor in done.json()['tensors']}


def error_of(tfprof, name):
    """What is said of a tensor that cannot be read; the others must be."""
    found = read(tfprof, status=3)
    assert [n for n, t in found.items() if 'error' in t] == [name]
    return found[name]['error']


# ---------------------------------------------------------------- what it prints


def test_a_listing(tfprof):
    small(tfprof)
    lines = tfprof('checkpoint', 'model').ok().text.splitlines()
    assert lines[0] == 'Checkpoint model: V2, 1 shard, 3 tensors'
    assert [line.split() for line in lines[2:6]] == [['name', 'dtype', 'shape', 'elements', 'bytes', 'remark'],
                                                     ['a', 'float32', '2x2', '4', '16B'],
                                                     ['b', 'int64', 'scalar', '1', '8B'],
                                                     ['c/d', 'int32', '3', '3', '12B']]
    assert ['all', '3', '8', '36B'] in [line.split() for line in lines[6:]]


def test_values(tfprof):
    small(tfprof)
    text = tfprof('checkpoint', 'model', '--values', show_name_regexes='a|c/.*').ok().text
    assert 'min -2.5, max 1, mean -0.75, 1 nan, 1 inf\n[[   1 -2.5]\n [ nan  inf]]' in text
    assert 'min 1, max 3, mean 2\n[1 2 3]' in text
    assert 'int64, scalar' not in text


def test_large_tensors_are_shown_by_their_ends(tfprof):
    values = [float(i) for i in range(2400)]
    part = floats(*values)
    write(tfprof, [(b'a', bundle.entry(bundle.FLOAT, [60, 40], part))], part)
    text = tfprof('checkpoint', 'model', '--values').ok().text
    assert '[[   0    1    2 ...   37   38   39]\n [  40 ' in text
    assert ' ...\n [2280 2281 2282 ... 2317 2318 2319]' in text
    assert '[2360 2361 2362 ... 2397 2398 2399]]' in text
    all_of_it = tfprof('checkpoint', 'model', '--values', max_values=0).ok().text
    assert '...' not in all_of_it and all_of_it.split().count('1234') == 1
    assert len(read(tfprof)['a']['values']) == 1000
    assert read(tfprof)['a']['values_left_out'] == 1400
    done = tfprof('checkpoint', 'model', '--values', format='json', max_values=0).ok()
    assert done.json()['tensors'][0]['values'] == values


def test_many_dimensions_stay_short(tfprof):
    part = bytes(3 ** 10)
    write(tfprof, [(b'a', bundle.entry(bundle.INT8, [3] * 10, part))], part)
    assert len(tfprof('checkpoint', 'model', '--values').ok().text) < 200_000


def test_names_that_do_not_match(tfprof):
    small(tfprof)
    tfprof('checkpoint', 'model', show_name_regexes='nothing').fails(1, 'no tensor of 3')
    tfprof('checkpoint', 'model', show_name_regexes='(').fails(2, 'show_name_regexes')
    tfprof('checkpoint').fails(2, 'no checkpoint')
    tfprof('checkpoint', 'model', 'model').fails(2, 'give one')


def test_the_largest_first(tfprof):
    small(tfprof)
    rows = tfprof('checkpoint', 'model', format='csv', order_by='bytes').ok().csv()
    assert [row['name'] for row in rows] == ['a', 'c/d', 'b']


def test_a_list_needs_no_data(tfprof):
    """2 TB of data are listed at once: the file is a hole, and nothing reads it."""
    size = 1 << 41
    entries = [(b'a', bundle.entry(bundle.FLOAT, [size // 4], crc=1, size=size))]
    write(tfprof, entries)
    with open(tfprof.folder / DATA, 'wb') as f:
        os.truncate(f.fileno(), size)
    done = tfprof('checkpoint', 'model', format='json', timeout=20).ok()
    assert done.json()['tensors'][0]['bytes'] == size


# ---------------------------------------------------------------- where it is


def test_every_way_to_name_it(tfprof):
    small(tfprof, 'run/model-5')
    small(tfprof, 'run/model-7')
    tfprof.file('run/checkpoint', 'model_checkpoint_path: "model-7"\nall_model_checkpoint_paths: "model-5"\n')
    tfprof.file('run/model-7.meta', wire.field(2, wire.graph(wire.node('a'))))
    for path in ('run/model-7', 'run/model-7.meta', 'run/model-7.index', 'run/model-7.data-00000-of-00001', 'run', 'run/'):
        assert tfprof('checkpoint', path).ok().text.startswith('Checkpoint run/model-7'), path
    assert tfprof('checkpoint', checkpoint_path='run/model-5').ok().text.startswith('Checkpoint run/model-5')


def test_a_folder_without_a_state_file(tfprof):
    small(tfprof, 'one/x')
    assert tfprof('checkpoint', 'one').ok().text.startswith('Checkpoint one/x')
    small(tfprof, 'one/y')
    tfprof('checkpoint', 'one').fails(3, 'holds 2 checkpoints', 'one/x, one/y')
    small(tfprof, 'saved/variables/variables')
    assert tfprof('checkpoint', 'saved').ok().text.startswith('Checkpoint saved/variables/variables')
    assert tfprof('checkpoint', 'saved/variables').ok().text.startswith('Checkpoint saved/variables/variables')
    (tfprof.folder / 'empty').mkdir()
    tfprof('checkpoint', 'empty').fails(3, 'holds no checkpoint')


@pytest.mark.parametrize('path', ['../secret/model', '/somewhere/else/model', '../run/../secret/model'])
def test_a_state_file_does_not_lead_elsewhere(tfprof, path):
    small(tfprof, 'secret/model')
    tfprof.file('run/checkpoint', 'model_checkpoint_path: "%s"\n' % path)
    tfprof('checkpoint', 'run').fails(3, 'lies outside the directory')
    small(tfprof, 'run/model')  # the folder was moved: the name is what counts
    done = tfprof('checkpoint', 'run').ok()
    assert done.text.startswith('Checkpoint run/model') and 'run/model is taken' in done.err


def test_state_files_that_are_of_no_use(tfprof):
    tfprof.file('run/checkpoint', 'model_checkpoint_path: "gone"\n')
    tfprof('checkpoint', 'run').fails(3, 'names gone, which is not in the directory')
    tfprof.file('run/checkpoint', 'all_model_checkpoint_paths: "gone"\n')
    tfprof('checkpoint', 'run').fails(3, 'names no checkpoint')
    tfprof.file('run/checkpoint', 'model_checkpoint_path: "gone\n')
    tfprof('checkpoint', 'run').fails(3)
    tfprof('checkpoint', 'nowhere').fails(3, 'there is no such checkpoint')


def test_merged_checkpoints_count_more_shards_than_files(tfprof):
    small(tfprof, head=bundle.header(shards=4))
    assert read(tfprof)['b']['values'] == [-7]


# ---------------------------------------------------------------- the format


def test_indexes_of_several_blocks_and_packed_ones(tfprof):
    small(tfprof, blocks=3)
    plain = read(tfprof)
    for options in ({'packed': True}, {'packed': True, 'blocks': 2}):
        small(tfprof, **options)
        assert read(tfprof) == plain


def test_big_endian_data(tfprof):
    part = struct.pack('>2f', 1.5, -2) + struct.pack('>q', 3)
    entries = [(b'a', bundle.entry(bundle.FLOAT, [2], part[:8])), (b'b', bundle.entry(bundle.INT64, [], part[8:], 8))]
    write(tfprof, entries, part, head=bundle.header(endianness=1))
    found = read(tfprof)
    assert found['a']['values'] == [1.5, -2] and found['b']['values'] == [3]
    assert found['a']['crc32c'] == '%08x' % bundle.crc32c(floats(1.5, -2))


def test_strings(tfprof):
    data, crc = bundle.strings(b'one', b'', b'\x00\xff')
    none, none_crc = bundle.strings()
    write(tfprof, [(b's', bundle.entry(bundle.STRING, [3], data, crc=crc)),
                   (b't', bundle.entry(bundle.STRING, [0], none, len(data), crc=none_crc)),
                   (b'u', bundle.entry(bundle.STRING, [0, 2], b''))], data + none)
    found = read(tfprof)
    assert found['s']['values'] == ['6f6e65', '', '00ff']
    assert found['t']['values'] == found['u']['values'] == []
    assert "['one' '' '\\x00\\xff']" in tfprof('checkpoint', 'model', '--values').ok().text


@pytest.mark.parametrize('change, said', [
    (lambda d: b'\x09' + d[1:], 'lengths of its strings do not fit'),
    (lambda d: b'\xff' * 3 + d[3:], 'lengths of its strings do not fit'),
    (lambda d: d[:1] + b'\x02\x01' + d[3:], 'checksum of its lengths'),
    (lambda d: d[:-1] + b'!', 'checksum does not match'),
])
def test_damaged_strings(tfprof, change, said):
    data, crc = bundle.strings(b'one', b'x', b'yy')
    write(tfprof, [(b's', bundle.entry(bundle.STRING, [3], data, crc=crc))], change(data))
    assert said in error_of(tfprof, 's')


def sliced(tfprof, parts, dims=(4, 2), listed=None):
    """parts: {((start, length), ...): bytes}; `listed`: the slices that the tensor names."""
    entries, data = [], b''
    for extents, part in parts.items():
        lengths = [d if e is None else e[1] for e, d in zip(extents, dims)]
        entries.append((bundle.slice_key('a', *extents), bundle.entry(bundle.INT8, lengths, part, len(data))))
        data += part
    listed = [bundle.slice_proto(*e) for e in (parts if listed is None else listed)]
    entries.append((b'a', bundle.entry(bundle.INT8, list(dims), slices=listed)))
    entries.append((b'z', bundle.entry(bundle.INT8, [1], b'\5', len(data))))
    write(tfprof, entries, data + b'\5')


def test_slices_are_put_together(tfprof):
    sliced(tfprof, {((0, 1), (0, 2)): b'\0\1', ((1, 3), (0, 1)): b'\2\4\6', ((1, 3), (1, 1)): b'\3\5\7'})
    found = read(tfprof)
    assert list(found) == ['a', 'z']
    assert found['a']['values'] == list(range(8)) and found['a']['bytes'] == 8
    sliced(tfprof, {(None, (0, 1)): b'\0\2\4\6', (None, (1, 1)): b'\1\3\5\7'})
    assert read(tfprof)['a']['values'] == list(range(8))


@pytest.mark.parametrize('parts, listed, said', [
    ({((0, 2), None): b'abcd'}, None, 'leave a gap'),
    ({((0, 2), None): b'abcd', ((3, 1), None): b'gh'}, None, 'leave a gap'),
    ({((0, 3), None): b'abcdef', ((2, 2), None): b'efgh'}, None, 'overlap'),
    ({((0, 2), None): b'abcd'}, [((0, 2), None), ((2, 2), None)], '1 of its 2 slices are missing'),
    ({((0, 2), None): b'abcd'}, [((0, 2), None)] * 2, 'a slice is listed twice'),
    ({((0, 5), None): b'abcdefghij'}, None, 'lies outside dimension 0'),
    ({((3, 2), None): b'abcd'}, None, 'lies outside dimension 0'),
    ({((-1, 5), None): b'abcdefghij'}, None, 'lies outside dimension 0'),
    ({((2 ** 62, 2 ** 62), None): b''}, None, 'lies outside dimension 0'),
    ({((0, 4),): b'abcd'}, None, 'a slice has 1 dimensions, the tensor 2'),
    ({((0, 2), None): b'abc', ((2, 2), None): b'efgh'}, None, 'needs 4 bytes, 3 are stored'),
])
def test_slices_that_do_not_fit(tfprof, parts, listed, said):
    sliced(tfprof, parts, listed=listed)
    assert said in error_of(tfprof, 'a')


@pytest.mark.parametrize('bad, said', [
    (bundle.entry(bundle.FLOAT, [2 ** 40, 2 ** 40], crc=0, size=8), 'shape is impossible'),
    (bundle.entry(bundle.FLOAT, [2 ** 62], crc=0, size=0), 'shape is impossible'),
    (bundle.entry(bundle.FLOAT, [-1], crc=0, size=4), 'shape is impossible'),
    (bundle.entry(bundle.FLOAT, None, crc=0, size=4), 'shape is impossible'),
    (bundle.entry(bundle.FLOAT, [1] * 300, crc=0, size=4), 'shape is impossible'),
    (bundle.entry(bundle.FLOAT, [3], floats(1, 2)), 'needs 12 bytes, 8 are stored'),
    (bundle.entry(bundle.FLOAT, [2], floats(1, 2), offset=-8), 'impossible'),
    (bundle.entry(bundle.FLOAT, [2], floats(1, 2), offset=2 ** 63 - 4), 'impossible'),
    (bundle.entry(bundle.FLOAT, [2], floats(1, 2), offset=10 ** 9), 'cut short'),
    (bundle.entry(bundle.FLOAT, [2], floats(1, 2), shard=7), 'shard 7, and there are 1'),
    (bundle.entry(bundle.FLOAT, [2], floats(1, 2), shard=-1), 'shard -1'),
    (bundle.entry(bundle.VARIANT, [], b'x'), 'variant are not read'),
    (bundle.entry(77, [], b'x'), 'type 77 is not known'),
    (bundle.entry(0, [], b'x'), 'is not known'),
    (bundle.entry(bundle.STRING, [10 ** 12], b'x'), 'do not fit its 1 bytes'),
    (b'\x0a\x7f', 'entry in the index is damaged'),
    (bundle.entry(bundle.INT8, [4], b'\0\0\x80\x3f', offset=2), 'also those of'),
])
def test_entries_that_cannot_be(tfprof, bad, said):
    good = floats(1, 1)
    write(tfprof, [(b'a', bundle.entry(bundle.FLOAT, [2], good)), (b'b', bad)], good)
    assert said in error_of(tfprof, 'b')


@pytest.mark.parametrize('head, said', [
    ((b'', b''), 'header is damaged'),
    (bundle.header(shards=0), 'header is damaged'),
    (bundle.header(shards=-1), 'header is damaged'),
    (bundle.header(endianness=5), 'header is damaged'),
    (bundle.header(min_consumer=9), 'readers of version 9'),
    ((b'0', b'x'), 'has no header'),
])
def test_headers_that_cannot_be(tfprof, head, said):
    small(tfprof, head=head)
    tfprof('checkpoint', 'model').fails(3, said)


@pytest.mark.parametrize('options', [
    {'footer': b'\xff' * 40},
    {'footer': bundle.handle(0, 8) + bundle.handle(2 ** 63, 2 ** 63)},
    {'footer': bundle.handle(0, 8) + bundle.handle(0, 2 ** 64 - 5)},
    {'footer': bundle.handle(2 ** 64 - 1, 1) + bundle.handle(0, 8)},
    {'index_block': bundle.block([(b'z', bundle.handle(0, 2 ** 62))])},
    {'index_block': bundle.block([(b'z', bundle.handle(0, 2 ** 64 - 4))])},
    {'index_block': bundle.block([(b'z', b'\xff' * 20)])},
    {'index_block': bundle.block([(b'z', bundle.handle(0, 8))], restart_points=[3])},
    {'index_block': b'\xff\xff\xff\xff'},
    {'index_block': b''},
    {'index_block': bundle.block([(b'z', bundle.handle(0, 2 ** 62))]), 'packed': True},
])
def test_tables_that_lead_nowhere(tfprof, options):
    """Sound checksums around impossible places: the reader must not allocate or read what they say."""
    small(tfprof, **options)
    tfprof('checkpoint', 'model', timeout=20).fails(3, 'model.index')


def test_keys_out_of_order(tfprof):
    one = (b'b', bundle.entry(bundle.INT8, [1], b'x'))
    tfprof.file('model.index', bundle.table([bundle.header(), one, (b'a', one[1])]))
    tfprof('checkpoint', 'model').fails(3, 'out of order')


def test_a_data_file_that_is_none(tfprof):
    small(tfprof)
    os.remove(tfprof.folder / DATA)
    os.mkfifo(tfprof.folder / DATA)
    found = read(tfprof, status=3)
    assert all('no regular file' in tensor['error'] for tensor in found.values())
    assert tfprof('checkpoint', 'model', timeout=20).status == 3


# ---------------------------------------------------------------- V1


def v1_file(tfprof, name='model'):
    packed = wire.field(7, wire.varint(-3) + wire.varint(5))
    tensors = [('n', [2], bundle.INT8, [bundle.slice_proto(None)]), ('s', [1], bundle.STRING, [bundle.slice_proto(None)])]
    tfprof.file(name, bundle.table([bundle.v1_meta(*tensors), bundle.v1_slice('n', [None], packed),
                                    bundle.v1_slice('s', [None], wire.field(8, 'hello'))]))


def test_v1(tfprof):
    v1_file(tfprof)
    found = read(tfprof)
    assert found['n']['values'] == [-3, 5] and found['n']['bytes'] == 2
    assert found['s']['values'] == [b'hello'.hex()] and found['s']['bytes'] is None
    assert 'n/a' in tfprof('checkpoint', 'model').ok().text


@pytest.mark.parametrize('extents, values, said', [
    ([None], wire.field(7, b'\1\2\3'), '2 values are expected'),
    ([None], b'', '2 values are expected'),
    ([None], b'\x3a\x7f', 'damaged'),
    ([(0, 1)], wire.field(7, b'\1\2'), 'a slice is missing'),
])
def test_v1_values_that_do_not_fit(tfprof, extents, values, said):
    meta = bundle.v1_meta(('n', [2], bundle.INT8, [bundle.slice_proto(None)]))
    tfprof.file('model', bundle.table([meta, bundle.v1_slice('n', extents, values)]))
    assert said in error_of(tfprof, 'n')


def test_v1_sets_with_a_file_missing(tfprof):
    for i in (0, 2):
        meta = bundle.v1_meta(('t%d' % i, [1], bundle.INT8, [bundle.slice_proto(None)]))
        tfprof.file('model-0000%d-of-00003' % i, bundle.table([meta, bundle.v1_slice('t%d' % i, [None], wire.field(7, i + 1))]))
    done = tfprof('checkpoint', 'model', '--values', format='json')
    assert done.status == 3 and 'model-00001-of-00003: is missing' in done.err
    assert [t['values'] for t in done.json()['tensors']] == [[1], [3]]
    assert tfprof('checkpoint', 'model-00002-of-00003').text.startswith('Checkpoint model: V1, 2 files')


# ---------------------------------------------------------------- beside a graph


@pytest.fixture
def run_folder(tfprof):
    small(tfprof, 'run/model')
    tfprof.file('run/checkpoint', 'model_checkpoint_path: "model"\n')
    tfprof.file('run/graph.pb', wire.graph(wire.node('a', 'VariableV2', dims=[2, 2]), wire.node('b', 'VariableV2', dims=[]),
                                           wire.node('c/d', 'VariableV2', dims=[3]), wire.node('e', 'VariableV2', dims=[9])))
    return tfprof


VALUES = ['_TFProfRoot ()', '  a ()', '[[1.00 -2.50 ],', '[nan inf ],', '],', '  b ()', '[-7 ],', '  c ()',
          '    c/d ()', '[1 2 3 ],', '  e ()']


def rows(done):
    lines = done.ok().text.splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith('node name')) + 1:]


def test_values_in_views(run_folder):
    done = run_folder('scope', 'run', select='tensor_value')
    assert rows(done) == VALUES
    assert 'run/model (checkpoint)' in done.err
    flags = run_folder('scope', graph_path='run/graph.pb', checkpoint_path='run/model', select='tensor_value')
    assert rows(flags) == VALUES
    graph = rows(run_folder('graph', 'run/graph.pb', 'run/model', select='tensor_value'))
    assert graph == [line.replace('    c/d', '  c/d') for line in VALUES if line != '  c ()']


def test_values_in_json_and_csv(run_folder):
    root = run_folder('scope', 'run', select='tensor_value', format='json').ok().json()['root']
    a, b, c, e = root['children']
    assert a['tensor_value'] == {'dtype': 'DT_FLOAT', 'value_double': [1, -2.5, 'nan', 'inf']}
    assert b['tensor_value'] == {'dtype': 'DT_INT64', 'value_int64': [-7]}
    assert c['children'][0]['tensor_value'] == {'dtype': 'DT_INT32', 'value_int64': [1, 2, 3]}
    assert 'tensor_value' not in e and 'tensor_value' not in c
    csv = run_folder('scope', 'run', select='tensor_value', format='csv').ok().csv()
    assert [row['tensor_value'] for row in csv if row['path'] == 'b'] == ['[-7 ],']


def test_variables_of_the_checkpoint_are_a_type(run_folder):
    done = run_folder('scope', 'run', select='params,op_types', account_type_regexes='_checkpoint_variables')
    assert rows(done) == ['_TFProfRoot (--/8 params, _kTFScopeParent)',
                          '  a (2x2, 4/4 params, VariableV2|_checkpoint_variables)',
                          '  b (1, 1/1 params, VariableV2|_checkpoint_variables)',
                          '  c (--/3 params, _kTFScopeParent)',
                          '    c/d (3, 3/3 params, VariableV2|_checkpoint_variables)']


def test_info_names_the_checkpoint(run_folder):
    assert run_folder('info', 'run', format='json').ok().json()['checkpoint'] == {
        'prefix': 'run/model', 'format': 'V2, 1 shard', 'tensors': 3, 'nodes': 3, 'bytes': 36}
    assert '3, 3 of them are values of nodes' in run_folder('info', 'run').ok().text


def test_a_checkpoint_alone_is_its_own_tree(run_folder):
    done = run_folder('scope', 'run/model', select='params')
    assert rows(done) == ['_TFProfRoot (--/8 params)', '  a (2x2, 4/4 params)', '  b (1, 1/1 params)',
                          '  c (0/3 params)', '    c/d (3, 3/3 params)']
    assert 'there is no graph' in done.err


def test_values_that_cannot_be_read_in_a_view(run_folder):
    run_folder.file('run/' + DATA, b'')
    done = run_folder('scope', 'run', select='tensor_value')
    assert done.status == 3 and 'cut short' in done.err
    assert done.text.count('(cannot be read: ') == 3
    root = run_folder('scope', 'run', select='tensor_value', format='json').json()['root']
    assert 'cut short' in root['children'][0]['tensor_value']['error']


def test_long_values_are_cut(tfprof):
    part = floats(*range(9000))
    write(tfprof, [(b'a', bundle.entry(bundle.FLOAT, [9000], part))], part)
    lines = rows(tfprof('scope', 'model', select='tensor_value'))
    assert len(lines[2]) == 10_000 + len('...')
    assert lines[3] == '(cut after 10000 characters; -format json has all 9000 values)'


def test_directories_with_a_checkpoint_that_cannot_be_chosen(run_folder):
    os.remove(run_folder.folder / 'run/checkpoint')
    small(run_folder, 'run/other')
    done = run_folder('scope', 'run', select='params')
    assert rows(done)[0] == '_TFProfRoot (--/17 params)'
    assert 'no checkpoint is taken: run: holds 2 checkpoints' in done.err
    done = run_folder('scope', 'run', select='tensor_value')
    assert 'there are no tensor values without a checkpoint' in done.err


def test_a_damaged_checkpoint_beside_a_graph(run_folder):
    table = (run_folder.folder / 'run/model.index').read_bytes()
    run_folder.file('run/model.index', table[:20] + b'!' + table[21:])
    run_folder('scope', 'run').fails(3, 'run/model.index', '--keep_going')
    done = run_folder('scope', 'run', keep_going=True).ok()
    assert 'run/model.index' in done.err and done.names[:2] == ['_TFProfRoot', 'a']
