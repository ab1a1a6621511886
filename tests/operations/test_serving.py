"""Real web processes: health, headers, static files, and two of them side by side."""

from collections.abc import Callable

import httpx
import pytest

from adminchat.accounts.models import User
from tests.factories import PASSWORD
from tests.servers import Site


def test_healthz_answers_without_anything_else(served: Site) -> None:  # OPS-10
    answer = httpx.get(f"{served.url}/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert "no-store" in answer.headers["Cache-Control"]


def test_readyz_tells_of_each_part(serve: Callable[..., Site]) -> None:  # OPS-10
    site = serve(broker=True)
    answer = httpx.get(f"{site.url}/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "migrations": "ok", "keys": "ok", "broker": "ok"}


def test_readyz_stays_ready_without_its_broker_and_says_so(serve: Callable[..., Site]) -> None:  # REL-3
    site = serve(broker=True)
    assert site.broker is not None
    site.broker.stop()
    answer = httpx.get(f"{site.url}/readyz")
    assert (answer.status_code, answer.json()["status"], answer.json()["broker"]) == (200, "degraded", "unavailable")
    site.broker.start()
    assert httpx.get(f"{site.url}/readyz").json()["status"] == "ok"


def test_sign_in_works_without_the_broker(serve: Callable[..., Site], alice: User) -> None:  # REL-3
    site = serve(broker=True)
    assert site.broker is not None
    site.broker.stop()
    with site.client() as browser:
        answer = browser.post("/accounts/login/", data={"login": "alice", "password": PASSWORD})
    assert (answer.status_code, answer.headers.get("Location")) == (302, "/"), answer.text


def test_sign_in_attempts_are_limited_without_the_broker(
    serve: Callable[..., Site], alice: User
) -> None:  # REL-3, SEC-7
    site = serve(broker=True)
    assert site.broker is not None
    site.broker.stop()
    with site.client() as browser:
        wrong = {"login": "alice", "password": "a guess"}
        statuses = [browser.post("/accounts/login/", data=wrong).status_code for _ in range(8)]
        right = browser.post("/accounts/login/", data={"login": "alice", "password": PASSWORD})
    assert statuses[0] == 200
    assert "Location" not in right.headers


def test_two_processes_share_a_login_session(serve: Callable[..., Site], alice: User) -> None:  # OPS-5
    site = serve(processes=2)
    with site.client(alice, process=0) as first, site.client(alice, process=1) as second:
        second.cookies = first.cookies
        assert first.get("/settings/").status_code == 200
        assert second.get("/settings/").status_code == 200


def test_a_process_that_is_asked_to_stop_ends(served: Site) -> None:  # CHAT-6
    served.processes[0].stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{served.url}/healthz")


def test_pages_are_compressed(served: Site) -> None:  # PERF-9
    answer = httpx.get(f"{served.url}/accounts/login/")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
