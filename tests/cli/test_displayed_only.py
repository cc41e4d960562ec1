"""-account_displayed_op_only: the numbers are TensorFlow's, but a report that counts next to nothing says so."""
import pytest
from support import wire


@pytest.fixture
def run(tfprof):
    tfprof.file('g', wire.graph(wire.node('a/x', 'Mul'), wire.node('a/y', 'Add', ['a/x'])))
    tfprof.file('r', wire.run_metadata({wire.CPU: [wire.stats('a/x', micros=10, total=3000, peak=3000),
                                                   wire.stats('a/y', start=2000, micros=10, total=1000, peak=1000)]}))
    return lambda view, **options: tfprof(view, 'g', 'r', '-account_displayed_op_only', **options).ok()


@pytest.mark.parametrize('view', ['scope', 'graph', 'op'])
def test_a_minimum_that_leaves_nothing_says_of_how_much(run, view):
    outcome = run(view, min_bytes=1000000, select='bytes')
    assert '0B of 4.00KB' in outcome.err and '-min_bytes' in outcome.err and '-account_displayed_op_only false' in outcome.err
    report = run(view, min_bytes=1000000, select='bytes', format='json').json()
    assert report['root']['total_requested_bytes'] == 0
    assert any('0B of 4.00KB' in warning for warning in report['warnings'])


@pytest.mark.parametrize('view', ['scope', 'graph', 'op'])
def test_a_report_that_counts_all_says_nothing(run, view):
    assert 'count the rows shown' not in run(view, min_bytes=1, select='bytes').err
