"""What the page says that a turn loaded (ENTRY-22, ENTRY-23)."""

from typing import Any

from adminchat.accounts.models import User
from chat.models import Turn
from memory import reports, selectors
from memory.models import Activity
from memory.rules import MemoryRule


def report_of(user: User, turn: Turn) -> dict[str, Any]:
    """``rule``, or ``report`` of a turn of ``user``, or ``failed``: the context of ``memory/_report.html``."""
    if turn.memory_rule:
        return {"rule": MemoryRule(turn.memory_rule)}
    try:
        activity = selectors.activity(user, turn.pk)
    except Activity.DoesNotExist:
        return {"failed": True}
    if activity.failed:
        return {"failed": True}
    question = Turn.objects.filter(pk=turn.pk).values_list("message__text", flat=True).first()
    return {"report": reports.of_activity(user, activity, question)}
