"""The operator's commands about memory."""

import json
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from adminchat.accounts.models import User
from chat.models import Session
from memory.models import Activity, Tier
from tests.factories import EntryFactory, SessionFactory


def explain(**options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("memory_explain", stdout=out, **options)
    return dict(json.loads(out.getvalue()))


def test_explain_says_what_loads_and_what_not_and_why(alice: User, session: Session) -> None:  # ENTRY-22, ENTRY-23
    due = EntryFactory.create(
        user=alice, text="The reimbursement form is due on the 25th.", tier=Tier.TOPIC, topic="Expenses"
    )
    here = EntryFactory.create(user=alice, text="Here.", workspace=session.workspace)
    old = EntryFactory.create(user=alice, text="Old.", tier=Tier.ARCHIVE)
    question = "When is the reimbursement form due?"
    answer = explain(user="alice", question=question, session=session.pk)

    assert {item["id"]: item["reason"] for item in answer["loaded"]} == {str(here.pk): "core", str(due.pk): "topic"}
    assert answer["loaded"][1]["words"] and answer["loaded"][1]["tokens"] > 0
    assert answer["not_loaded"] == [{"id": str(old.pk), "text": "Old.", "reason": "archived"}]
    assert 0 < answer["core_tokens"] < answer["tokens"] <= answer["budget"] == 1000
    reasons = {item["id"]: item["reason"] for item in explain(user="alice", question=question)["not_loaded"]}
    assert reasons[str(here.pk)] == "other_workspace"
    assert not Activity.objects.exists()


def test_explain_is_logged_without_content(alice: User, caplog: pytest.LogCaptureFixture) -> None:  # ENTRY-6, SEC-2
    EntryFactory.create(user=alice, text="Drinks Darjeeling.")
    explain(user="alice", question="What about Darjeeling?")
    assert "An operator looked at what a user's memory loads" in caplog.text
    assert "Darjeeling" not in caplog.text


def test_explain_refuses_whom_it_does_not_know(alice: User, bob: User) -> None:  # SEC-1
    with pytest.raises(CommandError):
        explain(user="nobody", question="?")
    for session_id in (uuid4(), SessionFactory.create(user=bob).pk):
        with pytest.raises(CommandError):
            explain(user="alice", question="?", session=session_id)
