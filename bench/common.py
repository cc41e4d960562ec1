"""What the benchmarks share: inputs, the cost of a process, tables, the pages that hold them, facts about the machine."""
import hashlib
import json
import mmap
import os
import platform
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FILES = ('graph.pb', 'run_meta_0', 'tfprof_log')
ONE_THREAD = {'TFPROF_THREADS': '1'}

# CPU seconds (least, median), wall seconds (least).
Time = namedtuple('Time', 'cpu median wall')


class Failure(Exception):
    """A job that gave no result; the text goes into the table or onto stderr."""


def say(text):
    print(text, file=sys.stderr, flush=True)


# Inputs

def load(path):
    with open(path) as f:
        return json.load(f)


def made(folder, generator, *arguments):
    """The folder that make_input.py fills with these arguments; filled now unless it is there, by today's generator."""
    generator = os.path.join(HERE, generator)
    with open(generator, 'rb') as f:
        fingerprint = hashlib.sha256(f.read()).hexdigest()
    expected = os.path.join(folder, 'expected.json')
    if not os.path.exists(expected) or load(expected).get('generator') != fingerprint:
        say('making %s' % os.path.basename(folder))
        if os.path.exists(expected):
            os.remove(expected)
        subprocess.run([sys.executable, generator, '--out', folder, *map(str, arguments)], check=True)
    return folder


def run_of(work, nodes, *more):
    """The folder with a generated run of this many nodes."""
    name = 'n%d%s' % (nodes, ''.join(str(word).replace('--', '_') for word in more))
    return made(os.path.join(work, name), 'make_input.py', '--nodes', nodes, *more)


# Costs

def once(command, environment=None, out=os.devnull):
    """(CPU seconds, wall seconds) of one process, start included; its stdout goes to a file."""
    with open(out, 'wb') as sink:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.PIPE,
                                   env={**os.environ, **(environment or {})})
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failure('%s: exit status %d: %s' % (' '.join(command[:2]), process.returncode,
                                                  errors.decode(errors='replace').strip()[-300:]))
    return usage.ru_utime + usage.ru_stime, wall


def make_ready(files, memory):
    """Has the files in the page cache, and so much memory free that is the system's own. The host of a virtual machine takes either
    back when it was not used for some seconds; what finding it anew costs is no cost of a program."""
    buffer = bytearray(1 << 22)
    for path in files:
        with open(path, 'rb', buffering=0) as f:
            while f.readinto(buffer):
                pass
    if memory:
        with mmap.mmap(-1, memory, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as pages:  # what is shared has no large pages
            pages.madvise(mmap.MADV_HUGEPAGE)
            for page in range(0, memory, mmap.PAGESIZE):
                pages[page] = 1


def time_of(command, times=3, environment=None, ready=lambda: None):
    """`ready` is called before each run."""
    runs = []
    for _ in range(times):
        ready()
        runs.append(once(command, environment))
    cpu = [run[0] for run in runs]
    return Time(min(cpu), statistics.median(cpu), min(run[1] for run in runs))


def private_memory(pid):
    """Bytes of anonymous memory; mapped files do not count, the system can drop those at any time."""
    try:
        with open('/proc/%d/status' % pid) as f:
            for line in f:
                if line.startswith('RssAnon:'):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


class MemoryWatch(threading.Thread):
    """Polls a process, the more slowly the longer it runs, and keeps the peak; use as `with`."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.over = pid, 0, threading.Event()

    def run(self):
        begin = time.perf_counter()
        while not self.over.wait(min(0.05, max(0.0001, (time.perf_counter() - begin) / 1000))):
            self.peak = max(self.peak, private_memory(self.pid))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def memory_of(command, environment=None):
    """Peak private memory of a process, in a run of its own so that polling does not touch the times; None when it was over before
    it was looked at."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})}) as process:
        with MemoryWatch(process.pid) as watch:
            process.wait()
    return watch.peak or None


def available_memory():
    with open('/proc/meminfo') as f:
        return next(int(line.split()[1]) * 1024 for line in f if line.startswith('MemAvailable:'))


# Text

def time_text(seconds):
    return '%.1f ms' % (seconds * 1e3) if seconds < 1 else '%.2f s' % seconds


def size_text(size):
    return '%.1f MB' % (size / 1e6) if size < 1e9 else '%.2f GB' % (size / 1e9)


def shown(value, text, note='n/a'):
    return note if value is None else text(value)


def markdown(lines):
    """A table in Markdown, padded so that it reads well in a terminal too."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = ['| ' + ' | '.join(cell.ljust(w) for cell, w in zip(line, widths)) + ' |' for line in lines]
    text.insert(1, '|' + '|'.join('-' * (w + 2) for w in widths) + '|')
    return '\n'.join(text)


def put(document, mark, text):
    """Writes a text between `<!-- MARK: make bench -->` and `<!-- end of MARK -->` of a page."""
    begin, end = '<!-- %s: make bench -->' % mark, '<!-- end of %s -->' % mark
    with open(document, encoding='utf-8') as f:
        page = f.read()
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit('%s: one %s and one %s are expected' % (document, begin, end))
    with open(document, 'w', encoding='utf-8') as f:
        f.write('%s%s\n%s\n%s%s' % (page.partition(begin)[0], begin, text.rstrip('\n'), end, page.partition(end)[2]))


# Facts

def compiler_of(program):
    """What the compiler wrote about itself into the program."""
    with open(program, 'rb') as f:
        found = re.search(rb'GCC: \([^)]*\) [\d.]+|[A-Za-z ]*clang version [\d.]+', f.read())
    return found[0].decode() if found else 'unknown'


def machine(binary):
    """(what, fact) lines: nothing that names the machine or somebody."""
    with open('/proc/cpuinfo') as f:
        cpu = next((line.split(':', 1)[1].strip() for line in f if line.startswith('model name')), platform.machine())
    with open('/proc/meminfo') as f:
        memory = int(f.readline().split()[1]) * 1024
    version = subprocess.run([binary, 'version'], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[-1]
    return [('processor', '%s, %d cores' % (cpu, len(os.sched_getaffinity(0)))), ('memory', '%.0f GB' % (memory / 1e9)),
            ('kernel', '%s %s' % (platform.system(), re.match(r'[\d.]+', platform.release())[0])),
            ('C library', ' '.join(platform.libc_ver())), ('compiler', compiler_of(binary)), ('tfprof', version)]
