"""Who may open the pages of connections (SEC-1)."""

from collections.abc import Callable

import pytest
from django.test import Client

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel
from tests.factories import ChatModelFactory

pytestmark = pytest.mark.django_db

Address = Callable[[ChatModel], str]

COLLECTION: dict[str, tuple[Address, set[str]]] = {
    "list": (lambda model: "/connections/", {"get"}),
    "create": (lambda model: "/connections/create/", {"get", "post"}),
}
OBJECTS: dict[str, tuple[Address, set[str]]] = {
    "detail": (lambda model: f"/connections/{model.connection_id}/", {"get"}),
    "edit": (lambda model: f"/connections/{model.connection_id}/edit/", {"get", "post"}),
    "delete": (lambda model: f"/connections/{model.connection_id}/delete/", {"get", "post"}),
    "test": (lambda model: f"/connections/{model.connection_id}/test/", {"post"}),
    "fetch": (lambda model: f"/connections/{model.connection_id}/models/fetch/", {"post"}),
    "add": (lambda model: f"/connections/{model.connection_id}/models/", {"post"}),
    "model": (lambda model: f"/connections/models/{model.pk}/", {"get", "post"}),
    "default": (lambda model: f"/connections/models/{model.pk}/default/", {"post"}),
    "model-delete": (lambda model: f"/connections/models/{model.pk}/delete/", {"get", "post"}),
}
ALL = COLLECTION | OBJECTS


@pytest.fixture
def model(stored: object) -> ChatModel:
    return ChatModelFactory.create(connection=stored)


def pages(table: dict[str, tuple[Address, set[str]]]) -> pytest.MarkDecorator:
    cases = [(address, method) for address, methods in table.values() for method in methods]
    names = [f"{name}-{method}" for name, (_address, methods) in table.items() for method in methods]
    return pytest.mark.parametrize(("address", "method"), cases, ids=names)


@pages(ALL)
def test_stranger_is_sent_to_sign_in(address: Address, method: str, model: ChatModel) -> None:  # SEC-1
    response = getattr(Client(), method)(address(model))
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@pages(ALL)
def test_administrator_is_refused(address: Address, method: str, model: ChatModel, alice: User) -> None:  # SEC-1
    client = Client()
    client.force_login(alice)
    assert getattr(client, method)(address(model)).status_code == 403


@pages(OBJECTS)
def test_other_tenant_finds_and_changes_nothing(  # SEC-1
    address: Address, method: str, model: ChatModel, dave: User
) -> None:
    client = Client()
    client.force_login(dave)
    client.post("/accounts/reauthenticate/", {"password": "correct horse battery staple"})
    assert getattr(client, method)(address(model)).status_code == 404
    assert ChatModel.objects.filter(pk=model.pk, is_default=False).exists()


@pytest.mark.parametrize("name", ALL)
def test_other_methods_are_refused(name: str, model: ChatModel, as_root: Client) -> None:  # SEC-1
    address, methods = ALL[name]
    for method in {"get", "post", "put", "delete"} - methods:
        assert getattr(as_root, method)(address(model)).status_code == 405


@pytest.mark.parametrize("path", ["create/", "{}/edit/", "{}/delete/"])
def test_forms_ask_for_the_password_again(root: User, model: ChatModel, path: str) -> None:  # SEC-9
    client = Client()
    client.force_login(root)
    response = client.get("/connections/" + path.format(model.connection_id))
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/reauthenticate/")


def test_unconfirmed_delete_deletes_nothing(root: User, model: ChatModel) -> None:  # SEC-9
    client = Client()
    client.force_login(root)
    assert client.post(f"/connections/{model.connection_id}/delete/").status_code == 422
    assert ChatModel.objects.filter(pk=model.pk).exists()
