#!/usr/bin/env python3
"""Writes an XPlane capture for speed tests: training steps of one XLA program on a GPU.

    make_capture.py OUT.xplane.pb [--events N] [--layers L]

Half of the N events are kernels of one stream, the others the calls that launched them and the markers of the steps. Prints as JSON what
it holds: events, bytes, the sum of the kernels' time in microseconds. Standard library only; the same arguments write the same bytes.
"""
import argparse
import json
import os

PARTS = (('norm', 'mul'), ('attention', 'dot_general'), ('attention', 'exp'), ('mlp', 'dot_general'), ('mlp', 'max'))
STATS = ('hlo_op', 'hlo_module', 'program_id', 'correlation_id', 'scope_range_id', 'kernel_details', 'step_num', '_r', 'Hlo Proto')
PROGRAM, DETAILS = 77, 'regs:32 static_shared:0 dynamic_shared:0 grid:64,1,1 block:128,1,1 occ_pct:50'


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def num(field, value):
    return varint(field << 3) + varint(value)


def blob(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def instruction(number, name, opcode, op_name, operands):
    shape = num(2, 11) + blob(3, varint(64) + varint(64))
    return blob(2, blob(1, name) + blob(2, opcode) + blob(3, shape) + blob(7, blob(2, op_name)) + num(35, number) +
                blob(36, b''.join(map(varint, operands))))


def program(layers):
    """The HloProto, and the names of its instructions."""
    names, body = [], instruction(1, 'p', 'parameter', '', [])
    for layer in range(layers):
        for scope, op in PARTS:
            number = len(names) + 2
            names.append('%s.%d' % (op, number))
            body += instruction(number, names[-1], 'add', 'jit(train)/layer%d/%s/%s' % (layer, scope, op), [number - 1, 1])
    entry = blob(1, 'main') + body + num(5, 7) + num(6, len(names) + 1)
    order = blob(1, num(1, 7) + blob(2, blob(1, b''.join(varint(i + 1) for i in range(len(names) + 1)))))
    return blob(1, blob(1, 'jit_train') + blob(2, 'main') + blob(3, entry) + num(5, 1) + num(6, 7) + blob(7, order)), names


def names_of(field, names):
    return b''.join(blob(field, num(1, i + 1) + blob(2, num(1, i + 1) + blob(2, name))) for i, name in enumerate(names))


def write(path, events, layers):
    hlo, names = program(layers)
    texts = [*STATS, *names, 'jit_train', DETAILS]
    stat = {name: i + 1 for i, name in enumerate(texts)}
    known = [blob(4, num(1, stat['hlo_op']) + num(7, stat[name])) + blob(4, num(1, stat['hlo_module']) + num(7, stat['jit_train'])) +
             blob(4, num(1, stat['program_id']) + num(3, PROGRAM)) +
             blob(4, num(1, stat['kernel_details']) + num(7, stat[DETAILS])) for name in names]
    kernels, calls, now, total = [], [], 0, 0
    for k in range(events // 2):
        place = k % len(names)
        if place == 0:
            step = num(1, 2) + num(2, now) + num(3, 1000) + blob(4, num(1, stat['step_num']) + num(4, k // len(names))) + blob(
                4, num(1, stat['_r']) + num(4, 1))
            calls.append(blob(4, step))
        took = 200_000 + (k * 7919 % 1000) * 1000
        link = blob(4, num(1, stat['correlation_id']) + num(3, k + 1))
        calls.append(blob(4, num(1, 1) + num(2, now) + num(3, 100_000) + link))
        kernels.append(blob(4, num(1, place + 1) + num(2, now + 150_000) + num(3, took) + known[place] + link + blob(
            4, num(1, stat['scope_range_id']) + num(3, k + 1))))
        now += took + 10_000
        total += took
    stream = blob(3, num(1, 14) + blob(2, 'Stream #14(Compute)') + b''.join(kernels))
    thread = blob(3, num(1, 1) + blob(2, 'python') + b''.join(calls))
    stats = names_of(5, texts)
    with open(path, 'wb') as out:
        out.write(blob(1, blob(2, '/device:GPU:0') + stream + names_of(4, [n.replace('.', '_') for n in names]) + stats))
        out.write(blob(1, blob(2, '/host:CPU') + thread + names_of(4, ['cuLaunchKernel', 'train']) + stats))
        held = num(1, 1) + blob(2, 'jit_train(%d)' % PROGRAM) + blob(5, num(1, stat['Hlo Proto']) + blob(6, hlo))
        out.write(blob(1, blob(2, '/host:metadata') + blob(4, num(1, 1) + blob(2, held)) + stats))
    return {'events': len(kernels) + len(calls), 'bytes': os.path.getsize(path), 'micros': total / 1e6}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('out')
    parser.add_argument('--events', type=int, default=1_000_000)
    parser.add_argument('--layers', type=int, default=60)
    options = parser.parse_args()
    print(json.dumps(write(options.out, options.events, options.layers)))


if __name__ == '__main__':
    main()
