import pytest

from support.site import REPOSITORY, serving


@pytest.fixture(scope='module')
def site(binary):
    """The shipped examples: 0 jax, 1 jax_plain, 2 lstm, 3 resnet."""
    with serving(binary, REPOSITORY / 'examples') as running:
        yield running
