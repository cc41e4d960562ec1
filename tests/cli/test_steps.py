"""Which steps figures rest on: warm-up, -step with lists and ranges, and that every report says which."""
import re

import pytest
from support import wire


def run_directory(tfprof, name, micros):
    """A run whose step i took micros[i], two thirds of it in `a/x`, the rest in `b/y`, on the CPU."""
    tfprof.file(name + '/graph.pb', wire.graph(wire.node('a/x', 'Mul'), wire.node('b/y', 'Add', ['a/x'])))
    for step, all_micros in enumerate(micros, 1):
        first = all_micros * 2 // 3
        records = [wire.stats('a/x', start=step * 10**7, micros=first, total=8, peak=8),
                   wire.stats('b/y', start=step * 10**7 + first, micros=all_micros - first, total=4, peak=4)]
        tfprof.file('%s/run_meta_%d' % (name, step), wire.run_metadata({wire.CPU: records}))
    return name


def total(tfprof, run, *words, **options):
    """The root's time, and the report."""
    report = tfprof('scope', run, *words, select='micros', format='json', classic='false', **options).ok().json()
    return report['root']['total_exec_micros'], report


@pytest.mark.parametrize('micros, mean, left_out', [
    ([900, 90], 495, []),  # of two nobody knows
    ([900, 90, 90], 90, [1]),
    ([900, 90, 700 * 3], 1030, []),  # the others do not agree
    ([180, 90, 90], 120, []),  # twice as long is not more than twice
    ([900, 600, 90, 90, 90, 90], 90, [1, 2]),
    ([90, 900, 90, 90, 90], 252, []),  # no warm-up: it does not lead
    ([900] + [90] * 9, 90, [1]),
    ([9000, 3000, 900, 600] + [90] * 16, 120, [1, 2, 3]),  # three at most
    ([900] + [90] * 299, 90, [1]),
])
def test_leading_slow_steps_are_warm_up(tfprof, micros, mean, left_out):
    run = run_directory(tfprof, 'run', micros)
    got, report = total(tfprof, run)
    assert abs(got - mean) <= 1  # the mean of each node is cut to whole microseconds
    assert report['warm_up_steps'] == left_out
    assert report['steps'] == [step for step in range(1, len(micros) + 1) if step not in left_out]
    assert ('means leave out' in ''.join(report['warnings'])) == bool(left_out)


def test_classic_and_all_count_warm_up(tfprof):
    run = run_directory(tfprof, 'run', [900] + [90] * 9)
    for words in (['--classic=true'], ['-step', 'all']):
        report = tfprof('scope', run, '-select', 'micros', '-format', 'json', '--classic=false', *words).ok().json()
        assert report['root']['total_exec_micros'] == 171 and report['warm_up_steps'] == []


def test_two_steps_of_which_the_first_is_slow_are_told(tfprof):
    run = run_directory(tfprof, 'run', [900, 90])
    outcome = tfprof('scope', run, '--classic=false', select='micros').ok()
    assert 'step 1 took 10.0 times as long as step 2' in outcome.err and '-step 2' in outcome.err


@pytest.mark.parametrize('choice, mean, steps', [
    ('3', 30, [3]), ('1,3', 465, [1, 3]), ('2-4', 30, [2, 3, 4]), ('1,3-9', 247, [1, 3, 4, 5]), ('all', 204, [1, 2, 3, 4, 5])])
def test_step_takes_lists_and_ranges(tfprof, choice, mean, steps):
    run = run_directory(tfprof, 'run', [900, 30, 30, 30, 30])
    for classic in ('false', 'true'):
        report = tfprof('scope', run, '-step', choice, '--classic', classic, '-select', 'micros', '-format', 'json').ok().json()
        assert report['steps'] == steps and report['options']['step'] == choice
        assert abs(report['root']['total_exec_micros'] - mean) <= 1


@pytest.mark.parametrize('choice', ['x', '5-2', '-2', '1,', '1;2', '', '1-', '99999999999999999999'])
def test_what_is_no_step_is_refused(tfprof, choice):
    run = run_directory(tfprof, 'run', [30])
    if choice == '1,':
        tfprof('scope', run, '-step=' + choice).ok()
    else:
        tfprof('scope', run, '-step=' + choice).fails(2, '-step', '5-20, all')


def test_a_step_that_is_not_there_is_refused_in_every_report(tfprof):
    run = run_directory(tfprof, 'run', [30, 30])
    for command in ('scope', 'graph', 'op', 'summary', 'steps', 'memory'):
        tfprof(command, run, '-step', '1,7').fails(2, 'no such step', 'the input has 1, 2')
        tfprof(command, run, '-step', '3-9').fails(2, 'no such step')


def test_the_prompt_takes_them_too(tfprof):
    run = run_directory(tfprof, 'run', [900, 30, 30])
    outcome = tfprof(run, '--classic=false', stdin=b'scope -step 2-3 -select micros\nset -step all\nscope -select micros\n').ok()
    assert '30us' in outcome.text and '319us' in outcome.text


def test_summary_leaves_warm_up_out_and_says_so(tfprof):
    run = run_directory(tfprof, 'run', [900, 90, 90, 90])
    outcome = tfprof('summary', run, '--classic=false').ok()
    assert 'means leave out step 1 as warm-up (10.0 times the median of the others, 90us)' in outcome.err
    assert re.search(r'1 \(warm-up\)', outcome.text)
    report = tfprof('summary', run, '--classic=false', format='json').ok().json()
    assert report['warm_up_steps'] == [1] and report['counted_steps'] == [2, 3, 4]
    assert [step['warm_up'] for step in report['steps']] == [True, False, False, False]
    assert report['devices'][0]['busy_micros_per_step'] == 90
    assert {top['total'] for top in report['top'] if top['figure'] == 'micros'} == {90}


def test_summary_takes_step(tfprof):
    run = run_directory(tfprof, 'run', [900, 60, 90])
    report = tfprof('summary', run, '-step', '2', '--classic=false', format='json').ok().json()
    assert report['counted_steps'] == [2] and [step['step'] for step in report['steps']] == [2]
    assert report['devices'][0]['busy_micros_per_step'] == 60
    assert {top['total'] for top in report['top'] if top['figure'] == 'micros'} == {60}


def test_shares_of_summary_are_of_the_printed_total(tfprof):
    """`b` ran in one of three steps: a step costs on average a third of it."""
    tfprof.file('run/graph.pb', wire.graph(wire.node('a', 'Mul'), wire.node('b', 'Add')))
    for step in (1, 2, 3):
        records = [wire.stats('a', start=step * 10**6, micros=60)]
        records += [wire.stats('b', start=step * 10**6 + 60, micros=90)] if step == 3 else []
        tfprof.file('run/run_meta_%d' % step, wire.run_metadata({wire.CPU: records}))
    report = tfprof('summary', 'run', format='json').ok().json()
    top = next(top for top in report['top'] if top['figure'] == 'micros' and top['what'] == 'op types')
    assert top['total'] == 90 and [(i['name'], i['value']) for i in top['items']] == [('Mul', 60), ('Add', 30)]
    assert sum(item['value'] for item in top['items']) == top['total']


def test_steps_marks_warm_up(tfprof):
    run = run_directory(tfprof, 'run', [900, 90, 90, 90])
    report = tfprof('steps', run, '--classic=false', format='json').ok().json()
    assert report['warm_up_steps'] == [1] and [row['warm_up'] for row in report['steps']] == [True, False, False, False]
    assert report['mean']['busy_micros'] == 90
    text = tfprof('steps', run, '--classic=false').ok().text
    assert '1 w' in text and 'w warm-up' in text


def test_diff_and_its_gate_are_not_swamped_by_warm_up(tfprof):
    """A slow first step of one side hid a regression of the others, or made one up."""
    old = run_directory(tfprof, 'old', [9000] + [90] * 5)
    new = run_directory(tfprof, 'new', [90] + [120] * 5)
    words = ['-select', 'micros', '--fail_if', 'micros>+10%', '-min_size', '1B', '--classic=false']
    outcome = tfprof('diff', old, new, *words)
    assert outcome.status == 1 and 'is broken by' in outcome.err
    assert 'left: means leave out step 1 as warm-up' in outcome.err
    assert 'mean of 5 steps without warm-up (1)' in outcome.text
    report = tfprof('diff', old, new, *words, '-format', 'json').json()
    assert report['inputs'][0]['warm_up_steps'] == [1] and report['inputs'][1]['steps'] == [1, 2, 3, 4, 5, 6]
    # The same run twice is the same, however slow its first step was.
    assert tfprof('diff', old, run_directory(tfprof, 'again', [90] * 6), *words).status == 0


def test_diff_takes_steps_behind_an_input(tfprof):
    run = run_directory(tfprof, 'run', [900, 30, 30, 60, 60])
    report = tfprof('diff', 'run@step=2-3', 'run@step=4,5', '-select', 'micros', '-delta', '0', format='json').ok().json()
    assert [side['steps'] for side in report['inputs']] == [[2, 3], [4, 5]]
    figures = report['root']['figures']['micros']
    assert figures['difference'] == 30
    tfprof('diff', 'run@step=x', run).fails(2, '@step=5-20')


@pytest.mark.parametrize('command', ['scope', 'op', 'graph', 'summary'])
def test_pages_name_their_steps(tfprof, command):
    run = run_directory(tfprof, 'run', [900, 90, 90])
    page = tfprof(command, run, '-step', '2', format='html').ok().text
    assert re.search(r'"title":"[^"]*, step 2"', page)
    page = tfprof(command, run, '--classic=false', format='html').ok().text
    assert re.search(r'"title":"[^"]*, mean of steps 2, 3"', page) and 'means leave out step 1 as warm-up' in page


def test_memory_and_timeline_take_several_steps(tfprof):
    run = run_directory(tfprof, 'run', [30, 30, 30])
    report = tfprof('steps', run, '-step', '1,3', format='json').ok().json()
    assert [row['step'] for row in report['steps']] == [1, 3]
    tfprof('graph', run, '-step', '2-3', '-output', 'timeline:outfile=t').ok()
    assert sorted(p.name for p in tfprof.folder.glob('t*')) == ['t_2', 't_3']
