"""The op type of nodes that only run metadata knows: their labels tell it."""
from support import wire


def run():
    def record(name, op, start):
        return wire.message(_1=name, _2=start, _4=5, _6=wire.message(_1='cpu', _2=100, _3=100), _8='[cpu 1.2MB] %s = %s(x)' % (name, op))
    records = [record('f/_%d/MatMul' % i, 'MatMul', 1000 + 10 * i) for i in range(4)]
    return wire.run_metadata({wire.CPU: records + [wire.stats('no_label', start=2000)]})


def test_reports_use_the_label(tfprof):
    tfprof.file('g', wire.graph(wire.node('x', 'Placeholder')))
    tfprof.file('r', run())
    assert tfprof('info', 'g', 'r', format='json').ok().json()['op_types'] == 3
    tops = tfprof('summary', 'g', 'r', format='json').ok().json()['top']
    assert [item['name'] for item in tops[0]['items']] == ['MatMul', 'no_label']
    memory = tfprof('memory', 'g', 'r', by='type', format='json').ok().json()
    assert [row['name'] for row in memory['steps'][0]['devices'][0]['rows']] == ['MatMul']
    tfprof('timeline', 'g', 'r', '-o', 't.json').ok()
    assert '"op":"MatMul"' in (tfprof.folder / 't.json').read_text()


def test_the_views_use_the_label_unless_they_are_to_be_classic(tfprof):
    """TensorFlow takes the name for the type."""
    tfprof.file('g', wire.graph(wire.node('x', 'Placeholder')))
    tfprof.file('r', run())
    rows = tfprof('op', 'g', 'r', select='micros', format='json').ok().json()['root']['children']
    assert [row['name'] for row in rows][:2] == ['MatMul', 'no_label']
    rows = tfprof('op', 'g', 'r', '--classic', select='micros', format='json').ok().json()['root']['children']
    assert {row['name'] for row in rows} == {'Placeholder', 'no_label', *('f/_%d/MatMul' % i for i in range(4))}


def test_a_saved_profile_keeps_the_type(tfprof):
    tfprof.file('g', wire.graph(wire.node('x', 'Placeholder')))
    tfprof.file('r', run())
    tfprof('save', 'g', 'r', '-o', 'once').ok()
    tfprof('save', 'once', '-o', 'twice').ok()
    for saved in ('once', 'twice'):
        info = tfprof('info', saved, format='json').ok().json()
        assert info['op_types'] == 3 and info['coverage']['nodes_only_in_run_metadata'] == 5
        rows = tfprof('op', saved, '--classic', select='micros', format='json').ok().json()['root']['children']
        assert 'f/_2/MatMul' in {row['name'] for row in rows}
