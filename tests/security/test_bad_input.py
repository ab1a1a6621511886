"""Bad input: each gets a clear message, loses nothing that was typed, and breaks nothing."""

from uuid import uuid4

import pytest
from django.test import Client

from adminchat.accounts.models import User
from chat.models import Session, Turn
from tests.factories import SessionFactory, TurnFactory
from tests.security.addresses import ROWS, Scenery

HTMX = {"HX-Request": "true"}


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice)


@pytest.fixture
def page(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def _send(page: Client, session: Session, text: str, **headers: str) -> tuple[int, str]:
    answer = page.post(
        f"/sessions/{session.pk}/turns/", {"message": text, "request_id": uuid4()}, headers=headers or HTMX
    )
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("text", ["", "   ", "\n\t \r\n", "\u200b\u200d\ufeff", "\x00\x07"], ids=repr)
def test_message_without_anything_to_see_is_asked_for_again(page: Client, session: Session, text: str) -> None:
    status, answer = _send(page, session, text)
    assert status == 422
    assert "Write a message first." in answer
    assert not session.turns.exists()


@pytest.mark.parametrize("length", [100_001, 1_000_000])
def test_message_that_is_too_long_is_refused_with_the_limit_and_kept(
    page: Client, session: Session, length: int
) -> None:
    text = "x" * length
    status, answer = _send(page, session, text)
    assert status == 422
    assert "100,000" in answer
    status, answer = _send(page, session, text, Accept="text/html")  # without scripts
    assert status == 422
    assert text in answer, "what was typed was lost"
    assert not session.turns.exists()


def test_message_at_the_limit_is_taken(page: Client, session: Session) -> None:
    assert _send(page, session, "好" * 100_000)[0] == 200
    assert len(session.turns.get().message.text) == 100_000


def test_control_characters_are_dropped_and_the_rest_is_taken(page: Client, session: Session) -> None:
    assert _send(page, session, "a\x00b\x1b[31mc\r\nd\te\x7f")[0] == 200
    assert session.turns.get().message.text == "ab[31mc\nd\te"


def test_markup_is_shown_as_text(page: Client, session: Session) -> None:  # SEC-3
    status, answer = _send(page, session, "<script>alert(1)</script> <img src=x onerror=alert(1)>")
    assert status == 200
    assert "<script>alert" not in answer
    assert "<img" not in answer


@pytest.mark.parametrize("name", ["message", "request_id"])
def test_field_that_is_missing_breaks_nothing(page: Client, session: Session, name: str) -> None:
    data = {"message": "Hello", "request_id": uuid4()}
    del data[name]
    assert page.post(f"/sessions/{session.pk}/turns/", data, headers=HTMX).status_code in (200, 422)


@pytest.mark.parametrize("request_id", ["", "x", "1" * 10_000, "\x00", "6D1C9A52-0B7E-4C1F-9E3A-5F28D7B4A6C0"])
def test_request_id_that_is_none_starts_a_turn(page: Client, session: Session, request_id: str) -> None:
    data = {"message": "Hello", "request_id": request_id}
    assert page.post(f"/sessions/{session.pk}/turns/", data, headers=HTMX).status_code == 200


@pytest.mark.parametrize(
    "wrong", ["x", "1", "../etc/passwd", "%00", "00000000-0000-0000-0000-00000000000g", "a" * 5000]
)
def test_id_that_is_none_is_not_found(scenery: Scenery, page: Client, wrong: str) -> None:
    for name in ROWS:
        address = scenery.address(name)
        for value in scenery.uuids:
            if value in address:
                assert page.get(address.replace(value, wrong)).status_code == 404, name


def test_id_of_nothing_is_not_found(scenery: Scenery, root: User) -> None:
    client = Client()
    client.force_login(root)
    for name in ROWS:
        address = scenery.address(name)
        for value in scenery.uuids:
            if value in address:
                method = ROWS[name][1][0]
                assert client.generic(method, address.replace(value, str(uuid4()))).status_code in (302, 404), name


def test_turn_of_a_deleted_session_is_gone(page: Client, session: Session) -> None:
    turn = TurnFactory.create(session=session)
    assert page.post(f"/sessions/{session.pk}/delete/").status_code in (302, 303)
    assert page.get(f"/turns/{turn.pk}/stream/").status_code == 404
    assert page.post(f"/turns/{turn.pk}/stop/").status_code == 404
    assert _send(page, session, "Hello")[0] == 404


def test_message_while_a_reply_runs_is_refused_and_kept(page: Client, session: Session) -> None:  # CHAT-7
    TurnFactory.create(session=session, state=Turn.State.RUNNING)
    assert _send(page, session, "Second")[0] == 409
    status, answer = _send(page, session, "Second thoughts", Accept="text/html")  # without scripts
    assert status == 409
    assert "still answering" in answer
    assert "Second thoughts" in answer


def test_versions_and_models_that_are_none_are_refused(page: Client, session: Session) -> None:
    turn = TurnFactory.create(session=session)
    for data in ({"version": "x"}, {"version": -1}, {"model": "x"}, {"model": uuid4()}, {"version": "9" * 400}):
        assert page.post(f"/turns/{turn.pk}/regenerate/", data, headers=HTMX).status_code == 422
    assert session.turns.count() == 1


@pytest.mark.parametrize(
    "query", ["?q=%00", "?before=x", "?q=" + "x" * 5000, "?before=%00", "?archived=x", "?q=%ff%fe"]
)
def test_strange_queries_break_nothing(page: Client, session: Session, query: str) -> None:
    for address in ("/sessions/", f"/sessions/{session.pk}/messages/", f"/sessions/{session.pk}/export/", "/events/"):
        assert page.get(address + query).status_code in (200, 302, 400, 404)


def test_request_that_is_far_too_large_is_refused(page: Client, session: Session) -> None:  # SEC-7
    status, _ = _send(page, session, "x" * 9_000_000)
    assert status in (400, 413)
    assert not session.turns.exists()
