"""Writing what passed validation: all of a turn in one transaction, with its history (LEARN-16, LEARN-17, LEARN-20)."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy

from adminchat.accounts.models import User, Workspace
from adminchat.lib.encryption import read
from memory import changes, entries, selectors
from memory.changes import Origin
from memory.entries import Content
from memory.expiry import day_and_time, end_of
from memory.learning.book import Known
from memory.learning.operations import Operation
from memory.learning.outcomes import Outcome
from memory.learning.validation import Judged, validate
from memory.models import Book, Change, Entry, Source, Suggestion, Tier
from memory.texts import same


class Pinned(entries.EntryRefused):
    """Learning neither changes nor removes what its owner has pinned (ENTRY-11)."""

    sentence = gettext_lazy("The entry is pinned. Unpin it first, or leave it as it is.")


class AlreadyThere(entries.EntryRefused):
    """There is an entry that says this, or that is about the same (LEARN-16)."""

    sentence = gettext_lazy(
        "An entry says this already, or is about the same. Edit that one, or reject the suggestion."
    )


@dataclass(frozen=True)
class Proposal:
    """What extraction proposed for a message, and the entries that it was shown: ids and their revisions then.

    ``masked`` names the kinds of secrets that it was not shown.
    """

    message: str
    operations: Sequence[Operation]
    shown: dict[str, int]
    workspace: Workspace | None
    today: date
    origin: Origin
    masked: tuple[str, ...] = ()


@dataclass
class Applied:
    """What became of the operations, in their order, and the changes or suggestions that were made of those that passed."""

    judged: list[Judged]
    written: list[Change] = field(default_factory=list)
    suggested: list[Suggestion] = field(default_factory=list)

    masked: tuple[str, ...] = ()

    @property
    def refused(self) -> list[Judged]:
        return [one for one in self.judged if one.outcome != Outcome.UPDATED]

    @property
    def outcome(self) -> Outcome:
        """The one of the turn: that something was written or suggested, else why the first was refused."""
        if self.written or self.suggested:
            return Outcome.UPDATED
        if self.refused:
            return self.refused[0].outcome
        return Outcome.UNSAFE if self.masked else Outcome.NO_CANDIDATES


def apply(user: User, proposal: Proposal, *, ask_first: bool) -> Applied:
    """Validate against the book as it is now, and write what passes; to be called within a transaction.

    With ``ask_first`` it is kept as suggestions instead.
    """
    if proposal.workspace:
        entries.lock_workspace(proposal.workspace)
    book = entries.locked_book(user)
    workspace = proposal.workspace if proposal.workspace and selectors.is_member(user, proposal.workspace) else None
    stored = {str(entry.pk): entry for entry in _shown(book, proposal.shown)}
    judged = validate(
        proposal.message,
        proposal.operations,
        book=[known(entry) for entry in stored.values()],
        workspace=workspace.name if workspace else None,
        today=proposal.today,
        room=settings.ADMINCHAT_MEMORY_ENTRIES - book.entries.count(),
    )
    moved = {key for key, revision in proposal.shown.items() if key not in stored or stored[key].revision != revision}
    judged = [_in_time(one, moved) for one in judged]
    passed = [one.operation for one in judged if one.outcome == Outcome.UPDATED]
    passed.sort(key=lambda operation: operation.op != "forget")  # what is forgotten makes room first
    applied = Applied(judged, masked=proposal.masked)
    if ask_first:
        applied.suggested = [_suggest(book, workspace, stored, operation, proposal.origin) for operation in passed]
    else:
        applied.written = [_write(book, workspace, stored, operation, proposal.origin) for operation in passed]
        if passed:
            entries.moved_on(book)
    return applied


def write_accepted(
    user: User,
    book: Book,
    workspace: Workspace | None,
    operation: Operation,
    origin: Origin,
    content: Content | None,
    *,
    target_revision: int | None,
) -> Change:
    """Write a suggestion that its owner accepted, with ``content`` in their own words; the book is locked.

    Their yes stands in for the evidence; limits, pins and membership hold as ever. Raises ``Entry.DoesNotExist``,
    ``EntryRefused``, ``ValidationError``.
    """
    if workspace and not selectors.is_member(user, workspace):
        raise entries.OtherPlace
    stored: dict[str, Entry] = {}
    if operation.op == "add":
        if book.entries.count() >= settings.ADMINCHAT_MEMORY_ENTRIES:
            raise entries.BookFull
        if _is_there(book, workspace, operation, content or content_of(operation)):
            raise AlreadyThere
    else:
        stored = {str(entry.pk): entry for entry in _shown(book, [operation.target or ""])}
        if not stored:
            raise Entry.DoesNotExist
        for entry in stored.values():
            if entry.pinned:
                raise Pinned
            if entry.revision != target_revision:
                raise entries.Outdated(entry)
    change = _write(book, workspace, stored, operation, origin, content)
    entries.moved_on(book)
    return change


def _is_there(book: Book, workspace: Workspace | None, operation: Operation, content: Content) -> bool:
    """Whether an entry of that scope says the same, or is about the same."""
    here = read(book.entries.filter(workspace=workspace if operation.scope == "workspace" else None))
    return any(
        entry.is_readable
        and (
            entry.fact_key == operation.fact_key
            or (same(entry.text, content.text) and same(entry.topic, content.topic))
        )
        for entry in here
    )


def known(entry: Entry) -> Known:
    """An entry as validation knows it."""
    return Known(
        id=str(entry.pk),
        scope=entry.scope,
        tier=entry.tier,
        topic=entry.topic,
        kind=entry.kind,
        text=entry.text,
        fact_key=entry.fact_key,
        pinned=entry.pinned,
        expires=day_and_time(entry.expires_at)[0] if entry.expires_at else None,
    )


def _shown(book: Book, shown: Iterable[str]) -> list[Entry]:
    rows = read(book.entries.filter(pk__in=shown).order_by("created_at", "pk"))
    return [entry for entry in rows if entry.is_readable]


def _in_time(one: Judged, moved: set[str]) -> Judged:
    """What would change an entry that somebody changed since it was shown is a conflict: their hand is newer (CONF-1)."""
    if one.outcome in (Outcome.UPDATED, Outcome.INVALID_OUTPUT) and one.operation.target in moved:
        return replace(one, outcome=Outcome.REVISION_CONFLICT)
    return one


def _write(
    book: Book,
    workspace: Workspace | None,
    stored: dict[str, Entry],
    operation: Operation,
    origin: Origin,
    content: Content | None = None,
) -> Change:
    if operation.op == "add":
        entry = Entry(book=book, workspace=workspace if operation.scope == "workspace" else None)
        _fill(entry, operation, origin, content)
        entry.save(force_insert=True)
        return changes.record(book, entry, Change.Action.ADDED, "", origin)
    entry = stored[operation.target or ""]
    before = changes.snapshot(entry)
    if operation.op == "forget":
        book.entries.filter(pk=entry.pk).delete()
        entry.evidence = operation.evidence
        return changes.record(book, entry, Change.Action.DELETED, before, origin)
    _fill(entry, operation, origin, content)
    entries.save([entry], timezone.now())
    return changes.record(book, entry, Change.Action.CHANGED, before, origin)


def content_of(operation: Operation) -> Content:
    """What an operation says, as a person would enter it; a topic counts only where the tier is topic."""
    return Content(
        text=operation.text,
        tier=operation.tier,
        topic=operation.topic if operation.tier == Tier.TOPIC else "",
        kind=operation.kind,
        expires_at=end_of(operation.expires) if operation.expires else None,
    )


def _fill(entry: Entry, operation: Operation, origin: Origin, content: Content | None) -> None:
    by_hand = content is not None
    content = (content or content_of(operation)).cleaned()
    own_key = "" if entry.fact_key.startswith(entries.HAND_MADE) else entry.fact_key  # one that says what it is about
    entry.fact_key = own_key or operation.fact_key or entries.hand_made_key(content.topic, content.text)
    entry.text, entry.tier, entry.topic = content.text, content.tier, content.topic
    if operation.op == "add" or by_hand:
        entry.kind, entry.expires_at, entry.pinned = content.kind, content.expires_at, content.pinned
    else:  # an update changes what it names
        entry.expires_at = content.expires_at or entry.expires_at
    entry.archived_topic = entry.former_workspace = ""
    entry.source, entry.evidence, entry.message_id = Source.LEARNED, operation.evidence, origin.message_id


def _suggest(
    book: Book, workspace: Workspace | None, stored: dict[str, Entry], operation: Operation, origin: Origin
) -> Suggestion:
    assert origin.turn_id and origin.message_id
    target = stored.get(operation.target or "")
    return Suggestion.objects.create(
        book=book,
        workspace=workspace if operation.scope == "workspace" else None,
        turn_id=origin.turn_id,
        message_id=origin.message_id,
        operation=as_json(operation),
        target_revision=target.revision if target else None,
        prompt_code=origin.prompt_code,
    )


def as_json(operation: Operation) -> str:
    """An operation as it is kept."""
    fields: dict[str, Any] = asdict(operation)
    if operation.expires:
        fields["expires"] = operation.expires.isoformat()
    return json.dumps(fields, ensure_ascii=False)
