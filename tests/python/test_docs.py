"""Every Python block of these pages runs as it stands."""
import importlib.util
import os
import re
import subprocess
import sys

import pytest
import tfprof
from package_paths import REPOSITORY

PAGES = ('python', 'jax', 'inputs', 'ui')
BLOCKS = [(page, number, block) for page in PAGES for number, block in enumerate(re.findall(
    r'^```python\n(.*?)^```$', (REPOSITORY / 'docs' / (page + '.md')).read_text(), re.MULTILINE | re.DOTALL))]


def needs(block, package):
    return re.search(r'^import %s\b' % package, block, re.MULTILINE) is not None


@pytest.mark.parametrize('page, number, block', BLOCKS, ids=['%s-%d' % (page, number) for page, number, _ in BLOCKS])
def test_block(page, number, block, tmp_path):
    for package in ('tensorflow', 'jax'):
        if needs(block, package) and importlib.util.find_spec(package) is None:
            pytest.skip('needs ' + package)
    (tmp_path / 'examples').symlink_to(REPOSITORY / 'examples')
    (tmp_path / 'block.py').write_text(block)
    done = subprocess.run([sys.executable, 'block.py'], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stderr[-3000:]
    # What it recorded can be read; without a recording it prints something.
    if (tmp_path / 'run').exists():
        assert tfprof.load(tmp_path / 'run').info()['nodes'] > 0
    else:
        assert done.stdout


def test_every_situation_has_a_block():
    count = {page: sum(one == page for one, _, _ in BLOCKS) for page in PAGES}
    assert count['python'] >= 8 and count['jax'] >= 3 and count['inputs'] == 4 and count['ui'] == 3
    assert sum(needs(block, 'tensorflow') for page, _, block in BLOCKS if page == 'python') == 3
    assert sum(needs(block, 'jax') for _, _, block in BLOCKS) >= 3
