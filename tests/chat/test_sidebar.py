"""The list of sessions beside every page."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from adminchat.accounts.models import Membership, User
from chat import sidebar
from chat.models import Session
from tests.factories import MembershipFactory, SessionFactory

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def _session(user: User, ago: timedelta = timedelta(), **fields: Any) -> Session:
    return SessionFactory.create(user=user, active_at=NOON - ago, **fields)


def _titles(page: sidebar.Page) -> list[tuple[str, list[str]]]:
    return [(str(group.label), [session.title for session in group.sessions]) for group in page.groups]


def test_sessions_are_grouped_by_age_with_the_pinned_first(alice: User) -> None:  # CHAT-2
    _session(alice, timedelta(days=40), title="long ago")
    _session(alice, timedelta(days=7), title="last week")
    _session(alice, timedelta(days=1), title="yesterday")
    _session(alice, timedelta(hours=1), title="today")
    _session(alice, timedelta(days=90), title="pinned", pinned_at=NOON)
    with time_machine.travel(NOON, tick=False):
        assert _titles(sidebar.page(alice)) == [
            ("Pinned", ["pinned"]),
            ("Today", ["today"]),
            ("Yesterday", ["yesterday"]),
            ("Last 7 days", ["last week"]),
            ("Older", ["long ago"]),
        ]


@pytest.mark.parametrize(("zone", "label"), [("UTC", "Today"), ("Asia/Shanghai", "Yesterday")])
def test_days_are_those_of_the_accounts_time_zone(alice: User, zone: str, label: str) -> None:  # CHAT-2
    _session(alice, timedelta(hours=1))
    with timezone.override(ZoneInfo(zone)), time_machine.travel(NOON + timedelta(hours=5), tick=False):
        assert [str(group.label) for group in sidebar.page(alice).groups] == [label]


def test_temporary_archived_and_foreign_sessions_are_not_listed(alice: User, bob: User, carol: User) -> None:  # CHAT-4
    _session(alice, temporary=True)
    _session(alice, archived_at=NOON)
    _session(bob)
    _session(carol)
    assert sidebar.page(alice).groups == []


def test_sessions_of_a_workspace_that_was_left_are_not_listed(alice: User) -> None:  # CHAT-21
    workspace = MembershipFactory.create(user=alice).workspace
    _session(alice, workspace=workspace)
    assert sidebar.page(alice).groups
    Membership.objects.all().delete()
    assert sidebar.page(alice).groups == []


def test_pages_follow_each_other_without_loss_or_repetition(alice: User) -> None:  # CHAT-2
    for at in range(75):
        _session(alice, timedelta(minutes=at // 2), title=f"{at}")  # two of each minute
    seen: list[str] = []
    labels: list[str] = []
    cursor = None
    with time_machine.travel(NOON, tick=False):
        for _turn in range(3):
            page = sidebar.page(alice, cursor)
            labels += [str(group.label) for group in page.groups]
            seen += [session.title for group in page.groups for session in group.sessions]
            cursor = page.cursor and sidebar.Cursor.parse(str(page.cursor))
    assert cursor is None
    assert sorted(seen, key=int) == [f"{at}" for at in range(75)]
    assert labels == ["Today", "", ""]


def test_next_rows_come_as_a_fragment(page: Client, alice: User) -> None:  # CHAT-2
    for at in range(31):
        _session(alice, timedelta(minutes=at), title=f"number {at}")
    first = sidebar.page(alice)
    response = page.get("/sessions/", {"before": str(first.cursor)}, headers={"HX-Request": "true"})
    html = response.content.decode()
    assert "number 30" in html
    assert "number 29" not in html
    assert "<html" not in html


@pytest.mark.parametrize("cursor", ["x", "1.2", f"{10**30}.{'a' * 32}", "1."])
def test_malformed_cursor_is_not_found(page: Client, cursor: str) -> None:
    assert page.get("/sessions/", {"before": cursor}).status_code == 404


def test_open_session_is_marked(page: Client, alice: User) -> None:
    session = _session(alice)
    _session(alice)
    html = page.get(f"/sessions/{session.pk}/").content.decode()
    assert html.count('aria-current="page"') == 1


def test_queries_do_not_grow_with_sessions(
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:  # PERF-10
    for at in range(3):
        _session(alice, pinned_at=NOON if at else None)
    with django_assert_num_queries(2):
        sidebar.page(alice)
    for at in range(60):
        _session(alice, pinned_at=NOON if at % 3 else None)
    with django_assert_num_queries(2):
        sidebar.page(alice)


def test_hostile_title_is_shown_as_text(page: Client, alice: User) -> None:  # SEC-3
    _session(alice, title="<script>alert(1)</script>\"'")
    html = page.get("/").content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
