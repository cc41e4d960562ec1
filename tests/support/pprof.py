"""Reads a pprof profile and checks it as strictly as pprof's own reader does."""
import gzip
from dataclasses import dataclass, field

from support.perfetto import message


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def packed(values: list) -> list:
    """A repeated integer field, packed or not."""
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(signed(value))
            continue
        number = shift = 0
        for byte in value:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                out.append(signed(number))
                number = shift = 0
        assert shift == 0, 'a packed field ends inside a number'
    return out


@dataclass
class Sample:
    stack: list  # 'function:line', leaf first
    files: list  # of the functions, leaf first
    values: list
    labels: dict


@dataclass
class Profile:
    types: list  # (type, unit)
    default: str
    comments: list
    samples: list = field(default_factory=list)

    def total(self) -> int:
        return sum(sample.values[1] for sample in self.samples)


def one(fields: dict, number: int) -> int:
    values = fields.get(number, [0])
    assert len(values) == 1
    return signed(values[0])


def by_id(entries: list) -> dict:
    out = {}
    for entry in map(message, entries):
        key = one(entry, 1)
        assert key > 0 and key not in out, 'ids are positive and unique'
        out[key] = entry
    return out


def read(path) -> Profile:
    data = path.read_bytes()
    assert data[:2] == b'\x1f\x8b', 'not gzipped'
    assert data[4:8] == bytes(4), 'the time of writing makes equal profiles differ'
    fields = message(gzip.decompress(data))
    text = [entry.decode() for entry in fields[6]]
    assert text[0] == '' and len(set(text)) == len(text)
    types = [(text[one(t, 1)], text[one(t, 2)]) for t in map(message, fields[1])]
    mappings, locations, functions = (by_id(fields.get(number, [])) for number in (3, 4, 5))
    out = Profile(types, text[one(fields, 14)], [text[i] for i in packed(fields.get(13, []))])
    for sample in map(message, fields.get(2, [])):
        stack, files = [], []
        for location in (locations[i] for i in packed(sample.get(1, []))):
            assert one(location, 2) in mappings
            (line,) = map(message, location[4])
            function = functions[one(line, 1)]
            assert one(function, 2) == one(function, 3)
            stack.append('%s:%d' % (text[one(function, 2)], one(line, 2)))
            files.append(text[one(function, 4)])
        values = packed(sample[2])
        assert len(values) == len(types)
        labels = {text[one(label, 1)]: text[one(label, 2)] for label in map(message, sample.get(3, []))}
        out.samples.append(Sample(stack, files, values, labels))
    return out
