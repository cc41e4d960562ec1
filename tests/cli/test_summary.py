"""The command summary: the page and its JSON."""
import collections

import pytest
from support import wire

MODELS = ['mlp', 'resnet_gpu', 'seq2seq', 'functions', 'two_cpus']
DTYPE_FLOAT = wire.field(5, wire.message(_1='dtype', _2=wire.message(_6=1)))


@pytest.mark.parametrize('model', MODELS)
def test_figures_are_those_of_the_views(tfprof, data, model):
    summary = tfprof('summary', data / model, format='json').ok().json()
    info = tfprof('info', data / model, format='json').ok().json()
    assert summary['coverage'] == info['coverage'] and summary['model']['nodes'] == info['nodes']
    assert [s['busy_micros'] for s in summary['steps']] == [s['micros'] for s in info['steps']]
    tops = {(top['what'], top['figure']): top for top in summary['top']}
    numbers = [step['step'] for step in summary['steps']]
    for figure, field in (('micros', 'exec_micros'), ('bytes', 'requested_bytes'), ('float_ops', 'float_ops')):
        rows, total = collections.Counter(), 0
        for number in numbers:
            ops = tfprof('op', data / model, select='micros,bytes,float_ops', step=number, max_depth=10000, format='json').ok().json()['root']
            rows.update({row['name']: row[field] or 0 for row in ops['children']})
            total += ops['total_' + field]
        if figure == 'float_ops':
            assert summary['float_ops'] == total // len(numbers)
            continue
        top = tops['op types', figure]
        assert top['total'] == total // len(numbers)
        want = sorted(((value // len(numbers), -value, name) for name, value in rows.items() if value >= len(numbers)), key=lambda r: (r[1], r[2]))
        if info['coverage']['nodes_only_in_run_metadata'] == 0:  # else the op view has the types that TensorFlow gives
            assert [(item['value'], item['name']) for item in top['items']] == [(value, name) for value, _, name in want[:10]]
        scopes = sum(item['value'] for item in tops['scopes', figure]['items'])
        assert scopes <= top['total']


@pytest.mark.parametrize('model', MODELS)
def test_a_line_of_code_appears_once(tfprof, data, model):
    for top in tfprof('summary', data / model, format='json').ok().json()['top']:
        names = [item['name'] for item in top['items']]
        assert len(names) == len(set(names)) <= 10
        assert sum(item['value'] for item in top['items']) <= top['total']


def test_the_page_has_what_it_promises(tfprof, data):
    text = tfprof('summary', data / 'resnet_gpu').ok().text
    for words in ('Model\n', '\nTime\n', '\nDevices\n', '\nPeak memory\n', '\nTop op types\n', '\nTop scopes\n',
                  '\nTop code lines\n', '\nNot counted\n', '\nTo look deeper\n', 'by time', 'by memory', 'float32'):
        assert words in text, words
    assert max(map(len, text.splitlines())) < 200
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_its_commands_work(tfprof, data):
    text = tfprof('summary', data / 'mlp').ok().text
    commands = [line.strip().partition('  ')[0].split() for line in text.partition('To look deeper\n')[2].splitlines()[1:]]
    assert len(commands) >= 4
    for words in commands:
        assert words[0] == 'tfprof'
        tfprof(*words[1:]).ok()


def test_what_was_not_recorded_is_not_zero(tfprof):
    tfprof.file('g', wire.graph(wire.node('w', 'VariableV2', dims=[4, 5], attrs=DTYPE_FLOAT),
                                wire.node('x', 'Placeholder', dims=[1000])))
    summary = tfprof('summary', 'g', format='json', flops='recorded').ok().json()
    assert summary['model'] == {'nodes': 2, 'op_types': 2, 'variables': 1, 'params': 20, 'trainable_params': None,
                                'optimizer_state': 0, 'other_variables': 0, 'bytes': 80, 'params_by_type': {'float32': 20}}
    assert summary['float_ops'] is None and summary['steps'] == [] and summary['peaks'] == []
    assert summary['top'][0] == {'what': 'op types', 'figure': 'params', 'total': 20,
                                 'items': [{'name': 'VariableV2', 'value': 20}]}
    text = tfprof('summary', 'g').ok().text
    assert 'n/a (the op log tells)' in text and 'the input has no run metadata' in text and '\nTime\n' not in text


def test_bytes_need_the_type_of_every_variable(tfprof):
    tfprof.file('g', wire.graph(wire.node('w', 'VariableV2', dims=[4, 5], attrs=DTYPE_FLOAT),
                                wire.node('u', 'VariableV2', dims=[2])))
    summary = tfprof('summary', 'g', format='json').ok().json()
    assert summary['model']['bytes'] is None
    assert summary['model']['params_by_type'] == {'float32': 20, 'unknown type': 2}


def test_trainable_parameters_come_from_the_op_log(tfprof):
    tfprof.file('g', wire.graph(wire.node('w', 'VariableV2', dims=[4]), wire.node('step', 'VariableV2', dims=[])))
    tfprof.file('l', wire.log_entry('w', types=['_trainable_variables']))
    model = tfprof('summary', 'g', '--op_log_path=l', format='json').ok().json()['model']
    assert (model['params'], model['trainable_params']) == (5, 4)


def flattened(value, path=()):
    """Every value of a JSON object with where it lies."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flattened(inner, (*path, key))
    else:
        yield path, '' if value is None else str(value)


@pytest.mark.parametrize('command', ['summary', 'info'])
def test_csv_has_every_value_of_the_json(tfprof, data, command):
    want = {}
    for path, value in flattened(tfprof(command, data / 'resnet_gpu', format='json').ok().json()):
        section, rest = (str(path[0]), path[1:]) if len(path) > 1 else ('', path)
        row = str(rest[0]) if isinstance(rest[0], int) else ''
        want[section, row, '.'.join(map(str, rest[1:] if row else rest))] = value
    rows = tfprof(command, data / 'resnet_gpu', format='csv').ok().csv()
    have = {(row['section'], row['row'], row['field']): row['value'] for row in rows}
    assert {key: value.lower() for key, value in have.items()} == {key: value.lower() for key, value in want.items()}


def test_markdown_has_the_sections_of_the_text(tfprof, data):
    text = tfprof('summary', data / 'resnet_gpu').ok().text
    markdown = tfprof('summary', data / 'resnet_gpu', format='markdown').ok().text
    titles = [line for line in text.splitlines() if line and not line.startswith(' ')]
    assert [line[4:] for line in markdown.splitlines() if line.startswith('### ')] == titles
    assert '\n\n\n' not in markdown


def test_it_works_at_the_prompt_and_into_a_file(tfprof, data):
    want = tfprof('summary', data / 'mlp').ok().out
    assert want in tfprof(data / 'mlp', stdin=b'summary\n').ok().out
    tfprof('summary', data / 'mlp', '-o', 'page').ok()
    assert (tfprof.folder / 'page').read_bytes() == want


@pytest.mark.parametrize('model', MODELS + ['resnet_gpu/profile'])
def test_peaks_are_those_of_the_command_memory(tfprof, data, model):
    highest = {}
    for step in tfprof('memory', data / model, format='json').ok().json()['steps']:
        for device in step['devices']:
            key = device['device'], device['allocator'] or '', device['evidence']
            highest[key] = max(highest.get(key, 0), device['peak']['bytes'])
    peaks = tfprof('summary', data / model, format='json').ok().json()['peaks']
    assert {(peak['device'], peak['allocator'], peak['evidence']): peak['bytes'] for peak in peaks} == highest


def test_shares_are_of_the_time_that_is_printed(tfprof):
    """A node that ran in one of three steps, none of them warm-up, counts a third of its time."""
    tfprof.file('g', wire.graph(wire.node('a', 'A'), wire.node('b', 'B')))
    for step in range(3):
        records = [wire.stats('a', micros=100)] + ([wire.stats('b', start=2000, micros=300)] if step == 1 else [])
        tfprof.file('run_meta_%d' % step, wire.run_metadata({wire.CPU: records}))
    summary = tfprof('summary', 'g', 'run_meta_0', 'run_meta_1', 'run_meta_2', format='json').ok().json()
    mean = sum(step['busy_micros'] for step in summary['steps']) // 3
    assert mean == 200 and summary['devices'][0]['busy_micros_per_step'] == mean
    for top in summary['top']:
        if top['figure'] == 'micros':
            assert top['total'] == mean and sorted(item['value'] for item in top['items']) == [100, 100]
