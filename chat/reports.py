"""What the page says of memory beside a turn: what it loaded, and what was learned from it (ENTRY-22, LEARN-18)."""

from typing import Any

from adminchat.accounts.models import MemoryMode, User
from chat.models import Turn
from memory import reports, selectors
from memory.learning import receipts
from memory.learning.receipts import Receipt
from memory.models import Activity, Learning


def report_of(user: User, turn: Turn) -> dict[str, Any]:
    """The ``report`` of a turn of ``user``, or ``failed``: the context of ``memory/_report.html``."""
    try:
        activity = selectors.activity(user, turn.pk)
    except Activity.DoesNotExist:
        return {}  # the turn ended before it had looked, or its record is gone
    if activity.failed:
        return {"failed": True}
    question = Turn.objects.filter(pk=turn.pk).values_list("message__text", flat=True).first()
    return {"report": reports.of_activity(user, activity, question)}


def receipt_of(user: User, turn: Turn) -> Receipt | None:
    """The receipt of a turn of ``user`` that has ended, or that it is still to come (LEARN-18)."""
    if turn.memory_mode != MemoryMode.LEARN:
        return receipts.of_mode(turn.pk, turn.memory_mode, turn.memory_rule)
    try:
        return receipts.of_learning(user, selectors.learning(user, turn.pk))
    except Learning.DoesNotExist:
        return None
