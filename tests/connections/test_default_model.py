"""The model that new chats start with: said where it is chosen, and whenever it becomes another one (CHAT-16)."""

from collections.abc import Callable

import pytest
from django.test import Client

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel, Connection
from tests.factories import ChatModelFactory, ConnectionFactory

NOTICE = "New chats now start with {} unless another model is chosen."


@pytest.fixture
def built_in(root: User) -> ChatModel:
    """What a fresh installation starts with."""
    return ChatModelFactory.create(
        connection__tenant=root.tenant, connection__origin="built_in", name="small", is_default=True
    )


@pytest.fixture
def own(root: User, built_in: ChatModel) -> ChatModel:
    """The default that replaced it."""
    ChatModel.objects.update(is_default=False)
    connection = ConnectionFactory.create(tenant=root.tenant, origin="browser", base_url="https://93.184.215.14/v1")
    return ChatModelFactory.create(connection=connection, name="large", is_default=True)


def test_the_first_model_of_ones_own_is_said_to_be_the_new_default(as_root: Client, built_in: ChatModel) -> None:
    form = {"name": "Ours", "kind": "openai", "base_url": "https://93.184.215.14/v1", "audience": "everyone"}
    form |= {"enabled": "on", "model": "large"}
    page = as_root.post("/connections/create/", form, follow=True).content.decode()
    assert NOTICE.format("large") in page
    added = Connection.objects.get(origin="browser")
    page = as_root.post(f"/connections/{added.pk}/models/", {"name": "larger"}, follow=True).content.decode()
    assert "1 model added." in page
    assert "New chats now start" not in page


def _switch_model_off(browser: Client, own: ChatModel) -> str:
    return browser.post(f"/connections/models/{own.pk}/", {"display_name": ""}, follow=True).content.decode()


def _remove_model(browser: Client, own: ChatModel) -> str:
    return browser.post(f"/connections/models/{own.pk}/delete/", follow=True).content.decode()


def _switch_connection_off(browser: Client, own: ChatModel) -> str:
    form = {"name": "Ours", "kind": "openai", "base_url": own.connection.base_url, "audience": "everyone"}
    return browser.post(f"/connections/{own.connection_id}/edit/", form, follow=True).content.decode()


def _delete_connection(browser: Client, own: ChatModel) -> str:
    return browser.post(f"/connections/{own.connection_id}/delete/", follow=True).content.decode()


LOSSES = [_switch_model_off, _remove_model, _switch_connection_off, _delete_connection]


@pytest.mark.parametrize("lose", LOSSES)
def test_the_loss_of_the_default_says_what_takes_its_place(
    as_root: Client, own: ChatModel, lose: Callable[[Client, ChatModel], str]
) -> None:
    assert NOTICE.format("small") in lose(as_root, own)


@pytest.mark.parametrize("lose", LOSSES)
def test_the_loss_of_the_last_model_says_so(
    as_root: Client, own: ChatModel, built_in: ChatModel, lose: Callable[[Client, ChatModel], str]
) -> None:
    built_in.delete()
    assert "No model is left that new chats could start with." in lose(as_root, own)


def test_the_list_names_the_default_and_how_to_change_it(as_root: Client, own: ChatModel) -> None:
    page = as_root.get("/connections/").content.decode()
    assert f"New chats start with large from “{own.connection}”." in page
    as_root.post(f"/connections/models/{ChatModel.objects.get(name='small').pk}/default/")
    assert "New chats start with small from" in as_root.get("/connections/").content.decode()
