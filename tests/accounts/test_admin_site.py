"""The operator's site (admin/) shows no secrets and lets nobody else in."""

import pytest
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.test import Client

from adminchat.accounts.models import User
from tests.accounts.conftest import is_signed_in
from tests.factories import PASSWORD, ChatModelFactory, ConnectionFactory, UserFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(root: User) -> User:
    return UserFactory.create(username="operator", tenant=root.tenant, is_superuser=True, is_staff=True)


@pytest.fixture
def as_operator(operator: User) -> Client:
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


def test_guessing_an_operators_password_is_slowed_down(operator: User) -> None:  # SEC-7
    cache.clear()
    client = Client()
    sign_in = client.get("/admin/", follow=True).redirect_chain[-1][0]
    for _ in range(6):
        client.post("/admin/login/", {"username": "operator", "password": "wrong"})
        client.post(sign_in, {"login": "operator", "password": "wrong"})
    for address in ("/admin/login/", sign_in):
        client.post(address, {"username": "operator", "login": "operator", "password": PASSWORD})
    assert not is_signed_in(client)


def test_session_opened_for_the_operators_site_is_in_the_list_of_devices(operator: User) -> None:  # SEC-9
    cache.clear()
    client = Client()
    sign_in = client.get("/admin/accounts/user/", follow=True).redirect_chain[-1][0]
    form = {"username": "operator", "login": "operator", "password": PASSWORD}
    assert client.post(sign_in, form, follow=True).request["PATH_INFO"] == "/admin/accounts/user/"
    assert UserSession.objects.filter(user=operator, session_key=client.session.session_key).exists()


def test_operators_change_their_password_where_everybody_does(as_operator: Client) -> None:  # SEC-7
    for ask in (as_operator.get, as_operator.post):
        assert ask("/admin/password_change/").headers["Location"] == "/accounts/password/change/"
