"""Nothing that a person typed or chose in the Entries tab gets lost or ends up elsewhere (ENTRY-7, ENTRY-10, ENTRY-30)."""

import re
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adminchat.accounts.models import User, Workspace
from chat.models import Session
from memory import selectors
from memory.models import Entry, Source, Tier
from tests.factories import EntryFactory, MembershipFactory, MessageFactory, SessionFactory, WorkspaceFactory

HTMX = {"HX-Request": "true"}
ACTIONS = ["pin", "archive", "restore", "renew", "delete"]


def shown(answer: Any) -> str:
    return str(answer.content.decode())


def rows(answer: Any) -> list[str]:
    return re.findall(r'<p class="entry-text">(.*?)\s*</p>', shown(answer))


def only(user: User) -> Entry:
    return selectors.entries(user).get()


# --- expiry -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"expires_at": "2036-03-31"}, "2036-03-31T16:00+00:00"),  # the end of that day in Shanghai
        ({"expires_at": "2036-03-31", "expires_time": "18:30"}, "2036-03-31T10:30+00:00"),
        ({"expires_at": "2036-03-31T18:30"}, "2036-03-31T10:30+00:00"),
        ({"expires_at": "2036-03-31 18:30"}, "2036-03-31T10:30+00:00"),
        ({"expires_at": "2036-03-31T18:30Z"}, "2036-03-31T18:30+00:00"),
        ({"expires_at": "2036-03-31T18:30-05:00"}, "2036-03-31T23:30+00:00"),
        ({"expires_at": "2036-03-31T18:30Z", "expires_time": "09:00"}, "2036-03-31T18:30+00:00"),
    ],
)
def test_expiry_is_a_day_or_a_moment(page: Client, alice: User, fields: dict[str, str], expected: str) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Shanghai")  # ENTRY-7
    page.post("/memory/entries/", {"text": "Fact", **fields})
    assert only(alice).expires_at == datetime.fromisoformat(expected)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Santiago", "Africa/Cairo", "Pacific/Chatham"])
@pytest.mark.parametrize("day", ["2036-03-29", "2036-09-06", "2036-04-24", "2036-10-25"])
def test_days_on_which_clocks_change_stay_the_day(page: Client, alice: User, zone: str, day: str) -> None:  # ENTRY-7
    User.objects.filter(pk=alice.pk).update(time_zone=zone)
    page.post("/memory/entries/", {"text": "Fact", "expires_at": day})
    edited = shown(page.get(f"/memory/entries/{only(alice).pk}/edit/", headers=HTMX))
    assert f'value="{day}"' in edited
    ends = only(alice).expires_at
    assert ends is not None
    assert (ends - timedelta(minutes=1)).astimezone(ZoneInfo(zone)).date().isoformat() == day
    assert "a.m." not in shown(page.get("/memory/entries/")).partition("<span>Valid until ")[2].partition("<")[0]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"expires_time": "18:00"}, "Choose the day as well."),
        ({"expires_at": "2036-02-30"}, "Write a date like"),
        ({"expires_at": "9999-12-31"}, "Write a date like"),
        ({"expires_at": "9999-12-30T23:59-11:00"}, "Write a date like"),
        ({"expires_at": "0001-01-01"}, "Write a date like"),
        ({"expires_at": "2020-01-01", "expires_time": "18:00"}, "This is over already."),
    ],
)
def test_a_wrong_expiry_is_explained_beside_all_else(
    page: Client, alice: User, fields: dict[str, str], words: str
) -> None:  # ENTRY-7
    answer = page.post("/memory/entries/", {"text": "x" * 301, **fields})
    assert answer.status_code == 422
    assert words in shown(answer) and "301 characters" in shown(answer)
    assert not selectors.entries(alice).exists()


@pytest.mark.parametrize("days", [-9, 9])
def test_an_expiry_that_is_not_touched_stays_as_exact_as_it_was(page: Client, alice: User, days: int) -> None:
    moment = timezone.now() + timedelta(days=days, seconds=1, microseconds=7)  # ENTRY-7, ENTRY-12
    entry = EntryFactory.create(user=alice, expires_at=moment)
    edited = shown(page.get(f"/memory/entries/{entry.pk}/edit/", headers=HTMX))
    day, time = (re.search(rf'name="{name}" value="(.*?)"', edited) for name in ("expires_at", "expires_time"))
    assert day and time
    fields = {"text": "Newer.", "revision": 1, "expires_at": day[1], "expires_time": time[1]}
    assert page.post(f"/memory/entries/{entry.pk}/", fields, headers=HTMX).status_code == 200
    assert (only(alice).text, only(alice).expires_at) == ("Newer.", moment)


# --- drafts and rows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "form"])
def test_draft_of_an_entry_that_is_gone_is_kept(page: Client, alice: User, headers: dict[str, str]) -> None:
    draft = {"text": "My draft.", "tier": "topic", "topic": "Tea", "kind": "project", "revision": 3}  # ENTRY-30
    answer = page.post(f"/memory/entries/{uuid4()}/", draft, headers=headers)
    assert answer.status_code == 404
    for words in ("My draft.", 'value="Tea"', 'value="project" selected', "is no longer there"):
        assert words in shown(answer)
    assert 'name="revision"' not in shown(answer).partition("</form>")[0]


@pytest.mark.parametrize("action", ["", *(f"{action}/" for action in ACTIONS)])
@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "form"])
def test_entries_of_others_answer_as_those_that_never_were(
    strangers: list[Client], alice: User, action: str, headers: dict[str, str]
) -> None:  # ENTRY-6, SEC-1
    entry = EntryFactory.create(user=alice, text="Between us.", topic="Secret")
    fields = {"text": "Mine now.", "revision": 1, "pinned": "on"}
    for stranger in strangers:
        theirs = stranger.post(f"/memory/entries/{entry.pk}/{action}", fields, headers=headers)
        nobodys = stranger.post(f"/memory/entries/{(other := uuid4())}/{action}", fields, headers=headers)
        assert theirs.status_code == nobodys.status_code == 404

        def without_ids(answer: Any, key: object) -> str:
            text = shown(answer).replace(str(key), "")
            return re.sub(r'csrf[^>]*?value="\w+"|"X-CSRFToken": "\w+"|since=[\d.]+', "", text)

        assert without_ids(theirs, entry.pk) == without_ids(nobodys, other)
        assert "Between us." not in shown(theirs)
    assert (only(alice).text, only(alice).revision) == ("Between us.", 1)


def test_row_tells_the_same_after_something_was_done(page: Client, alice: User, session: Session) -> None:  # ENTRY-28
    message = MessageFactory.create(session=session)
    entry = EntryFactory.create(
        user=alice,
        message_id=message.pk,
        source=Source.LEARNED,
        evidence="I drink tea & milk",
        updated_at=timezone.now() - timedelta(days=300),
    )
    listed = shown(page.get("/memory/entries/"))
    after = shown(page.post(f"/memory/entries/{entry.pk}/pin/", {"pinned": "on", "revision": 1}, headers=HTMX))
    for answer in (listed, after):
        assert f"/sessions/{session.pk}/#message-{message.pk}" in answer
        assert "Learned" in answer and "I drink tea &amp; milk" in answer
    assert "Unused for long" in listed


def test_message_of_somebody_else_is_no_link(page: Client, alice: User, bob: User) -> None:  # ENTRY-28, SEC-1
    message = MessageFactory.create(session=SessionFactory.create(user=bob), text="Bob’s words")
    assert page.get(f"/messages/{message.pk}/remember/").status_code == 404
    page.post("/memory/entries/", {"text": "Fact", "message": message.pk})
    listed = shown(page.get("/memory/entries/"))
    assert str(message.session_id) not in listed and "the message is gone" not in listed


def test_a_fact_key_is_taken_over_only_from_ones_own(page: Client, alice: User, bob: User, session: Session) -> None:
    theirs = EntryFactory.create(user=bob, text="Bob’s")  # ENTRY-16, ENTRY-6
    fields = {"text": "Fact", "scope": "workspace", "session": session.pk, "overrides": theirs.pk}
    assert page.post("/memory/entries/", fields).status_code == 422
    assert not selectors.entries(alice).exists()


def test_only_a_global_entry_gets_another_value_in_the_workspace(page: Client, alice: User, session: Session) -> None:
    here = EntryFactory.create(user=alice, workspace=session.workspace)  # ENTRY-16
    everywhere = EntryFactory.create(user=alice)
    for entry, place in ((here, f"?session={session.pk}"), (everywhere, "")):
        assert page.get(f"/memory/entries/{entry.pk}/override/{place}").status_code == 303
    assert page.get(f"/memory/entries/{everywhere.pk}/override/?session={session.pk}").status_code == 200


def test_a_full_book_and_a_workspace_left_are_told_apart(  # ENTRY-9, ENTRY-10
    page: Client, alice: User, session: Session, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ADMINCHAT_MEMORY_ENTRIES = 0
    assert page.post("/memory/entries/", {"text": "One too many."}).status_code == 409
    settings.ADMINCHAT_MEMORY_ENTRIES = 1
    assert page.post("/memory/entries/", {"text": "Nowhere.", "scope": "workspace"}).status_code == 422
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(selectors, "is_member", lambda *_who_and_where: False)  # since the session was looked up
        fields = {"text": "Left.", "scope": "workspace", "session": session.pk}
        answer = page.post("/memory/entries/", fields, headers=HTMX)
        assert answer.status_code == 422 and "Left." in shown(answer)
        assert "only from a chat in that workspace, by its members" in shown(answer)
    assert page.post("/memory/entries/", {"text": "Fits."}).status_code == 200


def test_many_are_listed_as_before_after_something_was_done(page: Client, alice: User) -> None:  # ENTRY-12, ENTRY-28
    long_ago = timezone.now() - timedelta(days=300)
    old = EntryFactory.create_batch(3, user=alice, updated_at=long_ago)
    EntryFactory.create(user=alice, text="Fresh")
    fields = {"do": "archive", "entry": f"{old[0].pk}:1", "show": "stale"}
    answer = page.post("/memory/entries/bulk/", fields, headers=HTMX)
    assert answer.status_code == 200 and "1 entry is archived." in shown(answer)
    assert set(rows(answer)) == {entry.text for entry in old[1:]}
    fields = {"do": "delete", "confirm": "on", "entry": [f"{old[1].pk}:1", f"{old[2].pk}:7"], "show": "stale"}
    answer = page.post("/memory/entries/bulk/", fields, headers=HTMX)
    assert answer.status_code == 409 and "Nothing was done." in shown(answer)
    assert len(rows(answer)) == 2 and selectors.capacity(alice).used == 4


def test_what_expired_or_went_unused_is_renewed_together_or_alone(page: Client, alice: User) -> None:  # ENTRY-12
    long_ago = timezone.now() - timedelta(days=300)
    old = EntryFactory.create_batch(2, user=alice, updated_at=long_ago)
    over = EntryFactory.create(user=alice, expires_at=long_ago)
    listed = page.get("/memory/entries/", {"show": "stale"}).content.decode()
    assert 'name="do" value="renew"' in listed and "Renew: keep it" in listed and "Renew: no expiry" in listed
    fields = {"do": "renew", "entry": [f"{old[0].pk}:1", f"{over.pk}:1"], "show": "stale"}
    answer = page.post("/memory/entries/bulk/", fields, headers=HTMX)
    assert "2 entries are renewed." in shown(answer) and rows(answer) == [old[1].text]
    page.post(f"/memory/entries/{old[1].pk}/renew/", {"revision": 1}, headers=HTMX)
    assert rows(page.get("/memory/entries/", {"show": "stale"})) == []


def test_renewing_what_goes_unused_leaves_an_expiry_to_come(page: Client, alice: User) -> None:  # ENTRY-12
    now = timezone.now()
    ends = now + timedelta(days=9)
    entry = EntryFactory.create(user=alice, updated_at=now - timedelta(days=300), expires_at=ends)
    assert "Renew: keep it" in shown(page.get("/memory/entries/", {"show": "stale"}))
    page.post(f"/memory/entries/{entry.pk}/renew/", {"revision": 1}, headers=HTMX)
    assert rows(page.get("/memory/entries/", {"show": "stale"})) == []
    assert only(alice).expires_at == ends


def test_after_adding_the_list_is_whole_and_the_filter_empty(page: Client, alice: User) -> None:  # ENTRY-28
    EntryFactory.create(user=alice, text="Prefers tea.")
    answer = page.post("/memory/entries/", {"text": "Speaks Dutch."}, headers={**HTMX, "HX-Target": "entries"})
    assert set(rows(answer)) == {"Prefers tea.", "Speaks Dutch."}
    assert 'id="entry-filter" hx-swap-oob="true"' in answer.content.decode()


@pytest.mark.parametrize("action", ["archive", "renew", "delete"])
def test_queries_do_not_grow_with_what_is_done_at_once(page: Client, alice: User, action: str) -> None:  # PERF-10
    counts = []
    for size in (3, 40):
        rows = EntryFactory.create_batch(size, user=alice)
        fields = {"do": action, "confirm": "on", "entry": [f"{entry.pk}:1" for entry in rows]}
        with CaptureQueriesContext(connection) as queries:
            assert page.post("/memory/entries/bulk/", fields, headers=HTMX).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "chosen", [{}, {"do": "delete"}, {"do": "burn", "entry": "x"}, {"do": "archive", "entry": "x"}]
)
def test_nonsense_in_bulk_does_nothing(page: Client, alice: User, chosen: dict[str, str]) -> None:  # SEC-7
    EntryFactory.create(user=alice)
    answer = page.post("/memory/entries/bulk/", {"confirm": "on", **chosen}, headers=HTMX)
    assert answer.status_code in (404, 422)
    assert only(alice).revision == 1


def test_archived_entries_come_last(page: Client, alice: User) -> None:  # ENTRY-28
    EntryFactory.create(user=alice, text="Old", tier=Tier.ARCHIVE)
    EntryFactory.create(user=alice, text="Older", updated_at=timezone.now() - timedelta(days=2))
    assert rows(page.get("/memory/entries/")) == ["Older", "Old"]


# --- places -----------------------------------------------------------------------------------------------------------


def test_sessions_of_others_are_no_place(page: Client, alice: User, bob: User, carol: User) -> None:  # ENTRY-10, SEC-1
    for other in (bob, carol):
        theirs = SessionFactory.create(user=other, workspace=MembershipFactory.create(user=other).workspace)
        for given in (theirs.pk, "nonsense"):
            assert page.get(f"/memory/entries/?session={given}").status_code == 404
            fields = {"text": "Fact", "scope": "workspace", "session": given}
            assert page.post("/memory/entries/", fields).status_code == 404
    assert not selectors.entries(alice).exists()


def test_entries_of_a_workspace_that_was_left_are_shown_and_can_go(
    page: Client, alice: User, workspace: Workspace, session: Session
) -> None:  # ENTRY-10, CHAT-21
    entry = EntryFactory.create(user=alice, text="From there.", workspace=workspace)
    alice.memberships.all().delete()
    assert page.get(f"/memory/entries/?session={session.pk}").status_code == 404
    plain = page.get("/memory/entries/")
    assert rows(plain) == []
    assert "1 more entry belongs to another workspace" in shown(plain) and "?scope=all" in shown(plain)
    everything = shown(page.get("/memory/entries/?scope=all"))
    assert "From there." in everything and workspace.name in everything
    assert "can be changed only from a chat in this workspace" in everything
    for action in ("pin", "archive", "restore", "renew"):
        answer = page.post(f"/memory/entries/{entry.pk}/{action}/", {"revision": 1}, headers=HTMX)
        assert answer.status_code == 422 and "can be added and changed only from a chat" in shown(answer)
    answer = page.post(f"/memory/entries/{entry.pk}/", {"text": "Newer.", "revision": 1}, headers=HTMX)
    assert answer.status_code == 422 and "Newer." in shown(answer)
    assert only(alice).revision == 1
    assert page.post(f"/memory/entries/{entry.pk}/delete/", {"revision": 1}, headers=HTMX).status_code == 200
    assert selectors.capacity(alice).used == 0


def test_workspace_entries_are_written_from_a_session_of_that_workspace_only(
    page: Client, alice: User, session: Session
) -> None:  # ENTRY-10
    other = MembershipFactory.create(user=alice, workspace=WorkspaceFactory.create(tenant=alice.tenant)).workspace
    entry = EntryFactory.create(user=alice, workspace=session.workspace)
    elsewhere = SessionFactory.create(user=alice, workspace=other)
    for place in ({}, {"session": elsewhere.pk}):
        answer = page.post(f"/memory/entries/{entry.pk}/pin/", {"pinned": "on", "revision": 1, **place}, headers=HTMX)
        assert answer.status_code == 422
    fields = {"pinned": "on", "revision": 1, "session": session.pk}
    assert page.post(f"/memory/entries/{entry.pk}/pin/", fields, headers=HTMX).status_code == 200
