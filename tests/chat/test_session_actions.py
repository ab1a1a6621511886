"""Rename, pin, archive, delete."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from adminchat.accounts.models import User
from chat import sessions
from chat.models import Message, Session, Turn
from tests.factories import MembershipFactory, SessionFactory, TurnFactory

HTMX = {"HX-Request": "true"}


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice, title="Keys")


def _url(session: Session, action: str) -> str:
    return f"/sessions/{session.pk}/{action}/"


def test_new_title_is_the_users(page: Client, session: Session) -> None:  # CHAT-14
    response = page.post(_url(session, "rename"), {"title": "  Rotating\nkeys "})
    assert (response.status_code, response["Location"]) == (303, f"/sessions/{session.pk}/")
    session.refresh_from_db()
    assert (session.title, session.title_source) == ("Rotating keys", Session.TitleSource.USER)


@pytest.mark.parametrize("title", ["", " \n ", "x" * 121])
def test_title_that_cannot_be_used_comes_back(page: Client, session: Session, title: str) -> None:
    response = page.post(_url(session, "rename"), {"title": title})
    assert response.status_code == 422
    assert response.context["form"].errors["title"]
    session.refresh_from_db()
    assert session.title == "Keys"


@pytest.mark.parametrize("action", ["rename", "delete", "settings"])
def test_form_is_a_page_and_a_dialog(page: Client, session: Session, action: str) -> None:  # UX-1
    assert "<html" in page.get(_url(session, action)).content.decode()
    fragment = page.get(_url(session, action), headers=HTMX).content.decode()
    assert "<form" in fragment
    assert "<html" not in fragment


def test_pinning_is_said_not_toggled(page: Client, session: Session) -> None:  # CHAT-2
    for value, pinned in [("on", True), ("on", True), ("off", False)]:
        assert page.post(_url(session, "pin"), {"pinned": value}).status_code == 303
        session.refresh_from_db()
        assert (session.pinned_at is not None) is pinned


def test_archiving_unpins_and_can_be_undone(page: Client, session: Session) -> None:  # CHAT-2
    Session.objects.update(pinned_at=timezone.now())
    page.post(_url(session, "archive"), {"archived": "on"})
    session.refresh_from_db()
    assert session.archived_at
    assert session.pinned_at is None
    page.post(_url(session, "archive"), {"archived": "off"})
    session.refresh_from_db()
    assert session.archived_at is None


def test_dialog_says_that_memory_stays(page: Client, session: Session) -> None:  # CHAT-3
    html = page.get(_url(session, "delete")).content.decode()
    assert "What memory learned from it stays" in html
    assert Session.objects.exists()


def test_delete_removes_the_session_with_its_messages(page: Client, session: Session) -> None:  # CHAT-3
    turn = TurnFactory.create(session=session)
    Session.objects.update(head=turn.reply)
    response = page.post(_url(session, "delete"))
    assert (response.status_code, response["Location"]) == (303, "/")
    assert not Session.objects.exists()
    assert not Message.objects.exists()
    assert page.get(f"/sessions/{session.pk}/").status_code == 404


def test_deleting_a_long_session_takes_few_queries(
    page: Client, session: Session, django_assert_max_num_queries: object
) -> None:  # PERF-10
    parent = None
    for _at in range(30):
        turn = TurnFactory.create(session=session, message__parent=parent)
        parent = turn.reply
    with django_assert_max_num_queries(40):  # type: ignore[operator]
        page.post(_url(session, "delete"))
    assert not Message.objects.exists()


def test_deleting_while_it_streams_stops_the_turn(
    page: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:  # CHAT-3
    stopped: list[Turn] = []
    monkeypatch.setattr("chat.turns.stop", stopped.append)
    running = TurnFactory.create(session=session, state=Turn.State.RUNNING)
    page.post(_url(session, "delete"))
    assert stopped == [running]
    assert not Session.objects.exists()


def test_user_goes_back_to_where_they_were(page: Client, session: Session) -> None:  # UX-1
    other = SessionFactory.create(user=session.user)
    here = f"/sessions/{other.pk}/"
    assert page.post(_url(session, "delete"), {"next": here})["Location"] == here
    again = SessionFactory.create(user=other.user)
    assert page.post(_url(again, "pin"), {"next": "/sessions/?q=x"})["Location"] == "/sessions/?q=x"


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x"])
def test_nobody_is_sent_elsewhere(page: Client, session: Session, address: str) -> None:
    assert page.post(_url(session, "pin"), {"next": address})["Location"] == f"/sessions/{session.pk}/"


@pytest.mark.parametrize("action", ["rename", "pin", "archive", "delete", "settings"])
def test_session_of_another_is_not_found(
    strangers: list[Client], session: Session, action: str, client: Client
) -> None:  # SEC-1
    for stranger in strangers:
        assert stranger.post(_url(session, action), {"title": "Mine"}).status_code == 404
    assert client.post(_url(session, action)).status_code == 302
    session.refresh_from_db()
    assert (session.title, session.pinned_at, session.archived_at) == ("Keys", None, None)


def test_session_of_a_workspace_that_was_left_is_not_found(page: Client, alice: User) -> None:  # CHAT-21
    membership = MembershipFactory.create(user=alice)
    session = SessionFactory.create(user=alice, workspace=membership.workspace)
    assert page.get(f"/sessions/{session.pk}/").status_code == 200
    membership.delete()
    assert page.get(f"/sessions/{session.pk}/").status_code == 404
    assert page.post(_url(session, "delete")).status_code == 404


@pytest.mark.parametrize("action", ["pin", "archive"])
def test_change_needs_a_post(page: Client, session: Session, action: str) -> None:  # SEC-4
    assert page.get(_url(session, action)).status_code == 405


@pytest.mark.parametrize("path", ["/sessions/nonsense/", "/sessions/00000000-0000-4000-8000-000000000000/"])
def test_unknown_session_is_not_found(page: Client, path: str) -> None:
    assert page.get(path).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        lambda session: sessions.rename(session, "Other"),
        lambda session: sessions.pin(session, True),
        lambda session: sessions.archive(session, True),
        lambda session: sessions.archive(session, False),
        lambda session: sessions.configure(session, ["temperature"]),
    ],
    ids=["rename", "pin", "archive", "bring back", "configure"],
)
def test_change_that_comes_after_the_deletion_fails_at_nothing(  # CHAT-3, REL-6
    session: Session, change: Callable[[Session], object]
) -> None:
    Session.objects.all().delete()  # from another tab
    change(session)
    assert not Session.objects.exists()
