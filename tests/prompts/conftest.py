import pytest
from django.test import Client

from adminchat.accounts.models import User
from adminchat.prompts import selectors
from adminchat.prompts.defaults import shipped
from adminchat.prompts.models import PromptVersion, Range
from tests.factories import UserFactory


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


@pytest.fixture
def as_dave(dave: User) -> Client:
    client = Client()
    client.force_login(dave)
    return client


@pytest.fixture
def default(root: User) -> PromptVersion:
    """The prompt for titles that comes with AdminChat."""
    (code,) = [each.code for each in shipped() if each.range == Range.SESSION_TITLE]
    return selectors.version(root.tenant_id, code)
