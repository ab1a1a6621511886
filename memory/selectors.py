"""The only reads of entries and activities. Each takes the acting user, and with them their tenant (ENTRY-6).

Another user's, or another tenant's, don't exist: what returns one object then raises its ``DoesNotExist``. The evidence
of entries is left out where nobody looks at it (OPS-8).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from adminchat.accounts.models import User, Workspace
from adminchat.lib.encryption import DecryptionError, read
from memory.loading import Candidate
from memory.models import Activity, Book, Change, Entry, Learning, Suggestion, Tier


@dataclass(frozen=True)
class Capacity:
    """How many entries a user has, of how many (ENTRY-9)."""

    used: int
    limit: int

    @property
    def is_full(self) -> bool:
        return self.used >= self.limit


def entries(user: User) -> QuerySet[Entry]:
    """All entries of ``user``, also those of workspaces that they have left."""
    return Entry.objects.filter(book__user=user, book__tenant=user.tenant_id).select_related("workspace")


def entry(user: User, entry_id: UUID) -> Entry:
    """That entry of ``user``, without its texts where no key can read them."""
    found = read(entries(user).filter(pk=entry_id))
    if not found:
        raise Entry.DoesNotExist
    return found[0]


def candidates(user: User, workspace_id: UUID | None) -> list[Candidate]:
    """All that a turn in that workspace may choose from, or has to say why it didn't; in a stable order.

    Each turn reads this, so it reads no more than the choice needs: fact keys only where a workspace can override.
    Raises ``DecryptionError`` when one that could be loaded cannot be read.
    """
    columns = ["pk", "revision", "tier", "text", "topic", "workspace_id", "pinned", "expires_at", "updated_at"]
    if workspace_id:
        columns.append("fact_key")
    ordered = entries(user).order_by("created_at", "pk")
    rows: Iterable[dict[str, Any]]
    try:
        rows = list(ordered.values(*columns))
    except DecryptionError:
        rows = [_row(entry, columns, workspace_id) for entry in read(ordered.only(*columns))]
    return [
        Candidate(
            id=str(row["pk"]),
            text=row["text"],
            topic=row["topic"],
            tier=row["tier"],
            workspace=str(row["workspace_id"]) if row["workspace_id"] else None,
            pinned=row["pinned"],
            fact_key=row.get("fact_key", ""),
            expires_at=row["expires_at"],
            updated_at=row["updated_at"],
            revision=row["revision"],
        )
        for row in rows
    ]


def _row(entry: Entry, columns: list[str], workspace_id: UUID | None) -> dict[str, Any]:
    if entry.is_readable:
        return {name: getattr(entry, name) for name in columns}
    if entry.tier != Tier.ARCHIVE and not entry.is_expired and entry.workspace_id in (None, workspace_id):
        raise DecryptionError
    return {"text": "", "topic": "", "fact_key": ""} | {
        name: getattr(entry, name) for name in columns if name not in ("text", "topic", "fact_key")
    }


def entries_for_report(user: User) -> list[Entry]:
    """All that a turn chose from, as they are now, without evidence."""
    return read(entries(user).defer("evidence", "archived_topic"))


def entries_by_id(user: User, entry_ids: Collection[UUID]) -> list[Entry]:
    """Those of the entries of ``user`` that are still there."""
    return read(entries(user).filter(pk__in=entry_ids).defer("evidence", "archived_topic"))


def changes(user: User, change_ids: Collection[UUID]) -> list[Change]:
    """Those of the changes of the book of ``user``, without the evidence."""
    mine = Change.objects.filter(book__user=user, book__tenant=user.tenant_id, pk__in=change_ids)
    return read(mine.defer("evidence"))


def learning(user: User, turn_id: UUID) -> Learning:
    return learnings(user).get(pk=turn_id)


def learnings(user: User) -> QuerySet[Learning]:
    """What became of learning in the turns of ``user`` that were in Learn mode."""
    return Learning.objects.filter(user=user, tenant=user.tenant_id)


def suggestions(user: User) -> QuerySet[Suggestion]:
    """What waits for ``user`` to accept it, oldest first; nothing of a workspace that they have left (LEARN-23)."""
    mine = Suggestion.objects.filter(book__user=user, book__tenant=user.tenant_id).order_by("created_at", "pk")
    return mine.filter(Q(workspace=None) | Q(workspace__in=user.memberships.values("workspace"))).select_related(
        "workspace"
    )


def manageable(user: User, workspace: Workspace | None) -> QuerySet[Entry]:
    """The entries that can be managed from a place: the global ones, and those of its workspace (ENTRY-10, ENTRY-29)."""
    found = entries(user).filter(workspace=None)
    if workspace and is_member(user, workspace):
        found |= entries(user).filter(workspace=workspace)
    return found


def is_member(user: User, workspace: Workspace) -> bool:
    return user.tenant_id == workspace.tenant_id and user.memberships.filter(workspace=workspace).exists()


def capacity(user: User) -> Capacity:
    return Capacity(entries(user).count(), settings.ADMINCHAT_MEMORY_ENTRIES)


def book_revision(user: User) -> int:
    """How often the book was written to; 0 where there is none."""
    found = Book.objects.filter(user=user, tenant=user.tenant_id).values_list("revision", flat=True).first()
    return found or 0


def expired(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    return entries.filter(expires_at__lte=timezone.now()).exclude(tier=Tier.ARCHIVE)


def unused(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Those of ``entries`` that could have been loaded for a long time, and never were (ENTRY-12)."""
    long_ago = timezone.now() - timedelta(days=settings.ADMINCHAT_MEMORY_UNUSED_DAYS)
    quiet = entries.filter(updated_at__lt=long_ago).exclude(tier=Tier.ARCHIVE)
    return quiet.filter(last_loaded_at=None) | quiet.filter(last_loaded_at__lt=long_ago)


def topics(user: User) -> list[str]:
    """The topics that ``user`` has used, in alphabetical order, for suggestions."""
    rows = read(entries(user).filter(tier=Tier.TOPIC).only("topic", "workspace"))
    return sorted({entry.topic for entry in rows if entry.is_readable})


def activities(user: User) -> QuerySet[Activity]:
    """What ``user``'s turns loaded, newest first."""
    return Activity.objects.filter(user=user, tenant=user.tenant_id).order_by("-created_at")


def activity(user: User, turn_id: UUID) -> Activity:
    return activities(user).get(pk=turn_id)


def is_recorded(user: User) -> Exists:
    """For a query of turns: whether it is recorded what each of them loaded for ``user``."""
    return Exists(activities(user).filter(pk=OuterRef("pk")))


def has_activity(user: User, turn_id: UUID) -> bool:
    """Whether it is recorded what that turn loaded."""
    return activities(user).filter(pk=turn_id).exists()
