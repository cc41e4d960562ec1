#!/usr/bin/env python3
"""Times tfprof against xprof (from PyPI) on the same XPlane captures, in the same run: op statistics, CPU time and peak memory.

    compare_captures.py --binary build/release/tfprof [--events 100000,1000000,2500000] [--recorded 100] [--work DIR]
                        [--document docs/performance.md] [--no-xprof] [CAPTURE...]

Captures are written by make_capture.py (2,500,000 events are about 100 MB) and, of --recorded MB each, made by repeat_capture.py of the
two in examples/, recorded on a GPU with and without CUDA graphs; further ones may be given. xprof lives in an environment of its own
below --work, made at the first run; it is charged for its conversion alone, tfprof for the whole process. Seconds never fail it.
Exit status: 1 when tfprof fails or its total is not the one that was written, or recorded as often; 2 bad usage.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from common import HERE, put

EXAMPLES = (('recorded, CUDA graphs', 'jax'), ('recorded, no graphs', 'jax_plain'))


def measured(command, out):
    """CPU seconds and peak bytes of a command, whose stdout goes to a file."""
    with open(out, 'wb') as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    if status != 0:
        raise RuntimeError('%s: exit status %d' % (' '.join(command), status))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def kernel_micros(binary, capture, work):
    out = os.path.join(work, 'kernels.json')
    measured([binary, 'kernels', capture, '-top', '0', '-format', 'json'], out)
    with open(out) as file:
        return sum(kernel['micros'] for kernel in json.load(file)['kernels'])


def tfprof(binary, capture, work):
    out = os.path.join(work, 'tfprof.json')
    runs = [measured([binary, 'op', capture, '-select', 'accelerator_micros,occurrence', '-order_by', 'accelerator_micros', '-format', 'json'],
                     out) for _ in range(3)]
    return min(runs)[0], min(memory for _, memory in runs), kernel_micros(binary, capture, work)


def xprof(python, capture, work):
    # It keeps its results beside the capture: a folder of its own, so that each run converts.
    with tempfile.TemporaryDirectory(dir=work) as folder:
        copied = shutil.copy(capture, folder)
        out = os.path.join(folder, 'answer')
        _, memory = measured([python, os.path.join(HERE, 'xprof_peer.py'), copied], out)
        with open(out) as file:
            return json.loads(file.read().splitlines()[-1])['seconds'], memory


def environment(work):
    python = os.path.join(work, 'xprof', 'bin', 'python')
    if not os.path.exists(python):
        subprocess.run([sys.executable, '-m', 'venv', os.path.join(work, 'xprof')], check=True)
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', 'xprof'], check=True)
    version = subprocess.run([python, '-m', 'pip', 'show', 'xprof'], check=True, capture_output=True, text=True).stdout
    return python, next(line.split()[1] for line in version.splitlines() if line.startswith('Version:'))


def captures_of(options):
    for events in map(int, filter(None, options.events.split(','))):
        path = os.path.join(options.work, 'events_%d.xplane.pb' % events)
        made = subprocess.run([sys.executable, os.path.join(HERE, 'make_capture.py'), path, '--events', str(events)],
                              check=True, capture_output=True, text=True).stdout
        yield '%s events, %.0f MB' % (format(events, ','), json.loads(made)['bytes'] / 1e6), path, json.loads(made)['micros']
    for name, folder in EXAMPLES if options.recorded > 0 else ():
        path = os.path.join(options.work, folder + '.xplane.pb')
        recorded = os.path.join(HERE, '..', 'examples', folder, 'transformer.xplane.pb.gz')
        made = json.loads(subprocess.run([sys.executable, os.path.join(HERE, 'repeat_capture.py'), recorded, path, '--bytes',
                                          str(options.recorded * 1_000_000)], check=True, capture_output=True, text=True).stdout)
        yield '%s: %s events, %.0f MB' % (name, format(made['events'], ','), made['bytes'] / 1e6), path, made['times'] * kernel_micros(
            options.binary, recorded, options.work)
    for path in options.captures:
        yield os.path.basename(path), path, None


def table(options):
    rows, wrong = [], 0
    python, version = (None, '') if options.no_xprof else environment(options.work)
    rows.append('| capture | tfprof | memory | xprof %s | memory | faster | memory of it |' % version)
    rows.append('|---|---|---|---|---|---|---|')
    for name, path, written in captures_of(options):
        seconds, memory, total = tfprof(options.binary, path, options.work)
        if written is not None and abs(total - written) > 1e-6 * written:
            print('%s: tfprof says %f us of kernels, %f were written' % (name, total, written), file=sys.stderr)
            wrong = 1
        ours = '%.2f s | %.0f MB' % (seconds, memory / 1e6)
        if python is None:
            rows.append('| %s | %s | not measured | | | |' % (name, ours))
        else:
            theirs, peer_memory = xprof(python, path, options.work)
            rows.append('| %s | %s | %.2f s | %.0f MB | %.0fx | %.0f%% |' % (
                name, ours, theirs, peer_memory / 1e6, theirs / seconds, 100 * memory / peer_memory))
        print(rows[-1], file=sys.stderr, flush=True)
    return '\n'.join(rows), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('captures', nargs='*')
    parser.add_argument('--binary', required=True)
    parser.add_argument('--events', default='100000,1000000,2500000')
    parser.add_argument('--recorded', type=int, default=100)
    parser.add_argument('--work', default='build/bench')
    parser.add_argument('--document')
    parser.add_argument('--no-xprof', action='store_true')
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    os.makedirs(options.work, exist_ok=True)
    text, wrong = table(options)
    print(text)
    if options.document:
        put(options.document, 'captures', text)
    return wrong


if __name__ == '__main__':
    sys.exit(main())
