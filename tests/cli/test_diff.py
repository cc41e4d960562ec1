"""tfprof diff as a user runs it: inputs and their names, renames, noise, limits, mistakes."""
import gzip

import pytest
from support import wire

CPU = '/job:localhost/replica:0/task:0/device:CPU:0'
GPU = '/job:localhost/replica:0/task:0/device:GPU:0'
OLD_SCOPES = '''Parsing Inputs...
node name | requested bytes
_TFProfRoot (--/10.00MB)
  conv (4.00MB/7.00MB)
    conv/kernel (3.00MB/3.00MB)
  dense (3.00MB/3.00MB)
======================End of Report==========================
'''
NEW_SCOPES = OLD_SCOPES.replace('10.00MB', '12.00MB').replace('/7.00MB', '/9.00MB').replace('3.00MB/3.00MB)\n  dense',
                                                                                        '5.00MB/5.00MB)\n  dense')


def graph(*nodes) -> str:
    """Nodes as (name, op, size of its output, inputs...)."""
    text = ''
    for name, op, size, *inputs in nodes:
        text += 'node { name: "%s" op: "%s" %s attr { key: "_output_shapes" value { list { shape { dim { size: %d } } } } }' % (
            name, op, ' '.join('input: "%s"' % i for i in inputs), size)
        if op == 'VariableV2':
            text += ' attr { key: "shape" value { shape { dim { size: %d } } } }' % size
        text += ' }\n'
    return text


def step(device=CPU, **nodes) -> str:
    """What each node took, in microseconds, and as many bytes; '__' in a name stands for '/'."""
    stats = ''
    for i, (name, figure) in enumerate(nodes.items()):
        stats += ('node_stats { node_name: "%s" all_start_micros: %d op_start_rel_micros: 0 op_end_rel_micros: %d '
                  'all_end_rel_micros: %d memory { allocator_name: "cpu" total_bytes: %d peak_bytes: %d } }\n' %
                  (name.replace('__', '/'), 1000 + 1000 * i, figure, figure, figure, figure))
    return 'step_stats { dev_stats { device: "%s" %s } }\n' % (device, stats)


def model(scope: str) -> str:
    return graph(('x', 'Placeholder', 8), (scope + '/w', 'VariableV2', 64), (scope + '/mul', 'MatMul', 8, 'x', scope + '/w'),
                 (scope + '/relu', 'Relu', 8, scope + '/mul'), ('loss', 'Sum', 1, scope + '/relu'))


def rows(report: dict) -> dict:
    """Rows by name."""
    found, todo = {}, [report['root']] if report['root'] else []
    while todo:
        row = todo.pop()
        found[row['name']] = row
        todo += row['children']
    return found


@pytest.fixture
def scopes(tfprof):
    tfprof.file('old', OLD_SCOPES)
    tfprof.file('new', NEW_SCOPES)
    return tfprof


@pytest.fixture
def runs(tfprof):
    """Two runs of one model: in the second MatMul takes twice as long and as much."""
    for run, figure in (('a', 100), ('b', 200)):
        tfprof.file(run + '/graph.pbtxt', model('layer'))
        tfprof.file(run + '/run_meta_0', step(x=10, layer__w=0, layer__mul=figure, layer__relu=20, loss=5))
    return tfprof


def everything(*words):
    return [*words, '--min_size=0', '--delta=0']


# --- scope files and their names

def test_scope_files(scopes):
    lines = scopes('diff', 'old', 'new').ok().text.splitlines()
    assert lines[0] == 'Comparing scope files old (left), new (right)'
    assert lines[4:] == ['_TfProfRoot (left:10MB right:12MB) -2MB x0.8', '  conv (left:7MB right:9MB) -2MB x0.8',
                         '    conv/kernel (left:3MB right:5MB) -2MB x0.6']


def test_the_third_and_fourth_word_are_names(scopes):
    assert '(before:10MB after:12MB)' in scopes('diff', 'old', 'new', 'before', 'after').ok().text
    # As in the script, even where a file has the second name.
    assert '(before:10MB old:12MB)' in scopes('diff', 'old', 'new', 'before', 'old').ok().text
    scopes('diff', 'old', 'new', 'a', 'b', 'c').fails(2, "'c'")
    scopes('diff', 'old', 'new', 'no/such').fails(3, 'no/such: No such file')
    scopes('diff', 'old', 'new', 'old@step=x').fails(2, "'x' is no step")


def test_max_depth_ten_is_a_limit_like_any_other(scopes):
    assert ' - Showing nodes up to depth 10\n' in scopes('diff', 'old', 'new', '--max_depth', '10').ok().text
    assert 'conv' not in scopes('diff', 'old', 'new', '--max_depth', '1').ok().text.replace('  conv (', '')
    assert 'up to depth' not in scopes('diff', 'old', 'new', '--max_depth', '-1').ok().text


def test_more_inputs_than_two(scopes):
    text = scopes('diff', 'old', 'new', 'old').ok().text
    assert '(old:10MB new:12MB old:10MB) +0B x1.0' in text
    text = scopes('diff', 'old', 'new', '--extra_files', 'old', '--extra_names', 'again').ok().text
    assert '(left:10MB right:12MB again:10MB) +0B x1.0' in text
    scopes('diff', 'old', 'new', '--extra_names', 'again').fails(2, 'extra_names')


def test_words_after_an_option_of_many_values_belong_to_it(scopes):
    text = scopes('diff', 'old', 'new', '--hide_nodes', 'conv', 'x.*', '--min_size', '1B').ok().text
    assert 'conv (' in text and 'conv/kernel' not in text
    assert 'conv/kernel' not in scopes('diff', 'old', 'new', '--node_names=con.').ok().text.replace('conv/kernel', 'K')
    scopes('diff', 'old', 'new', '--node_names').fails(2, '-node_names needs a value')
    scopes('diff', 'old', 'new', '--node_names', '(').fails(2, 'regular expression')


def test_a_gzipped_scope_file_and_standard_input(scopes):
    scopes.file('old.gz', gzip.compress(OLD_SCOPES.encode()))
    assert '-2MB x0.8' in scopes('diff', 'old.gz', 'new').ok().text
    assert '-2MB x0.8' in scopes('diff', '-', 'new', stdin=OLD_SCOPES.encode()).ok().text
    scopes('diff', '-', 'new', stdin=b'hello').fails(3, 'standard input', 'scope file')


def test_saved_reports_of_other_figures(runs):
    for run in 'ab':
        runs.file(run + '.txt', runs('scope', run, select='micros,params,device').ok().out)
    report = runs('diff', 'a.txt', 'b.txt', select='micros,params', format='json').ok().json()
    assert rows(report)['layer/mul']['figures']['micros']['total'] == [100, 200]
    assert rows(report)['layer/mul']['figures']['params']['difference'] == 0


def test_a_scope_file_against_a_profile(runs):
    runs.file('a.txt', runs('scope', 'a', select='bytes').ok().out)
    report = runs('diff', *everything('a.txt', 'b'), format='json').ok().json()
    assert rows(report)['_TFProfRoot']['figures']['bytes']['total'] == [135, 235]


# --- other inputs

def test_what_an_input_may_be(runs):
    runs('save', 'b', '-o', 'saved').ok()
    for old, new in (('a', 'b'), ('a/', 'b/@step=0'), ('a/graph.pbtxt,a/run_meta_0', 'saved'), ('a@step=0', 'saved@step=0')):
        report = runs('diff', *everything(old, new), format='json').ok().json()
        assert rows(report)['layer/mul']['figures']['bytes'] == {
            'own': [100, 200], 'total': [100, 200], 'own_difference': 100, 'difference': 100, 'ratio': 2.0}
        assert [i['source'] for i in report['inputs']] == [old, new]
        assert [i['steps'] for i in report['inputs']] == [[0], [0]]
    shared = runs('diff', '--graph_path=a/graph.pbtxt', *everything('a/run_meta_0', 'b/run_meta_0'), format='json')
    assert rows(shared.ok().json())['layer/mul']['figures']['bytes']['difference'] == 100
    runs('diff', 'a@step=7', 'b').fails(2, 'a@step=7', 'no such step')


def test_steps_of_one_run_make_a_history(runs):
    for number in (1, 2):
        runs.file('a/run_meta_%d' % number, step(x=10, layer__mul=100 + 50 * number, layer__relu=20, loss=5))
    out = runs('diff', *everything('a@step=0', 'a@step=1', 'a@step=2')).ok()
    assert 'layer/mul (step_0:100B step_1:150B step_2:200B) +100B x2.0' in out.text
    assert out.err.count('reading') == 1


def test_views(runs):
    report = runs('diff', *everything('a', 'b'), view='op', format='json', select='micros').ok().json()
    assert list(rows(report)) == ['_TFProfRoot', 'MatMul']
    graph_view = runs('diff', *everything('a', 'b'), view='graph', format='json').ok().json()
    assert graph_view['root']['children'][0]['name'] == 'loss'
    runs('diff', 'a', 'b', view='code').fails(3, 'a: ', 'call stack')
    runs('diff', 'a', 'b', view='tree').fails(2, "'tree' is not one of")


def test_the_default_figure_is_one_that_all_have(runs):
    assert runs('diff', *everything('a', 'b'), format='json').ok().json()['figures'] == ['bytes']
    runs.file('c/graph.pbtxt', model('layer').replace('64', '65'))
    assert runs('diff', *everything('a', 'c'), format='json').ok().json()['figures'] == ['params']
    runs('diff', 'a', 'c', select='bytes').fails(3, 'c: bytes is not recorded there')
    runs('diff', 'a', 'b', select='device').fails(2, 'diff compares figures')


def test_added_and_removed(runs):
    runs.file('c/graph.pbtxt', model('layer') + graph(('extra', 'Tanh', 3, 'x')))
    runs.file('c/run_meta_0', step(x=10, layer__mul=100, layer__relu=20, loss=5, extra=7))
    text = runs('diff', *everything('a', 'c')).ok().text
    assert '\n  extra (right:7B) +7B  added\n' in text
    assert '\n  extra (left:7B) -7B x0.0 removed\n' in runs('diff', *everything('c', 'a')).ok().text
    assert '\\_TFProfRoot' in runs('diff', *everything('a', 'c'), format='markdown').ok().text


# --- renames

def renamed(runs, **more):
    runs.file('c/graph.pbtxt', model('block'))
    runs.file('c/run_meta_0', step(x=10, block__w=0, block__mul=300, block__relu=20, loss=5))
    return runs('diff', *everything('a', 'c'), format='json', **more).ok().json()


def test_a_renamed_scope_is_found(runs):
    report = renamed(runs)
    assert set(rows(report)) == {'_TFProfRoot', 'block', 'block/mul'}
    assert rows(report)['block/mul']['was'] == {'left': 'layer/mul'}
    assert rows(report)['block']['status'] == 'common'
    [rename] = report['renames']
    assert (rename['from'], rename['to'], rename['rows'], rename['input']) == ('layer', 'block', 3, 'left')
    assert 'same op type, shapes and neighbours' in rename['reason']
    assert 'Renamed:\n  left: layer -> block (3 rows' in runs('diff', *everything('a', 'c')).ok().text
    assert '- left: layer -> block (3' in runs('diff', *everything('a', 'c'), format='markdown').ok().text
    assert rows(runs('diff', *everything('a', 'c'), format='json', view='graph').ok().json())['block/mul']['was']


def test_renames_can_be_left_alone_or_given(runs):
    found = rows(renamed(runs, match_renames='false'))
    assert found['layer']['status'] == 'removed' and found['block']['status'] == 'added'
    report = renamed(runs, match_renames='false', rename=r'lay(er)=block')
    assert report['renames'] == [{'input': 'left', 'from': 'lay(er)', 'to': 'block', 'rows': 3,
                                  'reason': 'given by --rename'}]
    assert rows(report)['block/mul']['figures']['bytes']['total'] == [100, 300]
    runs('diff', 'a', 'b', rename='layer').fails(2, 'REGEX=NEW')
    runs('diff', 'a', 'b', rename='(=x').fails(2, 'missing )')
    runs('diff', 'a', 'b', rename=r'a=\1').fails(2, r'a=\1')
    runs('diff', 'a', 'b', rename='nowhere=x').fails(2, 'matches no name')


def test_rename_in_scope_files(scopes):
    scopes.file('other', NEW_SCOPES.replace('conv', 'block_1'))
    text = scopes('diff', 'old', 'other', r'--rename=block_(\d)=conv').ok().text
    assert '    conv/kernel (left:3MB right:5MB) -2MB x0.6\n' in text


def test_a_node_of_another_op_is_not_a_rename(runs):
    runs.file('c/graph.pbtxt', model('layer').replace('layer/relu', 'layer/elu').replace('"Relu"', '"Elu"'))
    runs.file('c/run_meta_0', step(x=10, layer__mul=100, layer__elu=20, loss=5))
    found = rows(runs('diff', *everything('a', 'c'), format='json').ok().json())
    assert found['layer/elu']['status'] == 'added' and found['layer/relu']['status'] == 'removed'
    runs.file('c/graph.pbtxt', model('layer').replace('layer/relu', 'layer/elu'))
    report = runs('diff', *everything('a', 'c'), format='json').ok().json()
    assert report['root'] is None and report['renames'][0]['to'] == 'layer/elu'


def test_nodes_that_are_not_counted_are_neighbours_all_the_same(runs):
    runs.file('c/graph.pbtxt', model('block'))
    runs.file('c/run_meta_0', step(x=10, block__w=0, block__mul=300, block__relu=20, loss=5))
    report = runs('diff', *everything('a', 'c'), format='json', account_type_regexes='MatMul|Sum').ok().json()
    assert rows(report)['block/mul']['was'] == {'left': 'layer/mul'}
    assert rows(report)['_TFProfRoot']['figures']['bytes']['total'] == [105, 305]


def test_a_very_deep_scope_is_an_ordinary_input(tfprof):
    deep = '/'.join('a' * 100_000)
    for name, size in (('old', 5), ('new', 9)):
        tfprof.file(name, '_TFProfRoot (--/%d.00MB)\n  %s (%d.00MB/%d.00MB)\n' % (size, deep, size, size))
    text = tfprof('diff', 'old', 'new', '--max_depth', '1', timeout=20).ok().text
    assert text.splitlines()[5:] == ['_TfProfRoot (left:5MB right:9MB) -4MB x0.6', '  a () +0B ']
    tfprof.file('deep.pbtxt', graph((deep, 'Add', 1), ('x', 'Add', 1)))
    tfprof.file('other.pbtxt', graph((deep.replace('a', 'b'), 'Add', 1), ('x', 'Add', 1)))
    tfprof('diff', 'deep.pbtxt', 'other.pbtxt', '--max_depth', '1', select='params', timeout=20).ok()


# --- noise

def steps(tfprof, run, figures):
    tfprof.file(run + '/graph.pbtxt', model('layer'))
    for number, figure in enumerate(figures):
        tfprof.file('%s/run_meta_%d' % (run, number), step(x=10, layer__mul=figure, layer__relu=20, loss=5))


def micros(tfprof, *words, **more):
    report = tfprof('diff', *everything(*words), select='micros,bytes', format='json', **more)
    return rows(report.ok().json())['layer/mul']['figures']['micros']


def test_times_have_a_spread_when_there_are_several_steps(tfprof):
    steps(tfprof, 'quiet', [100, 101, 99, 100])
    steps(tfprof, 'slower', [150, 151, 149, 150])
    steps(tfprof, 'noisy', [60, 180, 90, 130])
    clear, noise = micros(tfprof, 'quiet', 'slower'), micros(tfprof, 'quiet', 'noisy')
    assert clear['significant'] and clear['difference'] == 50 and 0 < clear['spread'] < 5
    assert not noise['significant'] and noise['spread'] > abs(noise['difference'])
    assert 'spread' not in micros(tfprof, 'quiet@step=0', 'slower@step=0')
    # One step against many: it varies as they do.
    assert not micros(tfprof, 'noisy', 'quiet@step=0')['significant']
    assert micros(tfprof, 'quiet', 'slower@step=0')['significant']


def test_bytes_have_no_spread_and_text_says_noise(tfprof):
    steps(tfprof, 'quiet', [100, 101, 99, 100])
    steps(tfprof, 'noisy', [60, 180, 90, 130])
    out = tfprof('diff', *everything('quiet', 'noisy'), select='micros,bytes').ok().text
    assert '(bootstrap)' in out and '(noise)' in out
    row = rows(tfprof('diff', *everything('quiet', 'noisy'), select='micros,bytes', format='json').ok().json())
    assert 'spread' not in row['layer/mul']['figures']['bytes']
    assert out == tfprof('diff', *everything('quiet', 'noisy'), select='micros,bytes').ok().text
    header, line = tfprof('diff', *everything('quiet', 'noisy'), select='micros', format='csv').ok().text.splitlines()[:2]
    assert header.endswith('total_micros_spread,total_micros_significant') and line.endswith('false')


# --- limits

BROKEN = [
    ('bytes>+5%', 'limit bytes>+5% is broken by _TFProfRoot: bytes 135B -> 235B (+100B, +74.1%)'),
    ('micros>+10%@layer/.*', 'layer/mul: micros 100us -> 200us (+100us, +100.0%)'),
    ('bytes>+99B@layer', 'layer: bytes 120B -> 220B'),
    ('bytes>0.1KB@.*mul', 'layer/mul: bytes'),
    ('peak_bytes:cpu:0>+0', 'device:cpu:0: peak_bytes'),
]


@pytest.mark.parametrize('limit, words', BROKEN)
def test_a_broken_limit_fails_the_build(runs, limit, words):
    out = runs('diff', 'a', 'b', '--fail_if', limit)
    assert out.status == 1 and words in out.err.splitlines()[0]
    assert out.text.startswith('Comparing the scope view of a (left, step 0), b (right, step 0)\n')
    assert runs('diff', 'b', 'a', '--fail_if', limit).status == 0


@pytest.mark.parametrize('limit', ['bytes>+75%', 'bytes>+100B', 'params>+0', 'micros>+0@loss', 'bytes>1MB',
                                   'peak_bytes:CPU:0>+100MB', 'occurrence > +0', 'float_ops>+5%'])
def test_a_limit_that_holds(runs, limit):
    if 'float_ops' in limit:
        runs('diff', 'a', 'b', '--fail_if', limit).fails(3, 'float_ops is not recorded')
    else:
        assert 'limit' not in runs('diff', 'a', 'b', '--fail_if', limit).ok().err


def test_growth_is_positive_unless_scope_files_are_compared(runs):
    def difference(*words):
        return rows(runs('diff', *everything(*words), format='json').ok().json())['layer/mul']['figures']['bytes']['difference']

    assert (difference('a', 'b'), difference('a', 'b', '--swap_files')) == (100, -100)
    for run in 'ab':
        runs('scope', run, '-select', 'bytes', '--classic', '-o', run + '.txt').ok()
    assert (difference('a.txt', 'b.txt'), difference('a.txt', 'b.txt', '--swap_files')) == (-100, 100)
    assert difference('a.txt', 'b') == 100


def test_growth_does_not_depend_on_the_sign_of_differences(runs):
    assert runs('diff', 'a', 'b', '--swap_files', '--fail_if', 'bytes>+5%').status == 1
    assert runs('diff', 'b', 'a', '--swap_files', '--fail_if', 'bytes>+5%').status == 0


@pytest.mark.parametrize('limit, words', [
    ('bytes', "no '>'"), ('byte>+5%', "did you mean 'bytes'"), ('bytes>5%', 'of growth'), ('bytes>+5parsec', '5parsec'),
    ('bytes>+', "'' is no amount"), ('bytes>+-5', '-5'), ('micros:GPU:0>+1', 'only peak_bytes'), ('bytes>+5%@(', 'regular'),
    ('peak_bytes:>+1', 'no device'), ('peak_bytes:GPU:0>+1@x', 'no rows'), ('', "no '>'")])
def test_a_limit_that_does_not_parse(runs, limit, words):
    runs('diff', 'a', 'b', '--fail_if', limit).fails(2, '--fail_if', words)


def test_a_file_of_limits(runs):
    runs.file('limits.txt', '# of the whole\nbytes>+80%   # room to grow\n\nmicros>+10%@layer/mul\nparams>+0\n')
    out = runs('diff', 'a', 'b', limits='limits.txt', format='json')
    assert out.status == 1 and 'micros>+10%@layer/mul' in out.err.splitlines()[0]
    assert [(l['limit'], l['broken']) for l in out.json()['limits']] == [
        ('bytes>+80%', False), ('micros>+10%@layer/mul', True), ('params>+0', False)]
    runs.file('bad.txt', 'bytes>+80%\n\nbytes>+80%%\n')
    runs('diff', 'a', 'b', limits='bad.txt').fails(2, 'bad.txt, line 3')
    runs('diff', 'a', 'b', limits='nowhere.txt').fails(3, 'nowhere.txt')


def test_limits_that_check_nothing_do_not_pass(runs):
    out = runs('diff', 'a', 'b', '--fail_if', 'bytes>+5%@gradeints/.*')
    assert out.status == 1 and 'matches no row' in out.err
    runs('diff', 'a', 'b', '--fail_if', 'peak_bytes:GPU:0>+1').fails(3, 'GPU:0', 'cpu:0')


def test_noise_breaks_no_limit(tfprof):
    steps(tfprof, 'quiet', [100, 101, 99, 100])
    steps(tfprof, 'noisy', [60, 180, 90, 130])
    steps(tfprof, 'slower', [150, 151, 149, 150])
    out = tfprof('diff', 'quiet', 'noisy', '--fail_if', 'micros>+5%').ok()
    assert 'within the spread' in out.err
    assert tfprof('diff', 'quiet', 'slower', '--fail_if', 'micros>+5%').status == 1


# --- mistakes

def test_what_is_no_input(scopes):
    scopes.file('text', 'hello\n')
    scopes.file('binary', bytes(range(256)) * 9)
    for bad in ('text', 'binary'):
        scopes('diff', 'old', bad).fails(3, bad + ': not recognised', '_TFProfRoot')
        scopes('diff', bad, 'old').fails(3, bad + ': not recognised')
    scopes('diff', 'old').fails(2, 'two inputs')
    scopes('diff').fails(2, 'two inputs')
    scopes('diff', 'old', 'nowhere').fails(3, 'nowhere: No such file')
    scopes('diff', 'old@step=1', 'new').fails(2, 'scope file')
    scopes('diff', 'old', 'new', view='op').fails(2, 'scope file')


def test_different_figures(scopes):
    scopes.file('times', OLD_SCOPES.replace('requested bytes', 'total execution time').replace('MB', 'ms'))
    scopes('diff', 'old', 'times').fails(3, 'no figure in common', 'old has bytes', 'times has micros')
    scopes('diff', 'old', 'times', select='bytes').fails(3, 'times: bytes is not recorded there')
    scopes.file('none', '_TFProfRoot (a|b)\n')
    scopes('diff', 'old', 'none').fails(3, 'none: ', 'no figure')


def test_nothing_in_common(scopes, runs):
    scopes.file('other', OLD_SCOPES.replace('conv', 'x').replace('dense', 'y'))
    scopes('diff', 'old', 'other').fails(3, 'old and other have no node in common', '--rename')
    scopes.file('c/graph.pbtxt', graph(('p', 'Const', 3), ('q', 'Neg', 3, 'p')))
    scopes('diff', 'a', 'c').fails(3, 'no node in common')
    scopes('diff', 'a', 'c', view='op').fails(3, 'no op type in common')


def test_options_that_do_nothing_here_are_told(runs):
    assert '-show_name_regexes has no effect' in runs('diff', 'a', 'b', show_name_regexes='x').ok().err
    runs('diff', 'a', 'b', output='timeline:outfile=x').fails(2, 'diff prints a report')
    runs('diff', 'a', 'b', min_size='big').fails(2, "'big' is no size")
    runs('diff', 'a', 'b', delta='-1').fails(2, "'-1'")


def test_nothing_to_show_is_told(runs):
    assert 'nothing as large as -min_size differs by more than 10%' in runs('diff', 'a', 'a').ok().err
    assert 'No nodes' in runs('diff', 'a', 'a', format='markdown').ok().text
    assert runs('diff', 'a', 'a', format='json').ok().json()['root'] is None
    assert len(runs('diff', 'a', 'a', format='csv').ok().text.splitlines()) == 1


def test_names_are_shown_as_one_line(tfprof):
    tfprof.file('a', '_TFProfRoot (--/5.00MB)\n  x\x1b[31m (5.00MB/5.00MB)\n')
    tfprof.file('b', '_TFProfRoot (--/9.00MB)\n  x\x1b[31m (9.00MB/9.00MB)\n')
    assert '\x1b' not in tfprof('diff', 'a', 'b').ok().text


# --- the peak of a saved base

def memory_run(tfprof, folder, temporary):
    """The recorded peak is `temporary` larger than what can be derived from outputs: `b` holds it for a while."""
    def ran(name, start, records):
        history = [wire.message(_1=start + moment, _2=size) for moment, size in records]
        allocator = wire.message(_1='cpu', _2=1000, _3=1000, _5=5000, _6=history)
        return wire.message(_1=name, _2=start, _4=20, _6=allocator,
                            _7=wire.message(_1=0, _3=wire.message(_4=wire.message(_1=1000, _2=1000, _6=start))))
    tfprof.file(folder + '/graph.pb', wire.graph(wire.node('a', 'Mul'), wire.node('b', 'Add', ['a'])))
    tfprof.file(folder + '/run_meta_1', wire.run_metadata({wire.CPU: [
        ran('a', 1000, [(1, 1000), (60, -1000)]),
        ran('b', 1030, [(1, 1000), (2, temporary), (5, -temporary), (40, -1000)])]}))
    return folder


def test_the_gate_with_a_saved_base_compares_recorded_peaks(tfprof):
    """A saved profile had no history of CPU allocators: its derived peak hid a growth of the recorded one."""
    memory_run(tfprof, 'old', 2000)
    memory_run(tfprof, 'new', 3500)
    tfprof('save', 'old', '-o', 'base.profile').ok()
    limit = ['--fail_if', 'peak_bytes:CPU:0>+10%']
    of_runs, of_saved = tfprof('diff', 'old', 'new', *limit), tfprof('diff', 'base.profile', 'new', *limit)
    assert of_runs.status == of_saved.status == 1
    assert of_saved.err.splitlines()[0] == of_runs.err.splitlines()[0]
    assert tfprof('diff', 'base.profile', 'old', *limit).status == 0


def test_a_saved_profile_has_the_same_memory_over_time(tfprof):
    memory_run(tfprof, 'run', 2000)
    tfprof('save', 'run', '-o', 'p').ok()
    tfprof('save', 'p', '-o', 'again').ok()
    reports = [tfprof('memory', name, format='json').ok().json()['steps'] for name in ('run', 'p', 'again')]
    assert reports[0] == reports[1] == reports[2]
    assert reports[0][0]['devices'][0]['evidence'] == 'recorded'


def test_peaks_that_are_known_in_different_ways_are_not_compared(tfprof):
    """What TensorFlow saved has no history of CPU allocators: its peak is derived."""
    memory_run(tfprof, 'new', 3500)
    memory = wire.message(_1=1020, _6=1000, _7=1000, _9=1000, _11=wire.message(_1=0, _2=wire.message(_1=1000, _2=7)))
    node = wire.message(_1='a', _5='Mul', _6=wire.CPU, _9='Mul',
                        _12=wire.message(_1=1, _2=wire.message(_1=1, _2=1000, _3=1020, _7=memory)))
    tfprof.file('base.profile', wire.field(1, wire.message(_1=0, _2=node)) + wire.field(3, [1]))
    tfprof('diff', 'base.profile', 'new', '--fail_if', 'peak_bytes:CPU:0>+10%').fails(
        3, 'derived in base.profile', 'recorded in new', 'cannot be compared')


def test_max_rows_keeps_the_largest_differences_with_their_parents(tfprof):
    """Growth and what shrank cancel out above them: a parent's own difference says nothing of its children's."""
    sizes = {'small/a': (10, 11), 'small/b': (10, 12), 'even/up': (100, 500), 'even/down': (500, 100)}
    for side, name in enumerate(('old', 'new')):
        tfprof.file(name, wire.graph(*[wire.node(node, 'VariableV2', dims=[size[side]]) for node, size in sizes.items()]))
    words = ['diff', 'old', 'new', '-select', 'params', '-delta', '0', '-max_rows', '4']
    report = tfprof(*words, format='json').ok().json()
    even = report['root']['children']
    assert [row['name'] for row in even] == ['even'] and report['rows_left_out'] == 3
    assert {row['name'] for row in even[0]['children']} == {'even/up', 'even/down'}
    assert tfprof(*words).ok().text.splitlines()[-1] == '... 3 more rows: -max_rows 0'


def test_the_spread_of_a_row_is_that_of_its_own_steps(tfprof):
    """Rows of a view are ordered by its figures, which differ from step to step."""
    graph = wire.graph(*(wire.node('part%d/op' % i, 'Op%d' % i) for i in range(6)))
    for run in 'ab':
        tfprof.file(run + '/graph.pb', graph)
        for step in range(4):
            records = [wire.stats('part%d/op' % i, start=1000 + 50 * k, micros=10 * (i + 1) + (i == step + 1) * 7 + (run == 'b') * 100)
                       for i in range(6) for k in range(1 + (i + step) % 4)]
            tfprof.file('%s/run_meta_%d' % (run, step), wire.run_metadata({wire.CPU: records}))
    for view in ('scope', 'graph', 'op'):
        found = []
        for order in ((), ('--classic',)):  # there by name
            rows, open_rows = {}, [tfprof('diff', 'a', 'b', *order, select='micros', view=view, format='json').ok().json()['root']]
            while open_rows:
                row = open_rows.pop()
                open_rows += row.get('children', [])
                rows[row['name']] = row['figures']['micros']['spread']
            found.append(rows)
        assert found[0] == found[1] and len(set(found[0].values())) > 3, view
