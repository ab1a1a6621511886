"""Who may open the pages of this app (SEC-1)."""

from collections.abc import Callable

import pytest
from django.test import Client

from adminchat.accounts.models import User, Workspace
from tests.factories import WorkspaceFactory

pytestmark = pytest.mark.django_db

Address = Callable[[User, Workspace], str]

ADMINISTRATION: dict[str, tuple[Address, set[str]]] = {
    "people": (lambda person, place: "/people/", {"get"}),
    "create": (lambda person, place: "/people/create/", {"get", "post"}),
    "policy": (lambda person, place: "/policy/", {"get", "post"}),
    "workspaces": (lambda person, place: "/workspaces/", {"get"}),
    "workspace-create": (lambda person, place: "/workspaces/create/", {"get", "post"}),
}
OBJECTS: dict[str, tuple[Address, set[str]]] = {
    "person": (lambda person, place: f"/people/{person.pk}/", {"get", "post"}),
    "password": (lambda person, place: f"/people/{person.pk}/password/", {"get", "post"}),
    "deactivate": (lambda person, place: f"/people/{person.pk}/deactivate/", {"get", "post"}),
    "reactivate": (lambda person, place: f"/people/{person.pk}/reactivate/", {"post"}),
    "workspace": (lambda person, place: f"/workspaces/{place.pk}/", {"get", "post"}),
    "workspace-delete": (lambda person, place: f"/workspaces/{place.pk}/delete/", {"get", "post"}),
    "member-add": (lambda person, place: f"/workspaces/{place.pk}/members/", {"post"}),
    "member-remove": (lambda person, place: f"/workspaces/{place.pk}/members/{person.pk}/remove/", {"post"}),
}
ALL = ADMINISTRATION | OBJECTS


@pytest.fixture
def place(alice: User) -> Workspace:
    return WorkspaceFactory.create(tenant=alice.tenant)


def pages(table: dict[str, tuple[Address, set[str]]]) -> pytest.MarkDecorator:
    cases = [(address, method) for address, methods in table.values() for method in methods]
    names = [f"{name}-{method}" for name, (_address, methods) in table.items() for method in methods]
    return pytest.mark.parametrize(("address", "method"), cases, ids=names)


@pages(ALL)
def test_stranger_is_sent_to_sign_in(address: Address, method: str, alice: User, place: Workspace) -> None:  # SEC-1
    response = getattr(Client(), method)(address(alice, place))
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@pages(ALL)
def test_administrator_is_refused(address: Address, method: str, alice: User, place: Workspace) -> None:  # SEC-1
    client = Client()
    client.force_login(alice)
    assert getattr(client, method)(address(alice, place)).status_code == 403


@pages(OBJECTS)
def test_other_tenant_finds_nothing(  # SEC-1
    address: Address, method: str, alice: User, place: Workspace, dave: User
) -> None:
    client = Client()
    client.force_login(dave)
    assert getattr(client, method)(address(alice, place)).status_code == 404


@pages(ALL)
def test_super_administrator_gets_an_answer(  # SEC-1
    address: Address, method: str, alice: User, place: Workspace, as_root: Client
) -> None:
    assert getattr(as_root, method)(address(alice, place)).status_code in (200, 302, 422)


@pytest.mark.parametrize("name", ALL)
def test_other_methods_are_refused(name: str, alice: User, place: Workspace, as_root: Client) -> None:  # SEC-1
    address, methods = ALL[name]
    for method in {"get", "post", "put", "delete"} - methods:
        assert getattr(as_root, method)(address(alice, place)).status_code == 405


def test_writes_need_the_csrf_token(root: User) -> None:  # SEC-4
    client = Client(enforce_csrf_checks=True)
    client.force_login(root)
    for path in ("/people/create/", "/workspaces/create/", "/policy/", "/settings/", "/settings/theme/"):
        assert client.post(path).status_code == 403
