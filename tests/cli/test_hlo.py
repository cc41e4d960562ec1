"""Compiled programs (HLO): what `tfprof model` says of one before it ran. The programs are one training step, compiled by JAX on a
CPU; the figures are those of its cost_analysis() and memory_analysis()."""
import gzip
import pathlib
import random
import re

import pytest
from support import wire

DATA = pathlib.Path(__file__).resolve().parents[1] / 'data' / 'hlo'
FLOAT_OPS, ARGUMENTS, DONATED, OUTPUTS, TEMPORARIES = 188788736, 942080, 802816, 802848, 5243012


def program(name) -> bytes:
    return gzip.decompress((DATA / name).read_bytes())


def model(tfprof, content, **options):
    return tfprof('model', tfprof.file('program.hlo.pb', content), format='json', **options).ok().json()


def test_a_dump_with_buffer_assignment_says_what_xla_says(tfprof):
    report = model(tfprof, program('step.hlo.pb.gz'))
    memory = report['memory']
    assert memory['evidence'] == 'assigned'
    assert memory['argument_bytes'] == ARGUMENTS and memory['donated_bytes'] == DONATED
    assert memory['output_bytes'] == OUTPUTS - DONATED and memory['temp_bytes'] == TEMPORARIES
    assert memory['peak_bytes'] <= ARGUMENTS + OUTPUTS - DONATED + TEMPORARIES + memory['constant_bytes']
    assert report['float_ops']['once'] == pytest.approx(FLOAT_OPS, rel=1e-6)
    assert sum(row['bytes'] for row in report['temp_rows']) <= TEMPORARIES
    assert [a['name'] for a in report['arguments']][:2] == ['params[0]', 'params[1]']


def test_a_loop_counts_as_often_as_the_compiler_knows(tfprof):
    report = model(tfprof, program('step.hlo.pb.gz'))
    assert report['float_ops']['loops'] == 2 and report['float_ops']['unknown_loops'] == 0
    assert {i['times'] for i in report['instructions']} == {1, 10}
    in_loop = sum(i['float_ops'] for i in report['instructions'] if i['times'] == 10)
    once = report['float_ops']['total'] - in_loop + in_loop // 10
    assert once == report['float_ops']['once']
    unknown = program('step.hlo.pb.gz').replace(b'known_trip_count', b'other_trip_count')
    report = model(tfprof, unknown)
    assert report['float_ops']['unknown_loops'] == 2 and report['float_ops']['total'] == report['float_ops']['once']
    assert 'at least' in tfprof('model', tfprof.file('u.pb', unknown)).ok().text


def test_a_module_alone_is_told_by_its_schedule(tfprof):
    report = model(tfprof, program('step.module.pb.gz'))
    memory = report['memory']
    assert report['format'] == 'HloModuleProto' and memory['evidence'] == 'scheduled'
    assert memory['argument_bytes'] == ARGUMENTS and memory['donated_bytes'] == DONATED
    # The compiler shares more than liveness knows of, never less.
    assert TEMPORARIES <= memory['temp_bytes'] <= 1.25 * TEMPORARIES
    assert sum(row['bytes'] for row in report['temp_rows']) == memory['temp_bytes']
    assert 'at most' in tfprof('model', tfprof.file('m.pb', program('step.module.pb.gz'))).ok().text


def test_without_schedule_temporaries_are_not_known(tfprof):
    report = model(tfprof, program('step_before.hlo.pb.gz'))
    assert report['memory']['evidence'] == 'shapes' and report['scheduled'] is False
    assert report['memory']['temp_bytes'] is None and report['memory']['peak_bytes'] is None
    assert report['memory']['argument_bytes'] == ARGUMENTS


def test_an_assignment_without_its_trace_has_owners_by_the_schedule(tfprof):
    """What JAX hands out of a compiled function: the assignment, but not the trace that says what lived when."""
    parts = dict(wire.fields(program('step.hlo.pb.gz')))
    assignment = b''.join(wire.field(n, v) for n, v in wire.fields(parts[3]) if n in (1, 3))
    report = model(tfprof, wire.field(1, parts[1]) + wire.field(3, assignment))
    exact = model(tfprof, program('step.hlo.pb.gz'))
    assert report['memory']['temp_bytes'] == TEMPORARIES and report['memory']['evidence'] == 'assigned'
    held = sum(row['bytes'] for row in report['temp_rows'])
    assert 0.9 * TEMPORARIES <= held <= TEMPORARIES
    assert {row['name'] for row in report['temp_rows'][:3]} == {row['name'] for row in exact['temp_rows'][:3]}


def test_views_say_that_the_program_has_not_run(tfprof):
    result = tfprof('scope', tfprof.file('program.hlo.pb', program('step.hlo.pb.gz')))
    assert result.status == 3 and 'compiled program that has not run; `tfprof model' in result.err


def test_programs_beside_a_run_are_passed_over(tfprof, tmp_path):
    (tmp_path / 'x.hlo_proto.pb').write_bytes(program('step.hlo.pb.gz'))
    result = tfprof('info', str(tmp_path))
    assert result.status == 3 and 'holds nothing that tfprof reads' in result.err


def test_bad_programs(tfprof):
    whole = program('step.hlo.pb.gz')
    rng = random.Random(7)
    for _ in range(30):
        cut = whole[:rng.randrange(1, len(whole))]
        assert tfprof('model', tfprof.file('cut.pb', cut)).status == 3
        damaged = bytearray(whole)
        for _ in range(20):
            damaged[rng.randrange(200, len(damaged))] = rng.randrange(256)
        assert tfprof('model', tfprof.file('damaged.pb', bytes(damaged))).status in (0, 3)


def hostile(instructions, computations=b'', config=b''):
    """A program whose entry has these instructions, (id, opcode, operands, called)."""
    def one(row):
        number, opcode, operands, called = row
        text = wire.field(1, b'i%d' % number) + wire.field(2, opcode) + wire.field(3, b'\x10\x0b\x1a\x01\x04')
        text += wire.varint(35 << 3) + wire.varint(number)
        text += wire.field(36, b''.join(map(wire.varint, operands))) + wire.field(38, b''.join(map(wire.varint, called)))
        return wire.field(2, text + (wire.field(43, config) if config else b''))

    entry = wire.field(1, b'main') + b''.join(map(one, instructions)) + b'\x28\x07\x30\x01'
    schedule = wire.field(1, b'\x08\x07' + wire.field(2, wire.field(1, b''.join(wire.varint(i[0]) for i in instructions))))
    return wire.field(1, b'm') + wire.field(2, b'main') + wire.field(3, entry) + computations + b'\x30\x07' + wire.field(7, schedule)


HOSTILE = dict([
    ('operands in a circle', hostile([(1, b'add', [2], []), (2, b'tuple', [3], []), (3, b'bitcast', [2], [])])),
    ('a computation that calls itself', hostile([(1, b'while', [1], [7, 7])])),
    ('ids that lead nowhere', hostile([(1, b'fusion', [99, 1 << 60], [98]), (2, b'while', [77], [1 << 50])])),
    ('tuples of tuples', hostile([(1, b'add', [], [])] + [(n, b'tuple', [n - 1, n - 1], []) for n in range(2, 4000)] +
                                 [(n, b'add', [3999], []) for n in range(4000, 4500)])),
    ('a loop without end', hostile([(1, b'while', [1], [7])], config=b'{"known_trip_count":{"n":"9223372036854775807"}}')),
    ('settings that are no settings', hostile([(1, b'while', [1], [7])], config=b'{"known_trip_count":[[[[')),
])


@pytest.mark.parametrize('name', HOSTILE)
def test_hostile_programs_end(tfprof, name):
    assert tfprof('model', tfprof.file('hostile.pb', HOSTILE[name])).status in (0, 3)


def test_does_it_fit(tfprof):
    tfprof.file('p.hlo.pb', program('step.hlo.pb.gz'))
    fits = tfprof('model', 'p.hlo.pb', device_memory='16GB').ok()
    assert re.search(r'fits into 16\.00GB +yes, with 15\.99GB to spare', fits.text)
    memory = tfprof('model', 'p.hlo.pb', device_memory='1MiB', format='json')
    assert memory.status == 1 and 'the program does not fit into 1.05MB' in memory.err
    assert memory.json()['memory']['fits'] is False
    assert memory.json()['memory']['room_bytes'] == 2**20 - memory.json()['memory']['peak_bytes']
    tfprof('model', 'p.hlo.pb', device_memory=memory.json()['memory']['peak_bytes']).ok()
    unknown = tfprof('model', tfprof.file('b.hlo.pb', program('step_before.hlo.pb.gz')), device_memory='16GB', format='json')
    assert unknown.status == 1 and unknown.json()['memory']['fits'] is None and 'is not known' in unknown.err
    tfprof('model', 'p.hlo.pb', device_memory='lots').fails(2, "'lots' is no size of a memory, as 16GB or 80GiB")
    tfprof.file('graph.pbtxt', b'node { name: "a" op: "NoOp" }')
    tfprof('model', 'graph.pbtxt', device_memory='1GB').fails(2, '-device_memory: only a compiled program')
