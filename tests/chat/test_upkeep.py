"""Sessions whose time is over (CHAT-4, CHAT-25)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from adminchat.accounts.models import Tenant, TenantPolicy, User
from chat.models import Message, Session
from chat.upkeep import sweep
from tests.factories import MessageFactory, SessionFactory

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def _rules(tenant: Tenant, **rules: int | None) -> None:
    TenantPolicy.objects.update_or_create(tenant=tenant, defaults=rules)


def test_temporary_session_is_deleted_with_its_messages_a_day_after_its_last_turn(alice: User) -> None:  # CHAT-4
    now = timezone.now()
    over, within = (
        SessionFactory.create(user=alice, temporary=True, active_at=now - age) for age in (25 * HOUR, 23 * HOUR)
    )
    kept = SessionFactory.create(user=alice, active_at=now - 1000 * DAY)
    MessageFactory.create(session=over)
    said = MessageFactory.create(session=within)
    assert sweep().expired_sessions == 1
    assert set(Session.objects.all()) == {within, kept}
    assert list(Message.objects.all()) == [said]


def test_archived_session_is_deleted_where_the_tenant_wants_it(alice: User, carol: User) -> None:  # CHAT-25
    now = timezone.now()
    _rules(alice.tenant, archived_days=30)
    over, within = (SessionFactory.create(user=alice, archived_at=now - age) for age in (31 * DAY, 29 * DAY))
    listed = SessionFactory.create(user=alice, active_at=now - 1000 * DAY)
    elsewhere = SessionFactory.create(user=carol, archived_at=now - 1000 * DAY)
    assert sweep().expired_sessions == 1
    assert set(Session.objects.all()) == {within, listed, elsewhere}
    assert not Session.objects.filter(pk=over.pk).exists()


@pytest.mark.parametrize(("hours", "left"), [(1, 0), (48, 1)])
def test_each_tenant_sets_its_own_time(alice: User, carol: User, hours: int, left: int) -> None:  # CHAT-4, CHAT-25
    _rules(alice.tenant, temporary_hours=hours)
    for user in (alice, carol):
        SessionFactory.create(user=user, temporary=True, active_at=timezone.now() - 30 * HOUR)
    sweep()
    assert Session.objects.filter(user=alice).count() == left
    assert not Session.objects.filter(user=carol).exists()
