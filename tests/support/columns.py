"""The figures that the tool lists: tests go over all of them, those of tomorrow too."""
import functools
import re
import subprocess


@functools.lru_cache
def figures(binary) -> dict:
    """Columns that add up -> their field in JSON."""
    page = subprocess.run([binary, 'help', 'columns'], capture_output=True, text=True, check=True).stdout
    found = dict(re.findall(r'^\+ (\S+) .*\[(\w+), total_\2\]$', page, re.M))
    assert len(found) >= 12, page
    return found


def unit(column: str) -> str:
    """Of its values: bytes, microseconds or count."""
    return 'bytes' if column.endswith('bytes') else 'microseconds' if column.endswith('micros') else 'count'
