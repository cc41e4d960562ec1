"""The layers of the design hold in this tree, and the check would see it if they did not."""
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
CHECK = REPOSITORY / 'tools' / 'check_layers.py'


def check(folder):
    return subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)


def tree(folder, **files):
    for name, text in files.items():
        path = folder / name.replace('__', '/').replace('_h', '.h').replace('_cc', '.cc')
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_this_tree_keeps_the_layers():
    done = check(REPOSITORY)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize('including, included', [
    ('base', 'model'), ('model', 'import'), ('import', 'view'), ('view', 'import'), ('view', 'export'),
    ('export', 'view'), ('export', 'import'), ('cli', 'model'), ('cli', 'view'), ('server', 'export'), ('diff', 'view'),
    ('diff', 'import'), ('load', 'view'), ('analyze', 'import')])
def test_an_include_against_the_layers_is_named(tmp_path, including, included):
    tree(tmp_path, **{'src__%s__b_h' % included: '', 'src__%s__a_cc' % including: '#include "%s/b.h"\n' % included})
    done = check(tmp_path)
    assert done.returncode == 1
    assert 'src/%s/a.cc includes "%s/b.h"' % (including, included) in done.stdout


def test_an_include_by_a_relative_path_is_seen(tmp_path):
    tree(tmp_path, src__view__b_h='', src__import__a_cc='#  include "../view/b.h"\n')
    assert '"../view/b.h": import may not reach view' in check(tmp_path).stdout


def test_public_headers_stand_alone(tmp_path):
    tree(tmp_path, src__base__b_h='', include__tfprof__view_h='#include "base/b.h"\n')
    assert 'public headers stand alone' in check(tmp_path).stdout


def test_a_public_header_without_a_room_is_named(tmp_path):
    tree(tmp_path, include__tfprof__attic_h='')
    assert 'include/tfprof/attic.h: the header has no room' in check(tmp_path).stdout


@pytest.mark.parametrize('including', ['src__model__a_cc', 'src__import__a_cc', 'include__tfprof__options_h'])
def test_a_public_header_counts_as_its_room(tmp_path, including):
    tree(tmp_path, include__tfprof__view_h='', **{including: '#include "tfprof/view.h"\n'})
    assert 'may not reach report' in check(tmp_path).stdout


def test_doors_include_every_public_header(tmp_path):
    tree(tmp_path, include__tfprof__stacks_h='', src__cli__a_cc='#include "tfprof/stacks.h"\n')
    assert check(tmp_path).returncode == 0


def test_a_folder_without_a_rule_is_named(tmp_path):
    tree(tmp_path, src__attic__a_cc='')
    assert 'attic has no rule' in check(tmp_path).stdout


def test_what_the_layers_allow_passes(tmp_path):
    tree(tmp_path, src__base__b_h='', src__model__m_h='#include "base/b.h"\n', include__tfprof__view_h='',
         src__view__v_cc='#include "model/m.h"\n#include "tfprof/view.h"\n#include <vector>\n#include "fmt/format.h"\n')
    done = check(tmp_path)
    assert done.returncode == 0, done.stdout


def test_an_empty_tree_is_no_success(tmp_path):
    assert check(tmp_path).returncode == 1
