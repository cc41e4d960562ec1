"""What the package takes, and what can be done with its results."""
import copy
import pathlib
import pickle
import subprocess
import sys

import pytest
import tfprof

EXAMPLE = 'examples/resnet'


def test_output_none_is_a_value_error():
    with pytest.raises(ValueError, match="option 'output'"):
        tfprof.profile(EXAMPLE, options={'output': None})


@pytest.mark.parametrize('kind', [bytes, bytearray, memoryview])
def test_load_takes_bytes_of_any_kind(graph_bytes, kind):
    loaded = tfprof.load(kind(graph_bytes)).scope(select=['params'])
    assert loaded.total_parameters == tfprof.load(EXAMPLE + '/graph.pb').scope(select=['params']).total_parameters


@pytest.mark.parametrize('view', ['scope', 'op', 'code', 'graph'])
@pytest.mark.parametrize('make', [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy],
                         ids=['pickle', 'copy', 'deepcopy'])
def test_results_can_be_pickled_and_copied(view, make):
    node = getattr(tfprof.load(EXAMPLE), view)(select=['micros', 'params'])
    other = make(node)
    assert other.to_json() == node.to_json()
    assert str(other) == str(node) and other.to_csv() == node.to_csv()
    assert [child.name for child in other.walk()] == [child.name for child in node.walk()]
    assert other.total_exec_micros == node.total_exec_micros


@pytest.mark.parametrize('make', [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy],
                         ids=['pickle', 'copy', 'deepcopy'])
def test_documents_can_be_pickled_and_copied(make):
    text = tfprof.model(EXAMPLE + '/graph.pb')
    other = make(text)
    assert str(other) == str(text) and other.data == text.data and other.lacking == text.lacking
    with pytest.raises(ValueError, match='no format'):
        other.render('no_such_format')


def test_shapes_travel_with_a_pickled_report():
    node = tfprof.load(EXAMPLE).graph(select=['micros'], show_input_output=True, max_depth=5)
    other = pickle.loads(pickle.dumps(node))
    assert [repr(n.shapes) for n in other.walk()] == [repr(n.shapes) for n in node.walk()]


def test_out_of_memory_is_a_memory_error(tmp_path):
    graph = tmp_path / 'graph.pbtxt'
    graph.write_text(''.join('node { name: "part_%d/node_%d" op: "Add" }\n' % (i % 97, i) for i in range(100000)))
    code = '''
import resource, sys, tfprof
import re
used = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (int(sys.argv[2]) << 20),) * 2)
try:
    tfprof.load(sys.argv[1]).scope(max_depth=9).to_json()
except MemoryError:
    print("MemoryError")
'''
    found = set()
    for megabytes in (12, 20, 40, 60):
        done = subprocess.run([sys.executable, '-c', code, str(graph), str(megabytes)], capture_output=True, text=True,
                              env={'PYTHONPATH': str(pathlib.Path(tfprof.__file__).parents[1])})
        assert done.returncode in (0, 1), (megabytes, done.returncode, done.stderr[-400:])
        found.add(done.stdout.strip())
    assert 'MemoryError' in found, done.stderr
