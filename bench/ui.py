#!/usr/bin/env python3
"""How long `tfprof ui` takes to answer what clicks ask, on a run of many nodes and a capture of many events.

    ui.py --binary build/release/tfprof [--nodes 1000000] [--events 1000000] [--work DIR] [--document docs/performance.md] [--repeat 7]

Each address is asked once, then --repeat times; the medians are printed, with the memory of the server. The first question loads the run, and
the server then makes ahead what people look at next, so the others are asked when that is done, as somebody does who has read the first page.
Seconds never fail it. Exit status: 1 when an answer is an error.
"""
import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from common import HERE, put

CLICKS = (
    ('the tree of scopes', 'api/tree/scope?run=0&sort=micros'), ('the same by another figure', 'api/tree/scope?run=0&sort=bytes'),
    ('rows by name', 'api/tree/scope?run=0&q=conv&sort=micros'), ('op types', 'api/tree/op?run=0&sort=micros&by=own'),
    ('lines of code', 'api/tree/code?run=0&sort=micros'), ('data flow', 'api/tree/graph?run=0&sort=micros'),
    ('flame graph of scopes', 'api/flame/scope?run=0'), ('flame graph of code', 'api/flame/code?run=0'), ('flame graph of data flow', 'api/flame/graph?run=0'),
    ('callers and callees', 'api/sandwich/scope?run=0&name=Conv2D'), ('summary', 'api/report/summary?run=0&format=page'),
    ('memory in layers', 'api/memory/layers?run=0'), ('memory by scope', 'api/memory/layers?run=0&by=scope'), ('a part of it', 'api/memory/layers?run=0&from=100&to=5000'),
    ('what was live', 'api/memory/live?run=0&at=1000'), ('timeline', 'api/timeline?run=0&pixels=1400'), ('a part of it', 'api/timeline?run=0&pixels=1400&from=1000&to=5000'),
    ('names in the timeline', 'api/timeline/find?run=0&q=conv'))


class Server:
    def __init__(self, binary, path):
        self.process = subprocess.Popen([binary, 'ui', '--no_open', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        url = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.base, self.connection = url.path, http.client.HTTPConnection(url.hostname, url.port, timeout=600)

    def ask(self, address):
        """Milliseconds, status, answer."""
        begin = time.perf_counter()
        self.connection.request('GET', self.base + address)
        answer = self.connection.getresponse()
        body = answer.read()
        return (time.perf_counter() - begin) * 1000, answer.status, body

    def memory(self):
        with open('/proc/%d/status' % self.process.pid, encoding='ascii') as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith('VmRSS'))

    def rest(self):
        """Waits until it computes no more."""
        def used():
            with open('/proc/%d/stat' % self.process.pid, encoding='ascii') as file:
                words = file.read().rsplit(')', 1)[1].split()
                return int(words[11]) + int(words[12])
        before = -1
        while used() != before:
            before = used()
            time.sleep(0.5)


def times_of(binary, path, repeat, title):
    """Lines of a table."""
    server = Server(binary, path)
    try:
        load, status, body = server.ask('api/run?run=0')
        if status != 200:
            raise RuntimeError('%s: status %d' % (path, status))
        kinds = json.loads(body)['kinds']
        server.rest()
        lines = ['| %s | load %.1f s | | %.0f MB |' % (title, load / 1000, server.memory() / 1e6)]
        for name, address in CLICKS:
            if any(kind not in kinds and '/%s' % kind in address for kind in ('code', 'memory')):
                continue  # the input has no such thing
            first, status, body = server.ask(address)
            if status == 404:
                continue
            if status != 200:
                raise RuntimeError('%s: status %d' % (address, status))
            again = statistics.median(server.ask(address)[0] for _ in range(repeat))
            lines.append('| %s | %.0f ms | %.0f ms | %.0f KB |' % (name, first, again, len(body) / 1e3))
        return lines
    finally:
        server.process.kill()
        server.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', required=True)
    parser.add_argument('--nodes', type=int, default=1_000_000)
    parser.add_argument('--events', type=int, default=1_000_000)
    parser.add_argument('--run', help='a run instead of a generated one')
    parser.add_argument('--work')
    parser.add_argument('--document')
    parser.add_argument('--repeat', type=int, default=7)
    options = parser.parse_args()
    work = options.work or tempfile.mkdtemp(prefix='tfprof-ui-')
    os.makedirs(work, exist_ok=True)
    run, capture = options.run or os.path.join(work, 'run'), os.path.join(work, 'events_%d.xplane.pb' % options.events)
    if not os.path.exists(run):
        subprocess.run([sys.executable, os.path.join(HERE, 'make_input.py'), '--out', run, '--nodes', str(options.nodes)], check=True)
    if not os.path.exists(capture):
        subprocess.run([sys.executable, os.path.join(HERE, 'make_capture.py'), capture, '--events', str(options.events)], check=True)
    lines = ['| asked for | first | median | answer |', '|---|---|---|---|']
    lines += times_of(options.binary, run, options.repeat, '**run of {:,} nodes**'.format(options.nodes))
    lines += times_of(options.binary, capture, options.repeat, '**capture of {:,} events**'.format(options.events))
    print('\n'.join(lines))
    if options.document:
        put(options.document, 'ui', '\n'.join(lines))
    return 0


if __name__ == '__main__':
    sys.exit(main())
