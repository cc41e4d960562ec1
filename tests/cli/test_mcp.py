"""`tfprof mcp` is served by the Python package; the program alone says so."""
import subprocess


def test_the_program_alone_says_where_to_get_it(binary):
    done = subprocess.run([binary, 'mcp', '.'], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "pip install 'tfprof[mcp]'" in done.stderr and not done.stdout
