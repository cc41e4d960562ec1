#!/usr/bin/env python3
"""Makes a long XPlane capture of a short one that was recorded: its steps again and again, one after the other.

    repeat_capture.py RECORDED.xplane.pb[.gz] OUT.xplane.pb [--bytes N]

Every event is written until the file has N bytes (default 100,000,000), each time later by the length of the whole recording, with its numbers
of launches, scopes and steps moved on as the recorder would have: nothing else of it changes, and names, programs and facts of devices stay
as they are. Prints as JSON what it made. Standard library only; the same arguments write the same bytes.
"""
import argparse
import gzip
import json
import os

from make_capture import varint

MOVED = ('correlation_id', 'scope_range_id', 'step_num')  # stats that count on


def number_at(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value, the bytes of the whole field) of each; a value is a number or bytes."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = number_at(data, at)
        if tag & 7 == 0:
            value, at = number_at(data, at)
        else:
            size, at = number_at(data, at) if tag & 7 == 2 else (8 if tag & 7 == 1 else 4, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value, data[begin:at]


def blob(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def signed(number):
    return number - (1 << 64) if number >> 63 else number


class Plane:
    """Its fields as recorded, and its events as lists: bytes that stay, and (kind, number, bytes before) that move."""

    def __init__(self, data):
        self.name, self.others, self.lines = '', [], []
        stats, lines = {}, []
        for field, value, raw in fields(data):
            if field == 3:
                lines.append(value)
                continue
            self.others.append(raw)
            if field == 2:
                self.name = value.decode()
            if field == 5:
                entry = dict((f, v) for f, v, _ in fields(value))
                stats[entry.get(1, 0)] = dict((f, v) for f, v, _ in fields(entry.get(2, b''))).get(2, b'').decode()
        moved = {key: name for key, name in stats.items() if name in MOVED}
        for line in lines:
            rest, events = [], []
            for field, value, raw in fields(line):
                if field == 4:
                    events.append(self.event(value, moved))
                else:
                    rest.append((field, raw, value))
            self.lines.append((rest, events))

    @staticmethod
    def event(data, moved):
        offset, duration, parts = 0, 0, []
        for field, value, raw in fields(data):
            if field == 2:
                offset = value
                parts.append(('time', value))
            elif field == 4:
                stat = list(fields(value))
                name = moved.get(stat[0][1]) if stat and stat[0][0] == 1 else None
                if name and len(stat) == 2 and stat[1][0] in (3, 4):
                    parts.append((name, stat[1][1], stat[0][2] + varint(stat[1][0] << 3)))
                else:
                    parts.append(raw)
            else:
                duration = value if field == 3 else duration
                parts.append(raw)
        joined = []
        for part in parts:
            if joined and isinstance(part, bytes) and isinstance(joined[-1], bytes):
                joined[-1] += part
            else:
                joined.append(part)
        return offset, duration, joined


def write_event(parts, move):
    out = []
    for part in parts:
        if isinstance(part, bytes):
            out.append(part)
        elif part[0] == 'time':
            out.append(b'\x10' + varint(part[1] + move['time']))
        else:
            out.append(blob(4, part[2] + varint(part[1] + move[part[0]])))
    return blob(4, b''.join(out))


def repeat(source, path, wanted):
    with (gzip.open if source.endswith('.gz') else open)(source, 'rb') as file:
        space = list(fields(file.read()))
    planes = [Plane(value) if field == 1 else raw for field, value, raw in space]
    begins, ends, ranges = [], [], {name: [] for name in MOVED}
    for plane in planes:
        for rest, events in plane.lines if isinstance(plane, Plane) else []:
            start = sum(signed(value) for field, _, value in rest if field == 3) * 1000
            for offset, duration, parts in events:
                begins.append(start + offset)
                ends.append(start + offset + duration)
                for part in parts:
                    if not isinstance(part, bytes) and part[0] != 'time':
                        ranges[part[0]].append(part[1])
    period = {name: max(seen) - min(seen) + 1 if seen else 0 for name, seen in ranges.items()}
    period['time'] = max(ends) - min(begins) + 1_000_000
    recorded = sum(len(write_event(parts, dict.fromkeys(period, 0))) for plane in planes if isinstance(plane, Plane)
                   for _, events in plane.lines for _, _, parts in events)
    times = max(1, wanted // recorded)
    with open(path, 'wb') as out:
        for plane in planes:
            if not isinstance(plane, Plane):
                out.write(plane)
                continue
            body = b''.join(plane.others)
            for rest, events in plane.lines:
                written = b''.join(write_event(parts, {name: k * by for name, by in period.items()}) for k in range(times) for _, _, parts in events)
                body += blob(3, b''.join(raw for _, raw, _ in rest) + written)
            out.write(blob(1, body))
    return {'events': times * len(begins), 'times': times, 'bytes': os.path.getsize(path)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('recorded')
    parser.add_argument('out')
    parser.add_argument('--bytes', type=int, default=100_000_000)
    options = parser.parse_args()
    print(json.dumps(repeat(options.recorded, options.out, options.bytes)))


if __name__ == '__main__':
    main()
