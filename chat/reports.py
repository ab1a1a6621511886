"""What the page says that a turn loaded, where no rule kept memory out of it (ENTRY-22)."""

from typing import Any

from adminchat.accounts.models import User
from chat.models import Turn
from memory import reports, selectors
from memory.models import Activity


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
