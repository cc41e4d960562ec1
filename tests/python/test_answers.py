"""Answers for agents, without the protocol: what may be asked, what is refused, how long answers are."""
import json
import os

import pytest
import tfprof
from package_paths import REPOSITORY
from tfprof import _answers, _options
from tfprof._answers import Answers, options_of, tools
from tfprof._folders import Folders, Refused
from tfprof._profile import KINDS


@pytest.fixture(scope='module')
def answers():
    return Answers(Folders([str(REPOSITORY / 'examples'), str(REPOSITORY / 'tests' / 'data')]))


@pytest.fixture
def house(tmp_path):
    """A folder that may be read, beside one that may not; links lead from the one to the other."""
    inside, outside = tmp_path / 'inside', tmp_path / 'outside'
    (inside / 'run').mkdir(parents=True)
    outside.mkdir()
    graph = (REPOSITORY / 'examples' / 'resnet' / 'graph.pb').read_bytes()
    (inside / 'run' / 'graph.pb').write_bytes(graph)
    (outside / 'graph.pb').write_bytes(graph)
    return inside


def refused(answers, tool, **arguments):
    with pytest.raises(Refused) as caught:
        answers.answer(tool, arguments)
    return caught.value.code


def test_a_tool_for_each_kind_of_report():
    assert {'summary', 'scope', 'graph', 'op', 'code', 'memory', 'kernels', 'steps', 'advise', 'info', 'diff', 'model',
            'checkpoint', 'oom'} <= set(KINDS)
    assert [tool.name for tool in tools()] == [*KINDS, 'files', 'help']
    assert len(json.dumps([tool._asdict() for tool in tools()])) < 16_000


def test_the_page_lists_the_tools():
    page = (REPOSITORY / 'docs' / 'mcp.md').read_text()
    for tool in tools():
        assert '| `%s` | %s |' % (tool.name, tool.description) in page


QUESTIONS = {'checkpoint': ['checkpoints/object'], 'model': ['lstm'], 'diff': ['resnet@step=0', 'resnet@step=100'],
             'oom': ['oom/tf2_fragmented.log'], 'kernels': ['jax'], 'steps': ['jax'], 'history': ['history.db']}


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('format', ['text', 'json'])
def test_every_tool_answers(answers, kind, format):
    paths = QUESTIONS.get(kind, ['resnet'])
    text = answers.answer(kind, {'paths': paths, 'format': format})
    assert 200 < len(text.encode()) <= 25_000
    if format == 'json':
        answer = json.loads(text)
        assert answer['report'] and any('Next: ' in note for note in answer['notes'])
    else:
        assert '\nNext: ' in text


@pytest.mark.parametrize('kind', _answers._NEXT)
def test_hints_are_questions_that_can_be_asked(kind):
    assert kind in KINDS
    for hint in _answers._NEXT[kind]:
        assert hint.tool in KINDS
        assert set(hint.options) <= set(options_of(hint.tool))
        _options.to_pairs(hint.options)


def test_rows_are_bounded_and_counted(answers):
    few = answers.answer('op', {'paths': ['resnet'], 'max_rows': 3, 'options': {'select': ['micros'], 'order_by': 'micros'}})
    assert 'Conv2DBackpropInput' in few and 'FusedBatchNorm' not in few and 'more' in few and 'max_rows' in few
    counted = json.loads(answers.answer('op', {'paths': ['resnet'], 'max_rows': 3, 'format': 'json'}))
    assert len(counted['report']['root']['children']) == 3 and counted['report']['left_out']['rows'] > 20
    assert any('max_rows=15' in note for note in counted['notes'])
    assert 'more kernels' in answers.answer('kernels', {'paths': ['jax'], 'max_rows': 3})
    assert 'more kernels' not in answers.answer('kernels', {'paths': ['jax'], 'max_rows': 0})
    every = answers.answer('op', {'paths': ['resnet'], 'max_rows': 0, 'options': {'select': ['micros'], 'order_by': 'micros'}})
    assert 'FusedBatchNorm' in every and 'max_rows' not in every


def test_bytes_are_bounded_unless_more_is_asked_for(answers):
    ask = {'paths': ['resnet'], 'max_rows': 0, 'options': {'max_depth': 100}}
    text = answers.answer('graph', ask)
    assert len(text.encode()) <= 25_000 and 'max_bytes=' in text
    assert len(answers.answer('graph', {**ask, 'max_bytes': 200_000}).encode()) > 50_000
    assert len(answers.answer('graph', {**ask, 'max_bytes': 1000}).encode()) <= 1000
    shorter = answers.answer('graph', {**ask, 'format': 'json'})
    assert len(shorter.encode()) <= 25_000 and json.loads(shorter)['cut']


def test_a_chain_as_long_as_one_likes(house):
    """Each row of a chain stands deeper than the one before it: all of them would be a text without end."""
    nodes = b''
    for number in range(20_000):
        name, before = b'n%d' % number, b'n%d' % (number - 1)
        node = b'\x0a' + bytes([len(name)]) + name + b'\x12\x08Identity'
        if number:
            node += b'\x1a' + bytes([len(before)]) + before
        nodes += b'\x0a' + bytes([len(node)]) + node
    (house / 'chain.pb').write_bytes(nodes)
    answers = Answers(Folders([str(house)]))
    for format in ('text', 'json'):
        for ask in ({}, {'max_rows': 0, 'max_bytes': 1_000_000}):
            try:
                text = answers.answer('graph', {'paths': ['chain.pb'], 'format': format, **ask,
                                                'options': {'max_depth': 1 << 60, 'select': ['occurrence']}})
                assert len(text.encode()) <= ask.get('max_bytes', 25_000)
            except Refused as problem:
                assert problem.code == 'too_large'


def test_help_and_files(answers):
    assert 'start_name_regexes (list' in answers.answer('help', {'tool': 'scope'})
    assert 'resnet/' in answers.answer('files', {})
    assert json.loads(answers.answer('files', {'path': 'resnet', 'format': 'json'}))['report']['files'][0]['bytes'] > 0


WRITES = {'output': 'file:outfile=x', 'dump_to_file': 'x', 'outfile': 'x', 'format': 'html', 'pager': True, 'color': 'never'}


@pytest.mark.parametrize('kind', KINDS)
def test_nothing_that_writes_or_reads_elsewhere_passes(answers, house, kind):
    """Over the engine's own table: an option of tomorrow is tried as well."""
    confined = Answers(Folders([str(house)]))
    paths = ['run', 'run'] if kind == 'diff' else ['run']
    for name, about in _options.table().items():
        if name in WRITES or about.group == 'print':
            assert name not in options_of(kind)
        if name in WRITES:
            assert refused(confined, kind, paths=paths, options={name: WRITES[name]}) == 'invalid_argument'
        elif about.is_path or about.kind == 'str' and 'FILE' in about.help:
            for value in (str(house.parent / 'outside' / 'graph.pb'), '../outside/graph.pb'):
                assert refused(confined, kind, paths=paths, options={name: value}) in (
                    'invalid_argument', 'path_refused'), name
    for value in ('../../outside', '/etc'):
        if 'run' in options_of(kind):
            assert refused(confined, kind, paths=paths, options={'run': value}) == 'path_refused'
    assert not os.path.exists('x')


HOSTILE = ['../outside/graph.pb', '../outside', '..', '/etc/passwd', '/', '~', '~root', '~/.ssh', 'file:///etc/passwd',
           'file:run/graph.pb', 'http://localhost/x', 'run/../../outside', 'run/../../outside/graph.pb', '-', '', 'run\0',
           'run/graph.pb\0/../../..', '/proc/self/environ', '/dev/zero', '../inside_not', 'a' * 5000, '//etc/passwd',
           './/../outside', 'run@step=../../outside', '\ud800']


@pytest.mark.parametrize('path', HOSTILE)
@pytest.mark.parametrize('tool', ['summary', 'checkpoint', 'oom', 'files'])
def test_hostile_paths(house, path, tool):
    (house.parent / 'inside_not').mkdir()  # begins as the name of the folder does
    answers = Answers(Folders([str(house)]))
    arguments = {'path': path} if tool == 'files' else {'paths': [path]}
    assert refused(answers, tool, **arguments) in ('path_refused', 'not_found')


def test_what_is_elsewhere_is_not_told_from_what_is_not_there(house):
    answers = Answers(Folders([str(house)]))
    there, not_there = [pytest.raises(Refused, answers.answer, 'info', {'paths': [path]}).value
                        for path in ('../outside/graph.pb', '../outside/nothing.pb')]
    assert there.code == not_there.code
    assert there.message.replace('graph', '') == not_there.message.replace('nothing', '')


def test_links_that_lead_out(house):
    outside = house.parent / 'outside'
    answers = Answers(Folders([str(house)]))
    answers.answer('info', {'paths': ['run']})
    (house / 'link.pb').symlink_to(outside / 'graph.pb')
    (house / 'folder').symlink_to(outside)
    assert refused(answers, 'info', paths=['link.pb']) == 'path_refused'
    assert refused(answers, 'info', paths=['folder']) == 'path_refused'
    assert refused(answers, 'info', paths=['folder/graph.pb']) == 'path_refused'
    assert refused(answers, 'files', path='folder') == 'path_refused'
    # Below a folder that is read as a whole.
    (house / 'run' / 'run_meta_0').symlink_to(REPOSITORY / 'examples' / 'resnet' / 'run_meta_0')
    assert refused(answers, 'info', paths=['run']) == 'path_refused'
    (house / 'run' / 'run_meta_0').unlink()
    (house / 'run' / 'plugins').symlink_to(outside)
    assert refused(answers, 'info', paths=['run']) == 'path_refused'
    (house / 'run' / 'plugins').unlink()
    # Links that stay are fine.
    (house / 'same').symlink_to(house / 'run')
    assert 'nodes' in answers.answer('info', {'paths': ['same']})


def test_absolute_paths_inside_are_fine(house):
    answers = Answers(Folders([str(house)]))
    assert 'nodes' in answers.answer('info', {'paths': [str(house / 'run')]})
    assert 'nodes' in answers.answer('info', {'paths': [str(house / 'run' / 'graph.pb')]})
    assert 'nodes' in answers.answer('info', {'paths': ['run/../run']})


def test_what_lies_beside_a_file(house):
    answers = Answers(Folders([str(house)]))
    (house / 'run' / 'run.json').symlink_to(house.parent / 'outside' / 'graph.pb')
    assert refused(answers, 'info', paths=['run/graph.pb']) == 'path_refused'
    (house / 'run' / 'run.json').unlink()
    (house / 'run' / 'saved_model.pb').write_bytes(b'x')
    (house / 'run' / 'variables').symlink_to(house.parent / 'outside')
    assert refused(answers, 'model', paths=['run/saved_model.pb']) == 'path_refused'
    (house / 'run' / 'variables').unlink()
    (house / 'run' / 'variables').mkdir()
    (house / 'run' / 'variables' / 'variables.index').symlink_to(house.parent / 'outside' / 'graph.pb')
    assert refused(answers, 'model', paths=['run/saved_model.pb']) == 'path_refused'


@pytest.mark.parametrize('select', ['params,float_ops', ['params'], ['tensor_value'], ['device', 'params']])
def test_columns_of_ones_own(answers, select):
    assert 'more' in answers.answer('scope', {'paths': ['resnet'], 'options': {'select': select}, 'max_rows': 5})


def test_a_checkpoint_state_that_names_another_folder(house):
    answers = Answers(Folders([str(house)]))
    state = house / 'run' / 'checkpoint'
    for name in ('/etc/x', '../../outside/x', str(house.parent / 'outside' / 'x'), r'\057etc\057x'):
        state.write_text('model_checkpoint_path: "%s"\n' % name)
        assert refused(answers, 'checkpoint', paths=['run']) == 'path_refused'
        assert refused(answers, 'scope', paths=['run']) == 'path_refused'


def test_a_checkpoint_whose_parts_are_links(house):
    answers = Answers(Folders([str(house)]))
    (house / 'model.index').symlink_to(house.parent / 'outside' / 'graph.pb')
    assert refused(answers, 'checkpoint', paths=['model']) == 'path_refused'


def test_pipes_do_not_hang(house):
    os.mkfifo(house / 'pipe')
    os.mkfifo(house / 'run' / 'pipe')
    answers = Answers(Folders([str(house)]))
    assert refused(answers, 'oom', paths=['pipe']) == 'path_refused'
    assert 'nodes' in answers.answer('info', {'paths': ['run']})


@pytest.mark.parametrize('arguments', [
    {}, {'paths': []}, {'paths': 'run'}, {'paths': [1]}, {'paths': None}, {'paths': ['run'], 'more': 1},
    {'paths': ['run'], 'max_rows': -1}, {'paths': ['run'], 'max_rows': 'x'}, {'paths': ['run'], 'max_bytes': 10},
    {'paths': ['run'], 'max_bytes': 1 << 40}, {'paths': ['run'], 'format': 'html'}, {'paths': ['run'], 'options': []},
    {'paths': ['run'], 'options': {'nothing': 1}}, {'paths': ['run'], 'options': {'max_depth': 'x'}},
    {'paths': ['run'], 'options': {'order_by': 'nothing'}}, {'paths': ['run'], 'options': {'start_name_regexes': ['(']}},
    {'paths': ['run'] * 100}])
def test_bad_arguments(house, arguments):
    assert refused(Answers(Folders([str(house)])), 'scope', **arguments) == 'invalid_argument'


def test_bad_inputs_are_told(house):
    (house / 'bad.pb').write_bytes(b'\xff' * 100)
    answers = Answers(Folders([str(house)]))
    assert refused(answers, 'summary', paths=['bad.pb']) == 'bad_input'
    assert refused(answers, 'no_such_tool', paths=['run']) == 'unknown_tool'


def test_the_second_question_finds_the_profile_loaded(house, monkeypatch):
    loads = []
    real = tfprof._engine.load
    monkeypatch.setattr(tfprof._engine, 'load', lambda *given: loads.append(given) or real(*given))
    answers = Answers(Folders([str(house)]))
    for kind in ('summary', 'scope', 'op', 'memory', 'info'):
        try:
            answers.answer(kind, {'paths': ['run']})
        except Refused as problem:
            assert problem.code == 'bad_input'  # no memory was recorded
    assert len(loads) == 1
    os.utime(house / 'run' / 'graph.pb', (1, 1))  # it has changed
    answers.answer('info', {'paths': ['run']})
    assert len(loads) == 2


def test_few_profiles_stay_loaded(house, monkeypatch):
    monkeypatch.setattr(_answers, '_KEPT_PROFILES', 2)
    answers = Answers(Folders([str(house)]))
    for number in range(5):
        copy = house / ('copy%d' % number)
        copy.mkdir()
        (copy / 'graph.pb').write_bytes((house / 'run' / 'graph.pb').read_bytes())
        answers.answer('info', {'paths': [copy.name]})
    assert len(answers._loaded._kept) == 2
