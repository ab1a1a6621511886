"""Alice's browser, and everybody else's."""

import pytest
from django.test import Client

from adminchat.accounts.models import User, Workspace
from chat.models import Session
from tests.chat.conftest import page, signed_in, strangers
from tests.factories import MembershipFactory, SessionFactory

__all__ = ["page", "strangers"]


@pytest.fixture
def workspace(alice: User) -> Workspace:
    """A workspace of which Alice is a member."""
    return MembershipFactory.create(user=alice, workspace__name="Platform").workspace


@pytest.fixture
def session(alice: User, workspace: Workspace) -> Session:
    """A session of Alice's in that workspace."""
    return SessionFactory.create(user=alice, workspace=workspace)


@pytest.fixture
def bobs_page(bob: User) -> Client:
    return signed_in(bob)
