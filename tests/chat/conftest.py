"""Browsers of the people that tests share."""

import pytest
from django.test import Client

from adminchat.accounts.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def page(alice: User) -> Client:
    """Alice's browser."""
    return signed_in(alice)


@pytest.fixture
def strangers(bob: User, carol: User, root: User) -> list[Client]:
    """Everybody else's: of the same tenant, of another one, and the super administrator."""
    return [signed_in(user) for user in (bob, carol, root)]
