#!/usr/bin/env python3
"""Writes many small runs as a team's nightly jobs leave them: a graph and the run metadata of a few steps each.

    make_runs.py DIR [--runs 10000] [--jobs 20] [--steps 3] [--damaged 0] [--seed 1]

DIR gets JOB/RUN/graph.pb and run_meta_1, run_meta_2, ... The jobs train four models (two dense ones, one of convolutions,
one of attention; 23 to 47 nodes) in several sizes, every second one on a GPU; each has a run a day, and some become
slower or larger on a day of their own: `changes()` tells which and when. `--damaged N` cuts a file of every Nth run in
two. The same arguments give the same bytes. Only the standard library is used.
"""
import argparse
import pathlib
import random

from make_capture import blob as block, num as number

HOST = b'/job:worker/replica:0/task:0'
CPU, GPU, STREAM = HOST + b'/device:CPU:0', HOST + b'/device:GPU:0', b'/device:GPU:0/stream:all'
FIRST_DAY_MICROS = 1_767_232_800_000_000  # 2026-01-01, two in the morning
DAY_MICROS = 86_400_000_000
FLOAT = 1


def shape_proto(dims):
    return b''.join(block(2, number(1, dim)) for dim in dims)


def attr(key, value):
    return block(5, block(1, key) + block(2, value))


class Model:
    """A graph, and of every node what it costs: its scope's work is shared by its ops."""

    def __init__(self, kind, size, on_gpu):
        self.on_gpu, self.nodes = on_gpu, []  # (name, micros, bytes of its output)
        self.graph = bytearray()
        {'mlp': self._dense, 'wide': self._dense, 'conv': self._conv, 'attention': self._attention}[kind](kind, size)

    def add(self, name, op, inputs, dims, micros=0.0, **attributes):
        extra = b''.join(attr(key.encode(), value) for key, value in attributes.items())
        extra += attr(b'T' if op not in ('Placeholder', 'VariableV2', 'Const') else b'dtype', number(6, FLOAT))
        extra += attr(b'_output_shapes', block(1, block(7, shape_proto(dims))))
        node = block(1, name.encode()) + block(2, op.encode())
        node += b''.join(block(3, one.encode()) for one in inputs) + extra
        self.graph += block(1, node)
        elements = 4
        for dim in dims:
            elements *= dim
        self.nodes.append((name.encode(), 10 * max(1.0, micros), elements))
        return name

    def variable(self, name, dims):
        self.add(name, 'VariableV2', [], dims, 1, shape=block(7, shape_proto(dims)))
        return self.add(name + '/read', 'Identity', [name], dims, 1)

    def product(self, name, a, b, m, k, n):
        return self.add(name, 'MatMul', [a, b], (m, n), 2 * m * k * n / 4e5, transpose_a=number(5, 0), transpose_b=number(5, 0))

    def layer(self, name, x, batch, width, out):
        weights = self.variable(name + '/kernel', (width, out))
        y = self.product(name + '/MatMul', x, weights, batch, width, out)
        bias = self.variable(name + '/bias', (out,))
        y = self.add(name + '/BiasAdd', 'BiasAdd', [y, bias], (batch, out), batch * out / 4e3)
        return self.add(name + '/Relu', 'Relu', [y], (batch, out), batch * out / 4e3)

    def train(self, loss, layers, batch):
        gradient = self.add('gradients/loss', 'Fill', [loss], (batch, 1), 2)
        for name, width, out in reversed(layers):
            gradient = self.add(f'gradients/{name}/Relu_grad', 'ReluGrad', [gradient, name + '/Relu'], (batch, out), batch * out / 4e3)
            change = self.product(f'gradients/{name}/MatMul_grad', name + '/Relu', gradient, width, batch, out)
            self.add(f'train/update_{name}', 'ApplyGradientDescent', [name + '/kernel', change], (width, out), width * out / 8e3)

    def _dense(self, kind, size):
        batch, widths = (32, [64 * size] * 5) if kind == 'mlp' else (8, [256 * size, 512 * size, 128])
        x = self.add('input', 'Placeholder', [], (batch, widths[0]), 1, shape=block(7, shape_proto((batch, widths[0]))))
        layers = []
        for i, (width, out) in enumerate(zip(widths, widths[1:])):
            x = self.layer(f'dense_{i}', x, batch, width, out)
            layers.append((f'dense_{i}', width, out))
        self.train(self.add('loss', 'Mean', [x], (1,), 3), layers, batch)

    def _conv(self, _, size):
        batch, side, channels = 4, 16, 3
        x = self.add('input', 'Placeholder', [], (batch, side, side, channels), 1,
                     shape=block(7, shape_proto((batch, side, side, channels))))
        for i in range(4):
            out = 8 * size * (i + 1)
            weights = self.variable(f'conv_{i}/kernel', (3, 3, channels, out))
            strides = block(1, block(3, bytes([1, 1, 1, 1])))
            x = self.add(f'conv_{i}/Conv2D', 'Conv2D', [x, weights], (batch, side, side, out),
                         2 * batch * side * side * 9 * channels * out / 8e5, strides=strides, padding=block(2, b'SAME'))
            x = self.add(f'conv_{i}/Relu', 'Relu', [x], (batch, side, side, out), batch * side * side * out / 8e3)
            channels = out
        x = self.add('pool', 'Mean', [x], (batch, channels), 5)
        x = self.layer('head', x, batch, channels, 10)
        self.train(self.add('loss', 'Mean', [x], (1,), 3), [('head', channels, 10)], batch)

    def _attention(self, _, size):
        batch, width = 16, 64 * size
        x = self.add('tokens', 'Placeholder', [], (batch, width), 1, shape=block(7, shape_proto((batch, width))))
        layers = []
        for i in range(2):
            scope = f'block_{i}/attention'
            q, k, v = (self.product(f'{scope}/{one}/MatMul', x, self.variable(f'{scope}/{one}/kernel', (width, width)),
                                    batch, width, width) for one in 'qkv')
            scores = self.add(f'{scope}/scores', 'Mul', [q, k], (batch, width), 4)
            scores = self.add(f'{scope}/Softmax', 'Softmax', [scores], (batch, width), batch * width / 1e3)
            x = self.add(f'{scope}/values', 'Mul', [scores, v], (batch, width), 4)
            x = self.layer(f'block_{i}/mlp', x, batch, width, width)
            layers.append((f'block_{i}/mlp', width, width))
        self.train(self.add('loss', 'Mean', [x], (1,), 3), layers, batch)

    def step(self, start, rand, slower, larger):
        """RunMetadata of one step; `slower` and `larger` are (scope, factor)."""
        kernels, records, allocator = [], [], b'GPU_0_bfc' if self.on_gpu else b'cpu'
        now, held, pick = start, 0, rand.random
        for name, micros, size in self.nodes:
            if name.startswith(slower[0]):
                micros *= slower[1]
            if name.startswith(larger[0]):
                size = int(size * larger[1])
            took = max(1, int(micros * (0.9 + 0.2 * pick())))
            launch = 3 if self.on_gpu else took
            held += size
            record = number(1, now) + number(2, size)
            memory = (block(1, allocator) + number(2, size) + number(3, size) + number(4, size) + number(5, held)
                      + block(6, record))
            records.append(block(2, block(1, name) + number(2, now) + number(4, launch) + number(5, launch) + block(6, memory)))
            if self.on_gpu:
                kernels.append(block(2, block(1, name) + number(2, now + 2) + number(4, took) + number(5, took)))
                took = max(took, 3) + int(4 * pick())
            now += took
        devices = block(1, block(1, GPU if self.on_gpu else CPU) + b''.join(records))
        if kernels:
            devices += block(1, block(1, STREAM) + b''.join(kernels))
        return block(1, devices), now


KINDS = ('mlp', 'wide', 'conv', 'attention')


def job_name(job):
    return f'{KINDS[job % 4]}_{job:02d}'


def changes(job, runs):
    """(run from which on, scope, factor of time, factor of memory); None: the job stays as it is."""
    if job % 5 == 1:
        return runs * 2 // 3, {'mlp': 'dense_2', 'wide': 'dense_1', 'conv': 'conv_3', 'attention': 'block_1'}[KINDS[job % 4]], 1.8, 1.0
    if job % 5 == 3:
        return runs // 2, {'mlp': 'dense_1', 'wide': 'dense_0', 'conv': 'conv_2', 'attention': 'block_0'}[KINDS[job % 4]], 1.0, 1.5
    return None


def write_runs(folder, runs=10_000, jobs=20, steps=3, damaged=0, seed=1):
    """Returns the folders of the damaged ones."""
    folder, broken, written = pathlib.Path(folder), [], 0
    for job in range(jobs):
        of_job = runs // jobs + (job < runs % jobs)
        model = Model(KINDS[job % 4], 1 + job // 4 % 3, on_gpu=job % 2 == 1)
        change = changes(job, of_job)
        rand = random.Random(seed * 1000 + job)
        for run in range(of_job):
            place = folder / job_name(job) / f'run_{run:05d}'
            place.mkdir(parents=True)
            (place / 'graph.pb').write_bytes(model.graph)
            now = FIRST_DAY_MICROS + run * DAY_MICROS + job * 60_000_000
            moved = change is not None and run >= change[0]
            scope = change[1].encode() if moved else b'-'
            for step in range(1, steps + 1):
                data, now = model.step(now, rand, (scope, change[2] if moved else 1), (scope, change[3] if moved else 1))
                if damaged and written % damaged == damaged - 1 and step == 2:
                    data = data[:len(data) // 2]
                    broken.append(place)
                (place / f'run_meta_{step}').write_bytes(data)
                now += 500
            written += 1
    return broken


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    for name, default in (('runs', 10_000), ('jobs', 20), ('steps', 3), ('damaged', 0), ('seed', 1)):
        parser.add_argument('--' + name, type=int, default=default)
    args = vars(parser.parse_args())
    for place in write_runs(**args):
        print(place)
