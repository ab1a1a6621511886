"""What a page of a session asks for that was open while something was done elsewhere."""

from uuid import UUID, uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from adminchat.accounts.models import User
from chat import sidebar, turns
from chat.models import Session, Turn
from chat.turns import Outcome
from tests.factories import SessionFactory

HTMX = {"HX-Request": "true"}


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice, title="Keys")


def _ask(session: Session, text: str) -> Turn:
    return _end(turns.start(session=session, text=text, request_id=uuid4()))


def _end(turn: Turn) -> Turn:
    claimed = turns.claim(turn.pk, uuid4())
    assert claimed
    turns.finish(claimed, Outcome(state=Turn.State.DONE, text=f"{turn.message.text}!"))
    turn.session.refresh_from_db()
    return turn


def _changes(page: Client, session: Session, last: UUID | str, **known: str) -> tuple[int, str]:
    answer = page.get(f"/sessions/{session.pk}/changes/", {"last": last, **known}, headers=HTMX)
    return answer.status_code, answer.content.decode()


def test_page_that_shows_everything_gets_nothing(page: Client, session: Session) -> None:  # CHAT-6
    assert _changes(page, session, "") == (204, "")
    _ask(session, "One?")
    assert _changes(page, session, _ask(session, "Two?").pk) == (204, "")


def test_page_gets_the_turns_that_it_lacks(page: Client, session: Session) -> None:  # CHAT-6, REL-6
    first, second, third = (_ask(session, text) for text in ("One?", "Two?", "Three?"))
    status, html = _changes(page, session, first.pk)
    assert status == 200
    assert 'id="turns" hx-swap-oob="beforeend"' in html
    assert html.index(f'id="turn-{second.pk}"') < html.index(f'id="turn-{third.pk}"')
    assert "One?" not in html
    assert 'hx-swap-oob="delete"' not in html


def test_branch_in_the_place_of_another_takes_it_away(page: Client, session: Session) -> None:  # CHAT-8
    first, second, third = (_ask(session, text) for text in ("One?", "Two?", "Three?"))
    edited = _end(turns.edit(message=second.message, text="Zwei?", request_id=uuid4()))
    _status, html = _changes(page, session, third.pk)
    for left in (second, third):
        assert f'<section id="turn-{left.pk}" hx-swap-oob="delete">' in html
    assert f'id="turn-{edited.pk}"' in html
    assert f"turn-{first.pk}" not in html


@pytest.mark.parametrize("last", ["", "00000000-0000-4000-8000-000000000000"])
def test_page_that_knows_none_of_it_gets_it_anew(page: Client, session: Session, last: str) -> None:  # CHAT-6
    turn = _ask(session, "One?")
    _status, html = _changes(page, session, last)
    assert 'id="turns" hx-swap-oob="innerHTML"' in html
    assert f'id="turn-{turn.pk}"' in html


def test_page_that_lacks_very_much_gets_the_newest_and_a_way_to_the_rest(
    page: Client, session: Session
) -> None:  # PERF-10
    first, *_others = [_ask(session, f"Number {number}.") for number in range(60)]
    _status, html = _changes(page, session, first.pk)
    assert 'id="turns" hx-swap-oob="innerHTML"' in html
    assert "Number 59." in html
    assert "Number 9." not in html
    assert "Show earlier messages" in html


def test_reply_that_is_written_in_another_version_is_told_once(page: Client, session: Session) -> None:  # CHAT-7
    first = _ask(session, "One?")
    again = turns.regenerate(turn=first)
    page.post(f"/turns/{first.pk}/select/")
    status, html = _changes(page, session, first.pk)
    assert status == 200
    assert "A reply is being written in another version." in html
    assert f'action="/turns/{again.pk}/stop/"' in html
    assert _changes(page, session, first.pk, elsewhere=str(again.pk))[0] == 204
    assert f'data-turn="{again.pk}"' in page.get(f"/sessions/{session.pk}/").content.decode()
    _end(again)
    status, html = _changes(page, session, first.pk, elsewhere=str(again.pk))
    assert (status, "another version" in html) == (200, False)


def test_session_that_is_gone_is_said_so(page: Client, session: Session) -> None:  # CHAT-3
    Session.objects.all().delete()
    status, html = _changes(page, session, "")
    assert status == 404
    assert "This chat has been deleted" in html
    assert "<html" not in html


def test_malformed_last_turn_is_not_found(page: Client, session: Session) -> None:
    assert _changes(page, session, "nonsense")[0] == 404


def test_queries_do_not_grow_with_the_session(
    page: Client, session: Session, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:  # PERF-10
    last = [_ask(session, f"Number {number}") for number in range(20)][-1]
    with django_assert_max_num_queries(6):
        assert _changes(page, session, last.pk)[0] == 204


def test_list_comes_only_when_it_has_changed(page: Client, session: Session) -> None:  # CHAT-2
    known = sidebar.page(session.user).state
    answer = page.get("/sessions/recent/", {"rows": "30", "known": known}, headers=HTMX)
    assert answer.status_code == 204
    for change in ({"title": "Doors"}, {"pinned_at": session.active_at}, {"archived_at": session.active_at}):
        Session.objects.update(**change)
        answer = page.get("/sessions/recent/", {"rows": "30", "known": known}, headers=HTMX)
        assert answer.status_code == 200, change
        assert f'data-state="{sidebar.page(session.user).state}"' in answer.content.decode()
        known = sidebar.page(session.user).state


@pytest.mark.parametrize(
    ("rows", "listed"), [("", 30), ("nonsense", 30), ("0", 30), ("-5", 30), ("40", 40), ("9" * 20, 45)]
)
def test_list_is_as_long_as_the_page_showed_it(page: Client, alice: User, rows: str, listed: int) -> None:  # CHAT-2
    for _number in range(45):
        SessionFactory.create(user=alice)
    html = page.get("/sessions/recent/", {"rows": rows}, headers=HTMX).content.decode()
    assert html.count('class="session-row"') == listed
