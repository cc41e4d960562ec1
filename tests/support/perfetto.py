"""Reads a Perfetto trace far enough to check it as strictly as Perfetto's own reader does."""
from dataclasses import dataclass, field

BEGIN, END, COUNTER = 1, 2, 4
STATE_CLEARED, NEEDS_STATE = 1, 2


def fields(data: bytes):
    """(number, value) of one message: int for varints and fixed numbers, bytes for the rest."""
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
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 1:
            at += 8
            yield tag >> 3, int.from_bytes(data[at - 8:at], 'little')
        elif tag & 7 == 2:
            size = varint()
            at += size
            assert at <= len(data), 'a field ends beyond its message'
            yield tag >> 3, data[at - size:at]
        else:
            raise AssertionError('wire type %d' % (tag & 7))


def message(data: bytes) -> dict:
    """Fields by number, each as a list."""
    out = {}
    for number, value in fields(data):
        out.setdefault(number, []).append(value)
    return out


@dataclass
class Slice:
    track: int
    name: str
    start: int
    end: int = -1
    args: dict = field(default_factory=dict)
    flows_out: list = field(default_factory=list)
    flows_in: list = field(default_factory=list)


class Trace:
    def __init__(self, data: bytes):
        self.processes, self.labels, self.names, self.parent, self.units = {}, {}, {}, {}, {}
        self.slices, self.counters, self.threads, self.process_track = [], {}, set(), {}
        self.interned = {2: {}, 3: {}, 29: {}}  # event names, annotation names, annotation texts
        packets = message(data)
        assert list(packets) == [1]
        for number, packet in enumerate(map(message, packets[1])):
            assert packet[10] == [1], 'a packet without its sequence'
            assert bool(packet[13][0] & STATE_CLEARED) == (number == 0) and packet[13][0] & NEEDS_STATE
            for index, entries in message(packet[12][0]).items() if 12 in packet else ():
                for entry in map(message, entries):
                    assert entry[1][0] >= 1 and entry[1][0] not in self.interned[index], 'defined twice'
                    self.interned[index][entry[1][0]] = entry[2][0].decode()
            if 60 in packet:
                self._track(message(packet[60][0]))
            if 11 in packet:
                self._event(packet[8][0], message(packet[11][0]))
        self._close()

    def _track(self, track):
        (uuid,) = track[1]
        assert uuid > 0 and uuid not in self.names
        if 3 in track:
            process = message(track[3][0])
            self.names[uuid] = self.processes[process[1][0]] = process[6][0].decode()
            self.process_track[process[1][0]] = uuid
            self.labels[self.names[uuid]] = [label.decode() for label in process.get(8, [])]
            return
        if 4 in track:
            thread = message(track[4][0])
            assert thread[2][0] not in self.threads, 'a thread id of another process'
            self.threads.add(thread[2][0])
            self.names[uuid], self.parent[uuid] = thread[5][0].decode(), self.process_track[thread[1][0]]
        else:
            self.names[uuid], self.parent[uuid] = track[2][0].decode(), track[5][0]
        assert self.parent[uuid] in self.names, 'a track before its parent'
        if 8 in track:
            self.units[uuid] = message(track[8][0])[3][0]

    def _event(self, time, event):
        (kind,), (track,) = event[9], event[11]
        assert track in self.names, 'an event before its track'
        if kind == COUNTER:
            self.counters.setdefault(track, []).append((time, event[30][0]))
        elif kind == END:
            self.slices.append(('end', track, time))
        else:
            name = self.interned[2][event[10][0]] if 10 in event else event[23][0].decode()
            args = {}
            for note in map(message, event.get(4, [])):
                args[self.interned[3][note[1][0]]] = note[4][0] if 4 in note else self.interned[29][note[17][0]]
            self.slices.append(Slice(track, name, time, -1, args, event.get(47, []), event.get(48, [])))

    def _close(self):
        """As the reader does it: by time, ties in file order; ends must meet beginnings of their own track."""
        open_slices, done = {}, []
        for event in sorted(self.slices, key=lambda e: e[2] if isinstance(e, tuple) else e.start):
            if isinstance(event, Slice):
                assert event.track not in open_slices, 'overlap in a lane'
                open_slices[event.track] = event
            else:
                slice_ = open_slices.pop(event[1])
                slice_.end = event[2]
                done.append(slice_)
        assert not open_slices, 'a slice without an end'
        self.slices = done

    def process_of(self, track: int) -> str:
        return self.names[self.parent[track]]
