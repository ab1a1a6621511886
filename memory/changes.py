"""What the history of a book holds of each change, and for how long (LEARN-11, HIST-2).

What an entry said stands encrypted beside its changes. When the entry is deleted by hand it goes from there at once; what
learning forgot can be brought back for ``ADMINCHAT_FORGOTTEN_HOURS``. Books are locked by who calls.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memory.models import Book, Change, Entry, Source

KEPT = ("tier", "kind", "text", "topic", "archived_topic", "pinned", "fact_key", "source", "evidence")


@dataclass(frozen=True)
class Origin:
    """Where changes come from: who made them, and in learning the turn, the message and the prompt."""

    source: Source
    turn_id: UUID | None = None
    message_id: UUID | None = None
    prompt_code: str = ""


def snapshot(entry: Entry) -> str:
    """An entry as JSON, from which ``undo`` can bring it back."""
    fields = {name: getattr(entry, name) for name in KEPT} | {
        "workspace": str(entry.workspace_id) if entry.workspace_id else None,
        "message_id": str(entry.message_id) if entry.message_id else None,
        "expires_at": entry.expires_at.isoformat() if entry.expires_at else None,
        "created_at": entry.created_at.isoformat(),
        "revision": entry.revision,
    }
    return json.dumps(fields, ensure_ascii=False)


def record(book: Book, entry: Entry, action: Change.Action, before: str, origin: Origin) -> Change:
    """Keep a change of ``entry``, as it is after it, with what stood there ``before``."""
    deleted = action == Change.Action.DELETED
    hours = timedelta(hours=settings.ADMINCHAT_FORGOTTEN_HOURS)
    change = Change.objects.create(
        book=book,
        entry_id=entry.pk,
        scope=entry.scope,
        action=action,
        source=origin.source,
        revision=entry.revision,
        before=before if hours or not deleted else "",
        after="" if deleted else snapshot(entry),
        evidence=entry.evidence,
        prompt_code=origin.prompt_code,
        turn_id=origin.turn_id,
        erase_at=timezone.now() + hours if deleted else None,
    )
    oldest_kept = book.changes.order_by("-created_at", "-pk").values_list("pk", flat=True)
    book.changes.exclude(pk__in=list(oldest_kept[: settings.ADMINCHAT_MEMORY_CHANGES])).delete()
    return change


def erase(book: Book, entry_ids: Collection[UUID]) -> None:
    """Take the texts of deleted entries out of the history; that they were there remains (HIST-2)."""
    book.changes.filter(entry_id__in=entry_ids).update(before="", after="", evidence="")


def erase_due() -> int:
    """Erase what was forgotten and can no longer be brought back; return how many changes that were."""
    due = Change.objects.filter(erase_at__lte=timezone.now())
    entry_ids = list(due.values_list("entry_id", flat=True))
    gone = [key for key in entry_ids if not Entry.objects.filter(pk=key).exists()]
    Change.objects.filter(entry_id__in=gone).update(before="", after="", evidence="", erase_at=None)
    due.update(erase_at=None)
    return len(entry_ids)


def restore(entry: Entry, stored: str) -> dict[str, Any]:
    """Give ``entry`` the fields that ``snapshot`` kept; return all that it kept."""
    fields: dict[str, Any] = json.loads(stored)
    for name in KEPT:
        setattr(entry, name, fields[name])
    entry.expires_at = _moment(fields["expires_at"])
    entry.created_at = _moment(fields["created_at"]) or timezone.now()
    entry.message_id = UUID(fields["message_id"]) if fields["message_id"] else None
    return fields


def _moment(stored: str | None) -> datetime | None:
    return parse_datetime(stored) if stored else None
