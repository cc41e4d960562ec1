"""Every block of docs/python.md runs as it stands."""
import importlib.util
import os
import re
import subprocess
import sys

import pytest
from package_paths import REPOSITORY

PAGE = (REPOSITORY / 'docs' / 'python.md').read_text()
BLOCKS = re.findall(r'^```python\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize('number', range(len(BLOCKS)))
def test_block(number, tmp_path):
    block = BLOCKS[number]
    if 'import tensorflow' in block and importlib.util.find_spec('tensorflow') is None:
        pytest.skip('needs TensorFlow')
    (tmp_path / 'examples').symlink_to(REPOSITORY / 'examples')
    (tmp_path / 'block.py').write_text(block)
    done = subprocess.run([sys.executable, 'block.py'], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert done.returncode == 0 and done.stdout, done.stderr[-3000:]


def test_every_situation_has_a_block():
    assert len(BLOCKS) >= 6
    assert sum('import tensorflow' in block for block in BLOCKS) == 3
