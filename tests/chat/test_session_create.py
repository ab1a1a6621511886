"""Starting a session with its first turn."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.urls import reverse

from adminchat.accounts.models import MemoryMode, User
from chat import sessions
from chat.models import Session, Turn
from chat.sessions import Choices
from tests.factories import ChatModelFactory, MembershipFactory, ProfileFactory, UserFactory, WorkspaceFactory

CREATE = "/sessions/"


def _start(page: Client, **fields: Any) -> Session:
    response = page.post(CREATE, {"message": "Hello", **fields})
    assert response.status_code == 303, response.content.decode()
    session = Session.objects.get(pk=response["Location"].split("/")[-2])
    assert response["Location"] == f"/sessions/{session.pk}/"
    return session


def _notices(page: Client) -> list[str]:
    return [str(notice) for notice in get_messages(page.get("/").wsgi_request)]


def test_message_alone_starts_a_session_with_the_defaults(page: Client, alice: User) -> None:  # CHAT-1
    session = _start(page, message="How do I rotate keys?")
    assert session.user == alice
    assert session.title == "How do I rotate keys?"
    assert (session.memory_mode, session.notes, session.model, session.profile) == ("off", True, None, None)
    turn = session.turns.get()
    assert turn.message.text == "How do I rotate keys?"
    assert turn.state == Turn.State.PENDING


def test_choices_configure_the_session(page: Client, alice: User) -> None:  # CHAT-1
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    workspace = MembershipFactory.create(user=alice).workspace
    profile = ProfileFactory.create(tenant=alice.tenant)
    session = _start(page, memory_mode="learn", notes="off", model=model.pk, profile=profile.pk, workspace=workspace.pk)
    assert session.memory_mode == MemoryMode.LEARN
    assert session.notes is False
    assert (session.model, session.profile, session.workspace) == (model, profile, workspace)


def test_profile_gives_the_defaults_for_what_is_absent(page: Client, alice: User) -> None:  # CHAT-23
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    profile = ProfileFactory.create(tenant=alice.tenant, model=model, memory_default=MemoryMode.READ_ONLY, notes=False)
    session = _start(page, profile=profile.pk)
    assert (session.memory_mode, session.notes, session.model) == (MemoryMode.READ_ONLY, False, model)


def test_temporary_session_has_no_memory_and_no_notes(page: Client) -> None:  # CHAT-4
    session = _start(page, temporary="on", memory_mode="learn", notes="on")
    assert session.temporary
    assert (session.memory_mode, session.notes) == (MemoryMode.OFF, False)


def test_mode_above_the_tenants_cap_is_lowered_with_a_notice(page: Client, alice: User) -> None:  # ENTRY-5
    alice.tenant.policy.mode_cap = MemoryMode.READ_ONLY
    alice.tenant.policy.save()
    assert _start(page, memory_mode="learn").memory_mode == MemoryMode.READ_ONLY
    assert any("Read only" in notice for notice in _notices(page))


def test_mode_above_the_profiles_cap_is_lowered_with_a_notice(page: Client, alice: User) -> None:  # ENTRY-5
    profile = ProfileFactory.create(tenant=alice.tenant, memory_cap=MemoryMode.OFF)
    assert _start(page, memory_mode="read_only", profile=profile.pk).memory_mode == MemoryMode.OFF
    assert any("Off" in notice for notice in _notices(page))


def test_notes_that_the_tenant_does_not_allow_are_off(page: Client, alice: User) -> None:  # CHAT-25
    alice.tenant.policy.notes_allowed = False
    alice.tenant.policy.save()
    assert _start(page, notes="on").notes is False


def test_the_same_request_twice_is_one_session(page: Client) -> None:  # CHAT-7
    request_id = uuid4()
    assert _start(page, request_id=request_id) == _start(page, request_id=request_id)
    assert Session.objects.count() == 1
    assert Turn.objects.count() == 1


def test_other_words_under_a_used_request_id_start_another_session(page: Client) -> None:  # CHAT-7
    request_id = str(uuid4())
    first = _start(page, request_id=request_id)
    second = _start(page, request_id=request_id, message="Second thought")
    assert second != first
    assert second.turns.get().message.text == "Second thought"


def test_two_users_with_one_request_id_get_a_session_each(page: Client, strangers: list[Client]) -> None:  # SEC-1
    request_id = uuid4()
    assert _start(page, request_id=request_id) != _start(strangers[0], request_id=request_id)


def test_malformed_request_id_is_a_new_request(page: Client) -> None:
    assert _start(page, request_id="twice") != _start(page, request_id="twice")


@pytest.mark.parametrize("message", ["", " \n\t ", "\u200b", "\x00\x01"])
def test_blank_message_comes_back_with_what_to_do(page: Client, message: str) -> None:
    response = page.post(CREATE, {"message": message})
    assert response.status_code == 422
    assert "Write a message first." in response.content.decode()
    assert not Session.objects.exists()


@pytest.mark.parametrize("length", [100_001, 1_000_000])
def test_message_that_is_too_long_comes_back_whole(page: Client, length: int) -> None:  # SEC-7
    message = "x" * length
    response = page.post(CREATE, {"message": message, "memory_mode": "learn"})
    html = response.content.decode()
    assert response.status_code == 422
    assert message in html
    assert "at most 100,000 are possible" in html.replace("100000", "100,000")
    assert not Session.objects.exists()


def test_longest_message_is_taken(page: Client) -> None:
    assert len(_start(page, message="x" * 100_000).turns.get().message.text) == 100_000


def test_control_characters_are_dropped_not_refused(page: Client) -> None:
    assert _start(page, message="a\x00b\tc\r\nd").turns.get().message.text == "ab\tc\nd"


@pytest.mark.parametrize("field", ["model", "profile", "workspace"])
@pytest.mark.parametrize("value", ["not-an-id", "00000000-0000-4000-8000-000000000000"])
def test_unknown_choice_comes_back_filled(page: Client, field: str, value: str) -> None:
    response = page.post(CREATE, {"message": "Keep this text", field: value})
    assert response.status_code == 422
    assert "Keep this text" in response.content.decode()
    assert field in response.context["form"].errors


@pytest.mark.parametrize("field", ["memory_mode", "notes", "temporary"])
def test_choice_that_does_not_exist_comes_back_filled(page: Client, field: str) -> None:
    response = page.post(CREATE, {"message": "Keep this text", field: "sometimes"})
    assert response.status_code == 422
    assert field in response.context["form"].errors


def test_what_belongs_to_others_cannot_be_chosen(page: Client, alice: User, bob: User) -> None:  # SEC-1
    others = {
        "model": ChatModelFactory.create(),
        "profile": ProfileFactory.create(tenant=alice.tenant, owner=bob),
        "workspace": WorkspaceFactory.create(tenant=alice.tenant),
    }
    for field, other in others.items():
        assert page.post(CREATE, {"message": "Hello", field: other.pk}).status_code == 422, field
    assert not Session.objects.exists()


def test_htmx_is_told_where_to_go(page: Client) -> None:
    response = page.post(CREATE, {"message": "Hello"}, headers={"HX-Request": "true"})
    assert response["HX-Redirect"] == reverse("chat:session-detail", args=[Session.objects.get().pk])


def test_strangers_start_nothing(client: Client, db: None) -> None:  # SEC-1
    assert client.post(CREATE, {"message": "Hello"}).status_code == 302
    assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_clicks_start_one_session(monkeypatch: pytest.MonkeyPatch) -> None:  # CHAT-7
    monkeypatch.setattr("chat.turns._launch", lambda turn_id: None)
    user = UserFactory.create()
    request_id = uuid4()
    together = Barrier(6)

    def click(_number: int) -> Session:
        try:
            together.wait()
            return sessions.start(user, text="Hello", request_id=request_id, choices=Choices()).session
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as threads:
        started = list(threads.map(click, range(6)))
    assert len(set(started)) == 1
    assert (Session.objects.count(), Turn.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_first_message_that_is_slow_to_render_does_not_lock_the_database(alice: User) -> None:  # REL-6
    def look(text: str) -> str:
        assert not connection.in_atomic_block
        return text

    with patch("chat.turns.render_user", side_effect=look), patch("chat.sessions.render_user", side_effect=look):
        started = sessions.start(alice, text="Hello", request_id=uuid4(), choices=Choices())
    assert started.session.messages.get(role="user").html == "Hello"
