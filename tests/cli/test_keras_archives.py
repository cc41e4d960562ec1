"""`tfprof model` on .keras archives: parameters are Keras' own, whatever the file says nothing hangs."""
import io
import json
import zipfile

import pytest


@pytest.fixture
def archives(data):
    return data.parent / 'keras'


def model(tfprof, path, **options):
    return tfprof('model', str(path), format='json', **options).ok().json()


@pytest.mark.parametrize('name', ['nested', 'own'])
def test_parameters_of_an_archive_are_those_of_keras(tfprof, archives, name):
    facts = json.loads((archives / 'facts.json').read_text())[name]
    found = model(tfprof, archives / (name + '.keras'))
    assert found['format'] == 'Keras archive'
    assert found['params']['total'] == facts['params'] == sum(layer['params'] for layer in found['layers'])
    # What a class of one's own trains its configuration does not say.
    assert found['params']['trainable'] == (facts['trainable'] if name == 'nested' else None)


def test_layers_of_an_archive_have_names_shapes_and_order(tfprof, archives):
    layers = [(x['name'], x['output_shape'], x['params']) for x in model(tfprof, archives / 'nested.keras')['layers']]
    assert layers == [('images', [-1, 8, 8, 3], 0), ('conv', [-1, 6, 6, 4], 112), ('norm', [-1, 6, 6, 4], 16),
                      ('flatten', [-1, 144], 0), ('tower/input_layer', [-1, 144], 0), ('tower/wide', [-1, 6], 870),
                      ('tower/narrow', [-1, 4], 28), ('classes', [-1, 2], 10)]


def test_an_archive_says_that_it_has_no_float_ops(tfprof, archives):
    done = tfprof('model', str(archives / 'nested.keras')).ok()
    assert 'float ops        n/a' in done.text
    assert "model.export('dir')" in done.text


@pytest.mark.parametrize('command', ['scope', 'op', 'summary', 'memory', 'info'])
def test_other_commands_say_how_to_get_a_graph(tfprof, archives, command):
    tfprof(command, str(archives / 'nested.keras')).fails(3, 'Keras archive', 'tfprof model', ".export('dir')")


def test_an_archive_in_a_directory(tfprof, archives):
    tfprof.file('d/m.keras', (archives / 'nested.keras').read_bytes())
    assert model(tfprof, 'd')['format'] == 'Keras archive'
    tfprof('scope', 'd').fails(3, 'tfprof model')


def rewritten(archive, method=zipfile.ZIP_STORED, **entries):
    """The archive packed again, entries replaced (None: left out); names have _ for the dot."""
    out = io.BytesIO()
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(out, 'w', method) as new:
        for name in old.namelist():
            content = entries.get(name.replace('.', '_'), old.read(name))
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


def test_a_deflated_archive_is_read(tfprof, archives):
    tfprof.file('m', rewritten(archives / 'nested.keras', zipfile.ZIP_DEFLATED))
    assert model(tfprof, 'm')['layers'] == model(tfprof, archives / 'nested.keras')['layers']


@pytest.mark.parametrize('entries, words', [
    ({'model_weights_h5': None}, 'the archive has no model.weights.h5'),
    ({'model_weights_h5': b'no weights'}, 'no superblock at byte 0'),
    ({'config_json': b'{"a": '}, 'config.json is no JSON'),
    ({'config_json': b'[]'}, 'config.json describes no model'),
    ({'config_json': b'[' * 100000}, 'config.json is no JSON'),
])
def test_damaged_archives_are_named(tfprof, archives, entries, words):
    tfprof.file('m', rewritten(archives / 'nested.keras', **entries))
    tfprof('model', 'm').fails(3, words)


def test_layers_nested_without_end_are_read(tfprof, archives):
    config = '{"class_name": "A", "config": {}}'
    for depth in range(3000):
        config = '{"class_name": "Sequential", "config": {"name": "m", "layers": [%s]}}' % config
    tfprof.file('m', rewritten(archives / 'nested.keras', config_json=config))
    assert model(tfprof, 'm')['params']['total'] == 1036


def test_an_archive_cannot_fill_the_memory(tfprof, archives):
    packed = bytearray(rewritten(archives / 'nested.keras', zipfile.ZIP_DEFLATED, config_json=b' ' * 1000))
    at = packed.index(b'PK\x01\x02')
    at = packed.index(b'PK\x01\x02', at + 4)  # config.json stands second
    packed[at + 24:at + 28] = (0x7FFFFFF0).to_bytes(4, 'little')
    tfprof.file('m', bytes(packed))
    tfprof('model', 'm').fails(3, 'config.json says that it unpacks to 2147483632 bytes')


def test_every_cut_and_many_changed_bytes_end_in_an_answer_or_an_error(tfprof, archives):
    whole = (archives / 'own.keras').read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        tfprof.file('m', whole[:at])
        assert tfprof('model', 'm').status in (0, 3)
        tfprof.file('m', whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1:])
        assert tfprof('model', 'm').status in (0, 3)
