"""Search in titles and messages."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from adminchat.accounts.models import User
from chat.models import Session
from chat.search import Results, search
from tests.factories import MessageFactory, SessionFactory


def _said(user: User, text: str, **fields: object) -> Session:
    session = SessionFactory.create(user=user, **fields)
    MessageFactory.create(session=session, text=text)
    return session


def _found(results: Results) -> list[Session]:
    return [hit.session for hit in results.hits]


def test_titles_and_messages_are_searched(alice: User) -> None:  # CHAT-2
    by_title = SessionFactory.create(user=alice, title="Rotating Keys")
    by_text = _said(alice, "Where are the keys kept?")
    _said(alice, "Something else")
    assert set(_found(search(alice, "keys"))) == {by_title, by_text}


def test_two_character_chinese_word_is_found_and_marked(alice: User) -> None:  # CHAT-2
    session = _said(alice, "公司的报销流程怎么走？")
    hits = search(alice, "报销").hits
    assert [hit.session for hit in hits] == [session]
    assert "<mark>报销</mark>" in hits[0].snippet


def test_every_word_has_to_be_there_in_any_place(alice: User) -> None:  # CHAT-2
    both = _said(alice, "the database", title="Backup plan")
    _said(alice, "the database", title="Other")
    assert _found(search(alice, "BACKUP database")) == [both]


@pytest.mark.parametrize("query", ["%", "_", "\\", "'", '"', "100%", "a_b"])
def test_special_characters_mean_themselves(alice: User, query: str) -> None:
    session = _said(alice, f"before {query} after")
    _said(alice, "nothing of it: 100 ab")
    assert _found(search(alice, query)) == [session]


def test_hits_are_marked_and_everything_else_is_escaped(alice: User) -> None:  # SEC-3
    _said(alice, "<script>alert('key')</script>", title="<b>key</b>")
    hit = search(alice, "key").hits[0]
    assert hit.title == "&lt;b&gt;<mark>key</mark>&lt;/b&gt;"
    assert "<script>" not in hit.snippet
    assert "<mark>key</mark>" in hit.snippet


def test_searching_for_markup_does_not_open_it(alice: User) -> None:  # SEC-3
    _said(alice, "a <script> b & c")
    assert "<mark>&lt;script&gt;</mark>" in search(alice, "<script>").hits[0].snippet


def test_snippet_shows_the_surroundings_of_the_hit(alice: User) -> None:  # CHAT-2
    _said(alice, "begin " + "word " * 200 + "needle " + "word " * 200 + "end")
    snippet = search(alice, "needle").hits[0].snippet
    assert "<mark>needle</mark>" in snippet
    assert len(snippet) < 220
    assert snippet.startswith("…")
    assert snippet.endswith("…")


def test_sessions_of_others_and_temporary_ones_are_not_found(alice: User, bob: User, carol: User) -> None:  # SEC-1
    _said(bob, "needle")
    _said(carol, "needle")
    _said(alice, "needle", temporary=True)
    assert search(alice, "needle").hits == []


def test_archived_sessions_are_found_and_can_be_searched_alone(alice: User) -> None:  # CHAT-2
    archived = _said(alice, "needle", archived_at=timezone.now())
    other = _said(alice, "needle")
    assert set(_found(search(alice, "needle"))) == {archived, other}
    assert _found(search(alice, "needle", archived=True)) == [archived]
    assert _found(search(alice, "")) == [other]
    assert _found(search(alice, "", archived=True)) == [archived]


def test_results_come_in_pages(page: Client, alice: User) -> None:  # CHAT-2
    now = timezone.now()
    for at in range(35):
        _said(alice, "needle", title=f"number {at:02}", active_at=now - timedelta(minutes=at))
    html = page.get("/sessions/", {"q": "needle"}).content.decode()
    assert "number 29" in html
    cursor = search(alice, "needle").cursor
    rest = page.get(
        "/sessions/",
        {"q": "needle", "before": str(cursor)},
        headers={"HX-Request": "true", "HX-Target": "more-results"},
    ).content.decode()
    assert [f"number {at:02}" in rest for at in (29, 30, 34)] == [False, True, True]
    assert "<html" not in rest


def test_queries_do_not_grow_with_sessions_or_messages(
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:  # PERF-10
    for _at in range(30):
        session = _said(alice, "needle")
        MessageFactory.create(session=session, text="needle again")
    with django_assert_num_queries(2):
        assert len(search(alice, "needle again").hits) == 30


def test_snippet_begins_and_ends_with_whole_words(alice: User) -> None:  # CHAT-2
    _said(alice, "database " * 30 + "needle " + "operator " * 30)
    words = search(alice, "needle").hits[0].snippet.strip("…").split()
    assert set(words) == {"database", "<mark>needle</mark>", "operator"}


@pytest.mark.parametrize("path", ["/sessions/?q=x", "/sessions/{}/export/"])
def test_costly_pages_are_limited_per_user(
    page: Client, strangers: list[Client], alice: User, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # SEC-7
    monkeypatch.setattr("chat.limits.SEARCHES_PER_MINUTE", 3)
    monkeypatch.setattr("chat.limits.EXPORTS_PER_MINUTE", 3)
    path = path.format(SessionFactory.create(user=alice).pk)
    with time_machine.travel(timezone.now(), tick=False):
        assert {page.get(path).status_code for _at in range(3)} == {200}
        assert page.get(path).status_code == 429
        assert strangers[0].get(path).status_code != 429
        assert page.get("/sessions/").status_code == 200


@pytest.mark.parametrize("query", ["", "needle", "x" * 5000, "a " * 500, "\x00"])
def test_page_answers_any_query(page: Client, query: str) -> None:  # SEC-7
    assert page.get("/sessions/", {"q": query}).status_code == 200


def test_archived_list_says_what_to_do_when_it_is_empty(page: Client) -> None:  # UX-1
    assert "Nothing is archived" in page.get("/sessions/", {"archived": "1"}).content.decode()


def test_strangers_find_nothing(client: Client, db: None) -> None:  # SEC-1
    assert client.get("/sessions/", {"q": "x"}).status_code == 302
