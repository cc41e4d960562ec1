"""XPlane captures as people use them: float ops that nobody knows, kernels side by side, rooflines, comparisons, advice."""
import collections
import io
import lzma
import re
import tarfile
from pathlib import Path

import pytest

XPLANE = Path(__file__).resolve().parent.parent / 'data' / 'xplane'
MADE = Path(__file__).resolve().parent.parent.parent / 'fuzz' / 'corpus' / 'xplane'


@pytest.fixture(scope='module')
def captures(tmp_path_factory):
    """name -> the capture. Twins are one program recorded with CUDA graphs and without."""
    top, out = tmp_path_factory.mktemp('captures'), {}
    for archive in ('recorded.tar.xz', 'twins.tar.xz'):
        with tarfile.open(fileobj=io.BytesIO(lzma.decompress((XPLANE / archive).read_bytes()))) as tar:
            for entry in tar:
                if not re.match(r'(gpu|jax|tf|concurrent)_\w+/vm.xplane.pb', entry.name):
                    continue
                path = top / entry.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(tar.extractfile(entry).read())
                out[path.parent.name] = path
    return out


def rows_of(root):
    todo = [root]
    while todo:
        row = todo.pop()
        yield row
        todo += row.get('children', [])


def time_by_op(tfprof, capture):
    """framework op -> micros of its kernels."""
    root = tfprof('scope', capture, names='raw', select='accelerator_micros', max_depth=10000, format='json').ok().json()['root']
    out = collections.Counter()
    for row in rows_of(root):
        out[row['name'].rpartition('/')[0]] += row['accelerator_exec_micros'] or 0
    return out


def test_float_ops_that_nobody_knows_are_not_zero(tfprof):
    done = tfprof('scope', MADE / 'cuda_graphs', select='float_ops,flop_rate', max_depth=10, order_by='name').ok()
    line = next(line for line in done.text.splitlines() if 'gemm.1 ' in line)
    assert '(n/a flops, n/a flops/s)' in line
    assert re.search(r'float ops are known of \d+\.\d% of the time;.* sums over them are at least', done.err.replace('\n', ' '))
    types = tfprof('op', MADE / 'cuda_graphs', select='float_ops', order_by='name').ok().text
    assert re.search(r'dot_general +n/a float_ops', types)


def test_kernels_side_by_side_are_on_the_ops_of_the_twin(tfprof, captures):
    graphs, plain = (time_by_op(tfprof, captures['concurrent_' + kind]) for kind in ('graphs', 'plain'))
    known = sum(micros for op, micros in graphs.items() if op in plain)
    assert known >= 0.999 * sum(graphs.values())
    # Kernels that share the device take longer than alone, each as it comes: the shares of the ops move with that.
    common = sum(min(graphs[op] / sum(graphs.values()), plain[op] / sum(plain.values())) for op in plain)
    assert common >= 0.8


def test_matrix_products_have_the_same_float_ops_with_and_without_graphs(tfprof, captures):
    totals = {tfprof('op', captures['concurrent_' + kind], select='float_ops', format='json').ok().json()['root']['total_float_ops']
              for kind in ('graphs', 'plain')}
    assert len(totals) == 1 and totals.pop() > 10**9


def test_bound_says_which_roof_and_how_near(tfprof, captures):
    def bounds(**words):
        root = tfprof('scope', captures['gpu_plain_mlp'], select='bound', max_depth=10000, format='json', **words).ok().json()['root']
        return {row['name']: row['bound'] for row in rows_of(root)}
    by_name = bounds()
    kinds = {bound.split()[0] for bound in by_name.values() if bound}
    assert 'compute' in kinds and kinds <= {'compute', 'memory', 'launch'}
    shares = [float(bound.split()[1].rstrip('%')) for bound in by_name.values() if bound]
    assert all(0 <= share <= 101 for share in shares)
    # A device that computes a thousand times slower than memory is fast is bound by arithmetic alone.
    slow = bounds(peak_flops='1G', peak_bandwidth='1000T')
    assert {bound.split()[0] for bound in slow.values() if bound} <= {'compute', 'memory'}
    text = tfprof('op', captures['gpu_plain_mlp'], select='bound,intensity,moved_bytes', order_by='name').ok().text
    assert 'bound by' in text and 'flops/B' in text


def test_without_a_peak_bound_says_how_to_give_it(tfprof, captures):
    done = tfprof('op', captures['jax_cpu_mlp'], select='bound', order_by='name').ok()
    assert '-peak_flops' in done.err and '-peak_bandwidth' in done.err and 'n/a' in done.text
    tfprof('op', captures['jax_cpu_mlp'], peak_flops='fast').fails(2, "'fast'", '989T')


def test_summary_measures_steps_against_a_peak_that_it_names(tfprof, captures):
    use = tfprof('summary', captures['gpu_plain_mlp'], format='json').ok().json()['utilization']
    assert len(use['steps']) == 5 and all(0 < step['share'] < 1 for step in use['steps'])
    assert 'H200' in use['rule'] and 'wall time' in use['rule']
    mine = tfprof('summary', captures['gpu_plain_mlp'], format='json', peak_flops='1P').ok().json()['utilization']
    assert '1000.0T' in mine['rule'] and '-peak_flops' in mine['rule']
    ratio = use['steps'][0]['share'] / mine['steps'][0]['share']
    assert 1.5 < ratio < 3  # 494.7T published for TF32
    assert 'utilization' not in tfprof('summary', captures['jax_cpu_mlp'], format='json').ok().json()


@pytest.mark.parametrize('twin', ['concurrent_%s', 'gpu_%s_mlp'])
def test_one_program_compiled_twice_has_the_same_rows(tfprof, captures, twin):
    text = tfprof('diff', captures[twin % 'graphs'], captures[twin % 'plain'], select='micros', delta=0, min_micros=0).ok().text
    rows = [line for line in text.splitlines() if re.search(r'\(left:|\(right:', line)]
    assert len(rows) > 10
    for row in rows:
        assert 'left:' in row and 'right:' in row, row
        assert not re.search(r'(fusion|custom-call|command_buffer)[._]\d', row), row


def test_a_capture_does_not_differ_from_itself(tfprof, captures):
    text = tfprof('diff', captures['concurrent_graphs'], captures['concurrent_graphs'], select='micros', delta=0, min_micros=0).ok().text
    assert not any(re.search(r'\(left:\S+ right:\S+\) [+-][1-9]', line) for line in text.splitlines())


def test_advice_on_captures(tfprof, captures):
    checkers = tfprof('advise', captures['concurrent_graphs'], format='json').ok().json()['checkers']
    assert list(checkers)[0] == 'DroppedEventChecker' and 'not_checked' not in checkers['DroppedEventChecker']
    for name in ('CollectiveChecker', 'InputPipelineChecker', 'LaunchChecker', 'OccupancyChecker', 'PaddingChecker',
                 'RecompilationChecker'):
        assert name in checkers
    assert checkers['CollectiveChecker']['not_checked'] == 'no collective ran'


def test_info_speaks_of_captures_in_their_terms(tfprof, captures):
    text = tfprof('info', captures['gpu_graphs_mlp']).ok().text
    assert 'n/a (a capture does not tell them from other arguments)' in text
    assert 'recorded' in text and 'shape attr' not in text
    assert not re.search(r'op log|RunOptions|run metadata', text)
