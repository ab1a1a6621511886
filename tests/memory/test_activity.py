"""Preview and Activity: what a question would load, and what turns loaded (ENTRY-25, ENTRY-26)."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adminchat.accounts.models import TenantPolicy, User
from chat.models import Session
from chat.upkeep import sweep
from memory import loads, reports, selectors
from memory.models import Activity, Entry, Tier
from memory.reasons import Reason
from tests.factories import EntryFactory, SessionFactory, WorkspaceFactory

QUESTION = "When is the reimbursement form due?"


@pytest.fixture
def book(alice: User, session: Session) -> dict[str, Entry]:
    """One entry for each reason."""
    here, there = session.workspace, WorkspaceFactory.create(tenant=alice.tenant)

    def made(text: str, topic: str = "", **fields: Any) -> Entry:
        tier = fields.pop("tier", Tier.TOPIC if topic else Tier.CORE)
        return EntryFactory.create(user=alice, text=text, topic=topic, tier=tier, **fields)

    everywhere = made("Deploys on Tuesday.")
    return {
        "pinned_core": made("Prefers metric units.", pinned=True),
        "core": made("Deploys on Friday.", workspace=here, fact_key=everywhere.fact_key),
        "topic": made("The reimbursement form is due on the 25th.", "Expenses"),
        "not_relevant": made("The espresso machine is descaled on Mondays.", "Kitchen"),
        "overridden_by_workspace": everywhere,
        "other_workspace": made("Elsewhere.", workspace=there),
        "expired": made("Long ago.", expires_at=timezone.now() - timedelta(days=1)),
        "archived": made("Put away.", tier=Tier.ARCHIVE),
    }


def record(user: User, session: Session, question: str = QUESTION) -> UUID:
    turn_id = uuid4()
    made = loads.load(user, question, loads.Target(session.workspace_id, "gpt-4o"))
    loads.record(user, made, turn_id=turn_id, session_id=session.pk, mode="read_only")
    return turn_id


def test_preview_shows_what_would_load_and_why(page: Client, session: Session, book: dict[str, Entry]) -> None:
    answer = page.post(f"/memory/preview/?session={session.pk}", {"question": QUESTION})  # ENTRY-26, ENTRY-22, ENTRY-23
    shown = answer.content.decode()
    loaded, _, skipped = shown.partition("Not loaded")

    assert answer.status_code == 200
    for reason, entry in book.items():
        part = loaded if reason in ("core", "pinned_core", "topic") else skipped
        assert entry.text in part and f'data-reason="{reason}"' in part, reason
    assert "<mark>reimbursement</mark>" in loaded
    assert "Instead: Deploys on Friday." in skipped
    assert not Activity.objects.exists()


def test_preview_without_a_session_has_no_workspace(page: Client, book: dict[str, Entry]) -> None:  # ENTRY-26
    shown = page.post("/memory/preview/", {"question": QUESTION}).content.decode()
    assert "As asked in a chat without a workspace." in shown
    assert "Deploys on Tuesday." in shown.partition("Not loaded")[0]


@pytest.mark.parametrize("question", ["", " \n"])
def test_preview_asks_for_a_question(page: Client, question: str) -> None:  # ENTRY-26
    answer = page.post("/memory/preview/", {"question": question})
    assert answer.status_code == 422 and "Type a question first." in answer.content.decode()


def test_record_has_no_content(alice: User, session: Session, book: dict[str, Entry]) -> None:  # ENTRY-25, SEC-2
    record(alice, session)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM memory_activity")
        raw = str(cursor.fetchall())
    assert not any(entry.text in raw or (entry.topic and entry.topic in raw) for entry in book.values())
    assert "reimbursement" not in raw
    assert {reason for reason in Reason.values if reason in raw} >= set(book) - {"core"}


def test_activity_shows_entries_as_they_are_now(
    page: Client, alice: User, session: Session, book: dict[str, Entry]
) -> None:  # ENTRY-25
    turn = record(alice, session)
    book["topic"].delete()
    book["core"].text, book["core"].revision = "Deploys on Sunday.", 2
    book["core"].save()
    assert "3 entries loaded" in page.get("/memory/activity/").content.decode()
    shown = page.get(f"/memory/activity/{turn}/").content.decode()
    assert "deleted entry" in shown and "Deploys on Sunday." in shown and "changed since" in shown
    session.delete()
    assert page.get(f"/memory/activity/{turn}/").status_code == 200


def test_words_are_found_again_from_the_question(alice: User, session: Session, book: dict[str, Entry]) -> None:
    activity = selectors.activity(alice, record(alice, session))  # ENTRY-22
    report = reports.of_activity(alice, activity, QUESTION)
    assert next(row.words for row in report.loaded if row.reason == Reason.TOPIC)[0] == "reimbursement"
    assert report.tokens <= report.budget and report.exact and report.tokenizer == "o200k_base"


def test_words_don_t_depend_on_entries_that_were_no_candidates(alice: User, session: Session) -> None:  # ENTRY-22
    text = "Forms for reimbursement go to Ms Keller by the 25th of each month"
    EntryFactory.create(user=alice, text=text, topic="Expenses", tier=Tier.TOPIC)
    elsewhere = WorkspaceFactory.create(tenant=alice.tenant)
    nearer = {"text": "Reimbursement forms are due on Monday", "topic": "Reimbursement forms", "tier": Tier.TOPIC}
    EntryFactory.create(user=alice, workspace=elsewhere, **nearer)
    question = "When are reimbursement forms due?"
    activity = selectors.activity(alice, record(alice, session, question))
    (row,) = reports.of_activity(alice, activity, question).loaded
    assert row.words


def test_activity_is_kept_as_long_as_the_policy_says(alice: User, session: Session, book: dict[str, Entry]) -> None:
    old, new = record(alice, session), record(alice, session)  # ENTRY-25, CHAT-25
    Activity.objects.filter(pk=old).update(created_at=timezone.now() - timedelta(days=8))
    TenantPolicy.objects.filter(tenant=alice.tenant).update(activity_days=7)
    assert sweep().expired_activities == 1
    assert list(selectors.activities(alice).values_list("pk", flat=True)) == [new]


def test_loading_notes_when_an_entry_was_of_use(alice: User, session: Session, book: dict[str, Entry]) -> None:
    record(alice, session)  # ENTRY-12
    assert selectors.entry(alice, book["topic"].pk).last_loaded_at is not None
    assert selectors.entry(alice, book["not_relevant"].pk).last_loaded_at is None


def test_queries_of_a_turn_do_not_grow_with_entries(alice: User, session: Session) -> None:  # PERF-10
    EntryFactory.create_batch(2, user=alice)
    record(alice, session)
    with CaptureQueriesContext(connection) as few:
        record(alice, session)
    EntryFactory.create_batch(70, user=alice)
    with CaptureQueriesContext(connection) as many:
        record(alice, session)
    assert len(few) == len(many)


def test_rows_name_the_chats_that_can_still_be_opened(page: Client, alice: User, bob: User) -> None:  # ENTRY-25, SEC-1
    titles = {"Budget of next year": alice, "Secret plans": bob}
    for title, owner in titles.items():
        session = SessionFactory.create(user=owner, title=title)
        Activity.objects.create(
            turn_id=uuid4(), session_id=session.pk, tenant=alice.tenant, user=alice, mode="read_only"
        )
    shown = page.get("/memory/activity/").content.decode()
    assert "Budget of next year" in shown and "Deleted or closed chat" in shown and "Secret plans" not in shown


def test_the_report_names_the_version_that_was_in_force(  # ENTRY-16, ENTRY-23
    alice: User, session: Session, book: dict[str, Entry]
) -> None:
    key = book["overridden_by_workspace"].fact_key
    EntryFactory.create(
        user=alice, text="Deploys on Sunday.", workspace=session.workspace, fact_key=key, tier=Tier.ARCHIVE
    )
    report = reports.of_activity(alice, selectors.activity(alice, record(alice, session)))
    overridden = next(group for group in report.groups if group.reason == Reason.OVERRIDDEN_BY_WORKSPACE)
    assert [row.overrider for row in overridden.rows] == [book["core"]]
