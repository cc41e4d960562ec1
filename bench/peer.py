"""TensorFlow's own profiler as compare.py drives it: an environment that has it, one process a job, what it took."""
import json
import os
import re
import signal
import subprocess
import sys
from collections import namedtuple

from common import FILES, HERE, ROOT, Failure, MemoryWatch, available_memory, make_ready, private_memory, say, size_text

# What TensorFlow takes at its peak, rounded up: refuse to drive a machine into swap.
BYTES_PER_NODE = 12_000
BYTES_PER_NODE_DRAWN = 18_000
CPU_SECONDS = 900                # a job that takes longer is ended, unless told otherwise, and the table says so

# ended: before it was done, so that the figures are the least that it would have had.
Peer = namedtuple('Peer', 'cpu wall memory totals ended')


def environment(wanted):
    """A Python that has TensorFlow, or None: the one asked for, or one of our own, made on first use."""
    python = wanted or os.path.join(ROOT, '.venv', 'tensorflow', 'bin', 'python')
    folder = os.path.dirname(os.path.dirname(python))
    check = [python, '-c', 'import tensorflow']
    quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
    try:
        if not wanted and not os.path.exists(python):
            say('installing TensorFlow into %s (once)' % os.path.relpath(folder))
            subprocess.run([sys.executable, '-m', 'venv', folder], check=True)
        if subprocess.run(check, **quiet).returncode and not wanted:
            subprocess.run([python, '-m', 'pip', 'install', '--quiet', 'tensorflow-cpu'], check=True)
        return python if subprocess.run(check, **quiet).returncode == 0 else None
    except (OSError, subprocess.CalledProcessError) as error:
        say('no TensorFlow here: %s' % error)
        return None


def version(python):
    found = subprocess.run([python, '-c', 'import tensorflow; print(tensorflow.__version__)'], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return found.split()[-1]


def drawn_micros(path):
    """The time of all bars in a trace, read line by line or piece by piece: a file may be larger than memory."""
    total, rest = 0, b''
    with open(path, 'rb') as f:
        while piece := f.read(1 << 24):
            piece = rest + piece
            cut = piece.rfind(b'}') + 1
            total += sum(int(n) for n in re.findall(rb'"dur":\s*(\d+)', piece[:cut]))
            rest = piece[cut:]
    return total


def ask(python, job, nodes, folder, seconds=CPU_SECONDS):
    """One job of tensorflow_peer.py, ended after so many CPU seconds; memory is the peak over that after the import."""
    drawn = job.view == 'timeline'
    needed = nodes * (BYTES_PER_NODE_DRAWN if drawn else BYTES_PER_NODE)
    if needed > available_memory():
        raise Failure('needs about %s of memory' % size_text(needed))
    files = [os.path.join(folder, name) for name in FILES + (('timeline_peer.json',) if drawn else ())]
    make_ready([os.path.join(folder, name) for name in FILES], needed)
    arguments = [python, os.path.join(HERE, 'tensorflow_peer.py'), job.view, str(job.depth), *files]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env={**os.environ, 'PEER_CPU_SECONDS': str(seconds)}) as peer:
        if not answer(peer, 'ready'):
            raise Failure('did not start')
        before = private_memory(peer.pid)
        with MemoryWatch(peer.pid) as watch:
            peer.stdin.write('go\n')
            peer.stdin.flush()
            done = answer(peer, 'done')
        totals = answer(peer, 'totals')
        peer.wait()
    memory = watch.peak - before
    if not done and peer.returncode in (-signal.SIGXCPU, -signal.SIGKILL) and available_memory() > needed:
        return Peer(seconds, seconds, memory, None, True)
    if not done:
        code = -peer.returncode
        raise Failure('died: ' + (signal.Signals(code).name if code > 0 else 'exit status %d' % peer.returncode))
    if drawn:
        trace = files[-1] + '_0'  # it appends the step
        totals = {'micros': drawn_micros(trace)}
        os.remove(trace)
    return Peer(done['cpu'], done['seconds'], memory, totals, False)


def answer(peer, event):
    """The peer's next line, or None when it is gone or says something else."""
    line = peer.stdout.readline()
    message = json.loads(line) if line else {}
    return message if message.get('event') == event else None
