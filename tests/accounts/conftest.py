import pytest
from django.test import Client

from adminchat.accounts.models import User
from tests.factories import PASSWORD, UserFactory


@pytest.fixture
def as_root(root: User) -> Client:
    """The browser of a super administrator."""
    client = Client()
    client.force_login(root)
    return client


@pytest.fixture
def dave(db: None) -> User:
    """A super administrator of another tenant."""
    return UserFactory.create(username="dave", tenant__name="Other", super_admin=True)


def sign_in(user: User, password: str = PASSWORD) -> Client:
    """A browser that signed in on the page."""
    client = Client()
    response = client.post("/accounts/login/", {"login": user.username, "password": password})
    assert response.status_code == 302, "sign-in failed"
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/settings/").status_code == 200
