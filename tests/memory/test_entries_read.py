"""What is read of entries: only one's own, and what counts as expired or unused (ENTRY-6, ENTRY-9, ENTRY-12)."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from adminchat.accounts.models import User, Workspace
from memory import entries, loads, selectors
from memory.entries import Content
from memory.loads import Target
from memory.models import Activity, Entry, Tier
from tests.factories import EntryFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db


def test_nobody_reads_the_entries_of_others(alice: User, bob: User, carol: User, root: User) -> None:  # ENTRY-6
    entry = EntryFactory.create(
        user=alice, tier=Tier.TOPIC, topic="Tea", updated_at=timezone.now() - timedelta(days=400)
    )
    for other in (bob, carol, root):
        assert not selectors.entries(other).exists()
        assert not selectors.manageable(other, None).exists()
        assert selectors.candidates(other, None) == []
        assert selectors.entries_for_report(other) == []
        assert selectors.topics(other) == []
        assert selectors.capacity(other).used == 0
        assert selectors.book_revision(other) == 0
        with pytest.raises(Entry.DoesNotExist):
            selectors.entry(other, entry.pk)


def test_entries_stay_in_the_tenant_in_which_they_were_made(alice: User, carol: User) -> None:  # ENTRY-6
    EntryFactory.create(user=alice)
    alice.tenant = carol.tenant
    alice.save()
    assert not selectors.entries(alice).exists()
    assert selectors.capacity(alice).used == 0
    entries.add(alice, Content("In the other tenant."))
    assert [entry.text for entry in selectors.entries(alice)] == ["In the other tenant."]


def test_what_can_be_managed_from_a_place(alice: User, workspace: Workspace) -> None:  # ENTRY-10, ENTRY-29
    everywhere = EntryFactory.create(user=alice)
    here = EntryFactory.create(user=alice, workspace=workspace)
    there = WorkspaceFactory.create(tenant=alice.tenant)
    EntryFactory.create(user=alice, workspace=there)
    assert set(selectors.manageable(alice, None)) == {everywhere}
    assert set(selectors.manageable(alice, workspace)) == {everywhere, here}
    assert set(selectors.manageable(alice, there)) == {everywhere}, "she is no member there"


def test_expired_and_unused(alice: User, settings: Any) -> None:  # ENTRY-12
    settings.ADMINCHAT_MEMORY_UNUSED_DAYS = 90
    now = timezone.now()
    long_ago, lately = now - timedelta(days=90, minutes=1), now - timedelta(days=89, hours=23)
    EntryFactory.create(user=alice, text="new")
    EntryFactory.create(user=alice, text="never loaded", updated_at=long_ago)
    EntryFactory.create(user=alice, text="loaded long ago", updated_at=long_ago, last_loaded_at=long_ago)
    EntryFactory.create(user=alice, text="loaded lately", updated_at=long_ago, last_loaded_at=lately)
    EntryFactory.create(user=alice, text="changed lately", updated_at=lately)
    EntryFactory.create(user=alice, text="archived", updated_at=long_ago, expires_at=long_ago, tier=Tier.ARCHIVE)
    EntryFactory.create(user=alice, text="expired", expires_at=now - timedelta(seconds=1))
    EntryFactory.create(user=alice, text="expires soon", expires_at=now + timedelta(minutes=1))
    mine = selectors.entries(alice)
    assert {entry.text for entry in selectors.unused(mine)} == {"never loaded", "loaded long ago"}
    assert {entry.text for entry in selectors.expired(mine)} == {"expired"}
    assert {entry.text for entry in mine if entry.is_expired} == {"expired", "archived"}


def test_topics_are_each_named_once_in_order(alice: User, bob: User) -> None:  # ENTRY-28
    for user, topic in ((alice, "Mail"), (alice, "Backups"), (alice, "Mail"), (bob, "Theirs")):
        EntryFactory.create(user=user, tier=Tier.TOPIC, topic=topic)
    assert selectors.topics(alice) == ["Backups", "Mail"]


def test_evidence_is_not_read_for_a_turn_or_its_report(  # OPS-8
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    EntryFactory.create(user=alice, evidence="I drink tea")
    for read in (partial(selectors.candidates, alice, None), partial(selectors.entries_for_report, alice)):
        with django_assert_num_queries(1) as queries:
            assert read()
        assert "evidence" not in queries[0]["sql"]


def test_fact_keys_are_decrypted_only_where_a_workspace_can_override(alice: User) -> None:  # OPS-8, ENTRY-16
    entry = EntryFactory.create(user=alice, fact_key="tea")
    assert [one.fact_key for one in selectors.candidates(alice, None)] == [""]
    assert [(one.id, one.fact_key) for one in selectors.candidates(alice, uuid4())] == [(str(entry.pk), "tea")]


def test_activities_are_ones_own_and_the_latest_first(alice: User, bob: User, carol: User) -> None:  # ENTRY-25
    now = timezone.now()
    for user, number in ((alice, 1), (alice, 2), (bob, 3), (carol, 4)):
        Activity.objects.create(
            turn_id=f"00000000-0000-4000-8000-{number:012}",
            session_id="00000000-0000-4000-8000-000000000000",
            tenant=user.tenant,
            user=user,
            mode="read_only",
            created_at=now + timedelta(seconds=number),
        )
    assert [str(activity.turn_id)[-1] for activity in selectors.activities(alice)] == ["2", "1"]
    with pytest.raises(Activity.DoesNotExist):
        selectors.activity(bob, selectors.activities(alice)[0].turn_id)


def test_core_tokens_are_those_that_a_turn_there_would_count(alice: User, workspace: Workspace) -> None:  # ENTRY-13
    here, elsewhere = Target(workspace.pk, "gpt-4o"), Target(None, "gpt-4o")
    EntryFactory.create(user=alice, text="Prefers tea.", fact_key="drink")
    whole = loads.core_cost(alice, elsewhere).tokens
    assert whole == loads.core_cost(alice, here).tokens > 0
    EntryFactory.create(user=alice, text="Long over.", expires_at=timezone.now() - timedelta(days=1))
    EntryFactory.create(user=alice, text="Put away.", tier=Tier.ARCHIVE)
    EntryFactory.create(user=alice, text="Asked for.", tier=Tier.TOPIC, topic="Tea")
    EntryFactory.create(user=alice, text="Not here.", workspace=WorkspaceFactory.create(tenant=alice.tenant))
    assert loads.core_cost(alice, here).tokens == whole
    EntryFactory.create(user=alice, text="Prefers tea.", fact_key="drink", workspace=workspace)
    assert loads.core_cost(alice, here).tokens == whole  # the workspace's instead of the global one
    assert loads.core_cost(alice, elsewhere).tokens == whole


def test_old_records_are_forgotten_tenant_by_tenant(alice: User, carol: User) -> None:  # ENTRY-25, CHAT-25
    long_ago = timezone.now() - timedelta(days=91)
    for user in (alice, carol):
        Activity.objects.create(
            turn_id=uuid4(), session_id=uuid4(), tenant=user.tenant, user=user, mode="read_only", created_at=long_ago
        )
    assert loads.forget_old(alice.tenant_id, 92) == 0
    assert loads.forget_old(alice.tenant_id, 90) == 1
    assert selectors.activities(carol).count() == 1
