"""The writes to entries: limits, rights, revisions, and many writers at once."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adminchat.accounts import workspaces
from adminchat.accounts.models import User, Workspace
from memory import entries, selectors
from memory.entries import AlreadyOverridden, BookFull, Content, OtherPlace, Outdated, hand_made_key
from memory.models import Entry, Source, Tier
from tests.factories import EntryFactory, MembershipFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db

Write = Callable[[User, Entry, int], object]


def _change(user: User, entry: Entry, revision: int) -> object:
    return entries.change(user, entry.pk, Content("Newer."), revision=revision, workspace=entry.workspace)


def _pin(user: User, entry: Entry, revision: int) -> object:
    return entries.pin(user, entry.pk, True, revision=revision, workspace=entry.workspace)


def _archive(user: User, entry: Entry, revision: int) -> object:
    return entries.archive(user, entry.pk, revision=revision, workspace=entry.workspace)


def _restore(user: User, entry: Entry, revision: int) -> object:
    return entries.restore(user, entry.pk, revision=revision, workspace=entry.workspace)


def _renew(user: User, entry: Entry, revision: int) -> object:
    return entries.renew(user, entry.pk, revision=revision, workspace=entry.workspace)


def _delete(user: User, entry: Entry, revision: int) -> object:
    return entries.delete(user, entry.pk, revision=revision)


EDITS: list[Write] = [_change, _pin, _archive, _restore, _renew]
WRITES: list[Write] = [*EDITS, _delete]


def test_an_entry_is_stored_as_it_was_meant(alice: User) -> None:  # ENTRY-7
    entry = entries.add(alice, Content("  Prefers tea.\n", Tier.TOPIC, " Drinks "))

    found = selectors.entry(alice, entry.pk)
    assert (found.text, found.topic, found.tier, found.kind) == ("Prefers tea.", "Drinks", "topic", "preference")
    assert (found.scope, found.source, found.pinned, found.revision) == ("global", Source.USER, False, 1)
    assert selectors.book_revision(alice) == 1


def test_texts_are_ciphertext_in_the_raw_database(alice: User) -> None:  # ENTRY-7, SEC-2
    entry = entries.add(alice, Content("Drinks Darjeeling.", Tier.TOPIC, "Beverages"))
    entries.archive(alice, entry.pk, revision=1, workspace=None)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM memory_entry")
        raw = " ".join(str(value) for row in cursor.fetchall() for value in row)

    assert not any(word in raw for word in ("Darjeeling", "Beverages", "Drinks"))


@pytest.mark.parametrize(
    ("content", "field", "code"),
    [
        (Content(""), "text", "required"),
        (Content(" \n "), "text", "required"),
        (Content("x" * 301), "text", "too_long"),
        (Content("好" * 301), "text", "too_long"),
        (Content("a\nb"), "text", "line_break"),
        (Content("a\u200bb"), "text", "hidden"),
        (Content("Fact", Tier.TOPIC), "topic", "topic_required"),
        (Content("Fact", Tier.TOPIC, " "), "topic", "topic_required"),
        (Content("Fact", Tier.TOPIC, "x" * 41), "topic", "too_long"),
        (Content("Fact", Tier.CORE, "Topic"), "topic", "topic_forbidden"),
        (Content("Fact", Tier.ARCHIVE, "Topic"), "topic", "topic_forbidden"),
    ],
)
def test_what_is_wrong_is_said_by_field(alice: User, content: Content, field: str, code: str) -> None:  # ENTRY-7, 8
    with pytest.raises(ValidationError) as refused:
        entries.add(alice, content)

    assert [error.code for error in refused.value.error_dict[field]] == [code]
    assert selectors.book_revision(alice) == 0


def test_limits_are_exact(alice: User) -> None:  # ENTRY-7
    assert entries.add(alice, Content("好" * 300, Tier.TOPIC, "题" * 40))


def test_limits_are_settings(alice: User, settings: Any) -> None:  # ENTRY-13
    settings.ADMINCHAT_MEMORY_TEXT_CHARACTERS = 5
    settings.ADMINCHAT_MEMORY_ENTRIES = 1
    entries.add(alice, Content("12345"))
    with pytest.raises(ValidationError):
        entries.add(alice, Content("123456"))
    with pytest.raises(BookFull):
        entries.add(alice, Content("12345"))


def test_the_eighty_first_is_refused_and_nothing_evicted(alice: User, workspace: Workspace) -> None:  # ENTRY-9
    left = WorkspaceFactory.create(tenant=alice.tenant)
    EntryFactory.create_batch(50, user=alice)
    EntryFactory.create_batch(10, user=alice, tier=Tier.ARCHIVE)
    EntryFactory.create_batch(10, user=alice, expires_at="2020-01-01T00:00:00Z")
    EntryFactory.create_batch(5, user=alice, workspace=workspace)
    EntryFactory.create_batch(4, user=alice, workspace=left)
    last = entries.add(alice, Content("The eightieth."))
    with pytest.raises(BookFull) as refused:
        entries.add(alice, Content("The eighty-first."))

    assert "80" in str(refused.value.sentence)
    assert selectors.capacity(alice).used == 80
    entries.change(alice, last.pk, Content("Changed at 80/80."), revision=1, workspace=None)
    entries.archive(alice, last.pk, revision=2, workspace=None)
    entries.delete(alice, last.pk, revision=3)
    assert entries.add(alice, Content("Room again."))


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__.strip("_"))
def test_a_stale_revision_changes_nothing(alice: User, write: Write) -> None:  # ENTRY-30
    entry = EntryFactory.create(user=alice, text="Newer.", revision=3)
    with pytest.raises(Outdated) as refused:
        write(alice, entry, 2)

    assert refused.value.entry.text == "Newer."
    assert selectors.entry(alice, entry.pk).revision == 3


def test_an_unrelated_change_refuses_nothing(alice: User) -> None:  # ENTRY-30
    one, other = EntryFactory.create_batch(2, user=alice)
    _change(alice, one, 1)
    assert _change(alice, other, 1)


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__.strip("_"))
def test_others_entries_do_not_exist(alice: User, bob: User, carol: User, root: User, write: Write) -> None:  # ENTRY-6
    entry = EntryFactory.create(user=alice)
    for stranger in (bob, carol, root):
        with pytest.raises(Entry.DoesNotExist):
            write(stranger, entry, 1)
    assert selectors.entry(alice, entry.pk).revision == 1


@pytest.mark.parametrize("write", EDITS, ids=lambda write: write.__name__.strip("_"))
def test_entry_of_a_workspace_that_was_left_can_only_be_seen_and_deleted(
    alice: User, workspace: Workspace, write: Write
) -> None:  # ENTRY-10, CHAT-21
    entry = entries.add(alice, Content("Only here."), workspace=workspace)
    alice.memberships.all().delete()
    with pytest.raises(OtherPlace):
        write(alice, entry, 1)
    with pytest.raises(OtherPlace):
        entries.add(alice, Content("Only here, too."), workspace=workspace)
    assert entry in selectors.entries(alice)
    assert entry not in selectors.manageable(alice, workspace)
    entries.delete(alice, entry.pk, revision=1)
    assert not selectors.entries(alice).exists()


@pytest.mark.parametrize("write", EDITS, ids=lambda write: write.__name__.strip("_"))
def test_workspace_entry_is_written_only_from_there(
    alice: User, workspace: Workspace, write: Write
) -> None:  # ENTRY-10
    entry = entries.add(alice, Content("Only here."), workspace=workspace)
    other = WorkspaceFactory.create(tenant=alice.tenant)
    other.memberships.create(user=alice)
    for place in (None, other):
        entry.workspace = place
        with pytest.raises(OtherPlace):
            write(alice, entry, 1)


def test_workspace_of_another_tenant_is_none(alice: User, carol: User) -> None:  # ENTRY-6, ENTRY-10
    theirs = WorkspaceFactory.create(tenant=carol.tenant)
    theirs.memberships.create(user=alice)
    with pytest.raises(OtherPlace):
        entries.add(alice, Content("Smuggled."), workspace=theirs)


def test_archive_and_restore_keep_the_topic(alice: User) -> None:  # ENTRY-12
    entry = entries.add(alice, Content("Fact", Tier.TOPIC, "Topic"))
    archived = entries.archive(alice, entry.pk, revision=1, workspace=None)
    assert (archived.tier, archived.topic) == (Tier.ARCHIVE, "")
    restored = entries.restore(alice, entry.pk, revision=2, workspace=None)
    assert (restored.tier, restored.topic) == (Tier.TOPIC, "Topic")


def test_a_hand_made_fact_key_follows_topic_and_text(alice: User) -> None:  # ENTRY-7, ENTRY-16
    one = entries.add(alice, Content("Deploys on Tuesday", Tier.TOPIC, "Deploys"))
    same = entries.add(alice, Content("deploys on  TUESDAY", Tier.TOPIC, "ｄｅｐｌｏｙｓ"))
    similar = entries.add(alice, Content("Deploys on Tuesdays", Tier.TOPIC, "Deploys"))
    assert one.fact_key == same.fact_key != similar.fact_key
    changed = entries.change(alice, one.pk, Content("Likes cocoa."), revision=1, workspace=None)
    assert changed.fact_key == hand_made_key("", "Likes cocoa.")
    entries.archive(alice, same.pk, revision=1, workspace=None)
    revived = entries.change(
        alice, same.pk, Content("Never deploys", Tier.TOPIC, "Deploys"), revision=2, workspace=None
    )
    assert revived.fact_key == hand_made_key("Deploys", "Never deploys")
    changed = entries.change(alice, similar.pk, Content("Likes tea."), revision=1, workspace=None)
    assert changed.fact_key == hand_made_key("", "Likes tea.") != similar.fact_key


def test_a_workspace_has_one_version_of_a_global_entry(alice: User, workspace: Workspace) -> None:  # ENTRY-16
    everywhere = entries.add(alice, Content("Currency is USD"))
    here = entries.add(alice, Content("Currency is CHF"), workspace=workspace, overrides=everywhere.pk)
    edited = entries.change(alice, everywhere.pk, Content("Currency is EUR"), revision=1, workspace=None)
    assert edited.fact_key == here.fact_key == selectors.entry(alice, everywhere.pk).fact_key
    with pytest.raises(AlreadyOverridden):
        entries.add(alice, Content("Currency is JPY"), workspace=workspace, overrides=everywhere.pk)
    entries.archive(alice, here.pk, revision=1, workspace=workspace)
    again = entries.add(alice, Content("Currency is JPY"), workspace=workspace, overrides=everywhere.pk)
    assert again.fact_key == edited.fact_key
    with pytest.raises(Entry.DoesNotExist):
        entries.add(alice, Content("Currency is JPY"), workspace=workspace, overrides=uuid4())


def test_many_are_archived_or_deleted_together_or_not_at_all(alice: User) -> None:  # ENTRY-28
    one, other = EntryFactory.create_batch(2, user=alice)
    for write in (
        lambda revisions: entries.delete_many(alice, revisions),
        lambda revisions: entries.archive_many(alice, revisions, workspace=None),
    ):
        with pytest.raises(Outdated):
            write({one.pk: 1, other.pk: 7})
    assert {entry.revision for entry in selectors.entries(alice)} == {1}
    assert entries.archive_many(alice, {one.pk: 1, other.pk: 1}, workspace=None) == 2
    assert entries.delete_many(alice, {one.pk: 2, other.pk: 2}) == 2
    assert not selectors.entries(alice).exists()


def test_entries_of_a_deleted_workspace_stay_with_their_owners_archived(  # ENTRY-6, ENTRY-10, ENTRY-12
    alice: User, bob: User, root: User, workspace: Workspace
) -> None:
    MembershipFactory.create(user=bob, workspace=workspace)
    MembershipFactory.create(user=root, workspace=workspace)
    entries.add(root, Content("Of no workspace"))
    entries.add(alice, Content("Deploys on Tuesday", Tier.TOPIC, "Deploys"), workspace=workspace)
    entries.add(alice, Content("Everywhere"))
    entries.add(bob, Content("Bob’s"), workspace=workspace)
    before = selectors.book_revision(alice)
    workspaces.delete(workspace)

    kept = selectors.entries(alice).get(tier=Tier.ARCHIVE)
    assert (kept.scope, kept.former_workspace, kept.text, kept.revision) == (
        "global",
        "Platform",
        "Deploys on Tuesday",
        2,
    )
    assert selectors.book_revision(alice) == before + 1
    assert selectors.entries(alice).get(tier=Tier.CORE).revision == 1
    assert selectors.entries(bob).get().tier == Tier.ARCHIVE
    assert (selectors.entries(root).get().tier, selectors.book_revision(root)) == (Tier.CORE, 1)
    restored = entries.restore(alice, kept.pk, revision=2, workspace=None)
    assert (restored.tier, restored.topic) == (Tier.TOPIC, "Deploys")


@pytest.mark.parametrize("work", ["change", "delete the workspace"])
def test_queries_do_not_grow_with_the_book(alice: User, workspace: Workspace, work: str) -> None:  # PERF-10
    counts = []
    for size in (2, 30):
        place = MembershipFactory.create(user=alice).workspace
        EntryFactory.create_batch(size, user=alice, workspace=place)
        entry = entries.add(alice, Content("Likes tea."))
        with CaptureQueriesContext(connection) as queries:
            if work == "change":
                _change(alice, entry, 1)
            else:
                workspaces.delete(place)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_change_leaves_when_an_entry_was_loaded_last(alice: User) -> None:  # ENTRY-12
    entry = EntryFactory.create(user=alice)
    loaded = timezone.now()

    def turn_comes_in_between(changed: Entry) -> None:
        changed.pinned = True
        Entry.objects.filter(pk=changed.pk).update(last_loaded_at=loaded)

    entries._edit(alice, entry.pk, 1, None, turn_comes_in_between)
    assert selectors.entry(alice, entry.pk).last_loaded_at == loaded


def _in_threads(count: int, work: Callable[[], object]) -> list[BaseException]:
    together, failures = Barrier(count), list[BaseException]()

    def run() -> None:
        try:
            together.wait()
            work()
        except BaseException as error:  # for the thread that asks
            failures.append(error)
        finally:
            connections.close_all()

    threads = [Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return failures


@pytest.mark.django_db(transaction=True)
def test_eighty_one_parallel_additions_end_at_eighty(alice: User) -> None:  # ENTRY-9, REL-6
    failures = _in_threads(81, lambda: entries.add(alice, Content("One of many.")))

    assert [type(error) for error in failures] == [BookFull]
    assert selectors.capacity(alice).used == 80
    assert selectors.book_revision(alice) == 80


@pytest.mark.django_db(transaction=True)
def test_of_twenty_parallel_changes_one_wins(alice: User) -> None:  # ENTRY-30, REL-6
    entry = EntryFactory.create(user=alice)
    failures = _in_threads(20, lambda: _change(alice, entry, 1))

    assert [type(error) for error in failures] == [Outdated] * 19
    assert selectors.entry(alice, entry.pk).revision == 2
