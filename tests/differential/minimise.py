"""Cuts a case down while it still differs: options to their defaults, then steps, records, nodes and entries away."""
import copy
import dataclasses
import time

from .options import PLAIN

SECONDS = 40  # for one case


def repeated(message):
    """The repeated fields of a message and of what it holds, the outer ones first; maps are left alone."""
    for descriptor, value in message.ListFields():
        if descriptor.is_repeated:
            if descriptor.message_type and descriptor.message_type.GetOptions().map_entry:
                continue
            yield message, descriptor.name
            if descriptor.message_type:
                for item in value:
                    yield from repeated(item)
        elif descriptor.message_type:
            yield from repeated(value)


class Minimiser:
    def __init__(self, case, differs):
        self.case, self.differs, self.until = case, differs, time.monotonic() + SECONDS
        self.difference = differs(case)

    def attempt(self, smaller):
        if time.monotonic() > self.until:
            return False
        found = self.differs(smaller)
        if not found:
            return False
        self.case, self.difference = smaller, found
        return True

    def with_options(self):
        for name, value in PLAIN.items():
            query = self.case.queries[0]
            if name in query.options and query.options[name] != value:
                changed = dataclasses.replace(query, options={**query.options, name: value})
                self.attempt(dataclasses.replace(self.case, queries=[changed]))
        options = self.case.queries[0].options
        for name in [name for name, value in options.items() if isinstance(value, list)]:
            for item in list(options[name]):
                query = self.case.queries[0]
                rest = [other for other in query.options[name] if other != item]
                if rest:
                    self.attempt(dataclasses.replace(self.case, queries=[
                        dataclasses.replace(query, options={**query.options, name: rest})]))

    def without_steps(self):
        for index in reversed(range(len(self.case.steps))):
            steps = self.case.steps[:index] + self.case.steps[index + 1:]
            self.attempt(dataclasses.replace(self.case, steps=steps))
        if self.case.op_log is not None:
            self.attempt(dataclasses.replace(self.case, op_log=None))

    def parts(self, case):
        return [case.graph, *(run for _, run in case.steps), *([case.op_log] if case.op_log is not None else [])]

    def without_elements(self):
        """Drops runs of elements of every repeated field, halving the runs."""
        places = [(part, number) for part, message in enumerate(self.parts(self.case))
                  for number in range(len(list(repeated(message))))]
        for part, number in places:
            size = None
            while size != 0:
                size = self.cut(part, number, size)

    def field(self, case, part, number):
        found = list(repeated(self.parts(case)[part]))
        return getattr(*found[number]) if number < len(found) else None

    def cut(self, part, number, size):
        values = self.field(self.case, part, number)
        if not values:
            return 0
        size = min(size or len(values), len(values))
        at = len(values) - size
        while at >= 0:
            smaller = copy.deepcopy(self.case)
            del self.field(smaller, part, number)[at:at + size]
            if self.attempt(smaller):
                values = self.field(self.case, part, number)
                if not values:
                    return 0
            at -= size
        return size // 2

    def without_fields(self):
        """Clears single fields, the deepest too."""
        for part in range(len(self.parts(self.case))):
            index = 0
            while True:
                smaller = copy.deepcopy(self.case)
                fields = list(single(self.parts(smaller)[part]))
                if index >= len(fields):
                    break
                message, name = fields[index]
                message.ClearField(name)
                if not self.attempt(smaller):
                    index += 1

    def without_strings(self):
        for key in sorted(self.case.op_log.id_to_string) if self.case.op_log is not None else ():
            smaller = copy.deepcopy(self.case)
            del smaller.op_log.id_to_string[key]
            self.attempt(smaller)

    def run(self):
        before = None
        while before != (before := str(self.case)) and time.monotonic() < self.until:
            self.with_options()
            self.without_steps()
            self.without_elements()
            self.without_fields()
            self.without_strings()
        return self.case, self.difference


KEPT = {'name', 'op', 'node_name', 'device'}  # without them an input is another kind of input


def single(message):
    for descriptor, value in message.ListFields():
        if descriptor.name in KEPT:
            continue
        if not descriptor.is_repeated:
            yield message, descriptor.name
            if descriptor.message_type:
                yield from single(value)
        elif descriptor.message_type and not descriptor.message_type.GetOptions().map_entry:
            for item in value:
                yield from single(item)
        elif descriptor.message_type:
            yield message, descriptor.name


def minimise(case, number, differs):
    """The smallest case found that has the one query, and its difference; None where it differs no more."""
    alone = dataclasses.replace(case, queries=[case.queries[number]])
    work = Minimiser(alone, differs)
    return work.run() if work.difference else (alone, None)
