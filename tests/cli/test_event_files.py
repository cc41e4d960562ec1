"""Event files of TensorFlow 1: the graph and run metadata in them, their steps, and damage."""
import gzip

from support import events, wire

GRAPH = wire.graph(wire.node('a', 'VariableV2', dims=[2, 3]), wire.node('b', 'MatMul', ['a']))


def run_of(micros, name='b'):
    return wire.run_metadata({wire.CPU: [wire.stats(name, micros=micros)]})


def steps_of(tfprof, *inputs, **options):
    return [(s['step'], s['micros']) for s in tfprof('info', *inputs, format='json', **options).ok().json()['steps']]


FILE = events.file(events.event(_4=GRAPH), events.summary('loss', 1), events.run('step000', run_of(30)),
                   events.run('step_10', run_of(20), step=3), events.run('last', run_of(10), step=25))


def test_graph_and_steps_of_an_event_file(tfprof):
    tfprof.file('events.out.tfevents.1.host', FILE)
    assert steps_of(tfprof, 'events.out.tfevents.1.host') == [(0, 30), (10, 20), (25, 10)]
    rows = tfprof('scope', 'events.out.tfevents.1.host', select='micros,params', step=10).ok().rows
    assert rows[0].startswith('_TFProfRoot (--/6 params')
    assert any('20us' in row for row in rows)


def test_an_event_file_is_known_by_its_content(tfprof):
    tfprof.file('x', gzip.compress(FILE))
    assert steps_of(tfprof, 'x') == [(0, 30), (10, 20), (25, 10)]


def test_a_meta_graph_serves_where_there_is_no_graph(tfprof):
    tfprof.file('e', events.file(events.event(_9=wire.message(_1=wire.message(_5='1.15'), _2=GRAPH))))
    assert tfprof('scope', 'e', select='params').ok().rows[0] == '_TFProfRoot (--/6 params)'
    assert tfprof('model', 'e', format='json').ok().json()['params']['total'] == 6


def test_a_log_directory_of_event_files(tfprof):
    """Restarts continue in another file: the newest graph, the steps of all, a step twice from the newest."""
    old = wire.graph(wire.node('old', 'VariableV2', dims=[9]))
    tfprof.file('log/events.out.tfevents.1.h', events.file(events.event(_4=old), events.run('step_1', run_of(5)),
                                                           events.run('step_2', run_of(6))))
    tfprof.file('log/events.out.tfevents.2.h', events.file(events.event(_4=GRAPH), events.run('step_2', run_of(7))))
    done = tfprof('info', 'log', format='json').ok()
    assert [(s['step'], s['micros']) for s in done.json()['steps']] == [(1, 5), (2, 7)]
    assert 'step_2 is left out: a newer file has step 2' in done.err
    assert tfprof('scope', 'log', select='params').ok().rows[0] == '_TFProfRoot (--/6 params)'


def test_runs_below_a_log_directory(tfprof):
    for run, micros in (('test', 8), ('train', 9)):
        tfprof.file('log/%s/events.out.tfevents.1.h' % run, events.file(events.event(_4=GRAPH),
                                                                        events.run('step_4', run_of(micros))))
    tfprof.file('log/validation/events.out.tfevents.1.h', events.file(events.summary('loss', 1)))
    assert steps_of(tfprof, 'log') == [(4, 9)]
    assert steps_of(tfprof, 'log', run='test') == [(4, 8)]
    tfprof('scope', 'log', run='dev').fails(2, '-run dev', 'test, train, validation')


def test_tags_of_one_number_are_two_steps(tfprof):
    tfprof.file('e', events.file(events.event(_4=GRAPH), events.run('train_10', run_of(8)),
                                 events.run('eval_10', run_of(9))))
    done = tfprof('info', 'e', format='json').ok()
    assert [(s['step'], s['micros']) for s in done.json()['steps']] == [(0, 9), (10, 8)]
    assert 'tags train_10 and eval_10 are both of step 10' in done.err


def test_an_event_file_without_a_graph_or_run_says_so(tfprof):
    tfprof.file('e', events.file(events.summary('loss', 1), events.summary('loss', 2)))
    tfprof('scope', 'e').fails(3, 'e: 3 events, none with a graph or run metadata')


def test_a_directory_of_captures_takes_no_graph_of_event_files(tfprof):
    space = wire.field(1, wire.message(_1=1, _2='/host:CPU'))
    tfprof.file('log/plugins/profile/r/h.xplane.pb', space)
    tfprof.file('log/events.out.tfevents.1.h', FILE)
    assert 'tfevents' not in tfprof('info', 'log').err


# --- damage

def test_damaged_events_are_counted(tfprof):
    good, bad = events.run('step_1', run_of(5)), bytearray(events.run('step_2', run_of(6)))
    bad[-6] ^= 1
    tfprof.file('e', events.file(events.event(_4=GRAPH), bytes(bad), bytes(bad), good))
    tfprof('scope', 'e').fails(3, 'the checksum of the event at byte', 'keep_going')
    done = tfprof('info', 'e', format='json', keep_going=True).ok().json()
    assert done['damage'] == {'damaged event': 2}
    assert [s['step'] for s in done['steps']] == [1]


def test_a_cut_event_file_is_read_up_to_the_cut(tfprof):
    for left in (1, 5, 11, 20, 40):
        whole = events.run('step_1', run_of(5))
        tfprof.file('e', events.file(events.event(_4=GRAPH), whole, whole[:left]))
        tfprof('scope', 'e').fails(3, 'an event is cut at byte', 'keep_going')
        assert steps_of(tfprof, 'e', keep_going=True) == [(1, 5)]


def test_a_damaged_length_ends_the_reading(tfprof):
    bad = bytearray(events.run('step_2', run_of(6)))
    bad[0] ^= 255
    tfprof.file('e', events.file(events.event(_4=GRAPH), events.run('step_1', run_of(5)), bytes(bad)))
    tfprof('scope', 'e').fails(3, 'the length of an event is damaged at byte')
    assert steps_of(tfprof, 'e', keep_going=True) == [(1, 5)]
