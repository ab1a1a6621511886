"""When entries end: a day counts to its end in the account's time zone, a moment as it is (ENTRY-7)."""

from datetime import date, datetime, time, timedelta

from django.utils import timezone

YEARS = range(1000, 9999)
"""Years that are counted with; beyond, a day has no next one in some time zone."""


def end_of(day: date) -> datetime:
    """The moment at which ``day`` ends where the account is. Where clocks skip midnight, it is when they do."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))


def day_and_time(moment: datetime) -> tuple[date, time | None]:
    """An expiry as it is typed: the last day, and the time where it ends within that day."""
    local = timezone.localtime(moment)
    before = local.date() - timedelta(days=1)
    if end_of(before).timestamp() == moment.timestamp():
        return before, None
    return local.date(), local.time().replace(second=0, microsecond=0)
