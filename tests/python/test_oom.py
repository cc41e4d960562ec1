"""Logs of allocations that failed, from Python: the report, and the guard that records the next one."""
import json
import os
import sys

import pytest
import tfprof
from package_paths import REPOSITORY

# Not in the line that raises it: tracebacks quote that line.
MESSAGE = ('OOM when allocating tensor with shape[1024,1024] and type float on '
           '/job:localhost/replica:0/task:0/device:CPU:0 by allocator bfc_cpu_allocator_for_gpu')
OOM = REPOSITORY / 'tests' / 'data' / 'oom'


class ResourceExhaustedError(Exception):
    """As TensorFlow's, by name."""


def print_log(name):
    """As the allocator does: to the file descriptor, past sys.stderr."""
    os.write(2, (OOM / name).read_bytes())


def test_report_of_logs():
    report = tfprof.oom(OOM / 'growth.log', OOM / 'tf2_session.dump')
    assert [event['kind'] for event in report['events']] == ['log', 'log', 'memory_dump']
    assert str(report).startswith('3 requests failed.')
    assert '<html' in report.render('html')


def test_what_is_out_of_memory():
    from tfprof._oom import is_out_of_memory
    assert is_out_of_memory(ResourceExhaustedError('x'))
    assert is_out_of_memory(RuntimeError('RESOURCE_EXHAUSTED: Out of memory while trying to allocate 3 bytes'))
    assert is_out_of_memory(MemoryError())
    assert not is_out_of_memory(None) and not is_out_of_memory(ValueError('memory'))
    try:
        try:
            raise ResourceExhaustedError('x')
        except ResourceExhaustedError as error:
            raise ValueError('while training') from error
    except ValueError as error:
        assert is_out_of_memory(error)


def test_guard_records_and_lets_the_exception_through(tmp_path, capfd):
    guard = tfprof.oom_guard(tmp_path / 'oom')
    with pytest.raises(ResourceExhaustedError, match='shape'):
        with guard:
            print_log('tf2_function.log')
            raise ResourceExhaustedError(MESSAGE)
    (folder,) = (tmp_path / 'oom').iterdir()
    assert str(folder) == guard.written
    assert {'log.txt', 'report.txt', 'report.html', 'device.json'} == {path.name for path in folder.iterdir()}
    assert (folder / 'report.txt').read_text().startswith('Too much is held: 98.00MiB of 100.00MiB')
    assert 'ResourceExhaustedError' in (folder / 'log.txt').read_text()
    assert isinstance(json.loads((folder / 'device.json').read_text()), dict)
    printed = capfd.readouterr().err
    assert 'bfc_allocator.cc' in printed and 'Too much is held' in printed and str(folder) in printed


def test_guard_does_nothing_where_nothing_fails(tmp_path, capfd):
    with tfprof.oom_guard(tmp_path / 'oom'):
        print('hello', file=sys.stderr)
    with pytest.raises(ValueError):
        with tfprof.oom_guard(tmp_path / 'oom'):
            raise ValueError('something else')
    assert not (tmp_path / 'oom').exists()
    assert capfd.readouterr().err == 'hello\n'


def test_guard_as_a_decorator_many_times(tmp_path):
    @tfprof.oom_guard(tmp_path / 'oom')
    def train(batch):
        print_log('tf2_larger.log')
        raise ResourceExhaustedError(batch)

    for _ in range(3):
        with pytest.raises(ResourceExhaustedError):
            train(7)
    assert len(list((tmp_path / 'oom').iterdir())) == 3
    assert train.__name__ == 'train'


def test_guard_keeps_the_end_of_a_long_log(tmp_path, monkeypatch):
    from tfprof import _oom
    monkeypatch.setattr(_oom, '_KEPT', 1 << 20)
    with pytest.raises(ResourceExhaustedError):
        with tfprof.oom_guard(tmp_path) as guard:
            for _ in range(4):
                os.write(2, (b'x' * 127 + b'\n') * (1 << 13))
            print_log('tf2_function.log')
            raise ResourceExhaustedError
    assert os.path.getsize(os.path.join(guard.written, 'log.txt')) < _oom._KEPT + (1 << 20)
    with open(os.path.join(guard.written, 'report.txt')) as report:
        assert report.readline().startswith('Too much is held')
