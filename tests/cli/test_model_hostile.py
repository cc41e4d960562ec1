"""Models that mean harm, or are damaged: a clear error or an honest unknown; no crash, no hang, little memory."""
import resource
import subprocess

import pytest
from support import models, wire
from support.models import FLOAT, INT32, a_func, a_int, a_ints, a_shape, a_text, a_type, a_types, attr, body_node, const, function
from support.tool import is_sanitized
from support.wire import field, graph, message, node

T = attr('T', a_type(FLOAT))
HUGE = 1 << 62
MANY = 20 if is_sanitized() else 200  # of what takes seconds each with sanitizers
SECONDS = 60


def number(name, value):
    return body_node(name, 'Const', attrs=attr('dtype', a_type(INT32)) + attr('value', models.int_tensor([], [value])))


def call(name, function_name, inputs, op='PartitionedCall'):
    return node(name, op, inputs, attrs=attr('f', a_func(function_name)) + attr('Tout', a_types([FLOAT])))


def x(dims=(4, 4)):
    return node('x', 'Placeholder', dims=list(dims), attrs=attr('dtype', a_type(FLOAT)))


def recursive():
    f = function('f', ['a'], {'r': 'again:r:0'}, [body_node('again', 'f', ['a'])])
    return models.with_library(x() + call('start', 'f', ['x']), f)


def mutually_recursive():
    def half(name, other):
        return function(name, ['a'], {'r': 'c:output:0'}, [
            body_node('c', 'StatefulPartitionedCall', ['a'], attr('f', a_func(other)) + attr('Tout', a_types([FLOAT])))])
    return models.with_library(x() + call('start', 'f', ['x']), half('f', 'g'), half('g', 'f'))


def exponential():
    functions = [function('f%d' % i, ['a'], {'r': 'two:r:0'}, [
        body_node('one', 'f%d' % (i + 1), ['a']), body_node('two', 'f%d' % (i + 1), ['one:r:0'])]) for i in range(40)]
    functions.append(function('f40', ['a'], {'r': 'n:y:0'}, [body_node('n', 'Neg', ['a'], T)]))
    return models.with_library(x() + call('start', 'f0', ['x']), *functions)


def endless_while():
    cond = function('c', ['i'], {'r': 'yes:output:0'}, [
        body_node('yes', 'Const', attrs=attr('dtype', a_type(10)) + attr('value', message(_8=message(_1=10, _11=1))))])
    body = function('b', ['i'], {'r': 'n:y:0'}, [body_node('n', 'Neg', ['i'], T)])
    loop = node('loop', 'While', ['x'], attrs=attr('cond', a_func('c')) + attr('body', a_func('b')) + attr('T', a_types([FLOAT])))
    return models.with_library(x() + loop, cond, body)


def nested_whiles(depth=60):
    """Each body holds the next loop and runs 10^9 times: 10^540 in all."""
    functions, nodes = [], x()
    for i in range(depth):
        functions.append(function('c%d' % i, ['i', 'a'], {'r': 'l:z:0'}, [
            number('n', 10 ** 9), body_node('l', 'Less', ['i', 'n:output:0'])]))
        inner = body_node('w', 'While', ['z:output:0', 'a'], attr('cond', a_func('c%d' % (i + 1))) + attr(
            'body', a_func('b%d' % (i + 1))) + attr('T', a_types([INT32, FLOAT]))) if i + 1 < depth else body_node(
                'w', 'MatMul', ['a', 'a'], T)
        functions.append(function('b%d' % i, ['i', 'a'], {'ri': 'p:z:0', 'ra': 'w:output:1' if i + 1 < depth else 'w:product:0'}, [
            number('one', 1), number('z', 0), body_node('p', 'AddV2', ['i', 'one:output:0']), inner]))
    nodes += const('zero', 0) + node('loop', 'While', ['zero', 'x'], attrs=attr('cond', a_func('c0')) + attr(
        'body', a_func('b0')) + attr('T', a_types([INT32, FLOAT])))
    return models.with_library(nodes, *functions)


def overflowing_shapes():
    return graph(x([HUGE, HUGE, 3]), node('n', 'Neg', ['x'], attrs=T), node('r', 'Reshape', ['x', 'all'], attrs=T),
                 const('all', [-1]), node('m', 'MatMul', ['big', 'big'], attrs=T),
                 node('big', 'Placeholder', dims=[HUGE, HUGE], attrs=attr('dtype', a_type(FLOAT))),
                 node('v', 'VarHandleOp', dims=[HUGE, 2], attrs=attr('dtype', a_type(FLOAT))),
                 node('v2', 'VarHandleOp', dims=[HUGE], attrs=attr('dtype', a_type(FLOAT))),
                 node('v3', 'VarHandleOp', dims=[HUGE], attrs=attr('dtype', a_type(FLOAT))))


def dims_near_the_end():
    most = (1 << 63) - 1
    pads = attr('strides', a_ints([1, 1, 1, 1])) + attr('padding', a_text('EXPLICIT')) + attr(
        'explicit_paddings', a_ints([0, 0, most, most, most, most, 0, 0]))
    ops = [node('i', 'Placeholder', dims=[1, most, most, most], attrs=attr('dtype', a_type(FLOAT))),
           node('w', 'Placeholder', dims=[most, most, most, most], attrs=attr('dtype', a_type(FLOAT))),
           node('conv', 'Conv2D', ['i', 'w'], attrs=pads + attr('dilations', a_ints([1, most, most, 1])) + T),
           node('zero', 'Conv2D', ['i', 'w'], attrs=attr('strides', a_ints([0, 0, 0, 0])) + attr('padding', a_text('SAME')) + T),
           node('pool', 'MaxPool', ['i'], attrs=attr('ksize', a_ints([most] * 4)) + attr('strides', a_ints([most] * 4)) + attr(
               'padding', a_text('VALID')) + T),
           node('patch', 'ExtractImagePatches', ['i'], attrs=attr('ksizes', a_ints([1, most, most, 1])) + attr(
               'strides', a_ints([1, 1, 1, 1])) + attr('rates', a_ints([1, most, most, 1])) + attr('padding', a_text('VALID')) + T),
           const('0', 0), node('cat', 'ConcatV2', ['i', 'i', '0'], attrs=attr('N', a_int(2)) + T),
           node('s2d', 'SpaceToDepth', ['i'], attrs=attr('block_size', a_int(most)) + T),
           node('d2s', 'DepthToSpace', ['i'], attrs=attr('block_size', a_int(most)) + T),
           const('pads', [2147483647] * 8), const('pshape', [4, 2]),
           node('padm', 'Reshape', ['pads', 'pshape'], attrs=attr('T', a_type(INT32))),
           node('pad', 'Pad', ['i', 'padm'], attrs=T), const('times', [2147483647] * 4),
           node('tile', 'Tile', ['i', 'times'], attrs=T),
           node('dx', 'Conv2DBackpropInput', ['times', 'w', 'i'], attrs=pads + T),
           node('onehot', 'OneHot', ['i', 'huge', 'huge', 'huge'], attrs=attr('axis', a_int(most)) + T), const('huge', 2147483647),
           node('split', 'Split', ['0', 'i'], attrs=attr('num_split', a_int(-5)) + T),
           node('splitz', 'Split', ['0', 'i'], attrs=attr('num_split', a_int(0)) + T),
           node('unpack', 'Unpack', ['i'], attrs=attr('num', a_int(most)) + attr('axis', a_int(most)) + T),
           node('pack', 'Pack', ['i'], attrs=attr('N', a_int(most)) + attr('axis', a_int(-most)) + T),
           node('b2s', 'BatchToSpaceND', ['i', 'two', 'crops'], attrs=T), const('two', [2147483647, 0]),
           const('c4', [2147483647] * 4), const('c22', [2, 2]),
           node('crops', 'Reshape', ['c4', 'c22'], attrs=attr('T', a_type(INT32))),
           node('s2b', 'SpaceToBatchND', ['i', 'two', 'crops'], attrs=T),
           node('roll', 'StridedSlice', ['i', 'c4', 'c4', 'neg'], attrs=T), const('neg', [-2147483648] * 4),
           node('gather', 'GatherV2', ['i', 'neg', 'huge'], attrs=attr('batch_dims', a_int(-most)) + T),
           node('gnd', 'GatherNd', ['i', 'neg'], attrs=T), node('sl', 'Slice', ['i', 'neg', 'neg'], attrs=T),
           node('range', 'Range', ['neg0', 'huge', 'one'], attrs=attr('Tidx', a_type(INT32))), const('one', 1), const('neg0', -2147483648),
           node('lin', 'LinSpace', ['0', 'one', 'huge'], attrs=T), node('fill', 'Fill', ['c4', '0'], attrs=T),
           node('fillneg', 'Fill', ['neg', '0'], attrs=T), node('bcast', 'BroadcastTo', ['0', 'c4'], attrs=T),
           node('up', 'ResizeBilinear', ['i', 'two'], attrs=T), node('stitch', 'DynamicStitch', ['neg', 'c4'], attrs=attr('N', a_int(1))),
           node('topk', 'TopKV2', ['i', 'huge'], attrs=T), node('tr', 'Transpose', ['i', 'neg'], attrs=T),
           node('inv', 'InvertPermutation', ['neg'], attrs=attr('T', a_type(INT32))),
           node('cum', 'Cumsum', ['c4', '0'], attrs=attr('T', a_type(INT32))),
           node('mul', 'Mul', ['c4', 'c4'], attrs=attr('T', a_type(INT32))), node('div', 'FloorDiv', ['c4', 'zeros'], attrs=attr('T', a_type(INT32))),
           const('zeros', [0, 0, 0, 0]), node('mod', 'FloorMod', ['neg', 'zeros'], attrs=attr('T', a_type(INT32))),
           node('prod', 'Prod', ['c4', '0'], attrs=attr('T', a_type(INT32))), node('ein', 'Einsum', ['i', 'w'], attrs=attr(
               'equation', a_text('abcd,efgh->')) + attr('N', a_int(2)) + T)]
    return graph(*ops)


def deep_constants():
    parts = [const('c0', 1), const('one', 1)]
    parts += [node('c%d' % (i + 1), 'AddV2', ['c%d' % i, 'one'], attrs=attr('T', a_type(INT32))) for i in range(100_000)]
    return graph(*parts)


def many_functions():
    functions = [function('f%d' % i, ['a'], {'r': 'n:y:0'}, [body_node('n', 'Neg', ['a'], T)]) for i in range(10_000)]
    calls = b''.join(call('call_%d' % i, 'f%d' % i, ['x']) for i in range(10_000))
    return models.saved_model(models.with_library(x() + calls, *functions), {'x': ('x:0', [4, 4])}, {'y': ('call_9999:0', None)})


def missing_functions():
    loop = node('loop', 'While', ['x'], attrs=attr('cond', a_func('no')) + attr('body', a_func('body')) + attr('T', a_types([FLOAT])))
    branch = node('if', 'If', ['x', 'x'], attrs=attr('then_branch', a_func('no')) + attr('Tout', a_types([FLOAT])))
    case = node('case', 'Case', ['x', 'x'], attrs=attr('branches', message(_1=field(9, [message(_1='no'), message(_1='f')]))) + attr(
        'Tout', a_types([FLOAT])))
    f = function('f', ['a'], {'r': 'gone:y:0', 's': 'a:7', 't': 'n:nothing:3'}, [body_node('n', 'Neg', ['nobody:y:0', '^ghost'], T)])
    return models.with_library(x() + call('c', 'gone', ['x']) + call('d', 'f', []) + call('e', 'f', ['x'] * 9) + loop + branch + case +
                               node('f_', 'f', ['x']) + node('empty', 'PartitionedCall', ['x']), f)


def cycles():
    ring = [node('n%d' % i, 'AddV2', ['n%d' % ((i + 1) % 5000), 'x'], attrs=T) for i in range(5000)]
    return graph(x(), *ring, node('self', 'Neg', ['self'], attrs=T), node('m', 'Merge', ['m', 'm:1'], attrs=T),
                 node('next', 'NextIteration', ['next'], attrs=T), node('enter', 'Enter', ['exit'], attrs=attr('frame_name', a_text('f')) + T),
                 node('exit', 'Exit', ['enter'], attrs=T), node('cond', 'LoopCond', ['cond']))


def growing_cycle():
    parts = [x([1]), const('0', 0), node('m', 'Merge', ['x', 'n'], attrs=attr('N', a_int(2)) + T),
             node('cat', 'ConcatV2', ['m', 'm', '0'], attrs=attr('N', a_int(2)) + T), node('n', 'NextIteration', ['cat'], attrs=T),
             const('i', 0), const('one', 1), node('mi', 'Merge', ['i', 'ni'], attrs=attr('N', a_int(2))),
             node('add', 'AddV2', ['mi', 'one'], attrs=attr('T', a_type(INT32))), node('ni', 'NextIteration', ['add']),
             node('grow', 'ExpandDims', ['mg', '0'], attrs=T), node('mg', 'Merge', ['x', 'ng'], attrs=attr('N', a_int(2)) + T),
             node('ng', 'NextIteration', ['grow'], attrs=T)]
    return graph(*parts)


def references_out_of_range():
    return graph(x(), node('a', 'Neg', ['x:4000000000'], attrs=T), node('b', 'Neg', ['x:4294967295'], attrs=T),
                 node('c', 'Neg', ['x:99999999999999999999'], attrs=T), node('d', 'MyOp', ['x:-1', '^x:3', ':', ':0', '^', '']),
                 node('e', 'Neg', ['d:4294967294'], attrs=T), node('f', 'AddV2', [], attrs=T), node('g', 'AddV2', ['x'] * 100, attrs=T),
                 node('h', 'Conv2D', ['x'], attrs=T), node('i', 'MatMul', ['^x', 'x', 'x'], attrs=T))


def lists():
    names = ['x'] * 50_000
    return graph(x(), node('n', 'IdentityN', names, attrs=attr('T', a_types([FLOAT] * 50_000))),
                 node('u', 'Unpack', ['x'], attrs=attr('num', a_int(HUGE)) + T), node('s', 'Split', ['x', 'x'], attrs=attr('num_split', a_int(HUGE)) + T),
                 *[node('u%d' % i, 'Unpack', ['x'], attrs=attr('num', a_int(HUGE)) + T) for i in range(MANY)])


def same_names():
    return graph(x(), *[node('twin', 'Neg', ['twin' if i else 'x'], attrs=T) for i in range(100)], node('', 'Neg', ['x'], attrs=T))


def bad_utf8():
    bad = b'bad\xff\xfe/\xc0\xaf'
    return x() + field(1, message(_1=bad, _2=b'N\xffeg', _3=['x'])) + field(1, message(_1=b'\x00\x01', _2='Neg', _3=[bad]))


def many_branches():
    """A switch of 2,000 branches, each of which switches among 2,000 more."""
    leaf = function('leaf', ['a'], {'r': 'n:y:0'}, [body_node('n', 'Neg', ['a'], T)])
    inner = attr('branches', message(_1=field(9, [message(_1='leaf')] * 2000))) + attr('Tout', a_types([FLOAT]))
    mid = function('mid', ['a'], {'r': 'c:output:0'}, [body_node('c', 'Case', ['a', 'a'], inner)])
    outer = attr('branches', message(_1=field(9, [message(_1='mid')] * 2000))) + attr('Tout', a_types([FLOAT]))
    return models.with_library(x() + node('case', 'Case', ['x', 'x'], attrs=outer), leaf, mid)


def wide_function():
    """100,000 arguments and results."""
    names = ['a%d' % i for i in range(100_000)]
    f = function('f', names, {'r%d' % i: name for i, name in enumerate(names)}, [])
    return models.with_library(x() + node('c', 'f', ['x'] * 100_000), f)


def objects_in_circles():
    objects = message(_1=[message(_1=[message(_1=(i + 1) % 3000, _2='next'), message(_1=4_000_000_000, _2='out')],
                                  _7=message(_1=1, _2=wire.shape([HUGE, 4]), _3=1, _6='v%d' % i)) for i in range(3000)])
    meta = message(_1=message(_4=['serve']), _2=x(), _7=objects)
    return message(_1=1, _2=meta)


CASES = [recursive, mutually_recursive, exponential, endless_while, nested_whiles, overflowing_shapes, dims_near_the_end,
         deep_constants, many_functions, missing_functions, cycles, growing_cycle, references_out_of_range, lists, same_names,
         bad_utf8, many_branches, wide_function, objects_in_circles]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.__name__)
def test_hostile_models_end_well(tfprof, case):
    path = tfprof.file('m', case())
    for options in ({'format': 'json', 'batch': 2}, {}, {'flops_rules': 'tensorflow', 'format': 'csv'}):
        done = tfprof('model', path, timeout=SECONDS, **options)
        assert done.status in (0, 3, 4), done.err  # 4: the limit of memory
        assert done.status == 0 or done.err.strip()
        if options.get('format') == 'json' and done.status == 0:
            report = done.json()
            assert all(node['float_ops'] is not None or node['why'] for node in report['nodes'])
            assert report['float_ops']['total'] is None or report['float_ops']['total'] >= 0
            assert all(dim >= -1 for node in report['nodes'] for dims in node['output_shapes'] if dims for dim in dims)
    for view in ('scope', 'op'):
        done = tfprof(view, path, select='params,float_ops,macs,moved_bytes', timeout=SECONDS)
        assert done.status in (0, 1, 3, 4), done.err


@pytest.mark.parametrize('case, words', [
    (recursive, 'f: the function calls itself'), (mutually_recursive, 'the function calls itself'),
    (exponential, 'the functions expand to more than'), (missing_functions, "calls the function 'gone', which is not in the file"),
    (nested_whiles, 'too large for 63 bits'),
], ids=lambda value: getattr(value, '__name__', ''))
def test_what_is_left_out_is_said(tfprof, case, words):
    assert words in tfprof('model', tfprof.file('m', case()), timeout=SECONDS).ok().err


def test_a_loop_that_never_ends_is_counted_once_and_said(tfprof):
    done = tfprof('model', tfprof.file('m', endless_while()), format='json').ok().json()
    assert done['float_ops']['total'] == 16
    assert done['notes'] == ['loop loop: how often it runs is not known; its body is counted once']


def test_an_explosion_stays_in_bounds(tfprof):
    """Functions that double 40 times: memory is bounded, whatever the file says."""
    if is_sanitized(tfprof.binary):
        pytest.skip('sanitizers need memory of their own')
    path = tfprof.file('m', exponential())
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    done = subprocess.run([str(tfprof.binary), 'model', path], cwd=tfprof.folder, capture_output=True, timeout=SECONDS,
                          preexec_fn=limit)
    assert done.returncode == 0, done.stderr


def test_cut_short_anywhere(tfprof):
    net = models.Net()
    net.relu(net.dense(net.input('x', [-1, 6]), 1, 6, 4))
    whole = models.saved_model(models.with_library(net.graph() + call('c', 'f', ['x']), function(
        'f', ['a'], {'r': 'n:y:0'}, [body_node('n', 'Neg', ['a'], T)])), {'x': ('x:0', [-1, 6])}, {'y': ('c:0', None)})
    for size in range(0, len(whole), 97):
        done = tfprof('model', tfprof.file('cut', whole[:size]), batch=2)
        assert done.status in (0, 2, 3), (size, done.err)
        assert done.status == 0 or done.err.strip(), size


def test_bytes_changed_anywhere(tfprof):
    whole = bytearray(missing_functions())
    for at in range(0, len(whole), 23):
        changed = bytearray(whole)
        changed[at] ^= 0xFF
        done = tfprof('model', tfprof.file('changed', bytes(changed)))
        assert done.status in (0, 3), (at, done.err)
