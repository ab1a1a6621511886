"""A stored key that this installation can't decrypt is the matter of one connection, and of nobody else (REL-7, OPS-8)."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection as database
from django.test import Client

from adminchat.accounts.models import User
from adminchat.connections import presets
from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.models import ChatModel, Connection
from adminchat.providers.errors import ErrorCode, ProviderError
from chat import turns
from chat.context import assemble
from chat.failures import FAILURES
from tests.connections.conftest import ask
from tests.factories import ChatModelFactory, SessionFactory, TurnFactory, UserFactory

pytestmark = pytest.mark.django_db

Spoil = Callable[[Connection], None]


@pytest.fixture
def spoil() -> Spoil:
    """Put something into the database that is no ciphertext of ours."""

    def spoil(connection: Connection) -> None:
        with database.cursor() as cursor:
            cursor.execute(
                "UPDATE connections_connection SET api_key = 'spoiled' WHERE id = %s",
                [connection.pk.hex if database.vendor == "sqlite" else connection.pk],
            )
            assert cursor.rowcount == 1

    return spoil


@pytest.fixture
def model(stored: Connection, spoil: Spoil) -> ChatModel:
    model = ChatModelFactory.create(connection=stored, is_default=True)
    spoil(stored)
    return ChatModel.objects.get(pk=model.pk)


def test_nobodys_pages_fail(as_root: Client, root: User, model: ChatModel) -> None:  # REL-7
    session = SessionFactory.create(user=root, model=model)
    TurnFactory.create(session=session, model=model)
    at = f"/connections/{model.connection_id}"
    pages = (
        "/",
        f"/sessions/{session.pk}/",
        f"/sessions/{session.pk}/settings/",
        "/sessions/",
        "/profiles/",
        "/policy/",
    )
    for address in (*pages, "/connections/", f"{at}/", f"{at}/edit/", f"/connections/models/{model.pk}/"):
        assert as_root.get(address).status_code == 200, address
    assert as_root.post(f"/connections/models/{model.pk}/default/").status_code == 302
    message = {"message": "Hello", "request_id": uuid4(), "model": model.pk}
    assert as_root.post("/sessions/", message).status_code == 303


def test_operators_pages_do_not_fail(root: User, model: ChatModel) -> None:  # REL-7
    operator = Client()
    operator.force_login(UserFactory.create(tenant=root.tenant, is_superuser=True, is_staff=True))
    for path in ("", f"{model.connection_id}/change/"):
        assert operator.get(f"/admin/connections/connection/{path}").status_code == 200


def test_pages_do_not_decrypt_keys(  # SEC-2
    as_root: Client, root: User, stored: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SessionFactory.create(user=root, model=ChatModelFactory.create(connection=stored))

    def never(token: str) -> str:
        raise AssertionError("a key was decrypted")

    monkeypatch.setattr("adminchat.lib.encryption.decrypt", never)
    for address in ("/", f"/sessions/{session.pk}/", f"/sessions/{session.pk}/settings/", "/connections/"):
        assert as_root.get(address).status_code == 200, address


def test_turn_says_what_is_the_matter(root: User, model: ChatModel) -> None:  # CHAT-9
    turn = TurnFactory.create(session__user=root, session__model=model, model=model, state="pending")
    claimed = turns.claim(turn.pk, uuid4())
    assert claimed
    with pytest.raises(ProviderError) as failed:
        assemble(claimed)
    assert failed.value.code == ErrorCode.KEY_UNREADABLE
    assert failed.value.code.value in FAILURES


def test_page_says_it_and_takes_a_new_key(as_root: Client, stored: Connection, model: ChatModel) -> None:  # CHAT-16
    for path in ("", "edit/"):
        page = as_root.get(f"/connections/{stored.pk}/{path}").content.decode()
        assert "The stored key can’t be read; type it again." in page
    form = {"name": "Mine", "kind": "openai", "base_url": stored.base_url, "enabled": "on", "audience": "everyone"}
    assert as_root.post(f"/connections/{stored.pk}/edit/", form | {"name": "Still mine"}).status_code == 302
    assert as_root.post(f"/connections/{stored.pk}/edit/", form | {"new_key": "sk-again"}).status_code == 302
    assert endpoint_of(Connection.objects.get(pk=stored.pk)).api_key == "sk-again"


@pytest.mark.parametrize("path", ["test/", "models/fetch/"])
def test_service_is_not_asked_without_its_key(  # CHAT-16
    as_root: Client, stored: Connection, model: ChatModel, path: str
) -> None:
    answer = ask(as_root, f"/connections/{stored.pk}/{path}")
    assert answer.status_code == 200
    assert "The stored key can’t be read; type it again." in answer.content.decode()


def test_connection_can_be_deleted(as_root: Client, stored: Connection, model: ChatModel) -> None:  # REL-7
    assert as_root.post(f"/connections/{stored.pk}/delete/").status_code == 302
    assert not Connection.objects.filter(pk=stored.pk).exists()


def test_start_gives_a_preset_its_key_again(root: User, spoil: Spoil, settings: object) -> None:  # CHAT-17
    settings.ADMINCHAT_MODEL_NAME, settings.ADMINCHAT_MODEL_API_KEY = "m", "sk-preset"  # type: ignore[attr-defined]
    presets.sync_presets(root.tenant)
    preset = Connection.objects.get(tenant=root.tenant, origin=Connection.Origin.PRESET)
    spoil(preset)
    presets.sync_presets(root.tenant)
    assert Connection.objects.get(pk=preset.pk).api_key == "sk-preset"
