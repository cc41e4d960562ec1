"""The library that makes things fail, built with the compiler at hand."""
import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from support.tool import is_sanitized

SOURCE = Path(__file__).resolve().parent / 'inject.c'


@pytest.fixture(scope='session')
def injector(tmp_path_factory, binary) -> Path:
    compiler = next((c for c in ('cc', 'gcc', 'clang', 'clang-14') if shutil.which(c)), None)
    if platform.machine() != 'x86_64' or not compiler:
        pytest.skip('needs x86-64 and a C compiler')
    if is_sanitized(binary):
        pytest.skip('a sanitizer has its own allocator, and makes system calls of its own')
    library = tmp_path_factory.mktemp('fault') / 'inject.so'
    subprocess.run([compiler, '-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', SOURCE, '-o', library], check=True)
    return library
