"""Where reports go, and that every format is well-formed and honest about what was not recorded."""
import json
import os
import re
import subprocess

import pytest
from support import wire

GRAPH = wire.graph(wire.node('w', 'VariableV2', dims=[4]), wire.node('u', 'VariableV2', dims=[-1, 2]),
                   wire.node('w/read', 'Identity', ['w']))


@pytest.fixture
def tool(tfprof):
    tfprof.file('g', GRAPH)
    return tfprof


def others(tool):
    return sorted(p.name for p in tool.folder.iterdir())


# --- where to

@pytest.mark.parametrize('words', [['-o', 'r'], ['--outfile=r'], ['-outfile', 'r'], ['-output', 'file:outfile=r'],
                                   ['-dump_to_file', 'r']])
def test_a_report_goes_to_a_file_and_not_to_stdout(tool, words):
    want = tool('scope', 'g').ok().out
    assert tool('scope', 'g', *words).ok().out == b''
    assert (tool.folder / 'r').read_bytes() == want
    assert others(tool) == ['g', 'r']


def test_output_none_prints_nothing(tool):
    assert tool('scope', 'g', output='none').ok().out == b''


def test_a_new_file_can_be_read_by_others_as_usual(tool):
    old = os.umask(0o022)
    try:
        tool('scope', 'g', '-o', 'r').ok()
    finally:
        os.umask(old)
    assert (tool.folder / 'r').stat().st_mode & 0o777 == 0o644


def test_a_file_is_replaced_whole_and_keeps_its_mode(tool):
    tool.file('r', 'x' * 100000)
    (tool.folder / 'r').chmod(0o600)
    tool('scope', 'g', '-o', 'r').ok()
    assert (tool.folder / 'r').read_bytes() == tool('scope', 'g').ok().out
    assert (tool.folder / 'r').stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize('words, status', [
    (['scope', 'missing'], 3), (['scope', 'g', '-step', '3'], 2), (['scope', 'g', '-show_name_regexes', '('], 2),
    (['code', 'g'], 3)])
def test_a_failed_report_leaves_the_old_file(tool, words, status):
    tool.file('r', 'precious')
    tool(*words, '-o', 'r').fails(status)
    assert (tool.folder / 'r').read_text() == 'precious'
    assert others(tool) == ['g', 'r']


def test_a_target_that_cannot_be_written_is_an_error(tool):
    tool('scope', 'g', '-o', 'no/such/folder/r').fails(3, 'no/such/folder/r', 'cannot be written')
    tool('scope', 'g', '-o', '.').fails(3, 'is a directory')
    assert others(tool) == ['g']


@pytest.mark.skipif(os.geteuid() == 0, reason='root may write anywhere')
def test_a_folder_without_permission_is_an_error(tool):
    (tool.folder / 'd').mkdir(mode=0o500)
    tool('scope', 'g', '-o', 'd/r').fails(3, 'd/r', 'cannot be written')


def test_a_full_disk_is_an_error(tool):
    if not os.path.exists('/dev/full'):
        pytest.skip('no /dev/full')
    tool('scope', 'g', '-o', '/dev/full').fails(3, '/dev/full', 'cannot be written')


def test_stdout_to_a_full_disk_is_an_error(tool, binary):
    if not os.path.exists('/dev/full'):
        pytest.skip('no /dev/full')
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([binary, 'scope', 'g'], cwd=tool.folder, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b'standard output' in done.stderr


def test_a_device_is_written_directly(tool):
    assert tool('scope', 'g', '-o', '/dev/stdout').ok().out == tool('scope', 'g').ok().out
    tool('scope', 'g', '-o', '/dev/null').ok()
    assert os.path.exists('/dev/null') and not os.path.isfile('/dev/null')


@pytest.mark.parametrize('command', ['version', 'help'])
def test_what_cannot_be_printed_is_an_error(binary, command):
    if not os.path.exists('/dev/full'):
        pytest.skip('no /dev/full')
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([binary, command], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 3 and b'cannot be written' in done.stderr


# --- formats

@pytest.mark.parametrize('view', ['scope', 'graph', 'op', 'code'])
def test_json_is_well_formed_and_complete(tool, data, view):
    report = tool(view, data / 'mlp', format='json', select='bytes,micros,device,op_types,occurrence').ok().json()
    assert list(report) == ['tool', 'inputs', 'options', 'coverage', 'steps', 'warm_up_steps', 'warnings', 'left_out',
                            'root']
    assert report['tool'].startswith('tfprof ')
    assert report['options']['select']
    assert report['root']['name'] == '_TFProfRoot'
    assert report['root']['total_exec_micros'] > 0
    assert report['coverage']['nodes'] > 0


def test_names_survive_every_format(tool):
    name = 'odd "name", with\\back slash | <b>*star*_ünï'
    tool.file('g', wire.graph(wire.node(name, dims=[3])))
    assert tool('scope', 'g', format='json').ok().json()['root']['children'][0]['name'] == name
    assert tool('scope', 'g', format='csv').ok().csv()[1]['path'] == name
    markdown = tool('scope', 'g', format='markdown').ok().text
    assert '\\|' in markdown and '\\<b>\\*star\\*' in markdown


def test_every_line_of_markdown_has_the_same_columns(tool, data):
    for view in ('scope', 'graph', 'op', 'code'):
        lines = tool(view, data / 'mlp', format='markdown', select='micros,bytes,params,device', classic='true').ok().text.splitlines()
        bars = {len(re.findall(r'(?<!\\)\|', line)) for line in lines}
        assert len(bars) == 1, bars
        assert re.fullmatch(r'\|(-+:?\|)+', lines[1])


def test_csv_has_a_row_per_node_and_every_cell(tool, data):
    for view in ('scope', 'graph', 'op', 'code'):
        columns = 'micros,bytes,params,device,op_types,input_shapes,occurrence'
        rows = tool(view, data / 'mlp', format='csv', select=columns).ok().csv()
        assert rows[0]['path'] == '_TFProfRoot' and rows[0]['depth'] == '0'
        assert all(None not in row and None not in row.values() for row in rows)
        assert sum(int(row['total_micros']) for row in rows if row['depth'] == '0') > 0


# --- what was not recorded is never 0

def test_not_recorded_is_na_in_text(tool):
    done = tool('scope', 'g', select='micros,bytes,float_ops,occurrence,params', flops='recorded').ok()
    assert done.rows[0] == '_TFProfRoot (--/4 params, n/a flops, n/a, n/a, n/a, n/a, n/a|--/3)'
    assert 'not recorded' in done.err and '--run_meta_path' in done.err and '--op_log_path' in done.err


def test_not_recorded_is_na_in_the_op_view(tool):
    (row,) = [row for row in tool('op', 'g', select='micros,float_ops,occurrence', flops='recorded').ok().rows if row.startswith('Ident')]
    assert row.split() == ['Identity', 'n/a,', 'n/a,', 'n/a,', 'n/a', 'float_ops,', 'n/a|1']


def test_not_recorded_is_null_in_json(tool):
    root = tool('scope', 'g', format='json').ok().json()['root']
    assert root['total_exec_micros'] is None and root['total_requested_bytes'] is None
    assert root['total_float_ops'] is None and root['total_parameters'] == 4


def test_not_recorded_is_empty_in_csv(tool):
    rows = tool('scope', 'g', format='csv', select='micros,params').ok().csv()
    assert {row['total_micros'] for row in rows} == {''}
    assert rows[0]['total_params'] == '4'


def test_a_shape_with_an_unknown_dimension_has_no_known_parameters(tool):
    rows = {row['path']: row for row in tool('scope', 'g', format='csv', select='params').ok().csv()}
    assert rows['u']['params'] == ''
    assert rows['w']['params'] == '4'


def test_memory_that_was_not_traced_is_na_though_times_are_there(tool):
    tool.file('r', wire.run_metadata({wire.CPU: [wire.stats('w', micros=7)]}))
    done = tool('scope', 'g', 'r', select='bytes,cpu_micros').ok()
    assert '  w (n/a, 7us/7us)' in done.rows
    assert 'memory was not recorded' in done.err and 'FULL_TRACE' in done.err


def test_the_code_view_without_call_stacks_says_how_to_get_them(tool):
    tool('code', 'g').fails(3, 'call stacks', 'write_op_log', '--op_log_path')


# --- colour

def test_no_colour_in_a_pipe_unless_asked(tool):
    assert b'\x1b[' not in tool('scope', 'g').ok().out
    assert b'\x1b[' in tool('scope', 'g', color='always').ok().out
    assert b'\x1b[' not in tool('scope', 'g', color='never').ok().out


# --- info

def test_info_text_names_parts_and_what_is_missing(tool, data):
    text = tool('info', data / 'mlp').ok().text
    for part in ('Input', 'Graph', 'Steps', 'Devices', 'Coverage', 'Damage\n  none', 'GraphDef', 'device:cpu:0'):
        assert part in text
    alone = tool('info', 'g', flops='recorded').ok().text
    for part in ('Missing', 'run metadata', 'op log', 'write_op_log', 'float ops    n/a'):
        assert part in alone


def test_info_json_counts(tool):
    tool.file('g', GRAPH + wire.node('w', 'Duplicate') + wire.node('v', 'Add', ['w', 'nowhere']))
    tool.file('run_meta_3', wire.run_metadata({wire.CPU: [wire.stats('w', micros=7), wire.stats('extra', micros=2)]}))
    info = tool('info', 'g', 'run_meta_3', format='json', flops='recorded').ok().json()
    assert info['nodes'] == 5 and info['edges'] == 2 and info['dangling_inputs'] == 1
    assert info['parameters'] == 4 and info['float_ops'] is None
    assert info['steps'] == [{'step': 3, 'nodes': 2, 'runs': 2, 'micros': 9, 'has_memory': False}]
    assert info['devices'] == [{'name': wire.CPU.lower(), 'nodes': 2, 'micros': 9}]
    assert info['coverage']['nodes'] == 4 and info['coverage']['nodes_run'] == 1
    assert info['coverage']['nodes_only_in_run_metadata'] == 1
    assert info['damage'] == {'duplicate node names': 1}
    assert 'op log' in [missing['what'] for missing in info['missing']]


@pytest.mark.parametrize('form', ['chrome', 'perfetto'])
def test_formats_of_timelines_are_refused(tool, form):
    tool('info', 'g', format=form).fails(2, '-format %s is for tfprof timeline' % form)


@pytest.mark.parametrize('command', ['summary', 'info', 'advise', 'memory', 'model', 'checkpoint', 'diff'])
@pytest.mark.parametrize('kind', ['timeline', 'pprof', 'folded'])
def test_a_file_for_another_tool_is_of_a_view(tool, command, kind):
    tool(command, 'g', output=kind + ':outfile=F').fails(2, '-output %s:outfile=F: %s prints a report' % (kind, command))
    assert not (tool.folder / 'F').exists()


def test_a_name_is_one_line_and_cannot_speak_to_the_terminal(tool):
    nodes = [wire.node('n%d' % i) for i in range(9)] + [wire.node('bad\n\x1b[2Jname\x7f', dims=[2])]
    tool.file('g', wire.graph(*nodes))
    assert '  bad\\x0a\\x1b[2Jname\\x7f (2, 2/2 params)' in tool('scope', 'g', '--classic').ok().rows
    assert tool('scope', 'g', format='json', order_by='name').ok().json()['root']['children'][0]['name'] == 'bad\n\x1b[2Jname\x7f'


def test_json_is_valid_whatever_the_file_is_called(tool):
    name = os.fsdecode(b'odd\xff')
    (tool.folder / name).write_bytes(GRAPH)
    assert tool('scope', name, format='json').ok().json()['inputs'] == ['odd\\xff']
    assert tool('scope', format='json', graph_path=name).ok().json()['inputs'] == ['odd\\xff']
    assert tool('info', name, format='json').ok().json()['inputs'][0]['path'] == 'odd\\xff'
    assert tool('summary', name, format='json').ok().json()['inputs'][0]['path'] == 'odd\\xff'
    tool.file('run_meta_3', wire.run_metadata({wire.CPU: [wire.stats('a', micros=9, total=8, peak=8)]}))
    assert 'odd\\xff' in tool('memory', name, 'run_meta_3', format='json').ok().json()['inputs']
    tool('timeline', name, 'run_meta_3', '-o', 't.json').ok()
    assert 'odd\\xff' in json.loads((tool.folder / 't.json').read_bytes())['otherData']['inputs']
    for form in ('json', 'csv', 'markdown', 'html', 'text'):
        for command in ('summary', 'info', 'memory', 'model', 'scope'):
            tool(command, name, *([] if command == 'model' else ['run_meta_3']), format=form).ok().out.decode('utf-8')
