"""tfprof.fleet as far as it goes without an engine: which files are a run, and what is said where Beam is missing."""
import importlib.util

import pytest
from tfprof import fleet
from tfprof.fleet._places import FoundFile, around, base_of, folder_of, labels, patterns_of


def test_without_beam_the_error_says_so():
    if importlib.util.find_spec('apache_beam'):
        pytest.skip('it is there')
    with pytest.raises(ImportError, match=r"pip install 'tfprof\[beam\]'"):
        fleet.ReadProfiles
    with pytest.raises(AttributeError):
        fleet.no_such_thing


def test_places():
    assert base_of('gs://b/runs/*/run_?/**') == 'gs://b/runs' and base_of('gs://b/runs/') == 'gs://b/runs' and base_of('/*') == '/'
    file = FoundFile('gs://b/logs/a/plugins/profile/x/h.xplane.pb', 1, 0, 'gs://b/logs')
    assert folder_of(file) == 'gs://b/logs/a'
    assert folder_of(file._replace(base='gs://b/logs/a/plugins/profile/x')) == 'gs://b/logs/a/plugins/profile/x'
    assert list(around('gs://b/logs/a/b', 'gs://b/logs')) == ['gs://b/logs/a', 'gs://b/logs']
    assert labels('gs://b/logs/a/b', 'gs://b/logs') == ('a/b', 'b', 'a') and labels('gs://b/x', 'gs://b/x') == ('x', 'x', 'b')
    assert patterns_of('gs://b/**') == ['gs://b/**'] and patterns_of('/d/') == ['/d', '/d/**']
