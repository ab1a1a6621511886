"""Taking back what was done to a book (LEARN-20)."""

import json
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from adminchat.accounts.models import User, Workspace
from adminchat.lib.encryption import read
from memory import changes, entries
from memory.models import Book, Change, Entry, Source


@transaction.atomic
def undo(user: User, change_id: UUID) -> Change:
    """Take one change back, as a new one (LEARN-20).

    Raises ``Change.DoesNotExist`` also for one whose texts are gone or that was undone, ``Outdated`` when the entry was
    changed since, ``BookFull`` when there is no room for a deleted one.
    """
    mine = Change.objects.filter(book__user=user, book__tenant=user.tenant_id, pk=change_id, undone_at=None)
    _lock_workspace_of(read(mine))
    book = entries.locked_book(user)
    found = read(book.changes.filter(pk=change_id, undone_at=None))
    if not found or not found[0].is_readable:
        raise Change.DoesNotExist
    change = found[0]
    entry = next(iter(read(book.entries.filter(pk=change.entry_id))), None)
    if change.action == Change.Action.DELETED:
        undone = _bring_back(user, book, change, entry)
    else:
        if entry is None:
            raise Change.DoesNotExist
        if entry.revision != change.revision:
            raise entries.Outdated(entry)
        undone = _take_back(book, change, entry)
    Change.objects.filter(pk=change.pk).update(undone_at=timezone.now(), erase_at=None)
    entries.moved_on(book)
    return undone


def _lock_workspace_of(found: list[Change]) -> None:
    """Lock the workspace to which a deleted entry would come back, before the book (see ``entries.lock_workspace``)."""
    for change in found:
        if change.is_readable and change.before and (key := json.loads(change.before)["workspace"]):
            for workspace in Workspace.objects.filter(pk=key):
                entries.lock_workspace(workspace)


def _take_back(book: Book, change: Change, entry: Entry) -> Change:
    origin = changes.Origin(Source.USER)
    if change.action == Change.Action.ADDED:
        book.entries.filter(pk=entry.pk).delete()
        entry.evidence = ""
        undone = changes.record(book, entry, Change.Action.DELETED, "", origin)
        changes.erase(book, [entry.pk])
        return undone
    if not change.before:
        raise Change.DoesNotExist
    before = changes.snapshot(entry)
    changes.restore(entry, change.before)
    entries.save([entry], timezone.now())
    return changes.record(book, entry, Change.Action.CHANGED, before, origin)


def _bring_back(user: User, book: Book, change: Change, there: Entry | None) -> Change:
    if there or not change.before:
        raise Change.DoesNotExist
    if book.entries.count() >= settings.ADMINCHAT_MEMORY_ENTRIES:
        raise entries.BookFull
    entry = Entry(pk=change.entry_id, book=book, revision=change.revision + 1)
    stored = changes.restore(entry, change.before)
    workspace = user.workspaces.filter(pk=stored["workspace"]).first() if stored["workspace"] else None
    if stored["workspace"] and workspace is None:
        raise entries.OtherPlace
    entry.workspace = workspace
    entry.save(force_insert=True)
    return changes.record(book, entry, Change.Action.ADDED, "", changes.Origin(Source.USER))
