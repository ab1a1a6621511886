import pytest
from django.test import Client

from adminchat.accounts import selectors
from adminchat.accounts.models import User, Workspace
from tests.factories import SessionFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def place(root: User) -> Workspace:
    return WorkspaceFactory.create(tenant=root.tenant, name="Payroll")


def test_creator_becomes_a_member_if_they_want(as_root: Client, root: User) -> None:  # CHAT-21
    as_root.post("/workspaces/create/", {"name": "Payroll", "join": "on"})
    as_root.post("/workspaces/create/", {"name": "Audit"})
    assert [place.name for place in selectors.own_workspaces(root)] == ["Payroll"]
    assert selectors.workspaces(root).count() == 2


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "Payroll"], ids=["empty", "blank", "long", "taken"])
def test_unfit_name_comes_back_with_the_form(as_root: Client, place: Workspace, name: str) -> None:  # CHAT-21
    response = as_root.post("/workspaces/create/", {"name": name, "description": "Salaries"})
    assert response.status_code == 422
    assert "Salaries" in response.content.decode()
    assert Workspace.objects.count() == 1


def test_same_name_in_another_tenant_is_free(as_root: Client) -> None:  # CHAT-21
    WorkspaceFactory.create(name="Payroll")
    assert as_root.post("/workspaces/create/", {"name": "Payroll"}).status_code == 302


def test_workspace_is_renamed(as_root: Client, place: Workspace) -> None:  # CHAT-21
    as_root.post(f"/workspaces/{place.pk}/", {"name": "Wages", "description": ""})
    place.refresh_from_db()
    assert place.name == "Wages"


def test_renaming_to_a_taken_name_is_refused(as_root: Client, place: Workspace) -> None:  # CHAT-21
    WorkspaceFactory.create(tenant=place.tenant, name="Audit")
    response = as_root.post(f"/workspaces/{place.pk}/", {"name": "Audit"})
    assert response.status_code == 422
    assert "already" in response.content.decode()


def test_members_are_added_and_removed(as_root: Client, place: Workspace, alice: User) -> None:  # CHAT-21
    as_root.post(f"/workspaces/{place.pk}/members/", {"person": alice.pk})
    assert list(selectors.own_workspaces(alice)) == [place]
    as_root.post(f"/workspaces/{place.pk}/members/{alice.pk}/remove/")
    assert not selectors.own_workspaces(alice).exists()


def test_nobody_from_another_tenant_becomes_a_member(as_root: Client, place: Workspace, carol: User) -> None:  # CHAT-21
    as_root.post(f"/workspaces/{place.pk}/members/", {"person": carol.pk})
    as_root.post(f"/workspaces/{place.pk}/members/", {"person": "nonsense"})
    assert place.members.count() == 0


def test_removed_member_loses_the_sessions_at_once(as_root: Client, place: Workspace, alice: User) -> None:  # CHAT-21
    as_root.post(f"/workspaces/{place.pk}/members/", {"person": alice.pk})
    session = SessionFactory.create(user=alice, workspace=place)
    client = Client()
    client.force_login(alice)
    assert client.get(f"/sessions/{session.pk}/").status_code == 200
    as_root.post(f"/workspaces/{place.pk}/members/{alice.pk}/remove/")
    assert client.get(f"/sessions/{session.pk}/").status_code == 404


def test_deleting_says_what_goes(as_root: Client, place: Workspace, alice: User) -> None:  # CHAT-21
    SessionFactory.create_batch(3, user=alice, workspace=place)
    SessionFactory.create(user=alice)
    assert "3 chats" in as_root.get(f"/workspaces/{place.pk}/delete/").content.decode()


def test_deleting_needs_the_name_typed(as_root: Client, place: Workspace, alice: User) -> None:  # CHAT-21
    kept = SessionFactory.create(user=alice)
    gone = SessionFactory.create(user=alice, workspace=place)
    assert as_root.post(f"/workspaces/{place.pk}/delete/", {"name": "payroll"}).status_code == 422
    assert Workspace.objects.filter(pk=place.pk).exists()
    assert as_root.post(f"/workspaces/{place.pk}/delete/", {"name": "Payroll"}).status_code == 302
    assert not Workspace.objects.filter(pk=place.pk).exists()
    assert set(alice.sessions.all()) == {kept}
    assert gone.pk
