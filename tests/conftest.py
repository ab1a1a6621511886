"""The people and servers that tests share. Alice owns, Bob sits beside her, Carol is a stranger, Root runs the tenant."""

from collections.abc import Iterator

import pytest

from adminchat.accounts.models import Tenant, User
from tests.factories import TenantFactory, UserFactory


@pytest.fixture
def tenant(db: None) -> Tenant:
    return TenantFactory.create(name="Acme")


@pytest.fixture
def alice(tenant: Tenant) -> User:
    return UserFactory.create(username="alice", tenant=tenant)


@pytest.fixture
def bob(tenant: Tenant) -> User:
    return UserFactory.create(username="bob", tenant=tenant)


@pytest.fixture
def root(tenant: Tenant) -> User:
    return UserFactory.create(username="root", tenant=tenant, super_admin=True)


@pytest.fixture
def carol(db: None) -> User:
    return UserFactory.create(username="carol", tenant__name="Elsewhere")
