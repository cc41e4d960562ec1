"""Every allocation and every system call of every command fails once, in turn (inject.c says what must hold then).

Of a command that allocates more than 1,500 times, 1,500 spread over all; FAULT_MOST=0 in the environment: all of them."""
import gzip
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from support import events, wire

DATA = Path(__file__).resolve().parents[1] / 'data'
CORPUS = DATA.parents[1] / 'fuzz' / 'corpus'


def small_graph() -> bytes:
    relu = wire.field(5, wire.message(_1='T', _2=wire.message(_6=1)))
    return wire.graph(wire.node('net/w', 'VariableV2', dims=[4, 3]), wire.node('net/x', 'Placeholder', dims=[2, 4]),
                      wire.node('net/mul', 'MatMul', ['net/x', 'net/w'], outputs=[[2, 3]], attrs=relu),
                      wire.node('net/relu', 'Relu', ['net/mul'], attrs=relu))


def small_run(slower=0) -> bytes:
    names = ['net/w', 'net/x', 'net/mul', 'net/relu']
    return wire.run_metadata({wire.CPU: [wire.stats(n, 1000 + 20 * i, 10 + slower, total=4096, peak=4096, live=64, output=64)
                                         for i, n in enumerate(names)]})


def small_log() -> bytes:
    frames = [wire.trace('/a/main.py', 3, 'main', 'train()'), wire.trace('/a/net.py', 9, 'train', 'relu(x)')]
    return wire.log_entry('net/mul', 48, ['mine'], frames) + wire.log_entry('net/relu', 6, [], frames)


@pytest.fixture(scope='session')
def inputs(tmp_path_factory, binary) -> Path:
    """One small input of each kind."""
    folder = tmp_path_factory.mktemp('inputs')
    (folder / 'run').mkdir()
    (folder / 'run' / 'graph.pb').write_bytes(small_graph())
    (folder / 'run' / 'run_meta_1').write_bytes(small_run())
    (folder / 'run' / 'tfprof_log').write_bytes(small_log())
    (folder / 'graph.pb').write_bytes(small_graph())
    (folder / 'graph.pb.gz').write_bytes(gzip.compress(small_graph()))
    (folder / 'graph.pbtxt').write_text('node { name: "a/b" op: "Add" input: "c" }\nnode { name: "c" op: "NoOp" }\n')
    (folder / 'run_meta_2').write_bytes(small_run(5))
    (folder / 'limits.txt').write_text('bytes>+5%\n')
    (folder / 'rules').write_text('Relu: 2*n(in0)\n')
    (folder / 'prompt').write_text('scope\nset -max_depth 2\nop -select micros\n\nnonsense\nhelp scope\nquit\n')
    (folder / 'events.out.tfevents.1').write_bytes(events.file(events.event(1, _4=small_graph()), events.run('step', small_run(), 7)))
    for name, source in {'capture.xplane.pb': CORPUS / 'xplane' / 'steps_by_launch', 'memory.xplane.pb': CORPUS / 'xplane' / 'memory_replay',
                         'after.prof': DATA / 'memory' / 'after_gpu.prof', 'oom.log': DATA / 'oom' / 'message_only.log',
                         'memory.dump': DATA / 'oom' / 'full.dump', 'own.keras': CORPUS / 'keras' / 'deflated',
                         'step.hlo.pb.gz': DATA / 'hlo' / 'step_before.hlo.pb.gz', 'saved_model.pb': CORPUS / 'model' / 'served'}.items():
        shutil.copy(source, folder / name)
    shutil.copytree(DATA / 'checkpoints' / 'object', folder / 'checkpoint')
    with tarfile.open(DATA / 'xplane' / 'recorded.tar.xz') as archive:
        member = next(m for m in archive if m.name.endswith('quirk_gzip/h.xplane.pb.gz'))
        (folder / 'packed.xplane.pb.gz').write_bytes(archive.extractfile(member).read())
    subprocess.run([binary, 'save', folder / 'run', '-o', folder / 'profile_1'], check=True, capture_output=True)
    subprocess.run([binary, 'export', folder / 'run', '-o', folder / 'history.db'], check=True, capture_output=True)
    return folder


# Command: its lines. @NAME is an input, > the file that is written, + one that is made, < what stands on standard input.
CASES = {
    'scope': ['@run', '@run -format json', '@run -format csv', '@run -format markdown', '@run -format html',
              '@graph.pb.gz', '@graph.pbtxt', '@profile_1', '@events.out.tfevents.1', '@checkpoint', '- <graph.pb',
              '@run -o >out.txt', '@run -format csv -output file:outfile=>out.csv',
              '@run -select micros -output pprof:outfile=>out.pb.gz', '@run -select micros -output folded:outfile=>out.folded',
              '@run -output timeline:outfile=>out.json', '@run/graph.pb -select float_ops -flops_file @rules'],
    'graph': ['@run -select micros,bytes', '@capture.xplane.pb'],
    'op': ['@run -select micros,float_ops -order_by micros', '@packed.xplane.pb.gz', '@run -o >out.txt NAMED'],
    'code': ['@run -select float_ops', '@run -select float_ops -output pprof:outfile=>out.pb.gz NAMED'],
    'advise': ['@run', '@capture.xplane.pb'],
    'summary': ['@run', '@capture.xplane.pb -format html -o >page.html'],
    'info': ['@run', '@checkpoint', '@events.out.tfevents.1 -format json'],
    'memory': ['@run', '@memory.xplane.pb', '@after.prof -format csv -o >out.csv'],
    'kernels': ['@capture.xplane.pb'],
    'steps': ['@capture.xplane.pb', '@run -format json'],
    'checkpoint': ['@checkpoint -values', '@checkpoint/model-1 -format json -o >out.json'],
    'model': ['@graph.pb', '@saved_model.pb', '@own.keras', '@step.hlo.pb.gz -top 2'],
    'diff': ['@graph.pb @run/run_meta_1', '@run @run_meta_2 -limits @limits.txt', '@run/run_meta_1 @run_meta_2 -format markdown -o >out.md'],
    'oom': ['@oom.log', '@memory.dump -format json', '@oom.log --with @run -o >out.txt'],
    'save': ['@run -o >profile', '@capture.xplane.pb -o >profile NAMED'],
    'timeline': ['@run -o >trace.json', '@capture.xplane.pb -o >trace.pftrace', '@run -o >trace.json.gz'],
    'export': ['@run -o +runs.db'],
    'history': ['@history.db'],
    'mcp': ['@run'],
    'ui': ['@run -no_open SERVES'],
    'help': ['', 'scope', 'options', 'columns'],
    'version': [''],
    'completion': ['man'],
    None: ['@run <prompt', '@capture.xplane.pb <prompt'],  # the prompt
}


def test_every_command_has_a_case(binary):
    listed = subprocess.run([binary, 'help'], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r'^  (\w+) ', listed.split('Commands:\n')[1].split('\n\n')[0], re.M)
    assert set(commands) == {name for name in CASES if name}


@pytest.mark.parametrize('line', ['%s %s' % (command or '', line) for command, lines in CASES.items() for line in lines])
def test_whatever_fails(injector, binary, inputs, tmp_path, line):
    work = tmp_path / 'work'
    work.mkdir()
    env = {'PATH': os.environ['PATH'], 'HOME': str(tmp_path), 'LC_ALL': 'C.UTF-8', 'TFPROF_THREADS': '1',
           'FAULT_LOG': str(tmp_path / 'log'), 'LD_PRELOAD': str(injector), 'FAULT_MOST': os.environ.get('FAULT_MOST', '1500')}
    words, stdin = [], os.devnull
    for word in line.split():
        if word in ('NAMED', 'SERVES'):
            env['FAULT_' + word] = '1'
        elif word.startswith('+'):
            env['FAULT_FRESH'] = word[1:]
            words.append(word[1:])
        elif word.startswith('<'):
            stdin = inputs / word[1:]
        else:
            before, mark, name = word.partition('>')
            env.update({'FAULT_TARGET': name} if mark else {})
            words.append((before + name).replace('@', str(inputs) + '/'))
    with open(stdin, 'rb') as given:
        done = subprocess.run([binary, *words], env=env, cwd=work, stdin=given, capture_output=True, timeout=600)
    log = (tmp_path / 'log').read_text()
    if 'SKIPPED' in log:
        pytest.skip(log)
    assert done.returncode == 0, (done, log)
    print(log)
    assert 'BROKEN' not in log, log
    assert re.search(r'^alloc [1-9]', log, re.M) and re.search(r'^error [1-9]', log, re.M)
