"""Suggestions: what learning would write, until its owner accepts or rejects it (LEARN-23)."""

import json
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from adminchat.accounts.models import User
from adminchat.lib.encryption import read
from memory import entries, selectors
from memory.changes import Origin
from memory.entries import Content
from memory.learning.apply import write_accepted
from memory.learning.operations import Operation, parse_operation
from memory.models import Change, Entry, Source, Suggestion


@dataclass(frozen=True)
class Suggested:
    """A suggestion with what it says, and the entry that it would change or remove, if it is there."""

    suggestion: Suggestion
    operation: Operation | None
    entry: Entry | None


def listed(user: User) -> list[Suggested]:
    """What waits for ``user``, oldest first."""
    rows = read(selectors.suggestions(user))
    operations = {row.pk: operation_of(row) for row in rows if row.is_readable}
    targets = {UUID(operation.target) for operation in operations.values() if operation.target}
    found = {entry.pk: entry for entry in selectors.entries_by_id(user, targets)}
    listed = []
    for row in rows:
        operation = operations.get(row.pk)
        target = found.get(UUID(operation.target)) if operation and operation.target else None
        listed.append(Suggested(row, operation, target))
    return listed


def operation_of(suggestion: Suggestion) -> Operation:
    return parse_operation(json.loads(suggestion.operation))


def get(user: User, suggestion_id: UUID) -> Suggestion:
    """That suggestion. Raises ``Suggestion.DoesNotExist``, also for one that no key can read."""
    found = read(selectors.suggestions(user).filter(pk=suggestion_id))
    if not found or not found[0].is_readable:
        raise Suggestion.DoesNotExist
    return found[0]


@transaction.atomic
def accept(user: User, suggestion_id: UUID, content: Content | None = None) -> Change:
    """Write a suggestion, with ``content`` in its owner's words; nothing else happens to it when it is refused.

    Raises ``Suggestion.DoesNotExist``, ``Entry.DoesNotExist`` when what it would change is gone, ``EntryRefused``,
    ``ValidationError``.
    """
    suggestion = get(user, suggestion_id)
    if suggestion.workspace:
        entries.lock_workspace(suggestion.workspace)
    book = entries.locked_book(user)
    if not Suggestion.objects.filter(pk=suggestion.pk).delete()[0]:
        raise Suggestion.DoesNotExist
    origin = Origin(Source.LEARNED, suggestion.turn_id, suggestion.message_id, suggestion.prompt_code)
    return write_accepted(
        user,
        book,
        suggestion.workspace,
        operation_of(suggestion),
        origin,
        content,
        target_revision=suggestion.target_revision,
    )


def reject(user: User, suggestion_id: UUID) -> bool:
    """Delete a suggestion; False when it is gone already."""
    return bool(selectors.suggestions(user).filter(pk=suggestion_id).delete()[0])


def expire() -> int:
    """Delete what nobody accepted in time; return how many those were."""
    old = timezone.now() - timedelta(days=settings.ADMINCHAT_SUGGESTION_DAYS)
    return Suggestion.objects.filter(created_at__lt=old).delete()[0]
