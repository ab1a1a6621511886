import pytest

from adminchat.accounts.models import User
from tests.security.addresses import Scenery, make_scenery


@pytest.fixture
def scenery(alice: User, bob: User, carol: User, root: User) -> Scenery:
    """Alice's objects, and everybody who may come along."""
    return make_scenery(alice, bob, carol, root)
