"""The page where a session begins."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from adminchat.accounts.models import MemoryMode, TenantPolicy, User
from adminchat.accounts.policies import policy_for
from adminchat.connections.models import Connection
from chat.models import ChatPreferences, Session
from chat.profiles import ensure_profiles
from tests.factories import ChatModelFactory, MembershipFactory, ProfileFactory, SessionFactory


def test_launcher_offers_every_choice(page: Client, alice: User) -> None:  # CHAT-1
    ensure_profiles(alice.tenant)
    ChatModelFactory.create(connection__tenant=alice.tenant, display_name="Echo")
    MembershipFactory.create(user=alice, workspace__name="Payroll")
    html = page.get(reverse("chat:launcher")).content.decode()
    for part in ('name="message"', 'name="request_id"', 'name="memory_mode"', 'name="notes"', 'name="temporary"'):
        assert part in html
    for word in ("Echo", "General", "Writing", "Private", "Payroll"):
        assert word in html


def test_launcher_remembers_the_last_model_and_profile_but_not_the_mode(page: Client, alice: User) -> None:  # CHAT-1
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    profile = ProfileFactory.create(tenant=alice.tenant, memory_default=MemoryMode.READ_ONLY)
    page.post(
        reverse("chat:session-create"),
        {"message": "Hi", "memory_mode": "learn", "model": model.pk, "profile": profile.pk},
    )
    form = page.get(reverse("chat:launcher")).context["form"]
    assert form["model"].value() == model.pk
    assert form["profile"].value() == profile.pk
    assert form["memory_mode"].value() == MemoryMode.READ_ONLY


def test_launcher_remembers_that_no_model_and_no_profile_was_chosen(page: Client, alice: User) -> None:  # CHAT-1
    ensure_profiles(alice.tenant)
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    profile = ProfileFactory.create(tenant=alice.tenant)
    page.post(reverse("chat:session-create"), {"message": "Hi", "model": model.pk, "profile": profile.pk})
    page.post(reverse("chat:session-create"), {"message": "Hi", "model": "", "profile": ""})
    form = page.get(reverse("chat:launcher")).context["form"]
    assert (form["model"].value(), form["profile"].value()) == (None, None)


def test_what_a_request_leaves_out_is_no_choice(page: Client, alice: User) -> None:  # CHAT-1
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    profile = ProfileFactory.create(tenant=alice.tenant)
    page.post(reverse("chat:session-create"), {"message": "Hi", "model": model.pk, "profile": profile.pk})
    page.post(reverse("chat:session-create"), {"message": "Hi"})
    form = page.get(reverse("chat:launcher")).context["form"]
    assert (form["model"].value(), form["profile"].value()) == (model.pk, profile.pk)


def test_the_default_model_is_named(page: Client, alice: User) -> None:  # CHAT-1
    assert '<option value="" selected>No model yet</option>' in page.get(reverse("chat:launcher")).content.decode()
    ChatModelFactory.create(connection__tenant=alice.tenant, display_name="Echo", is_default=True)
    for address in (
        reverse("chat:launcher"),
        reverse("chat:profile-create"),
        reverse("chat:session-settings", args=[SessionFactory.create(user=alice).pk]),
    ):
        assert '<option value="" selected>Default: Echo</option>' in page.get(address).content.decode()
    conversation = page.get(reverse("chat:session-detail", args=[SessionFactory.create(user=alice).pk]))
    assert "Default: Echo</span>" in conversation.content.decode()


def test_the_default_of_a_profile_with_a_model_is_that_one(page: Client, alice: User) -> None:  # CHAT-1, CHAT-23
    ChatModelFactory.create(connection__tenant=alice.tenant, display_name="Echo", is_default=True)
    own = ChatModelFactory.create(connection__tenant=alice.tenant, display_name="Precise")
    profile = ProfileFactory.create(tenant=alice.tenant, model=own)
    page.post(reverse("chat:session-create"), {"message": "Hi", "model": "", "profile": profile.pk})
    assert alice.sessions.get().model == own
    assert '<option value="" selected>Default: Precise</option>' in page.get(reverse("chat:launcher")).content.decode()


def test_mode_starts_off_without_a_profile(page: Client) -> None:  # CHAT-1
    assert page.get(reverse("chat:launcher")).context["form"]["memory_mode"].value() == MemoryMode.OFF


def test_remembered_model_that_is_no_longer_usable_is_not_offered(page: Client, alice: User) -> None:  # CHAT-1
    model = ChatModelFactory.create(connection__tenant=alice.tenant, enabled=False)
    ChatPreferences.objects.create(user=alice, last_model=model)
    assert page.get(reverse("chat:launcher")).context["form"]["model"].value() is None


def test_models_profiles_and_workspaces_of_others_are_not_offered(
    page: Client, alice: User, bob: User
) -> None:  # SEC-1
    ChatModelFactory.create(display_name="Foreign model")
    ProfileFactory.create(tenant=alice.tenant, owner=bob, name="Bob’s profile")
    MembershipFactory.create(user=bob, workspace__name="Bob’s workspace")
    html = page.get(reverse("chat:launcher")).content.decode()
    for word in ("Foreign model", "Bob’s profile", "Bob’s workspace"):
        assert word not in html


def test_first_run_lasts_until_something_was_said(page: Client, alice: User) -> None:  # OPS-3
    ChatModelFactory.create(connection__tenant=alice.tenant, connection__origin=Connection.Origin.BUILT_IN)
    assert page.get(reverse("chat:launcher")).context["first_run"]
    SessionFactory.create(user=alice)
    assert not page.get(reverse("chat:launcher")).context["first_run"]


def test_first_run_ends_with_a_model_of_ones_own(page: Client, alice: User) -> None:  # OPS-3
    ChatModelFactory.create(connection__tenant=alice.tenant, connection__origin=Connection.Origin.BROWSER)
    assert not page.get(reverse("chat:launcher")).context["first_run"]


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:  # SEC-1
    response = client.get(reverse("chat:launcher"))
    assert response.status_code == 302
    assert reverse("account_login") in response["Location"]


def test_launcher_is_only_read(page: Client) -> None:
    assert page.post(reverse("chat:launcher")).status_code == 405


def test_a_profile_whose_model_is_closed_to_its_user_is_refused_with_the_reason(  # CHAT-16, CHAT-23
    page: Client, alice: User
) -> None:
    closed = ChatModelFactory.create(
        connection__tenant=alice.tenant, connection__audience=Connection.Audience.SUPER_ADMINS
    )
    profile = ProfileFactory.create(tenant=alice.tenant, model=closed)
    answer = page.post("/sessions/", {"message": "Kept.", "profile": profile.pk})
    assert answer.status_code == 422
    assert "This model is not available to you." in answer.content.decode() and "Kept." in answer.content.decode()


@pytest.mark.parametrize(("hours", "said"), [(24, "24 hours after"), (1, "an hour after")])
def test_launcher_says_how_long_a_temporary_chat_is_kept(  # CHAT-4, CHAT-25
    page: Client, alice: User, hours: int, said: str
) -> None:
    policy = policy_for(alice)
    policy.temporary_hours = hours
    policy.save()
    assert f"is deleted {said} its last message" in page.get("/").content.decode()


def test_learn_is_offered_only_where_something_can_learn(page: Client, alice: User) -> None:  # ENTRY-4
    ChatModelFactory.create(connection__tenant=alice.tenant, is_default=True)
    shown = page.get("/").content.decode()
    assert "may cost money" in shown and "Learn can’t be chosen" not in shown
    TenantPolicy.objects.update_or_create(tenant=alice.tenant, defaults={"learning_languages": []})
    shown = page.get("/").content.decode()
    assert "switched off every learning language" in shown
    assert re.search(r'<input[^>]*value="learn"[^>]*disabled', shown)


def test_the_mode_of_the_launcher_is_that_of_its_session_alone(page: Client, alice: User) -> None:  # ENTRY-1
    for mode in ("learn", "off"):
        page.post("/sessions/", {"message": "Hi", "memory_mode": mode})
    assert sorted(Session.objects.filter(user=alice).values_list("memory_mode", flat=True)) == ["learn", "off"]
