"""An entry that no key can read: it takes nothing with it but memory itself, and can be deleted (OPS-8, ENTRY-10)."""

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adminchat.accounts import workspaces
from adminchat.accounts.models import User, Workspace
from memory import entries, selectors
from memory.loads import Target, load
from memory.models import Activity, Entry, Tier
from tests.factories import EntryFactory, SessionFactory

HTMX = {"HX-Request": "true"}
UNREADABLE = "This entry cannot be decrypted"


@pytest.fixture
def broken(alice: User) -> Entry:
    """One of Alice's two entries, encrypted with a key that is gone."""
    EntryFactory.create(user=alice, tier=Tier.TOPIC, topic="Tea", text="Prefers tea.")
    entry = EntryFactory.create(user=alice, tier=Tier.TOPIC, topic="Keys", text="Lost.")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_entry SET text = 'rubbish', topic = 'rubbish', archived_topic = 'rubbish', "
            "fact_key = 'rubbish', evidence = 'rubbish' WHERE text = (SELECT text FROM memory_entry "
            "ORDER BY created_at DESC LIMIT 1)"
        )
    return entry


@pytest.mark.parametrize("sort", ["", "oldest", "topic", "text"])
def test_it_is_listed_beside_the_others(page: Client, broken: Entry, sort: str) -> None:
    shown = page.get("/memory/entries/", {"sort": sort}).content.decode()
    assert UNREADABLE in shown and "Prefers tea." in shown and "rubbish" not in shown
    found = page.post("/memory/entries/filter/", {"q": "tea"}, headers=HTMX).content.decode()
    assert UNREADABLE not in found and "Prefers tea." in found


def test_it_can_be_deleted(page: Client, alice: User, broken: Entry) -> None:
    address = f"/memory/entries/{broken.pk}/delete/"
    assert UNREADABLE in page.get(address).content.decode()
    assert page.post(address, {"revision": 1}, headers=HTMX).status_code == 200
    assert [entry.text for entry in selectors.entries(alice)] == ["Prefers tea."]


def test_it_can_be_deleted_with_others(page: Client, alice: User, broken: Entry) -> None:
    chosen = [f"{key}:{revision}" for key, revision in selectors.entries(alice).values_list("pk", "revision")]
    answer = page.post("/memory/entries/bulk/", {"do": "delete", "confirm": "on", "entry": chosen}, headers=HTMX)
    assert answer.status_code == 200
    assert not selectors.entries(alice).exists()


@pytest.mark.parametrize("action", ["archive", "pin", "renew", "restore", ""])
def test_it_cannot_be_changed_and_says_so(page: Client, broken: Entry, action: str) -> None:
    address = f"/memory/entries/{broken.pk}/{action}/" if action else f"/memory/entries/{broken.pk}/"
    answer = page.post(address, {"revision": 1, "text": "New.", "tier": "core"}, headers=HTMX)
    assert answer.status_code == 422
    assert "You can only delete it." in answer.content.decode()
    assert page.get(f"/memory/entries/{broken.pk}/edit/", headers=HTMX).status_code == 422


def test_others_are_added_and_changed_as_ever(page: Client, alice: User, broken: Entry) -> None:
    assert page.post("/memory/entries/", {"text": "Prefers coffee."}, headers=HTMX).status_code == 200
    other = selectors.entries(alice).exclude(pk=broken.pk).earliest("created_at")
    changed = {"revision": 1, "text": "Prefers green tea.", "tier": "topic", "topic": "Tea"}
    assert page.post(f"/memory/entries/{other.pk}/", changed, headers=HTMX).status_code == 200


def test_preview_and_command_say_why_nothing_would_be_loaded(page: Client, alice: User, broken: Entry) -> None:
    answer = page.post("/memory/preview/", {"question": "Which tea?"})
    assert answer.status_code == 422
    assert "so a turn would go on without memory" in answer.content.decode()
    with pytest.raises(CommandError, match="cannot be decrypted"):
        call_command("memory_explain", user=alice.username, question="Which tea?")


def test_records_of_earlier_turns_are_still_shown(page: Client, alice: User, broken: Entry) -> None:
    rows = [{"id": str(broken.pk), "revision": 1, "reason": "topic", "tokens": 9}]
    skipped = [{"id": str(broken.pk), "revision": 1, "reason": "overridden_by_workspace"}]
    for loaded, left in ((rows, []), ([], skipped)):
        activity = Activity.objects.create(
            turn_id=uuid4(),
            session_id=uuid4(),
            tenant=alice.tenant,
            user=alice,
            mode="read_only",
            loaded=loaded,
            skipped=left,
        )
        assert UNREADABLE in page.get(f"/memory/activity/{activity.turn_id}/").content.decode()


def test_it_outlives_its_workspace(page: Client, alice: User, broken: Entry, workspace: Workspace) -> None:
    Entry.objects.filter(pk=broken.pk).update(workspace=workspace)
    workspaces.delete(workspace)
    assert selectors.entry(alice, broken.pk).tier == Tier.ARCHIVE
    assert "which has been deleted" in page.get("/memory/entries/").content.decode()


def test_its_topic_is_back_with_its_key(alice: User, workspace: Workspace) -> None:  # ENTRY-12
    entry = EntryFactory.create(user=alice, tier=Tier.TOPIC, topic="Deploys", workspace=workspace)
    with connection.cursor() as cursor:
        cursor.execute("SELECT text FROM memory_entry")
        token = cursor.fetchone()[0]
        cursor.execute("UPDATE memory_entry SET text = 'rubbish'")
        workspaces.delete(workspace)
        cursor.execute("UPDATE memory_entry SET text = %s", [token])
    restored = entries.restore(alice, entry.pk, revision=2, workspace=None)
    assert (restored.tier, restored.topic, restored.former_workspace) == (Tier.TOPIC, "Deploys", "")


@pytest.mark.parametrize("why", ["archived", "expired", "elsewhere"])
def test_one_that_would_not_be_loaded_takes_nothing_away(  # ENTRY-12, OPS-8
    page: Client, alice: User, broken: Entry, workspace: Workspace, why: str
) -> None:
    fields = {
        "archived": {"tier": Tier.ARCHIVE},
        "expired": {"expires_at": timezone.now()},
        "elsewhere": {"workspace": workspace},
    }
    assert "your chats go on without memory" in page.get("/memory/entries/").content.decode()
    Entry.objects.filter(pk=broken.pk).update(**fields[why])
    assert "Prefers tea." in load(alice, "Which tea?", Target(None, "gpt-5")).text
    assert "your chats go on without memory" not in page.get("/memory/entries/").content.decode()


def test_only_unread_evidence_takes_nothing_away(page: Client, alice: User) -> None:  # OPS-8
    EntryFactory.create(user=alice, text="Prefers tea.")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_entry SET evidence = 'rubbish'")
    assert [entry.is_readable for entry in selectors.entries_for_report(alice)] == [True]


def test_queries_do_not_grow_with_the_entries_beside_it(page: Client, alice: User, broken: Entry) -> None:  # PERF-10
    counts = []
    for size in (2, 30):
        EntryFactory.create_batch(size, user=alice)
        with CaptureQueriesContext(connection) as queries:
            page.get("/memory/entries/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_global_one_cannot_be_overridden(page: Client, alice: User, broken: Entry, workspace: Workspace) -> None:
    session = SessionFactory.create(user=alice, workspace=workspace)
    assert page.get(f"/memory/entries/{broken.pk}/override/?session={session.pk}", headers=HTMX).status_code == 422
    fields = {"text": "Mine.", "scope": "workspace", "session": session.pk, "overrides": broken.pk}
    assert page.post("/memory/entries/", fields, headers=HTMX).status_code == 422
    assert selectors.capacity(alice).used == 2
