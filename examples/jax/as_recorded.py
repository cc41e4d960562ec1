"""What the capture itself says: the GPU's time per step by the op that its kernels name. Needs Python alone."""
import collections
import gzip
import os
import sys


def fields(data):
    """(number, value) of each field of a protobuf message: ints, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        size = {0: 0, 1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            yield tag >> 3, varint()
            continue
        if size is None:
            size = varint()
        at += size
        yield tag >> 3, data[at - size:at]


def recorded(path):
    times = collections.Counter()
    with gzip.open(path) as file:
        planes = [dict_of(plane) for number, plane in fields(file.read()) if number == 1]
    for plane in planes:
        if not plane[2][0].startswith(b'/device:GPU'):
            continue
        entries = [dict_of(dict_of(entry)[2][0]) for entry in plane[5]]
        names = {entry[1][0]: entry[2][0].decode() for entry in entries if entry[2]}
        for line in map(dict_of, plane[3]):
            if not line[2][0].startswith(b'Stream'):
                continue
            for event in map(dict_of, line[4]):
                stats = [dict_of(stat) for stat in event[4]]
                for stat in stats:
                    if names.get(stat[1][0]) == 'hlo_op':
                        times[names.get((stat[7] or [0])[0])] += event[3][0]
    return times


def dict_of(message):
    out = collections.defaultdict(list)
    for number, value in fields(message):
        out[number].append(value)
    return out


if __name__ == '__main__':
    capture = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'transformer.xplane.pb.gz')
    for op, picoseconds in recorded(sys.argv[1] if sys.argv[1:] else capture).most_common():
        print('%-20s %8.2fus' % (op, picoseconds / 1e6 / 5))  # of five steps
