"""The writes to entries (ENTRY-7 to ENTRY-12, ENTRY-30, CONF-1); ``memory.learning.apply`` writes by what stands here.

Each write is one transaction that locks the user's book first, so that writers of one book take turns: what one of them
counts or compares still holds when it commits. Every change of one entry carries the revision that its author saw.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from adminchat.accounts.models import User, Workspace
from adminchat.lib.encryption import read
from memory import changes, selectors
from memory.models import Book, Entry, Kind, Source, Tier
from memory.texts import clean_line, folded

T = TypeVar("T")


WRITTEN = (
    "tier",
    "kind",
    "text",
    "topic",
    "archived_topic",
    "pinned",
    "expires_at",
    "fact_key",
    "workspace",
    "former_workspace",
    "source",
    "evidence",
    "message_id",
    "updated_at",
    "revision",
)
"""The fields that an edit may change: not when an entry was loaded last, which turns write without the book's lock."""


class EntryRefused(Exception):
    """Nothing was written. ``sentence`` tells its reader what to do."""

    sentence: str | Promise


class BookFull(EntryRefused):
    """The book holds as many entries as it may; nothing is evicted (ENTRY-9)."""

    @property
    def sentence(self) -> str:  # type: ignore[override]
        return _(
            "Your memory is full: it holds %(limit)d entries, archived and expired ones and those of all workspaces "
            "included. Delete one that you no longer need, then add this one."
        ) % {"limit": settings.ADMINCHAT_MEMORY_ENTRIES}


class OtherPlace(EntryRefused):
    """A workspace entry is written only from a session of its workspace, by a current member (ENTRY-10)."""

    sentence = gettext_lazy(
        "Entries of a workspace can be added and changed only from a chat in that workspace, by its members. "
        "You can still delete this one."
    )


class Unreadable(EntryRefused):
    """No key can read the entry, so that nothing can be kept of it in a change (OPS-8)."""

    sentence = gettext_lazy(
        "This entry cannot be decrypted with the keys of this installation. You can only delete it."
    )


class AlreadyOverridden(EntryRefused):
    """A workspace has one version of a global entry at a time: two would contradict each other (ENTRY-16)."""

    sentence = gettext_lazy("This workspace has its own version of that entry already. Edit that one instead.")


class Outdated(EntryRefused):
    """The entry has changed since its author saw it; ``entry`` is the newer version (ENTRY-30)."""

    sentence = gettext_lazy("This entry was changed meanwhile. Choose which version to keep.")

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.entry = entry


@dataclass(frozen=True)
class Content:
    """What a person decides about an entry. ``expires_at`` is the moment from which it is no longer loaded."""

    text: str
    tier: str = Tier.CORE
    topic: str = ""
    kind: str = Kind.PREFERENCE
    pinned: bool = False
    expires_at: datetime | None = None

    def cleaned(self) -> "Content":
        """The same as it is stored. Raises ``ValidationError`` with all that is wrong, by field."""
        errors: dict[str, ValidationError] = {}
        text, topic = self.text, self.topic
        try:
            text = clean_line(self.text, settings.ADMINCHAT_MEMORY_TEXT_CHARACTERS)
            if not text:
                raise ValidationError(_("Write what is to be remembered."), code="required")
        except ValidationError as error:
            errors["text"] = error
        try:
            topic = clean_line(self.topic, settings.ADMINCHAT_MEMORY_TOPIC_CHARACTERS)
            if self.tier == Tier.TOPIC and not topic:
                raise ValidationError(_("Name the topic, or choose another tier."), code="topic_required")
            if self.tier != Tier.TOPIC and topic:
                raise ValidationError(
                    _("Only entries of the tier “Topic” have a topic. Choose that tier, or leave the topic empty."),
                    code="topic_forbidden",
                )
        except ValidationError as error:
            errors["topic"] = error
        if errors:
            raise ValidationError(errors)
        return Content(text, Tier(self.tier), topic, Kind(self.kind), self.pinned, self.expires_at)


HAND_MADE = "hand:"


def hand_made_key(topic: str, text: str) -> str:
    """The fact key of an entry that a person wrote: the same topic and text are the same fact (ENTRY-7, ENTRY-16)."""
    digest = hashlib.sha256(f"{folded(topic)}\0{folded(text)}".encode()).hexdigest()
    return f"{HAND_MADE}{digest[:32]}"


@transaction.atomic
def add(
    user: User,
    content: Content,
    *,
    workspace: Workspace | None = None,
    source: str = Source.USER,
    overrides: UUID | None = None,
    message_id: UUID | None = None,
) -> Entry:
    """Store a new entry, of ``workspace`` where one is given.

    With ``overrides`` it takes the place of that global entry there. Raises ``ValidationError``, ``BookFull``,
    ``OtherPlace``, and of what is overridden ``Entry.DoesNotExist``, ``Unreadable``, ``AlreadyOverridden``.
    """
    content = content.cleaned()
    if workspace:
        lock_workspace(workspace)
    book = locked_book(user)
    if workspace and not selectors.is_member(user, workspace):
        raise OtherPlace
    if book.entries.count() >= settings.ADMINCHAT_MEMORY_ENTRIES:
        raise BookFull
    entry = Entry.objects.create(
        book=book,
        workspace=workspace,
        tier=content.tier,
        topic=content.topic,
        text=content.text,
        kind=content.kind,
        pinned=content.pinned,
        expires_at=content.expires_at,
        fact_key=_share_key(book, overrides, workspace)
        if overrides and workspace
        else hand_made_key(content.topic, content.text),
        source=source,
        message_id=message_id,
    )
    moved_on(book)
    return entry


def change(user: User, entry_id: UUID, content: Content, *, revision: int, workspace: Workspace | None) -> Entry:
    """Give an entry new content. A hand-made fact key follows it; any other stays (ENTRY-7, ENTRY-16).

    ``workspace`` is where it is done from. Raises ``Entry.DoesNotExist``, ``ValidationError``, ``Outdated``,
    ``OtherPlace``, ``Unreadable``.
    """
    content = content.cleaned()

    def apply(entry: Entry) -> None:
        if entry.fact_key == hand_made_key(entry.archived_topic or entry.topic, entry.text):
            entry.fact_key = hand_made_key(content.topic, content.text)
        entry.tier, entry.topic, entry.text = content.tier, content.topic, content.text
        entry.kind, entry.pinned, entry.expires_at = content.kind, content.pinned, content.expires_at
        entry.archived_topic = ""

    return _edit(user, entry_id, revision, workspace, apply)


def pin(user: User, entry_id: UUID, pinned: bool, *, revision: int, workspace: Workspace | None) -> Entry:
    """Protect an entry from learning, or no longer (ENTRY-11). Raises as ``change``."""

    def apply(entry: Entry) -> None:
        entry.pinned = pinned

    return _edit(user, entry_id, revision, workspace, apply)


def archive(user: User, entry_id: UUID, *, revision: int, workspace: Workspace | None) -> Entry:
    """Keep an entry, but load it no more (ENTRY-12). Raises as ``change``."""
    return _edit(user, entry_id, revision, workspace, _archive)


def restore(user: User, entry_id: UUID, *, revision: int, workspace: Workspace | None) -> Entry:
    """Bring an archived entry back to the topic that it came from, or to the core. Raises as ``change``."""

    def apply(entry: Entry) -> None:
        if entry.tier == Tier.ARCHIVE:
            entry.topic = entry.archived_topic or entry.topic  # one that no key could read was archived with its topic
            entry.tier, entry.archived_topic = Tier.TOPIC if entry.topic else Tier.CORE, ""
            entry.former_workspace = ""

    return _edit(user, entry_id, revision, workspace, apply)


def renew(user: User, entry_id: UUID, *, revision: int, workspace: Workspace | None) -> Entry:
    """Say that an entry is to stay although it goes unused, or has expired: its expiry then goes; one to come stays
    (ENTRY-12). Raises as ``change``."""
    return _edit(user, entry_id, revision, workspace, _renew)


def delete(user: User, entry_id: UUID, *, revision: int) -> None:
    """Delete an entry for good, also one of a workspace that its owner has left (ENTRY-10).

    Raises ``Entry.DoesNotExist`` and ``Outdated``.
    """
    delete_many(user, {entry_id: revision})


@transaction.atomic
def delete_many(user: User, revisions: Mapping[UUID, int]) -> int:
    """Delete all of these entries or none; return how many. Raises as ``delete``."""
    book = locked_book(user)
    found = _current(book, revisions)
    keys = [entry.pk for entry in found]
    book.entries.filter(pk__in=keys).delete()
    changes.erase(book, keys)
    moved_on(book)
    return len(found)


def archive_many(user: User, revisions: Mapping[UUID, int], *, workspace: Workspace | None) -> int:
    """Archive all of these entries or none; return how many. Raises as ``archive``."""
    return len(_edit_many(user, revisions, workspace, _archive))


def renew_many(user: User, revisions: Mapping[UUID, int], *, workspace: Workspace | None) -> int:
    """Renew all of these entries or none; return how many. Raises as ``renew``."""
    return len(_edit_many(user, revisions, workspace, _renew))


@transaction.atomic
def archive_of_deleted_workspace(workspace: Workspace) -> None:
    """Archive the entries of a workspace that is about to be deleted as global ones of their owners.

    They are their owners' memory, which nobody else deletes (ENTRY-6); and loaded elsewhere they would be out of place.
    The workspace is locked, so that nobody adds another one until it is gone.
    """
    lock_workspace(workspace)
    owners = Entry.objects.filter(workspace=workspace).values("book")
    for book in Book.objects.select_for_update().filter(pk__in=owners).order_by("pk"):
        left = read(book.entries.filter(workspace=workspace).order_by("pk"))
        now = timezone.now()
        for entry in left:
            entry.workspace, entry.former_workspace = None, workspace.name
            if entry.is_readable:
                _archive(entry)
        save([entry for entry in left if entry.is_readable], now)
        book.entries.filter(pk__in=[entry.pk for entry in left if not entry.is_readable]).update(
            tier=Tier.ARCHIVE,
            workspace=None,
            former_workspace=workspace.name,
            updated_at=now,
            revision=F("revision") + 1,
        )
        moved_on(book)


def _archive(entry: Entry) -> None:
    if entry.tier != Tier.ARCHIVE:
        entry.tier, entry.archived_topic, entry.topic = Tier.ARCHIVE, entry.topic, ""


def _renew(entry: Entry) -> None:
    if entry.is_expired:
        entry.expires_at = None


def _edit(
    user: User, entry_id: UUID, revision: int, workspace: Workspace | None, apply: Callable[[Entry], None]
) -> Entry:
    return _edit_many(user, {entry_id: revision}, workspace, apply)[0]


@transaction.atomic
def _edit_many(
    user: User, revisions: Mapping[UUID, int], workspace: Workspace | None, apply: Callable[[Entry], None]
) -> list[Entry]:
    book = locked_book(user)
    found = _current(book, revisions)
    if not all(entry.is_readable for entry in found):
        raise Unreadable
    places = {entry.workspace_id for entry in found} - {None}
    if places and not (workspace and places == {workspace.pk} and selectors.is_member(user, workspace)):
        raise OtherPlace
    for entry in found:
        apply(entry)
    save(found, timezone.now())
    moved_on(book)
    return found


def save(changed: list[Entry], now: datetime) -> None:
    """Write what was changed of entries whose book is locked, however many they are, in a query or two."""
    for entry in changed:
        entry.revision += 1
        entry.updated_at = now
    Entry.objects.bulk_create(changed, update_conflicts=True, unique_fields=["id"], update_fields=WRITTEN)


def _share_key(book: Book, entry_id: UUID, workspace: Workspace) -> str:
    """A fact key for the global entry and for the one that is about to take its place in ``workspace`` (ENTRY-16).

    It says nothing of either's text, so that both can be edited. Raises ``Entry.DoesNotExist``, ``Unreadable``,
    ``AlreadyOverridden``.
    """
    found = read(book.entries.filter(Q(pk=entry_id, workspace=None) | Q(workspace=workspace)))
    overridden = next((entry for entry in found if entry.pk == entry_id), None)
    if overridden is None:
        raise Entry.DoesNotExist
    if not overridden.is_readable:
        raise Unreadable
    others = [entry for entry in found if entry.pk != entry_id and entry.is_readable and entry.tier != Tier.ARCHIVE]
    if any(entry.fact_key == overridden.fact_key and not entry.is_expired for entry in others):
        raise AlreadyOverridden
    if overridden.fact_key.startswith(HAND_MADE):
        overridden.fact_key = f"shared:{uuid4().hex}"
        overridden.save(update_fields=["fact_key"])
    return overridden.fact_key


def lock_workspace(workspace: Workspace) -> None:
    """Wait for who adds to the workspace or deletes it; always before a book is locked."""
    Workspace.objects.select_for_update().filter(pk=workspace.pk).first()


def locked_book(user: User) -> Book:
    """The user's book, locked until the transaction ends; made where there is none yet."""
    Book.objects.get_or_create(tenant_id=user.tenant_id, user=user)
    return Book.objects.select_for_update().get(tenant_id=user.tenant_id, user=user)


def _current(book: Book, revisions: Mapping[UUID, int]) -> list[Entry]:
    """These entries as their author saw them. Raises ``Entry.DoesNotExist`` and ``Outdated``."""
    found = read(book.entries.select_related("workspace").filter(pk__in=revisions).order_by("pk"))
    if len(found) < len(revisions):
        raise Entry.DoesNotExist
    for entry in found:
        if entry.revision != revisions[entry.pk]:
            raise Outdated(entry)
    return found


def moved_on(book: Book) -> None:
    """Count a write."""
    Book.objects.filter(pk=book.pk).update(revision=F("revision") + 1)
