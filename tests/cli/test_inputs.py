"""How inputs are found and recognised, and which steps they become."""
import gzip
import shutil

import pytest
from support import wire


@pytest.fixture
def tfprof(classic):
    """What these tests look at are rows in TensorFlow's order."""
    return classic


SMALL = wire.graph(wire.node('a', 'Placeholder', dims=[2, 3]), wire.node('b/c', 'MatMul', ['a']))
TEXT = """
node { name: "a" op: "Placeholder" attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "b/c" op: "MatMul" input: "a" }
"""
SMALL_REPORT = ['_TFProfRoot (--/6 params)', '  a (2x3, 6/6 params)', '  b (0/0 params)', '    b/c (0/0 params)']


def run_of(name='a', micros=10):
    return wire.run_metadata({wire.CPU: [wire.stats(name, micros=micros)]})


@pytest.fixture
def mlp(data):
    return data / 'mlp'


# --- recognised by content

@pytest.mark.parametrize('name', ['graph.pb', 'run_meta_7', 'checkpoint', 'x.json', 'profile', 'ünï cödé', '1=2'])
def test_a_graph_is_recognised_whatever_its_name(tfprof, name):
    tfprof.file(name, SMALL)
    assert tfprof('scope', name).ok().rows == SMALL_REPORT


@pytest.mark.parametrize('file, kind', [('graph.pb', 'GraphDef'), ('graph.pbtxt', 'GraphDef'),
                                        ('run_meta_0', 'RunMetadata'), ('profile', 'ProfileProto')])
def test_info_names_the_kind_of_every_file(tfprof, mlp, file, kind):
    tfprof.file('nameless', (mlp / file).read_bytes())
    assert tfprof('info', 'nameless', format='json').ok().json()['inputs'] == [{'path': 'nameless', 'format': kind}]


def test_every_kind_is_recognised_beside_the_others(tfprof, mlp):
    for i, file in enumerate(['tfprof_log', 'run_meta_0', 'graph.pb']):
        tfprof.file(str(i), (mlp / file).read_bytes())
    by_flag = tfprof('scope', graph_path=mlp / 'graph.pb', run_meta_path='1=%s' % (mlp / 'run_meta_0'),
                     op_log_path=mlp / 'tfprof_log', select='micros,float_ops').ok()
    by_content = tfprof('scope', '0', '1', '2', select='micros,float_ops').ok()
    assert by_content.out == by_flag.out


def test_files_of_all_models_are_recognised(tfprof, data):
    for model in sorted(p for p in data.iterdir() if p.is_dir()):
        for file in [model / 'graph.pb', model / 'profile', *model.glob('run_meta_*')]:
            tfprof('info', file).ok()


@pytest.mark.parametrize('text', [
    TEXT,
    TEXT.replace('{', ': {'),
    TEXT.replace('{', '<').replace('}', '>'),
    TEXT.replace('"', "'"),
    TEXT.replace(' op:', '; op:').replace('} dim {', '}, dim {'),
    '# a comment { node }\n' + TEXT.replace('\n', '  # another\n'),
    TEXT.replace('"b/c"', '"b" "/" \'c\''),
    TEXT.replace('"b/c"', r'"b\x2f\143"'),
    TEXT.replace('size: 3', 'size: 0x3').replace('size: 2', 'size: 02'),
    TEXT.replace('dim { size: 2 } dim { size: 3 }', 'dim: [{ size: 2 }, { size: 3 }]'),
    TEXT.replace('\n', '\r\n'),
    '\ufeff' + TEXT,
    TEXT + 'versions { producer: 1395 }\nlibrary { function { signature { name: "f" } } }',
], ids=['usual', 'colon before brace', 'angle brackets', 'single quotes', 'separators', 'comments', 'joined strings',
        'escapes', 'hex and octal', 'list of messages', 'windows lines', 'byte order mark', 'versions and library'])
def test_text_graphs_in_every_syntax(tfprof, text):
    tfprof.file('graph.txt', text)
    assert tfprof('scope', 'graph.txt').ok().rows == SMALL_REPORT
    assert tfprof('scope', graph_path='graph.txt').ok().rows == SMALL_REPORT


def test_the_text_graph_gives_the_same_report_as_the_binary_one(tfprof, mlp):
    for view in ('scope', 'graph', 'op'):
        text = tfprof(view, mlp / 'graph.pbtxt', select='params,op_types,input_shapes').ok()
        binary = tfprof(view, mlp / 'graph.pb', select='params,op_types,input_shapes').ok()
        assert text.out == binary.out


def test_unknown_text_fields_are_skipped_and_said(tfprof):
    tfprof.file('g', TEXT + 'colour: "red"\n')
    done = tfprof('scope', 'g').ok()
    assert done.rows == SMALL_REPORT
    assert "1 unknown fields skipped, the first is 'colour'" in done.err


def test_run_metadata_may_be_text(tfprof):
    tfprof.file('g', SMALL)
    tfprof.file('r', 'step_stats { dev_stats { device: "%s" node_stats { node_name: "a" all_start_micros: 5 '
                     'op_end_rel_micros: 33 } } }' % wire.CPU)
    assert '  a (33us/33us, 0us/0us, 33us/33us)' in tfprof('scope', 'g', 'r').ok().rows


@pytest.mark.parametrize('packed', [gzip.compress(SMALL), gzip.compress(SMALL[:9]) + gzip.compress(SMALL[9:]),
                                    gzip.compress(TEXT.encode())], ids=['one member', 'two members', 'of text'])
def test_gzip_is_unpacked(tfprof, packed):
    tfprof.file('g', packed)
    assert tfprof('scope', 'g').ok().rows == SMALL_REPORT
    assert tfprof('scope', graph_path='g').ok().rows == SMALL_REPORT
    assert tfprof('scope', '-', stdin=packed).ok().rows == SMALL_REPORT


def test_standard_input(tfprof):
    assert tfprof('scope', '-', stdin=SMALL).ok().rows == SMALL_REPORT
    assert tfprof('scope', '-', stdin=TEXT.encode()).ok().rows == SMALL_REPORT
    assert tfprof('info', '-', stdin=SMALL, format='json').ok().json()['inputs'][0]['path'] == 'standard input'


# --- directories

def test_a_directory_gives_the_same_as_its_files(tfprof, mlp):
    folder = tfprof('scope', mlp, select='micros,bytes,float_ops,params').ok()
    files = tfprof('scope', graph_path=mlp / 'graph.pb', run_meta_path=mlp / 'run_meta_0',
                   op_log_path=mlp / 'tfprof_log', select='micros,bytes,float_ops,params').ok()
    assert folder.out == files.out


def test_what_was_taken_from_a_directory_is_said(tfprof, mlp):
    err = tfprof('scope', mlp).ok().err
    assert 'reading' in err
    for part in ('graph.pb (GraphDef)', 'run_meta_0 (RunMetadata)', 'tfprof_log (OpLogProto)'):
        assert part in err
    assert 'graph.pbtxt is left out' in err
    assert 'profile is left out' in err


def test_steps_come_from_the_names_in_a_directory(tfprof, data):
    steps = tfprof('info', data / 'resnet', format='json').ok().json()['steps']
    assert [step['step'] for step in steps] == [0, 10, 100]


def test_a_directory_of_profiles_gives_the_newest(tfprof, mlp):
    tfprof.file('d/profile_9', wire.profile(wire.profile_node(1, 'old')))
    tfprof.file('d/profile_10', wire.profile(wire.profile_node(1, 'new')))
    done = tfprof('scope', 'd').ok()
    assert done.names == ['_TFProfRoot', 'new']
    assert 'profile_9 is left out' in done.err


def test_unknown_and_empty_files_of_a_directory_are_passed_over(tfprof):
    tfprof.file('d/graph', SMALL)
    tfprof.file('d/notes.md', 'these are notes, and no protobuf')
    tfprof.file('d/empty', b'')
    tfprof.file('d/model.ckpt.data-00000-of-00001', bytes(range(256)) * 9)
    tfprof.file('d/sub/graph', b'not looked at')
    assert tfprof('scope', 'd').ok().rows == SMALL_REPORT


def test_a_directory_and_a_file_go_together(tfprof, mlp):
    tfprof.file('run_meta_5', (mlp / 'run_meta_0').read_bytes())
    steps = tfprof('info', mlp, 'run_meta_5', format='json').ok().json()['steps']
    assert [step['step'] for step in steps] == [0, 5]


# --- steps

@pytest.fixture
def three_runs(tfprof):
    tfprof.file('g', SMALL)
    for name, micros in (('x', 10), ('y', 20), ('z', 60)):
        tfprof.file(name, run_of(micros=micros))
    return tfprof


def micros_of(outcome):
    (row,) = [row for row in outcome.ok().rows if row.startswith('  a (')]
    return row.split('(')[1].split('/')[0]


def test_a_list_of_run_metadata_is_steps_0_1_2(three_runs):
    for step, micros in ((0, '10us'), (1, '20us'), (2, '60us'), (-1, '30us')):
        assert micros_of(three_runs('scope', graph_path='g', run_meta_path='x,y,z', step=step)) == micros


def test_steps_can_be_named(three_runs):
    for step, micros in ((7, '10us'), (3, '20us'), (2, '60us')):
        assert micros_of(three_runs('scope', graph_path='g', run_meta_path='7=x,3=y,z', step=step)) == micros


def test_a_file_name_with_an_equals_sign_is_a_file_name(tfprof):
    tfprof.file('g', SMALL)
    tfprof.file('a=b', run_of())
    assert micros_of(tfprof('scope', graph_path='g', run_meta_path='a=b', step=0)) == '10us'


def test_plain_arguments_take_steps_from_their_names_or_the_next_free_one(three_runs):
    three_runs.file('run_meta_4.pb', run_of(micros=40))
    steps = three_runs('info', 'g', 'x', 'run_meta_4.pb', 'y', format='json').ok().json()['steps']
    assert [(step['step'], step['micros']) for step in steps] == [(0, 10), (1, 20), (4, 40)]


def test_the_same_step_twice_is_a_usage_error(three_runs):
    three_runs('scope', graph_path='g', run_meta_path='1=x,1=y').fails(2, 'step 1 is given twice', 'STEP=FILE')


def test_an_unknown_step_lists_the_known_ones(three_runs):
    three_runs('scope', graph_path='g', run_meta_path='7=x,3=y', step=5).fails(2, '-step 5', '3, 7', '-1')


def test_a_step_without_run_metadata_is_explained(tfprof):
    tfprof.file('g', SMALL)
    tfprof('scope', 'g', step=0).fails(2, '-step 0', 'no run metadata')


# --- what cannot go together

def test_a_profile_excludes_graph_and_run_metadata(tfprof, mlp):
    profile = mlp / 'profile'
    tfprof('scope', profile_path=profile, graph_path=mlp / 'graph.pb').fails(2, '--profile_path', '--graph_path')
    tfprof('scope', profile_path=profile, run_meta_path=mlp / 'run_meta_0').fails(2, '--profile_path')
    tfprof('scope', profile, mlp / 'graph.pb').fails(2, 'a saved profile holds everything')
    tfprof('scope', profile, op_log_path=mlp / 'tfprof_log').fails(2, 'a saved profile holds everything')


def test_two_graphs_are_a_usage_error(tfprof):
    tfprof.file('g', SMALL)
    tfprof.file('h', SMALL)
    tfprof('scope', 'g', 'h').fails(2, 'g and h are both graphs')
    tfprof('scope', 'g', graph_path='h').fails(2, 'both graphs')


def test_an_op_log_alone_asks_for_its_graph(tfprof, mlp):
    tfprof('scope', mlp / 'tfprof_log').fails(3, 'tfprof_log', '--graph_path')
    tfprof('scope', op_log_path=mlp / 'tfprof_log').fails(3, 'tfprof_log', '--graph_path')


def test_no_input_is_a_usage_error(tfprof):
    for command in ('scope', 'graph', 'op', 'code', 'info'):
        tfprof(command).fails(2, 'no input', '--graph_path')


def test_run_metadata_alone_makes_nodes_of_what_ran(tfprof):
    tfprof.file('r', run_of('only_here', 25))
    assert '  only_here (25us/25us, 0us/0us, 25us/25us)' in tfprof('scope', 'r').ok().rows


def test_a_saved_profile_gives_the_same_figures_as_its_files(tfprof, mlp):
    for view in ('scope', 'graph', 'op', 'code'):
        saved = tfprof(view, profile_path=mlp / 'profile', select='micros,bytes,params,float_ops').ok()
        files = tfprof(view, mlp, select='micros,bytes,params,float_ops').ok()
        assert saved.rows == files.rows


def test_symbolic_links_are_followed(tfprof, mlp):
    (tfprof.folder / 'link').symlink_to(mlp, target_is_directory=True)
    (tfprof.folder / 'file').symlink_to(mlp / 'graph.pb')
    assert tfprof('scope', 'link').ok().rows == tfprof('scope', mlp).ok().rows
    tfprof('scope', 'file').ok()


def test_the_inputs_stay_as_they_are(tfprof, mlp):
    shutil.copytree(mlp, tfprof.folder / 'd')
    before = {p.name: p.read_bytes() for p in (tfprof.folder / 'd').iterdir()}
    for view in ('scope', 'op', 'info'):
        tfprof(view, 'd').ok()
    assert {p.name: p.read_bytes() for p in (tfprof.folder / 'd').iterdir()} == before


@pytest.mark.parametrize('value', [',x', 'x,,y', '3=', '3=,x'])
def test_run_metadata_without_a_file_name_is_a_usage_error(three_runs, value):
    three_runs('scope', graph_path='g', run_meta_path=value).fails(2, '--run_meta_path', 'names no file')


def test_a_negative_step_number_is_a_usage_error(three_runs):
    three_runs('scope', graph_path='g', run_meta_path='-1=x').fails(2, '--run_meta_path', 'steps are 0 and up')
