"""What every page carries and every form needs (SEC-4)."""

import pytest
from django.test import Client

from adminchat.accounts.models import User
from tests.factories import PASSWORD
from tests.security.addresses import ASK_AN_ENDPOINT, ROWS, Access, Scenery

HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
POSTS = [name for name, (_, methods) in ROWS.items() if "POST" in methods]
READS = [name for name, (_, methods) in ROWS.items() if "GET" in methods]


def _actor(scenery: Scenery, name: str) -> User | None:
    """Somebody who is let in."""
    access = ROWS[name][0]
    if access is Access.PUBLIC:
        return None
    return scenery.actors["owner" if access in (Access.SIGNED_IN, Access.OWNER) else "super admin"]


def _client(scenery: Scenery, name: str, *, strict: bool = False) -> Client:
    client = Client(enforce_csrf_checks=strict)
    if actor := _actor(scenery, name):
        client.force_login(actor)
    return client


def test_every_page_carries_the_headers(scenery: Scenery) -> None:  # SEC-4, SEC-3
    for name in READS:
        answer = _client(scenery, name).get(scenery.address(name))
        assert {header: answer.headers.get(header) for header in HEADERS} == HEADERS, name
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, name
        assert "unsafe" not in policy, name
        assert "camera=()" in answer.headers["Permissions-Policy"], name
        assert "no-cache" in answer.headers["Cache-Control"] or "no-store" in answer.headers["Cache-Control"], name


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["form", "htmx"])
def test_every_form_needs_its_token(scenery: Scenery, headers: dict[str, str]) -> None:  # SEC-4
    for name in POSTS:
        client = _client(scenery, name, strict=True)
        address = scenery.address(name)
        assert client.post(address, {"message": "Hi"}, headers=headers).status_code == 403, name
        client.cookies["csrftoken"] = "a" * 32
        forged = {"X-CSRFToken": "b" * 32, **headers}
        assert client.post(address, {"message": "Hi"}, headers=forged).status_code == 403, name


def test_token_in_the_header_that_htmx_sends_is_enough(scenery: Scenery) -> None:  # SEC-4
    for name in sorted(set(POSTS) - ASK_AN_ENDPOINT, key=lambda name: "delete" in name):
        client = _client(scenery, name, strict=True)
        client.cookies["csrftoken"] = "a" * 32
        answer = client.post(scenery.address(name), headers={"X-CSRFToken": "a" * 32, "HX-Request": "true"})
        assert answer.status_code != 403, name


def test_form_of_another_site_is_refused_even_with_a_token(scenery: Scenery) -> None:  # SEC-4
    client = _client(scenery, "chat:session-delete", strict=True)
    client.cookies["csrftoken"] = "a" * 32
    foreign = {"X-CSRFToken": "a" * 32, "Origin": "https://evil.example"}
    assert client.post(scenery.address("chat:session-delete"), headers=foreign).status_code == 403


def test_cookies_of_a_login_are_closed_to_scripts_and_other_sites(alice: User) -> None:  # SEC-4
    client = Client()
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"login": alice.username, "password": PASSWORD})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert client.cookies["csrftoken"]["samesite"] == "Lax"


def test_login_session_rotates_at_sign_in(alice: User) -> None:  # SEC-9
    client = Client()
    planted = client.session
    planted["theirs"] = True
    planted.save()
    assert client.cookies["sessionid"].value == planted.session_key
    client.post("/accounts/login/", {"login": alice.username, "password": PASSWORD})
    assert client.cookies["sessionid"].value != planted.session_key
    assert not client.session.exists(planted.session_key)


def test_browser_without_cookies_is_told_so(alice: User) -> None:  # SEC-4
    answer = Client(enforce_csrf_checks=True).post(
        "/accounts/login/", {"login": alice.username, "password": PASSWORD, "csrfmiddlewaretoken": "a" * 64}
    )
    assert answer.status_code == 403
    assert "need cookies from this site" in answer.content.decode()
