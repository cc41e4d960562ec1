"""Long names are cut for a narrow terminal, and nowhere else."""
import re

LONG = 'model/a_scope_with_a_long_name/another_scope_with_a_long_name/the_layer_itself/kernel'
SHAPE = 'attr { key: "shape" value { shape { dim { size: 10 } } } }'


def graph(tmp_path):
    path = tmp_path / 'long.pbtxt'
    path.write_text('node { name: "%s" op: "VariableV2" %s }\n' % (LONG, SHAPE))
    return path


def lines(session):
    while session.read_some(10):
        pass
    return [re.sub('\x1b\\[[0-9;]*m', '', line) for line in session.output.replace('\r', '').split('\n')]


def test_rows_of_a_view_fit_the_terminal(terminal, tmp_path):
    words = ('scope', graph(tmp_path), '-select', 'params', '-max_depth', '10')
    narrow = [line for line in lines(terminal(*words, columns=60)) if '10 params' in line]
    assert narrow and all(len(line) <= 60 for line in narrow)
    assert any('…' in line and line.lstrip().startswith('model/') and 'kernel (10, 10/10 params)' in line for line in narrow)
    assert any(LONG in line for line in lines(terminal(*words, columns=200)))


def test_tables_fit_the_terminal(terminal, tmp_path):
    rows = [line for line in lines(terminal('model', graph(tmp_path), columns=60)) if 'model/' in line]
    assert rows and all(len(line) <= 60 for line in rows)
    assert any('…' in line for line in rows)


def test_nothing_is_cut_in_a_pipe_or_with_classic(terminal, pipe, tmp_path):
    path = graph(tmp_path)
    assert LONG in pipe('', 'scope', path, '-select', 'params').stdout
    words = ('scope', path, '-select', 'params', '--classic')
    assert any(LONG in line for line in lines(terminal(*words, columns=60)))
