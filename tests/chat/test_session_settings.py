"""The settings of one session."""

from typing import Any

import pytest
from django.test import Client

from adminchat.accounts.models import MemoryMode, User
from chat.models import Session
from tests.factories import ChatModelFactory, MembershipFactory, SessionFactory


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice)


def _save(page: Client, session: Session, **fields: Any) -> Any:
    data = {"memory_mode": "off", "notes": "on", "flush_before_compaction": "on", **fields}
    response = page.post(f"/sessions/{session.pk}/settings/", data, follow=True)
    session.refresh_from_db()
    return response


def test_settings_are_kept_with_the_session(page: Client, session: Session, alice: User) -> None:  # CHAT-15
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    _save(page, session, memory_mode="learn", notes="", model=model.pk, temperature="0.5", max_tokens="1000")
    assert (session.memory_mode, session.notes, session.model) == (MemoryMode.LEARN, False, model)
    assert (session.temperature, session.max_tokens, session.flush_before_compaction) == (0.5, 1000, True)


def test_empty_numbers_leave_it_to_the_model(page: Client, session: Session) -> None:  # CHAT-15
    _save(page, session, temperature="", max_tokens="")
    assert (session.temperature, session.max_tokens) == (None, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [("temperature", "2.1"), ("temperature", "-1"), ("temperature", "nan"), ("max_tokens", "0"), ("max_tokens", "x")],
)
def test_value_out_of_range_comes_back(page: Client, session: Session, field: str, value: str) -> None:
    response = _save(page, session, **{field: value, "memory_mode": "learn"})
    assert response.status_code == 422
    assert response.context["form"].errors[field]
    assert session.memory_mode == MemoryMode.OFF


def test_mode_above_the_cap_is_lowered_with_a_notice(page: Client, session: Session, alice: User) -> None:  # ENTRY-5
    alice.tenant.policy.mode_cap = MemoryMode.READ_ONLY
    alice.tenant.policy.save()
    response = _save(page, session, memory_mode="learn")
    assert session.memory_mode == MemoryMode.READ_ONLY
    assert "The memory mode was lowered to" in response.content.decode()


def test_cap_is_shown_where_the_mode_is_chosen(page: Client, session: Session, alice: User) -> None:  # ENTRY-5
    alice.tenant.policy.mode_cap = MemoryMode.OFF
    alice.tenant.policy.save()
    assert "At most “Off” is allowed here." in page.get(f"/sessions/{session.pk}/settings/").content.decode()


def test_temporary_session_stays_without_memory_and_notes(page: Client, alice: User) -> None:  # CHAT-4
    session = SessionFactory.create(user=alice, temporary=True, notes=False)
    _save(page, session, memory_mode="learn", notes="on")
    assert (session.memory_mode, session.notes) == (MemoryMode.OFF, False)


def test_model_that_became_unusable_stays_chosen(page: Client, alice: User) -> None:
    model = ChatModelFactory.create(connection__tenant=alice.tenant, enabled=False)
    session = SessionFactory.create(user=alice, model=model)
    _save(page, session, model=model.pk, temperature="1")
    assert (session.model, session.temperature) == (model, 1)


def test_model_of_another_tenant_is_refused(page: Client, session: Session) -> None:  # SEC-1
    response = _save(page, session, model=ChatModelFactory.create().pk)
    assert response.status_code == 422
    assert session.model is None


def test_workspace_is_shown_and_cannot_be_changed(page: Client, alice: User) -> None:  # CHAT-15
    workspace = MembershipFactory.create(user=alice, workspace__name="Payroll").workspace
    session = SessionFactory.create(user=alice, workspace=workspace)
    assert "Payroll" in page.get(f"/sessions/{session.pk}/settings/").content.decode()
    _save(page, session, workspace="")
    assert session.workspace == workspace


def test_change_does_not_touch_a_title_written_meanwhile(page: Client, session: Session) -> None:
    Session.objects.update(title="Generated")
    _save(page, session, temperature="1")
    assert session.title == "Generated"


def test_page_of_refused_settings_keeps_the_stored_ones(page: Client, session: Session) -> None:  # CHAT-15
    response = _save(page, session, memory_mode="learn", max_tokens="0")
    assert response.context["session"].memory_mode == MemoryMode.OFF


def test_a_dialog_opened_earlier_does_not_turn_memory_on_again(page: Client, alice: User) -> None:  # ENTRY-2
    session = SessionFactory.create(user=alice, memory_mode="read_only")
    address = f"/sessions/{session.pk}/settings/"
    shown = page.get(address).content.decode()
    assert 'name="initial-memory_mode" value="read_only"' in shown
    Session.objects.filter(pk=session.pk).update(memory_mode="off")  # in another tab
    page.post(
        address, {"memory_mode": "read_only", "initial-memory_mode": "read_only", "temperature": "0.3", "notes": "on"}
    )
    session.refresh_from_db()
    assert (session.memory_mode, session.temperature) == ("off", 0.3)
