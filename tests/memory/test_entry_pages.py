"""The Entries tab: what a person sees of their entries and does to them (ENTRY-28 to ENTRY-30)."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from adminchat.accounts.models import User, Workspace
from chat.models import Session
from memory import selectors
from memory.models import Entry, Kind, Tier
from tests.factories import EntryFactory, MessageFactory, WorkspaceFactory

HTMX = {"HX-Request": "true"}
ADD = {**HTMX, "HX-Target": "entries"}


def rows(answer: Any) -> list[str]:
    """The texts of the listed entries, in their order."""
    return re.findall(r'<p class="entry-text">(.*?)\s*</p>', answer.content.decode())


def add(page: Client, **fields: Any) -> Any:
    return page.post("/memory/entries/", {"text": "Prefers tea.", **fields}, headers=ADD)


def only(user: User) -> Entry:
    return selectors.entries(user).get()


def test_an_entry_is_added_with_the_names_of_the_interface(page: Client, alice: User, session: Session) -> None:
    fields = {"scope": "workspace", "tier": "topic", "kind": "decision", "topic": "Tea", "pinned": "on"}
    answer = add(page, session=session.pk, expires_at="2030-03-31", **fields)  # ENTRY-7, ENTRY-28
    entry = only(alice)

    assert answer.status_code == 200 and rows(answer) == ["Prefers tea."]
    assert (entry.scope, entry.tier, entry.kind, entry.topic, entry.pinned) == (
        "workspace",
        *list(fields.values())[1:4],
        True,
    )
    assert entry.workspace == session.workspace
    assert 'data-tier="topic" data-scope="workspace"' in answer.content.decode()


def test_absent_fields_have_their_defaults(page: Client, alice: User) -> None:  # ENTRY-7
    answer = page.post("/memory/entries/", {"text": "Prefers tea."}, headers={"Accept": "text/html"})

    assert answer.status_code == 303
    assert (only(alice).tier, only(alice).kind, only(alice).scope) == (Tier.CORE, Kind.PREFERENCE, "global")


def test_without_a_browser_the_answer_is_the_new_row(page: Client, alice: User) -> None:  # 10-interfaces
    answer = page.post("/memory/entries/", {"text": "Prefers tea."})

    assert answer.status_code == 200
    assert f'id="entry-{only(alice).pk}" data-testid="entry"' in answer.content.decode()


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/Los_Angeles", ""])
def test_a_date_alone_ends_with_that_day_in_the_accounts_time_zone(page: Client, alice: User, zone: str) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone=zone)  # ENTRY-7
    add(page, expires_at="2030-03-31")
    with timezone.override(zone or "UTC"):
        assert timezone.localtime(only(alice).expires_at).isoformat()[:19] == "2030-04-01T00:00:00"
    shown = page.get(f"/memory/entries/{only(alice).pk}/edit/", headers=HTMX).content.decode()
    assert 'value="2030-03-31"' in shown


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": ""}, "Write what is to be remembered."),
        ({"text": "x" * 301}, "301 characters; at most 300"),
        ({"text": "a\nb"}, "in one line"),
        ({"text": "a\u202eb"}, "hidden characters"),
        ({"tier": "topic", "topic": "x" * 41}, "41 characters; at most 40"),
        ({"tier": "topic"}, "Name the topic"),
        ({"tier": "core", "topic": "Tea"}, "Only entries of the tier “Topic”"),
        ({"tier": "nonsense"}, "nonsense"),
        ({"expires_at": "2020-01-01"}, "This is over already."),
        ({"expires_at": "tomorrow"}, "Write a date like"),
        ({"scope": "workspace"}, "only from a chat in that workspace"),
        ({"text": "The password is hunter22"}, "Passwords are never stored here"),
        ({"text": "Our key is sk-proj-9fK2mQ7xV1bT4"}, "looks like a key"),
    ],
)
@pytest.mark.parametrize("headers", [ADD, {}], ids=["htmx", "form"])
def test_what_is_wrong_is_said_and_nothing_lost(
    page: Client, alice: User, fields: dict[str, str], words: str, headers: dict[str, str]
) -> None:  # ENTRY-7, ENTRY-8, LEARN-15
    sent = {"text": "Kept.", "kind": "project", **fields}
    answer = page.post("/memory/entries/", sent, headers=headers)
    shown = answer.content.decode()

    assert answer.status_code == 422
    assert words in shown
    assert sent["text"].replace("\n", "\r\n") in shown or sent["text"] in shown
    assert 'value="project" selected' in shown
    assert not selectors.entries(alice).exists()


def test_a_warning_can_be_passed_but_not_for_passwords(page: Client, alice: User) -> None:  # LEARN-15
    assert add(page, text="Our key is sk-proj-9fK2mQ7xV1bT4", confirm_warning="on").status_code == 200
    assert add(page, text="The password is hunter22", confirm_warning="on").status_code == 422
    assert selectors.capacity(alice).used == 1


def test_a_full_book_says_so(page: Client, alice: User) -> None:  # ENTRY-9
    EntryFactory.create_batch(80, user=alice)
    answer = add(page)

    assert answer.status_code == 409
    assert "Your memory is full" in answer.content.decode() and "Prefers tea." in answer.content.decode()


def test_meters_show_what_is_used(page: Client, alice: User) -> None:  # ENTRY-13, ENTRY-28
    EntryFactory.create_batch(12, user=alice)
    shown = page.get("/memory/entries/").content.decode()

    assert re.search(r'data-testid="meter-entries">.*?12 / 80', shown)
    assert re.search(r'data-testid="meter-core">.*?\d+ / 300', shown)


def test_without_a_session_only_global_entries_are_managed(
    page: Client, alice: User, session: Session, workspace: Workspace
) -> None:  # ENTRY-29, ENTRY-10
    EntryFactory.create(user=alice, text="Global.")
    EntryFactory.create(user=alice, text="Here.", workspace=workspace)
    left = EntryFactory.create(user=alice, text="Left.", workspace=WorkspaceFactory.create(tenant=alice.tenant))

    assert rows(page.get("/memory/entries/")) == ["Global."]
    assert set(rows(page.get(f"/memory/entries/?session={session.pk}"))) == {"Global.", "Here."}
    everything = page.get("/memory/entries/?scope=all")
    assert set(rows(everything)) == {"Global.", "Here.", "Left."}
    row = page.get(f"/memory/entries/{left.pk}/", headers=HTMX).content.decode()
    assert "/edit/" not in row and "/delete/" in row


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"tier": "core"}, {"Tea"}),
        ({"tier": "archive"}, {"Old"}),
        ({"kind": "decision"}, {"Ｄｅｐｌｏｙｓ"}),
        ({"q": "deploy"}, {"Ｄｅｐｌｏｙｓ"}),
        ({"q": "ops"}, {"Ｄｅｐｌｏｙｓ"}),
        ({"q": "nothing like it"}, set()),
        ({"show": "pinned"}, {"Tea"}),
        ({"show": "stale"}, {"Gone", "Quiet"}),
        ({"tier": "rubbish"}, {"Tea", "Ｄｅｐｌｏｙｓ", "Old", "Gone", "Quiet"}),
    ],
)
def test_entries_are_found(page: Client, alice: User, chosen: dict[str, str], expected: set[str]) -> None:
    long_ago = timezone.now() - timedelta(days=100)  # ENTRY-12, ENTRY-28
    EntryFactory.create(user=alice, text="Tea", pinned=True)
    EntryFactory.create(user=alice, text="Ｄｅｐｌｏｙｓ", tier=Tier.TOPIC, topic="Ops", kind=Kind.DECISION)
    EntryFactory.create(user=alice, text="Old", tier=Tier.ARCHIVE, updated_at=long_ago)
    EntryFactory.create(user=alice, text="Gone", tier=Tier.TOPIC, topic="T", expires_at=long_ago)
    EntryFactory.create(user=alice, text="Quiet", tier=Tier.TOPIC, topic="T", updated_at=long_ago)
    EntryFactory.create(text="Somebody else’s")
    answer = page.post("/memory/entries/filter/", chosen, headers=HTMX)

    assert answer.status_code == 200
    assert set(rows(answer)) == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [("", ["b", "c", "a"]), ("oldest", ["c", "a", "b"]), ("text", ["a", "b", "c"]), ("topic", ["c", "b", "a"])],
)
def test_entries_are_sorted(page: Client, alice: User, sort: str, expected: list[str]) -> None:  # ENTRY-28
    now = timezone.now()
    for text, topic, made, changed in (("a", "Z", 2, 9), ("b", "A", 1, 1), ("c", "", 3, 5)):
        EntryFactory.create(
            user=alice,
            text=text,
            topic=topic,
            tier=Tier.TOPIC if topic else Tier.CORE,
            created_at=now - timedelta(days=made),
            updated_at=now - timedelta(hours=changed),
        )
    assert rows(page.post("/memory/entries/filter/", {"sort": sort}, headers=HTMX)) == expected


def test_what_is_done_to_an_entry_shows_in_its_row(page: Client, alice: User) -> None:  # ENTRY-11, ENTRY-12, ENTRY-28
    entry = EntryFactory.create(user=alice, expires_at=timezone.now() - timedelta(days=1))

    def do(what: str, **fields: Any) -> str:
        fields["revision"] = only(alice).revision
        answer = page.post(f"/memory/entries/{entry.pk}/{what}/", fields, headers=HTMX)
        assert answer.status_code == 200
        return str(answer.content.decode())

    assert "Pinned" in do("pin", pinned="on")
    assert "Expired" not in do("renew")
    assert 'data-tier="archive"' in do("archive")
    assert 'data-tier="core"' in do("restore")
    assert only(alice).pinned and only(alice).revision == 5


def test_conflict_keeps_the_newer_version_and_the_draft(page: Client, alice: User) -> None:  # ENTRY-30
    entry = EntryFactory.create(user=alice, text="Newer.", revision=2)
    draft = {"text": "My draft.", "tier": "core", "kind": "project", "revision": 1}
    answer = page.post(f"/memory/entries/{entry.pk}/", draft, headers=HTMX)
    shown = answer.content.decode()

    assert answer.status_code == 409
    assert "Newer." in shown and "My draft." in shown and "Take mine" in shown and "Keep theirs" in shown
    assert only(alice).text == "Newer."
    revision = re.findall(r'name="revision" value="(\d+)"', shown)
    assert revision[0] == "2"
    assert page.post(f"/memory/entries/{entry.pk}/", {**draft, "revision": 2}, headers=HTMX).status_code == 200
    assert only(alice).text == "My draft."


def test_deleting_asks_first(page: Client, alice: User) -> None:  # ENTRY-28
    entry = EntryFactory.create(user=alice, text="Tea.")
    asked = page.get(f"/memory/entries/{entry.pk}/delete/").content.decode()
    assert "Tea." in asked and "Chats are not touched" in asked
    assert page.post(f"/memory/entries/{entry.pk}/delete/", {"revision": 9}).status_code == 303
    assert only(alice)
    assert page.post(f"/memory/entries/{entry.pk}/delete/", {"revision": 1}).status_code == 303
    assert not selectors.entries(alice).exists()


def test_many_are_done_at_once(page: Client, alice: User) -> None:  # ENTRY-28
    made = EntryFactory.create_batch(3, user=alice)
    chosen = [f"{entry.pk}:1" for entry in made]
    page.post("/memory/entries/bulk/", {"do": "archive", "entry": chosen[:2]})
    assert selectors.entries(alice).filter(tier=Tier.ARCHIVE).count() == 2
    chosen = [f"{entry.pk}:{entry.revision}" for entry in selectors.entries(alice)]
    asked = page.post("/memory/entries/bulk/", {"do": "delete", "entry": chosen}).content.decode()
    assert "Delete 3 entries" in asked and selectors.capacity(alice).used == 3
    page.post("/memory/entries/bulk/", {"do": "delete", "entry": chosen, "confirm": "on"})
    assert selectors.capacity(alice).used == 0


def test_others_cannot_touch_them_in_bulk(bobs_page: Client, alice: User) -> None:  # SEC-1
    entry = EntryFactory.create(user=alice)
    for do in ("archive", "delete"):
        bobs_page.post("/memory/entries/bulk/", {"do": do, "entry": f"{entry.pk}:1", "confirm": "on"})
    assert only(alice).revision == 1


def test_another_value_in_the_workspace_takes_the_place_of_the_global_one(
    page: Client, alice: User, session: Session
) -> None:  # ENTRY-16
    entry = EntryFactory.create(user=alice, text="Deploys on Tuesday.")
    form = page.get(f"/memory/entries/{entry.pk}/override/?session={session.pk}").content.decode()
    assert "takes the place of the global one" in form and "Deploys on Tuesday." in form
    add(page, text="Deploys on Friday.", scope="workspace", session=session.pk, overrides=entry.pk)
    made = selectors.entries(alice).exclude(pk=entry.pk).get()
    entry.refresh_from_db()
    assert made.fact_key == entry.fact_key and made.workspace == session.workspace


def test_remember_this_opens_the_form_with_the_words(page: Client, alice: User, session: Session) -> None:  # ENTRY-28
    message = MessageFactory.create(session=session, text="Our deploy day\nis Tuesday.")
    form = page.get(f"/messages/{message.pk}/remember/").content.decode()
    assert "Our deploy day is Tuesday." in form and f'value="{message.pk}"' in form
    add(page, text="Our deploy day is Tuesday.", session=session.pk, message=message.pk)
    row = page.get("/memory/entries/").content.decode()
    assert f"/sessions/{session.pk}/#message-{message.pk}" in row
    session.delete()
    assert "the message is gone" in page.get("/memory/entries/").content.decode()


def test_the_form_says_what_does_not_belong_there(page: Client) -> None:  # ENTRY-10
    assert "Don’t store credentials" in page.get("/memory/entries/").content.decode()


def test_what_is_looked_for_never_gets_into_an_address(page: Client) -> None:  # SEC-2
    shown = page.get("/memory/entries/").content.decode()
    assert 'method="post" action="/memory/entries/filter/"' in shown


def test_entry_texts_are_not_logged(page: Client, alice: User, caplog: pytest.LogCaptureFixture) -> None:  # SEC-2
    add(page, text="Drinks Darjeeling.", topic="Beverages", tier="topic")
    page.post("/memory/entries/filter/", {"q": "Darjeeling"})
    page.post("/memory/preview/", {"question": "Darjeeling?"})
    assert not any(word in caplog.text for word in ("Darjeeling", "Beverages"))


def test_queries_do_not_grow_with_entries(page: Client, alice: User, django_assert_max_num_queries: Any) -> None:
    def count() -> int:  # PERF-10
        with django_assert_max_num_queries(40) as seen:
            page.get("/memory/entries/")
        return len(seen)

    EntryFactory.create_batch(2, user=alice)
    count()
    few = count()
    EntryFactory.create_batch(70, user=alice)
    assert count() == few
