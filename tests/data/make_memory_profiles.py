"""Makes memory/: JAX's device memory profiles of a small program, with what jax.live_arrays() says beside (needs JAX).

    XLA_FLAGS=--xla_force_host_platform_device_count=4 python3 make_memory_profiles.py

Before a leak and after it; on a GPU under other names. Paths of this machine are replaced in the files.
"""
import gzip
import json
import pathlib
import re
import sys

import jax
import jax.numpy as jnp

FOLDER = pathlib.Path(__file__).parent / 'memory'
sys.path.insert(0, str(FOLDER.parents[1]))


def make_weights(layers):
    return [jnp.ones([64, 64]) * layer for layer in range(layers)]


def make_cache():
    return jnp.zeros([128, 256], jnp.bfloat16)


@jax.jit
def train_step(weights, x):
    for weight in weights:
        x = jnp.tanh(x @ weight)
    return x


def live():
    """Bytes of every device, each buffer once."""
    sums, seen = {}, set()
    for array in jax.live_arrays():
        for shard in array.addressable_shards:
            key = (str(shard.device), shard.data.unsafe_buffer_pointer())
            if key not in seen:
                seen.add(key)
                sums[key[0]] = sums.get(key[0], 0) + shard.data.nbytes
    return sums


def shorten(data):
    """The profile with neutral paths: strings are field 6 of the message."""
    from support import wire
    out = b''
    for number, value in wire.fields(data):
        if number == 6:
            value = re.sub(rb'^.*/site-packages/', b'/usr/lib/python3/site-packages/', value)
            value = re.sub(rb'^.*/make_memory_profiles\.py$', b'/home/user/train.py', value)
        out += wire.field(number, value)
    return out


def save(name, facts):
    data = jax.profiler.device_memory_profile()
    facts[name] = live()
    data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
    (FOLDER / (name + '.prof')).write_bytes(gzip.compress(shorten(data), mtime=0))


def main():
    kind = jax.default_backend()
    facts_file = FOLDER / 'facts.json'
    facts = json.loads(facts_file.read_text()) if facts_file.exists() else {}
    weights, cache = make_weights(4), make_cache()
    copies = [jax.device_put(jnp.ones([10, 100]), device) for device in jax.devices()]
    train_step(weights, jnp.ones([8, 64])).block_until_ready()
    save('before_' + kind, facts)
    history = [train_step(weights, jnp.ones([8, 64])) for _ in range(50)]
    history[-1].block_until_ready()
    save('after_' + kind, facts)
    facts_file.write_text(json.dumps(facts, indent=1, sort_keys=True) + '\n')
    return weights, cache, copies, history


if __name__ == '__main__':
    main()
