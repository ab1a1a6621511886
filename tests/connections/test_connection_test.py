"""The "Test connection" button (CHAT-16)."""

import re
from typing import Any

import pytest
from django.test import Client

from adminchat.connections.models import Connection
from tests.connections.conftest import ask
from tests.factories import ChatModelFactory
from tests.fakes.serve import FakeServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def reachable(stored: Connection, service: FakeServer) -> Connection:
    stored.base_url = f"{service.url}/v1"
    stored.save()
    return stored


def states(page: str) -> dict[str, str]:
    return dict(re.findall(r'data-check="(\w+)" data-state="(\w+)"', page))


def run(client: Client, connection: Connection, **form: Any) -> str:
    response = ask(client, f"/connections/{connection.pk}/test/", **form)
    assert response.status_code == 200
    return str(response.content.decode())


def test_everything_that_works_is_said(as_root: Client, reachable: Connection, service: FakeServer) -> None:  # CHAT-16
    ChatModelFactory.create(connection=reachable, name="echo")
    found = states(run(as_root, reachable))
    assert list(found) == ["reach", "key", "model", "streaming", "tools", "json"]
    assert {found[name] for name in ("reach", "key", "model", "streaming")} == {"ok"}


def test_without_a_model_reach_and_key_are_tested(as_root: Client, reachable: Connection) -> None:  # CHAT-16
    found = states(run(as_root, reachable))
    assert (found["reach"], found["key"], found["model"]) == ("ok", "ok", "skipped")


def test_chosen_model_is_the_one_tested(as_root: Client, reachable: Connection, service: FakeServer) -> None:  # CHAT-16
    ChatModelFactory.create(connection=reachable, name="echo", is_default=True)
    wrong = ChatModelFactory.create(connection=reachable, name="fault-404")
    page = run(as_root, reachable, model=wrong.pk)
    assert states(page)["model"] == "failed"
    assert "does not know this model" in page


def test_refused_key_is_said_plainly(as_root: Client, reachable: Connection) -> None:  # CHAT-16, CHAT-9
    reachable.api_key = "bad"
    reachable.save()
    page = run(as_root, reachable)
    assert states(page)["key"] == "failed"
    assert "refused the key" in page
    assert "Incorrect API key" not in page, "no words of the service itself"


def test_unreachable_service_is_said_plainly(as_root: Client, reachable: Connection) -> None:  # CHAT-16
    reachable.base_url = "http://127.0.0.1:1/v1"
    reachable.save()
    page = run(as_root, reachable)
    assert states(page)["reach"] == "failed"
    assert "Nothing answers" in page


def test_private_address_is_refused_when_it_connects_too(as_root: Client, stored: Connection) -> None:  # SEC-6
    stored.base_url = "http://127.0.0.1:1/v1"  # as if a name had begun to lead there after it was saved
    stored.save()
    page = run(as_root, stored)
    assert states(page)["reach"] == "failed"
    assert "private network" in page


def test_result_is_a_whole_page_without_script(as_root: Client, reachable: Connection) -> None:  # UX-1
    page = ask(as_root, f"/connections/{reachable.pk}/test/", htmx=False).content.decode()
    assert "<html" in page
    assert states(page)["reach"] == "ok"


def test_key_is_not_in_the_result(as_root: Client, reachable: Connection) -> None:  # CHAT-16
    assert "sk-stored" not in run(as_root, reachable)
