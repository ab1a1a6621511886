"""Rates that are limited (SEC-7)."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from adminchat.accounts.models import User
from chat.models import Session
from tests.factories import PASSWORD, SessionFactory, TurnFactory

HTMX = {"HX-Request": "true"}


@pytest.fixture
def busy(alice: User, settings: Any) -> Session:
    """A session whose owner has sent as much as one may."""
    settings.ADMINCHAT_TURNS_PER_MINUTE = 3
    session = SessionFactory.create(user=alice)
    TurnFactory.create_batch(3, session=session)
    return session


def _page(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_turns_are_limited_on_every_way_to_start_one(busy: Session) -> None:  # SEC-7
    page, turn = _page(busy.user), busy.turns.latest("created_at")
    ways: dict[str, dict[str, Any]] = {
        f"/sessions/{busy.pk}/turns/": {"message": "Hello", "request_id": uuid4()},
        f"/turns/{turn.pk}/regenerate/": {"version": 1},
        f"/messages/{turn.message_id}/edit/": {"message": "Hello", "request_id": uuid4()},
        "/sessions/": {"message": "Hello", "request_id": uuid4()},
    }
    for address, data in ways.items():
        for headers in (HTMX, {}):
            answer = page.post(address, data, headers=headers)
            assert answer.status_code == 429, address
            assert "many messages" in answer.content.decode(), address
            if "message" in data:
                assert headers or "Hello" in answer.content.decode(), "what was typed was lost"
    assert busy.turns.count() == 3
    assert Session.objects.count() == 1


def test_limit_of_one_person_is_nobody_elses(busy: Session, bob: User) -> None:  # SEC-7
    session = SessionFactory.create(user=bob)
    answer = _page(bob).post(
        f"/sessions/{session.pk}/turns/", {"message": "Hello", "request_id": uuid4()}, headers=HTMX
    )
    assert answer.status_code == 200


def test_sign_in_is_limited(alice: User) -> None:  # SEC-7
    cache.clear()
    try:
        wrong = {"login": alice.username, "password": "wrong"}
        statuses = [Client().post("/accounts/login/", wrong).status_code for _ in range(6)]
        right = Client().post("/accounts/login/", {"login": alice.username, "password": PASSWORD})
        assert right.status_code in (200, 429), "the account is still open to guessing"
        assert "Too many" in right.content.decode()
        assert set(statuses) <= {200, 429}
    finally:
        cache.clear()
