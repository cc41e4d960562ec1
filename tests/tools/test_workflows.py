"""The workflows of .github name what is there: targets of the Makefile, tools, jobs. Nobody runs them before a release."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
WORKFLOWS = sorted((REPOSITORY / '.github/workflows').glob('*.yml'))


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.stem)
def text(request):
    return request.param.read_text()


def test_there_are_two():
    assert [path.name for path in WORKFLOWS] == ['ci.yml', 'release.yml']


def test_they_are_yaml_with_jobs(text):
    yaml = pytest.importorskip('yaml')
    workflow = yaml.safe_load(text)
    for job in workflow['jobs'].values():
        assert job['runs-on'] and job['timeout-minutes'] and job['steps']
        assert set([job['needs']] if isinstance(job.get('needs'), str) else job.get('needs', [])) <= set(workflow['jobs'])
        assert all(('run' in step) != ('uses' in step) for step in job['steps'])


@pytest.mark.skipif(not shutil.which('actionlint'), reason='actionlint is not installed')
def test_actionlint_finds_nothing():
    done = subprocess.run(['actionlint', *WORKFLOWS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_they_call_is_there(text):
    makefile = (REPOSITORY / 'Makefile').read_text()
    for target in re.findall(r'\brun: make ([a-z-]+)$', text, re.MULTILINE):
        assert re.search('^%s:' % target, makefile, re.MULTILINE), target
    for tool in re.findall(r'\btools/[\w.]+', text):
        assert os.access(REPOSITORY / tool, os.X_OK), tool


def test_they_may_read_and_little_else(text):
    assert re.search(r'^permissions:\n  contents: read$', text, re.MULTILINE)
    assert not re.search(r'\$\{\{ *github\.(event|head_ref|ref_name)', text), 'what others choose is no part of a command'


def test_actions_are_pinned_to_a_version(text):
    used = re.findall(r'uses: (\S+)', text)
    assert used and all(re.fullmatch(r'actions/[\w-]+@v\d+', name) for name in used)


def test_a_release_is_tried_where_it_should_run_and_then_published_with_sums():
    release = (REPOSITORY / '.github/workflows/release.yml').read_text()
    assert 'image: ["ubuntu:22.04", "ubuntu:24.04", "debian:12"]' in release
    build, trial, publish = (release.index('\n  %s:\n' % job) for job in ('build', 'try', 'publish'))
    assert build < trial < publish and 'needs: [build, try]' in release[publish:]
    for words in ('sha256sum --check', 'attest-build-provenance', 'gh release create', 'attestations: write'):
        assert words in release[publish:], words
