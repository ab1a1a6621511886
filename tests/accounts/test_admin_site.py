"""The operator's site (admin/) shows no secrets and lets nobody else in."""

import pytest
from django.test import Client

from adminchat.accounts.models import User
from tests.factories import ChatModelFactory, ConnectionFactory, UserFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_operator(root: User) -> Client:
    operator = UserFactory.create(tenant=root.tenant, is_superuser=True, is_staff=True)
    client = Client()
    client.force_login(operator)
    return client


def test_super_administrators_of_a_tenant_stay_outside(as_root: Client) -> None:  # SEC-1
    assert as_root.get("/admin/accounts/user/").status_code == 302


def test_operator_manages_people_and_tenants(as_operator: Client, root: User) -> None:
    place = WorkspaceFactory.create(tenant=root.tenant)
    for path in (
        "user/",
        "user/add/",
        f"user/{root.pk}/change/",
        "tenant/",
        "tenant/add/",
        f"tenant/{root.tenant_id}/change/",
        "workspace/",
        f"workspace/{place.pk}/change/",
    ):
        assert as_operator.get(f"/admin/accounts/{path}").status_code == 200, path


def test_nobody_is_deleted_there(as_operator: Client, root: User) -> None:  # CHAT-24
    assert as_operator.post(f"/admin/accounts/user/{root.pk}/delete/", {"post": "yes"}).status_code == 403
    assert as_operator.post(f"/admin/accounts/tenant/{root.tenant_id}/delete/", {"post": "yes"}).status_code == 403


def test_keys_are_never_shown(as_operator: Client, root: User) -> None:  # SEC-2
    connection = ConnectionFactory.create(tenant=root.tenant, api_key="sk-very-secret")
    ChatModelFactory.create(connection=connection)
    for path in ("", f"{connection.pk}/change/"):
        page = as_operator.get(f"/admin/connections/connection/{path}")
        assert page.status_code == 200
        assert "sk-very-secret" not in page.content.decode()
