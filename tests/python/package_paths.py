"""Where the tests of the package find things."""
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
VIEWS = REPOSITORY / 'tests' / 'data' / 'views'
EXAMPLE = REPOSITORY / 'examples' / 'resnet'
