"""Both profilers, and what makes the cases, in a process of their own: TensorFlow's ends it on inputs that it does not expect.

The process is forked from one that has TensorFlow loaded, so that the next costs milliseconds. A request is a case and the
queries to answer; answers come one by one, so that what ended the process is known.
"""
import contextlib
import ctypes
import gc
import io
import logging
import os
import pickle
import select
import shutil
import signal
import struct
import tempfile
from pathlib import Path

import tensorflow as tf
import tfprof
from protos import rows
from tensorflow.core.profiler import tfprof_options_pb2, tfprof_output_pb2
from tensorflow.python.util import _pywrap_tfprof

from . import case as cases
from .options import CHECKERS

SECONDS = 60  # for one answer
METHODS = {'scope': 'profile_name_scope', 'graph': 'profile_graph', 'op': 'profile_operations', 'code': 'profile_python'}
LIBC = ctypes.CDLL(None)


class Died(Exception):
    """The process ended without an answer."""


def written(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def outfile(options, folder):
    kind = options['output']
    return {**options, 'output': kind if kind in ('stdout', 'none') else '%s:outfile=%s/out' % (kind, folder)}


def imported(graph_def):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(graph_def, name='')
    return graph


class Ours:
    """This project's package."""

    def __init__(self, case):
        if case.live:
            self.profiler = tfprof.Profiler(imported(case.graph), case.op_log)
        else:
            log = case.op_log.SerializeToString() if case.op_log else None
            self.profiler = tfprof.Profiler(case.graph.SerializeToString(), log or None)
        for step, run in case.steps:
            self.profiler.add_step(step, run)
        # TensorFlow's newest version drops the source text and counts no float ops itself.
        self.more = {'source_text': False, **({} if case.live else {'flops': 'recorded'})}

    def answer(self, query, folder):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                if query.view == 'advise':
                    advice = self.profiler.advise({name: {} for name in CHECKERS})
                    return {'advice': {name: list(advice.checkers[name].reports) for name in CHECKERS}}
                root = getattr(self.profiler, METHODS[query.view])({**outfile(query.options, folder), **self.more})
            except (tfprof.Error, ValueError) as error:
                return {'error': str(error), 'files': written(folder)}
        return {'rows': rows(root, query.view), 'text': out.getvalue().encode('utf-8', 'surrogateescape'), 'files': written(folder)}


class Theirs:
    """TensorFlow's, of which one may live at a time."""

    def __init__(self, case):
        self.python = None
        if case.live:
            self.python = tf.compat.v1.profiler.Profiler(imported(case.graph), case.op_log)
            for step, run in case.steps:
                self.python.add_step(step, run)
            return
        _pywrap_tfprof.NewProfiler(case.graph.SerializeToString(), case.op_log.SerializeToString() if case.op_log else b'')
        for step, run in case.steps:
            _pywrap_tfprof.AddStep(step, b'', run.SerializeToString(), b'')

    def close(self):
        if self.python:
            self.python = None
            gc.collect()
        else:
            _pywrap_tfprof.DeleteProfiler()

    def answer(self, query, folder):
        if query.view == 'advise':
            options = tfprof_options_pb2.AdvisorOptionsProto()
            for name in CHECKERS:
                options.checkers[name].SetInParent()
            advice = tfprof_output_pb2.AdviceProto.FromString(_pywrap_tfprof.Profile(b'advise', options.SerializeToString()))
            return {'advice': {name: list(advice.checkers[name].reports) for name in CHECKERS}}
        options = outfile(query.options, folder)
        if self.python:
            root = getattr(self.python, METHODS[query.view])(options)
        else:
            options = tfprof_options_pb2.OptionsProto(**options).SerializeToString()
            message = tfprof_output_pb2.GraphNodeProto if query.view in ('scope', 'graph') else \
                tfprof_output_pb2.MultiGraphNodeProto
            root = message.FromString(_pywrap_tfprof.Profile(query.view.encode(), options))
        return {'rows': rows(root, query.view), 'files': written(folder)}


class Process:
    """The inside of the process."""

    def __init__(self, requests, answers):
        self.requests, self.answers = requests, answers
        self.scratch = tempfile.mkdtemp(prefix='tfprof_differential.')
        self.printed = os.open(os.path.join(self.scratch, 'printed'), os.O_RDWR | os.O_CREAT | os.O_APPEND)
        os.dup2(self.printed, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        logging.disable(logging.CRITICAL)

    def say(self, *answer):
        content = pickle.dumps(answer)
        os.write(self.answers, struct.pack('<q', len(content)))
        view = memoryview(content)
        while view:
            view = view[os.write(self.answers, view):]

    def printed_since(self):
        LIBC.fflush(None)
        size = os.lseek(self.printed, 0, os.SEEK_END)
        text = os.pread(self.printed, size, 0)
        os.ftruncate(self.printed, 0)
        return text

    def ask(self, profiler, query):
        folder = tempfile.mkdtemp(dir=self.scratch)
        try:
            return profiler.answer(query, folder)
        except Exception as error:  # TensorFlow's own, and pybind's
            return {'error': '%s: %s' % (type(error).__name__, error), 'files': {}}
        finally:
            shutil.rmtree(folder)

    def one_case(self, whose, case, numbers):
        try:
            profiler = (Ours if whose == 'ours' else Theirs)(case)
        except Exception as error:
            self.say(None, {'error': '%s: %s' % (type(error).__name__, error)})
            return
        self.say(None, {})
        self.printed_since()
        for number in numbers:
            answer = self.ask(profiler, case.queries[number])
            printed = self.printed_since()
            if whose == 'theirs' and 'error' in answer:  # what it was building stays as it is, half done
                profiler.close()
                profiler = Theirs(case)
            elif whose == 'theirs' and 'advice' not in answer:
                answer['text'] = printed
            self.say(number, answer)
        if whose == 'theirs':
            profiler.close()

    def run(self):
        while header := os.read(self.requests, 8):
            size, content = struct.unpack('<q', header)[0], b''
            while len(content) < size:
                content += os.read(self.requests, size - len(content))
            whose, *what = pickle.loads(content)
            if whose == 'make':
                self.say(0, cases.make(*what))
            else:
                self.one_case(whose, *what)


class Worker:
    """The outside: starts the process again when it is gone."""

    def __init__(self):
        self.pid = None

    def start(self):
        (theirs_in, self.requests), (self.answers, theirs_out) = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.requests)
            os.close(self.answers)
            status = 1
            try:
                process = Process(theirs_in, theirs_out)
                process.run()
                status = 0
            finally:
                os._exit(status)
        os.close(theirs_in)
        os.close(theirs_out)

    def stop(self):
        if self.pid is None:
            return None
        with contextlib.suppress(OSError):
            os.close(self.requests)
            os.close(self.answers)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.pid = None
        return status

    def read(self, size):
        content = b''
        while len(content) < size:
            if not select.select([self.answers], [], [], SECONDS)[0]:
                raise Died('no answer within %d seconds' % SECONDS)
            more = os.read(self.answers, size - len(content))
            if not more:
                raise Died('the process ended')
            content += more
        return content

    def ask(self, *request):
        content = pickle.dumps(request)
        os.write(self.requests, struct.pack('<q', len(content)))
        view = memoryview(content)
        while view:
            view = view[os.write(self.requests, view):]

    def answer(self):
        return pickle.loads(self.read(struct.unpack('<q', self.read(8))[0]))

    def made(self, seed):
        """The case of a seed. TensorFlow builds graphs with threads, after which a process must not be forked."""
        if self.pid is None:
            self.start()
        self.ask('make', seed)
        return self.answer()[1]

    def answers_to(self, whose, case):
        """{number of the query: answer}; what ended the process has the answer {'died': why}."""
        found, pending = {}, list(range(len(case.queries)))
        while pending:
            if self.pid is None:
                self.start()
            waits_for = None
            try:
                self.ask(whose, case, pending)
                for waits_for in (None, *pending):
                    number, answer = self.answer()
                    if number is None and 'error' in answer:
                        return {**found, **{number: answer for number in pending}}
                    if number is not None:
                        found[number] = answer
                break
            except (Died, BrokenPipeError) as error:
                self.stop()
                if waits_for is None:
                    return {**found, **{number: {'died': 'reading the input: %s' % error} for number in pending}}
                found[waits_for] = {'died': str(error)}
                pending = pending[pending.index(waits_for) + 1:]
        return found
