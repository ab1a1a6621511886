import pytest

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel
from adminchat.connections.selectors import default_model, may_use, usable_models
from tests.factories import ChatModelFactory, MembershipFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db


def offer(user: User, name: str, **fields: object) -> ChatModel:
    return ChatModelFactory.create(name=name, connection__tenant=user.tenant, **fields)


def names(user: User, *args: object) -> set[str]:
    usable = {model.name for model in usable_models(user, *args)}  # type: ignore[arg-type]
    assert usable == {model.name for model in ChatModel.objects.all() if may_use(user, model, *args)}  # type: ignore[arg-type]
    return usable


def test_only_enabled_models_of_enabled_connections_are_usable(alice: User) -> None:  # CHAT-16
    offer(alice, "on")
    offer(alice, "off", enabled=False)
    offer(alice, "connection-off", connection__enabled=False)
    assert names(alice) == {"on"}


def test_models_of_other_tenants_do_not_exist(alice: User, carol: User) -> None:  # SEC-1
    offer(carol, "hers")
    assert names(alice) == set()


def test_models_for_super_administrators_are_theirs(alice: User, root: User) -> None:  # CHAT-16
    offer(alice, "costly", connection__audience="super_admins")
    assert (names(alice), names(root)) == (set(), {"costly"})


def test_models_for_workspaces_are_their_members(alice: User, bob: User, root: User) -> None:  # CHAT-16, CHAT-21
    model = offer(alice, "team", connection__audience="workspaces")
    first, second = WorkspaceFactory.create_batch(2, tenant=alice.tenant)
    model.connection.workspaces.add(first, second)
    membership = MembershipFactory.create(user=alice, workspace=first)
    MembershipFactory.create(user=alice, workspace=second)
    assert [found.name for found in usable_models(alice)] == ["team"], "once, although two workspaces match"
    assert (names(bob), names(root)) == (set(), set())
    second.memberships.all().delete()
    membership.delete()
    assert names(alice) == set()


def test_in_a_workspace_only_what_is_meant_for_it_is_usable(alice: User) -> None:  # CHAT-16
    offer(alice, "common")
    model = offer(alice, "team", connection__audience="workspaces")
    team, other = WorkspaceFactory.create_batch(2, tenant=alice.tenant)
    for place in (team, other):
        MembershipFactory.create(user=alice, workspace=place)
    model.connection.workspaces.add(team)
    assert names(alice, team) == {"common", "team"}
    assert names(alice, other) == {"common"}


def test_default_is_the_tenants_where_usable(alice: User, root: User) -> None:  # CHAT-16
    offer(alice, "a")
    offer(alice, "chosen", is_default=True, connection__audience="super_admins")
    chosen, fallback = default_model(root), default_model(alice)
    assert chosen and chosen.name == "chosen"
    assert fallback and fallback.name == "a"


def test_built_in_model_is_the_last_resort(alice: User) -> None:  # CHAT-18
    assert default_model(alice) is None
    offer(alice, "small", connection__origin="built_in", connection__name="A")
    first = default_model(alice)
    assert first and first.name == "small"
    offer(alice, "large", connection__origin="browser", connection__name="Z")
    second = default_model(alice)
    assert second and second.name == "large"
