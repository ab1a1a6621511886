"""Profiles: the shipped ones, the tenant's, one's own."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from adminchat.accounts.models import MemoryMode, Tenant, User
from chat import profiles
from chat.models import Profile
from tests.chat.conftest import signed_in
from tests.factories import ChatModelFactory, ProfileFactory, SessionFactory


@pytest.fixture
def own(alice: User) -> Profile:
    return ProfileFactory.create(tenant=alice.tenant, owner=alice, name="Mine")


@pytest.fixture
def shared(alice: User) -> Profile:
    return ProfileFactory.create(tenant=alice.tenant, name="Ours")


def _fields(**fields: Any) -> dict[str, Any]:
    return {"name": "Reports", "memory_default": "off", "memory_cap": "learn", "notes": "on", **fields}


def test_every_tenant_is_given_the_shipped_profiles_once(tenant: Tenant) -> None:  # CHAT-23
    profiles.ensure_profiles(tenant)
    profiles.ensure_profiles(tenant)
    shipped = Profile.objects.filter(tenant=tenant).order_by("created_at")
    assert [profile.name for profile in shipped] == ["General", "Writing", "Private"]
    private = shipped.get(shipped="private")
    assert (private.memory_default, private.memory_cap, private.notes) == (MemoryMode.OFF, MemoryMode.OFF, False)


def test_renamed_and_deleted_shipped_profiles_stay_so(tenant: Tenant) -> None:  # CHAT-23
    profiles.ensure_profiles(tenant)
    Profile.objects.filter(shipped="general").update(name="Everyday")
    Profile.objects.filter(shipped="writing").delete()
    profiles.ensure_profiles(tenant)
    assert set(Profile.objects.values_list("name", flat=True)) == {"Everyday", "Private"}


def test_shipped_profiles_are_stored_in_the_source_language(tenant: Tenant) -> None:  # I18N-1
    with translation.override("zh-hans"):
        profiles.ensure_profiles(tenant)
    assert Profile.objects.filter(name="General").exists()


def test_shipped_profile_of_a_taken_name_is_left_out(tenant: Tenant) -> None:
    ProfileFactory.create(tenant=tenant, name="Private")
    profiles.ensure_profiles(tenant)
    assert Profile.objects.filter(tenant=tenant).count() == 3


def test_list_shows_the_tenants_and_ones_own(page: Client, own: Profile, shared: Profile, bob: User) -> None:  # CHAT-23
    ProfileFactory.create(tenant=bob.tenant, owner=bob, name="Bob’s")
    ProfileFactory.create(name="Elsewhere’s")
    html = page.get("/profiles/").content.decode()
    assert "Mine" in html
    assert "Ours" in html
    assert "Bob’s" not in html
    assert "Elsewhere’s" not in html


def test_own_profile_is_made(page: Client, alice: User) -> None:  # CHAT-23
    model = ChatModelFactory.create(connection__tenant=alice.tenant)
    response = page.post(
        "/profiles/new/", _fields(model=model.pk, instructions="Be brief.", temperature="0.3", memory_default="learn")
    )
    assert (response.status_code, response["Location"]) == (303, "/profiles/")
    profile = Profile.objects.get(name="Reports")
    assert (profile.owner, profile.tenant, profile.model) == (alice, alice.tenant, model)
    assert (profile.instructions, profile.temperature) == ("Be brief.", 0.3)
    assert profile.memory_default == MemoryMode.LEARN


def test_super_administrator_makes_one_for_everyone(root: User) -> None:  # CHAT-23
    signed_in(root).post("/profiles/new/", _fields(shared="on", memory_default="read_only"))
    assert Profile.objects.get(name="Reports").owner is None


def test_administrator_cannot_make_one_for_everyone(page: Client, alice: User) -> None:  # SEC-1
    page.post("/profiles/new/", _fields(shared="on"))
    assert Profile.objects.get(name="Reports").owner == alice


def test_default_for_others_is_at_most_read_only(root: User) -> None:  # ENTRY-5
    response = signed_in(root).post("/profiles/new/", _fields(shared="on", memory_default="learn"))
    assert response.status_code == 422
    assert "a person’s own choice" in response.content.decode()


def test_tenant_profile_cannot_be_edited_to_learn(root: User, shared: Profile) -> None:  # ENTRY-5
    response = signed_in(root).post(f"/profiles/{shared.pk}/", _fields(name="Ours", memory_default="learn"))
    assert response.status_code == 422
    shared.refresh_from_db()
    assert shared.memory_default == MemoryMode.OFF


def test_default_above_the_cap_is_refused(page: Client) -> None:  # ENTRY-5
    response = page.post("/profiles/new/", _fields(memory_default="read_only", memory_cap="off"))
    assert response.status_code == 422
    assert response.context["form"].errors["memory_default"]


def test_renaming_keeps_the_identity(page: Client, own: Profile, alice: User) -> None:  # CHAT-23
    session = SessionFactory.create(user=alice, profile=own)
    page.post(f"/profiles/{own.pk}/", _fields(name="Renamed"))
    session.refresh_from_db()
    assert session.profile == own
    assert session.profile.name == "Renamed"


@pytest.mark.parametrize("change", ["create", "rename"])
def test_name_that_is_taken_comes_back(page: Client, own: Profile, alice: User, change: str) -> None:
    other = ProfileFactory.create(tenant=alice.tenant, owner=alice, name="Second")
    path = "/profiles/new/" if change == "create" else f"/profiles/{other.pk}/"
    response = page.post(path, _fields(name="Mine", instructions="Keep this"))
    assert response.status_code == 422
    assert "There is a profile of this name already." in response.content.decode()
    assert "Keep this" in response.content.decode()


def test_name_taken_in_the_same_moment_comes_back(
    page: Client, own: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:  # REL-6
    monkeypatch.setattr("chat.profiles.name_taken", lambda *args, **options: False)
    response = page.post("/profiles/new/", _fields(name="Mine"))
    assert response.status_code == 422
    assert response.context["form"].errors["name"]


def test_delete_is_confirmed_and_leaves_the_sessions(page: Client, own: Profile, alice: User) -> None:  # CHAT-23
    session = SessionFactory.create(user=alice, profile=own)
    assert "will be deleted" in page.get(f"/profiles/{own.pk}/delete/").content.decode()
    assert Profile.objects.filter(pk=own.pk).exists()
    page.post(f"/profiles/{own.pk}/delete/")
    session.refresh_from_db()
    assert session.profile is None


@pytest.mark.parametrize("path", ["/profiles/{}/", "/profiles/{}/delete/"])
def test_own_profile_of_another_is_not_found(
    strangers: list[Client], own: Profile, path: str, client: Client
) -> None:  # SEC-1
    for stranger in strangers:
        assert stranger.get(path.format(own.pk)).status_code == 404
        assert stranger.post(path.format(own.pk), _fields()).status_code == 404
    assert client.post(path.format(own.pk)).status_code == 302
    own.refresh_from_db()
    assert own.name == "Mine"


def test_tenant_profile_is_changed_by_super_administrators_only(
    page: Client, root: User, shared: Profile, carol: User
) -> None:  # SEC-1
    path = f"/profiles/{shared.pk}/"
    assert page.post(path, _fields(name="Taken over")).status_code == 404
    carol.role = User.Role.SUPER_ADMIN
    carol.save()
    assert signed_in(carol).post(path, _fields(name="Taken over")).status_code == 404
    assert signed_in(root).post(path, _fields(name="Renamed")).status_code == 303
    shared.refresh_from_db()
    assert (shared.name, shared.owner) == ("Renamed", None)
