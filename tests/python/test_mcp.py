"""`tfprof mcp`, asked by the SDK's own client over standard input and output."""
import asyncio
import json
import os
import subprocess
import sys

import pytest
from package_paths import REPOSITORY

mcp = pytest.importorskip('mcp')
ENVIRONMENT = {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}


def ask(folders, *questions):
    """The answers of one server to questions, and what it lists."""
    async def conversation():
        server = mcp.StdioServerParameters(command=sys.executable, args=['-m', 'tfprof', 'mcp', *map(str, folders)],
                                           env=ENVIRONMENT)
        async with mcp.stdio_client(server) as (read, write):
            async with mcp.ClientSession(read, write) as session:
                await session.initialize()
                listed = (await session.list_tools()).tools
                return listed, [await session.call_tool(tool, arguments) for tool, arguments in questions]
    return asyncio.run(asyncio.wait_for(conversation(), 300))


def test_conversation():
    listed, (files, page, again, hostile, wrong, unknown) = ask(
        [REPOSITORY / 'examples'], ('files', {}), ('summary', {'paths': ['resnet']}),
        ('op', {'paths': ['resnet'], 'format': 'json'}), ('summary', {'paths': ['../README.md']}),
        ('scope', {'paths': ['resnet'], 'options': {'outfile': 'x'}}), ('nothing', {}))
    names = {tool.name for tool in listed}
    assert {'summary', 'scope', 'graph', 'op', 'code', 'memory', 'kernels', 'steps', 'advise', 'info', 'diff', 'model',
            'checkpoint', 'oom', 'history', 'files', 'help'} == names
    assert all(tool.annotations.read_only_hint for tool in listed)
    assert not files.is_error and 'resnet/' in files.content[0].text
    assert not page.is_error and 'Peak memory' in page.content[0].text and 'Next: scope' in page.content[0].text
    assert json.loads(again.content[0].text)['report']['root']['children']
    for answer, code in ((hostile, 'path_refused'), (wrong, 'invalid_argument'), (unknown, 'unknown_tool')):
        assert answer.is_error and json.loads(answer.content[0].text)['error']['code'] == code
        assert 'Traceback' not in answer.content[0].text


def run(*words):
    return subprocess.run([sys.executable, '-m', 'tfprof', 'mcp', *words], capture_output=True, text=True, timeout=300,
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL)


def test_start(tmp_path):
    assert run('--help').returncode == 0 and 'FOLDER' in run('--help').stdout
    for words in ([], ['--unknown', str(tmp_path)], [str(tmp_path / 'nothing')]):
        done = run(*words)
        assert done.returncode == 2 and 'tfprof mcp: ' in done.stderr and 'Traceback' not in done.stderr
    done = run(str(tmp_path))  # a client that says nothing and goes
    assert done.returncode == 0 and not done.stdout and 'Traceback' not in done.stderr
