"""The "Test connection" button (CHAT-16)."""

import re
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.connections.views import probes
from adminchat.handlers import PAGE_THREADS
from adminchat.providers import probe
from tests.connections.conftest import ask
from tests.factories import ChatModelFactory, ConnectionFactory
from tests.fakes.serve import FakeServer
from tests.servers import Site

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


@pytest.mark.parametrize("path", ["test/", "models/fetch/"])
@pytest.mark.parametrize("htmx", [True, False])
def test_asking_a_service_again_and_again_is_limited(  # SEC-7
    as_root: Client, stored: Connection, monkeypatch: pytest.MonkeyPatch, path: str, htmx: bool
) -> None:
    cache.clear()
    monkeypatch.setattr(probes, "PROBES_PER_MINUTE", 1)
    address = f"/connections/{stored.pk}/{path}"
    answers = [ask(as_root, address, htmx=htmx) for _ in range(3)]  # three lie in two minutes at most
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert "many times in a short time" in answers[-1].content.decode()


def test_key_is_not_in_the_result(as_root: Client, reachable: Connection) -> None:  # CHAT-16
    assert "sk-stored" not in run(as_root, reachable)


def test_service_that_keeps_silent_ends_the_list_in_time(  # CHAT-16, REL-5
    as_root: Client, stored: Connection, service: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "LIST_BOUND", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        stored.base_url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        stored.save()
        page = ask(as_root, f"/connections/{stored.pk}/models/fetch/").content.decode()
    assert "did not answer in time" in page


def test_waiting_for_services_holds_up_no_page(serve: Callable[..., Site], root: User) -> None:  # PERF-1, REL-5
    site = serve()
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as opened:
        stored = ConnectionFactory.create(
            tenant=root.tenant, origin="browser", base_url=f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        )
        for name in ["test", "models/fetch"] * PAGE_THREADS:
            client = opened.enter_context(site.client(root))
            waiting = client.stream("POST", f"/connections/{stored.pk}/{name}/", headers={"HX-Request": "true"})
            assert opened.enter_context(waiting).status_code == 200
        with site.client(root) as browser:
            assert browser.get("/connections/", timeout=5).status_code == 200
