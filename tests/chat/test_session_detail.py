"""The conversation's page and its earlier messages."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adminchat.accounts.models import User
from chat.models import Message, Session, Turn
from tests.factories import SessionFactory, TurnFactory


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice, title="Keys")


def _talk(session: Session, count: int) -> list[Turn]:
    turns: list[Turn] = []
    now = timezone.now()
    for at in range(count):
        turns.append(
            TurnFactory.create(
                session=session,
                message__parent=turns[-1].reply if turns else None,
                message__html=f"<p>question {at}.</p>",
                reply__html=f"<p>answer {at}.</p>",
                created_at=now + timedelta(seconds=at),
            )
        )
    session.head = turns[-1].reply
    session.save()
    return turns


def test_page_shows_the_conversation_in_order(page: Client, session: Session) -> None:  # CHAT-6
    _talk(session, 2)
    html = page.get(f"/sessions/{session.pk}/").content.decode()
    places = [html.index(words) for words in ("question 0.", "answer 0.", "question 1.", "answer 1.")]
    assert places == sorted(places)


def test_running_turn_carries_its_stream(page: Client, session: Session) -> None:  # CHAT-6
    turn = _talk(session, 1)[0]
    Turn.objects.update(state=Turn.State.RUNNING)
    html = page.get(f"/sessions/{session.pk}/").content.decode()
    assert f'data-turn="{turn.pk}"' in html
    assert f"/turns/{turn.pk}/stream/" in html


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.0, "under 0.1 s"), (0.04, "under 0.1 s"), (0.1, "0.1 s"), (2.34, "2.3 s")]
)
def test_reply_says_how_long_it_took(page: Client, session: Session, seconds: float, shown: str) -> None:  # CHAT-11
    _talk(session, 1)
    now = timezone.now()
    Turn.objects.update(started_at=now, finished_at=now + timedelta(seconds=seconds))
    html = page.get(f"/sessions/{session.pk}/").content.decode()
    assert f"<span>{shown}</span>" in html


def test_earlier_messages_come_page_by_page(page: Client, session: Session) -> None:  # PERF-10
    turns = _talk(session, 60)
    html = page.get(f"/sessions/{session.pk}/").content.decode()
    assert "question 59." in html
    assert "question 9." not in html
    link = f"/sessions/{session.pk}/messages/?before={turns[10].pk}"
    assert link in html
    fragment = page.get(link, headers={"HX-Request": "true"}).content.decode()
    assert "question 9." in fragment
    assert "question 10." not in fragment
    assert "<html" not in fragment
    assert "<html" in page.get(link).content.decode()


@pytest.mark.parametrize(("before", "status"), [("nonsense", 404), ("00000000-0000-4000-8000-000000000000", 200)])
def test_earlier_messages_of_no_turn_are_none(page: Client, session: Session, before: str, status: int) -> None:
    _talk(session, 1)
    response = page.get(f"/sessions/{session.pk}/messages/", {"before": before})
    assert response.status_code == status
    assert "question 0." not in response.content.decode()


def test_page_takes_the_same_queries_for_any_length(page: Client, session: Session) -> None:  # PERF-10
    counts = []
    for length in (2, 30):
        Message.objects.all().delete()
        _talk(session, length)
        with CaptureQueriesContext(connection) as queries:
            page.get(f"/sessions/{session.pk}/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_conversation_of_another_is_not_found(
    strangers: list[Client], session: Session, client: Client
) -> None:  # SEC-1
    _talk(session, 1)
    for stranger in strangers:
        assert stranger.get(f"/sessions/{session.pk}/").status_code == 404
        assert stranger.get(f"/sessions/{session.pk}/messages/").status_code == 404
    assert client.get(f"/sessions/{session.pk}/").status_code == 302
