#!/usr/bin/env python3
"""Writes run metadata of many steps: the same nodes in each, times that vary.

    make_steps.py DIR [--steps 400] [--nodes 200]

DIR gets run_meta_0, run_meta_1, ... The same arguments give the same bytes. Needs the standard library only.
"""
import argparse
import pathlib
import random

CPU = b"/job:localhost/replica:0/task:0/device:CPU:0"


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def step_stats(number_of_step, nodes, rand):
    """One NodeExecStats per node, in scopes of ten; some memory, so that every figure is there."""
    start, records = 1_600_000_000_000_000 + number_of_step * 1_000_000, b""
    for node in range(nodes):
        took = 5 + node % 7 + rand.randrange(4)
        memory = text(1, b"cpu") + number(2, 64 + node) + number(3, 64 + node)
        name = b"scope_%d/node_%d" % (node // 10, node)
        records += text(2, text(1, name) + number(2, start) + number(4, took) + text(6, memory))
        start += took
    return text(1, text(1, text(1, CPU) + records))


def write_steps(folder, steps, nodes, seed=1):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rand = random.Random(seed)
    for step in range(steps):
        (folder / f"run_meta_{step}").write_bytes(step_stats(step, nodes, rand))
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=200)
    args = parser.parse_args()
    write_steps(args.folder, args.steps, args.nodes)
