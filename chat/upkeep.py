"""What has to be put right, or has run out, whatever process died meanwhile."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from adminchat.accounts.models import Tenant
from adminchat.accounts.policies import policy_of
from chat import turns
from chat.models import Session
from memory import changes, loads, suggestions
from memory.learning import jobs

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Swept:
    """Counts of what one sweep did."""

    interrupted_turns: int
    expired_sessions: int
    expired_activities: int
    learnings_sent: int
    expired_suggestions: int
    erased_changes: int


def sweep() -> Swept:
    """End turns whose process has gone (REL-2), queue learning that was left behind (LEARN-8), delete what is over."""
    tenants = list(Tenant.objects.all())
    return Swept(
        interrupted_turns=turns.sweep(),
        expired_sessions=sum(map(_expire, tenants)),
        expired_activities=sum(loads.forget_old(tenant.pk, policy_of(tenant.pk).activity_days) for tenant in tenants),
        learnings_sent=_apart(jobs.sweep),
        expired_suggestions=_apart(suggestions.expire),
        erased_changes=_apart(changes.erase_due),
    )


def _apart(step: Callable[[], int]) -> int:
    """Do one step; one that fails is tried at the next sweep, and keeps the others from nothing."""
    try:
        return step()
    except Exception as error:  # noqa: BLE001
        logger.error("A step of the sweep failed", extra={"error_type": type(error).__name__})
        return 0


def _expire(tenant: Tenant) -> int:
    now = timezone.now()
    policy = policy_of(tenant.pk)
    expired = Session.objects.filter(
        tenant=tenant, temporary=True, active_at__lt=now - timedelta(hours=policy.temporary_hours)
    )
    count = expired.count()
    expired.delete()
    if policy.archived_days:
        archived = Session.objects.filter(tenant=tenant, archived_at__lt=now - timedelta(days=policy.archived_days))
        count += archived.count()
        archived.delete()
    return count
