"""Checkpoints that TensorFlow wrote, and damaged ones: what it says is in them, we must say."""
import json
import tarfile
from pathlib import Path

import pytest

RECORDED = Path(__file__).resolve().parent.parent / 'data' / 'checkpoints' / 'recorded.tar.xz'
SOUND = ('object', 'v1', 'v1_partitioned', 'v1_sharded', 'v2', 'v2_dtypes', 'v2_odd', 'v2_partitioned',
         'v2_partitioned_sharded', 'v2_resource', 'v2_sharded')
DAMAGED = ('data_flipped', 'data_longer', 'data_missing', 'data_truncated', 'index_bad_magic', 'index_empty',
           'index_flipped', 'index_is_text', 'index_missing', 'index_truncated', 'shard_missing',
           'slice_shard_missing', 'string_flipped', 'v1_flipped', 'v1_truncated')


@pytest.fixture(scope='module')
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp('checkpoints')
    with tarfile.open(RECORDED) as tar:
        tar.extractall(folder)
    return folder


def tensors_of(done) -> dict:
    return {tensor['name']: tensor for tensor in done.json()['tensors']}


@pytest.mark.parametrize('name', SOUND)
def test_every_tensor_reads_as_tensorflow_says(tfprof, recorded, name):
    want = json.loads((recorded / name / 'tensors.json').read_text())
    have = tensors_of(tfprof('checkpoint', recorded / name, '--values', format='json').ok())
    assert sorted(have) == sorted(want)
    for tensor, facts in want.items():
        for key in ('dtype', 'shape', 'crc32c'):
            assert have[tensor][key] == facts[key], (tensor, key)
        assert have[tensor]['values'][:len(facts['values'])] == facts['values'], tensor


@pytest.mark.parametrize('name', SOUND)
def test_the_listing_says_the_same_without_reading(tfprof, recorded, name):
    listed = tensors_of(tfprof('checkpoint', recorded / name, format='json').ok())
    read = tensors_of(tfprof('checkpoint', recorded / name, '--values', format='json').ok())
    for tensor, facts in listed.items():
        assert 'values' not in facts
        assert all(facts[k] == read[tensor][k] for k in ('dtype', 'shape', 'bytes')), tensor
        assert facts['crc32c'] in (None, read[tensor]['crc32c']), tensor


def test_variables_of_objects_have_their_names(tfprof, recorded):
    want = json.loads((recorded / 'object' / 'full_names.json').read_text())
    have = tensors_of(tfprof('checkpoint', recorded / 'object', format='json').ok())
    assert {name: have[name].get('full_name') for name in want} == want


@pytest.mark.parametrize('name', DAMAGED)
def test_damage_is_reported_and_costs_only_what_it_hit(tfprof, recorded, name):
    case = json.loads((recorded / 'damaged' / 'damage.json').read_text())[name]
    done = tfprof('checkpoint', recorded / case['prefix'], '--values', format='json')
    if not case['opens']:
        done.fails(3)
        return
    unreadable = set(case['unreadable'])
    assert done.status == (3 if unreadable else 0), done.err
    have = tensors_of(done)
    assert {tensor for tensor, facts in have.items() if 'error' in facts} == unreadable
    assert all('values' in facts for tensor, facts in have.items() if tensor not in unreadable)


@pytest.mark.parametrize('name', SOUND)
def test_the_formats_agree(tfprof, recorded, name):
    read = tensors_of(tfprof('checkpoint', recorded / name, '--values', format='json').ok())
    rows = tfprof('checkpoint', recorded / name, '--values', format='csv').ok().csv()
    assert [row['name'] for row in rows] == list(read)
    for row in rows:
        facts = read[row['name']]
        assert (row['dtype'], row['crc32c']) == (facts['dtype'], facts['crc32c'])
        assert row['shape'] == 'x'.join(map(str, facts['shape']))
        assert int(row['bytes'] or 0) == (facts['bytes'] or 0)
    text = tfprof('checkpoint', recorded / name).ok().text
    assert all(tensor in text for tensor in read)
    markdown = tfprof('checkpoint', recorded / name, format='markdown').ok().text
    table = markdown[markdown.index('| name |'):].split('\n\n')[0]
    assert table.rstrip().count('\n') == len(read) + 1
