"""Learning in a turn from its end to its receipt, as a row of the database (LEARN-8, LEARN-18, LEARN-22).

1. ``begin``, in the transaction that ends the turn: what needs no model is decided at once and is the receipt; the rest
   waits, and after the commit a task is sent. The row is the queue: the broker holds no more than a few tasks of each
   tenant, so that nobody's backlog keeps others waiting (OPS-6), and losing them loses nothing (REL-3).
2. ``started``, in a worker. A task that comes twice finds the outcome there, or competes for it: who locks the row
   first writes, the other finds it settled (REL-1).
3. ``settle`` gives the row its outcome, once, in the transaction that writes the entries.
4. ``sweep`` sends tasks again that nobody has ended, and gives up what is a day old.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from adminchat.accounts.models import MemoryMode, User
from adminchat.accounts.policies import policy_for
from adminchat.lib.events import announce, user_channel
from memory.learning.eligibility import Verdict, judge
from memory.learning.outcomes import Outcome
from memory.models import Learning
from memory.rules import MemoryRule

logger = logging.getLogger(__name__)

ATTEMPTS = 5  # of workers that died over one turn, before it counts as failed

REPEATED = "repeated"
EVERYTHING = "everything"
ASKED = "asked"
SHUT_CONNECTION = "connection"


def begin(
    user: User, text: str, *, turn_id: UUID, session_id: UUID, message_id: UUID, rule: str, repeated: bool
) -> Learning:
    """Keep what is to be done for a turn in Learn mode that ends with this transaction; a second time nothing.

    ``rule`` is the one by which the turn used no memory, if any; ``repeated`` says that its message had a turn before.
    """
    outcome, detail = _without_model(user, text, rule, repeated)
    learning, made = Learning.objects.get_or_create(
        turn_id=turn_id,
        defaults={
            "session_id": session_id,
            "message_id": message_id,
            "tenant_id": user.tenant_id,
            "user": user,
            "outcome": outcome,
            "detail": detail,
            "waited": not outcome,
            "finished_at": timezone.now() if outcome else None,
        },
    )
    if made and not outcome:
        transaction.on_commit(partial(send, turn_id, user.tenant_id))
    return learning


def _without_model(user: User, text: str, rule: str, repeated: bool) -> tuple[str, str]:
    """What becomes of learning without asking anything further, or "", and its detail."""
    if rule == MemoryRule.NO_MEMORY_CONNECTION:
        return Outcome.LEARN_UNAVAILABLE, SHUT_CONNECTION
    if rule:
        return Outcome.POLICY if rule == MemoryRule.POLICY else Outcome.OFF, ""
    if repeated:
        return Outcome.NOT_TRIGGERED, REPEATED
    languages = policy_for(user).learning_languages
    try:
        verdict = judge(text, languages=languages)
    except Exception as error:  # noqa: BLE001 (whatever a text does to the patterns, the turn must end)
        logger.error("A message could not be judged", extra={"error_type": type(error).__name__})
        return Outcome.FAILED, ""
    return (verdict.reason or "", detail_of(verdict)) if not verdict.eligible else ("", "")


def detail_of(verdict: Verdict) -> str:
    """What narrows down why a message isn't learned from."""
    if verdict.everything:
        return EVERYTHING
    return ASKED if verdict.asks else ""


def send(turn_id: UUID, tenant_id: UUID) -> bool:
    """Send a task for a turn that waits, and return whether. When its tenant has enough in the queue, the end of one of
    them sends it; when anything goes wrong, the sweep does."""
    from memory.tasks import learn

    try:
        in_queue = _waiting().filter(tenant=tenant_id, queued_at__isnull=False).count()
        if in_queue >= settings.ADMINCHAT_LEARNING_PER_TENANT:
            return False
        if not _waiting().filter(pk=turn_id, queued_at=None).update(queued_at=timezone.now()):
            return False
        learn.delay(str(turn_id))
    except Exception as error:  # noqa: BLE001 (the turn has ended all the same, and its page must hear of that)
        logger.warning("Learning is delayed", extra={"turn": str(turn_id), "error_type": type(error).__name__})
        with suppress(DatabaseError):
            _waiting().filter(pk=turn_id).update(queued_at=None)
        return False
    return True


def started(turn_id: UUID) -> Learning | None:
    """The work that a task is for; None when it has been settled, or was never there."""
    now = timezone.now()
    if not _waiting().filter(pk=turn_id).update(attempts=F("attempts") + 1, started_at=now, queued_at=now):
        return None
    return Learning.objects.select_related("user").get(pk=turn_id)


def is_old(learning: Learning) -> bool:
    return learning.created_at < timezone.now() - timedelta(hours=settings.ADMINCHAT_LEARNING_HOURS)


@transaction.atomic
def settle(turn_id: UUID, decide: Callable[[Learning], Outcome]) -> bool:
    """Let ``decide`` write, give the row its outcome, and tell the pages after the commit; False when it has one.

    ``decide`` runs while the row is locked, and may fill in its other fields.
    """
    learning = Learning.objects.select_for_update().filter(pk=turn_id, outcome="").first()
    if learning is None:
        return False
    learning.outcome = decide(learning)
    learning.finished_at = timezone.now()
    learning.save()
    transaction.on_commit(partial(_told, learning))
    return True


def _told(learning: Learning) -> None:
    announce(user_channel(learning.user_id), {"receipt": str(learning.pk)})
    _send_next(learning.tenant_id)


def cancel(user: User, session_id: UUID, mode: str) -> None:
    """End what has not been applied yet of a session whose mode is changed to Off or Read only (ENTRY-2)."""
    outcome = Outcome.OFF if mode == MemoryMode.OFF else Outcome.READ_ONLY
    for turn_id in _waiting().filter(user=user, session_id=session_id).values_list("pk", flat=True):
        settle(turn_id, lambda _learning: outcome)


def _waiting() -> "QuerySet[Learning]":
    return Learning.objects.filter(outcome="")


def _send_next(tenant_id: UUID) -> None:
    turn_id = (
        _waiting().filter(tenant=tenant_id, queued_at=None).order_by("created_at").values_list("pk", flat=True).first()
    )
    if turn_id:
        send(turn_id, tenant_id)


def sweep() -> int:
    """Send again what no worker has ended, give up what is a day old; return how many were sent (LEARN-8)."""
    old = timezone.now() - timedelta(hours=settings.ADMINCHAT_LEARNING_HOURS)
    for turn_id in _waiting().filter(created_at__lt=old).values_list("pk", flat=True):
        settle(turn_id, lambda _learning: Outcome.TIMEOUT)
    now, seconds = timezone.now(), settings.ADMINCHAT_LEARNING_SECONDS
    begun, sent = now - timedelta(seconds=2 * seconds), now - timedelta(seconds=10 * seconds)
    _waiting().filter(Q(started_at__lt=begun) | Q(started_at=None, queued_at__lt=sent)).update(queued_at=None)
    late = now - timedelta(seconds=settings.ADMINCHAT_LEARNING_DELAY_SECONDS)
    unsent = _waiting().filter(queued_at=None, created_at__lt=late)
    count = 0
    for tenant_id in set(unsent.values_list("tenant_id", flat=True)):
        mine = unsent.filter(tenant=tenant_id).order_by("created_at").values_list("pk", flat=True)
        count += sum(send(turn_id, tenant_id) for turn_id in mine[: settings.ADMINCHAT_LEARNING_PER_TENANT])
    return count


def delayed(user: User) -> list[Learning]:
    """What waits longer than it should, so that pages can say so (LEARN-22)."""
    late = timezone.now() - timedelta(seconds=settings.ADMINCHAT_LEARNING_DELAY_SECONDS)
    return list(_waiting().filter(user=user, tenant=user.tenant_id, created_at__lt=late)[:20])


def ended_since(user: User, moment: Any) -> list[Learning]:
    """What workers have ended since ``moment``, oldest first."""
    ended = Learning.objects.filter(user=user, tenant=user.tenant_id, finished_at__gt=moment)
    return list(ended.filter(waited=True).order_by("finished_at")[:50])
