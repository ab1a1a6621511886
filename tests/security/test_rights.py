"""Every address, for everybody (SEC-1). A view without a row in the table fails, and so does a row without a view."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from adminchat.accounts.models import Membership, TenantPolicy, User, Workspace
from adminchat.connections.models import ChatModel, Connection
from chat.models import Message, Profile, Session, Turn
from tests.factories import (
    PASSWORD,
    ChatModelFactory,
    ConnectionFactory,
    MembershipFactory,
    ProfileFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
    WorkspaceFactory,
)


class Access(Enum):
    """Who is let in; everybody else is refused as the comment says."""

    PUBLIC = auto()
    SIGNED_IN = auto()  # strangers: to the sign-in page
    OWNER = auto()  # Alice alone; for others it doesn't exist
    SUPER_ADMIN = auto()  # of any tenant, each for their own; others of the tenant: 403
    OWN_SUPER_ADMIN = auto()  # of Alice's tenant; for those of another one it doesn't exist


GET, POST = ("GET",), ("POST",)
BOTH = ("GET", "POST")

ROWS: dict[str, tuple[Access, tuple[str, ...]]] = {
    "healthz": (Access.PUBLIC, GET),
    "readyz": (Access.PUBLIC, GET),
    "account_login": (Access.PUBLIC, BOTH),
    "account_logout": (Access.PUBLIC, BOTH),
    "account_inactive": (Access.PUBLIC, GET),
    "account_reauthenticate": (Access.SIGNED_IN, BOTH),
    "account_change_password": (Access.SIGNED_IN, BOTH),
    "usersessions_list": (Access.SIGNED_IN, BOTH),
    "accounts:settings": (Access.SIGNED_IN, BOTH),
    "accounts:theme": (Access.SIGNED_IN, POST),
    "accounts:language": (Access.SIGNED_IN, POST),
    "accounts:person-list": (Access.SUPER_ADMIN, GET),
    "accounts:person-create": (Access.SUPER_ADMIN, BOTH),
    "accounts:person-detail": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:person-password": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:person-deactivate": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:person-reactivate": (Access.OWN_SUPER_ADMIN, POST),
    "accounts:workspace-list": (Access.SUPER_ADMIN, GET),
    "accounts:workspace-create": (Access.SUPER_ADMIN, BOTH),
    "accounts:workspace-detail": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:workspace-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:member-add": (Access.OWN_SUPER_ADMIN, POST),
    "accounts:member-remove": (Access.OWN_SUPER_ADMIN, POST),
    "accounts:policy": (Access.SUPER_ADMIN, BOTH),
    "connections:connection-list": (Access.SUPER_ADMIN, GET),
    "connections:connection-create": (Access.SUPER_ADMIN, BOTH),
    "connections:connection-detail": (Access.OWN_SUPER_ADMIN, GET),
    "connections:connection-edit": (Access.OWN_SUPER_ADMIN, BOTH),
    "connections:connection-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "connections:connection-test": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-add": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-fetch": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-edit": (Access.OWN_SUPER_ADMIN, BOTH),
    "connections:model-default": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "chat:launcher": (Access.SIGNED_IN, GET),
    "chat:session-list": (Access.SIGNED_IN, BOTH),
    "chat:session-create": (Access.SIGNED_IN, BOTH),
    "chat:session-detail": (Access.OWNER, GET),
    "chat:message-page": (Access.OWNER, GET),
    "chat:session-rename": (Access.OWNER, BOTH),
    "chat:session-pin": (Access.OWNER, POST),
    "chat:session-archive": (Access.OWNER, POST),
    "chat:session-delete": (Access.OWNER, BOTH),
    "chat:session-settings": (Access.OWNER, BOTH),
    "chat:session-export": (Access.OWNER, GET),
    "chat:turn-create": (Access.OWNER, POST),
    "chat:turn-stream": (Access.OWNER, GET),
    "chat:turn-stop": (Access.OWNER, POST),
    "chat:turn-regenerate": (Access.OWNER, POST),
    "chat:turn-select": (Access.OWNER, POST),
    "chat:message-edit": (Access.OWNER, BOTH),
    "chat:events": (Access.SIGNED_IN, GET),
    "chat:profile-list": (Access.SIGNED_IN, GET),
    "chat:profile-create": (Access.SIGNED_IN, BOTH),
    "chat:profile-edit": (Access.OWNER, BOTH),
    "chat:profile-delete": (Access.OWNER, BOTH),
}
ASK_AN_ENDPOINT = {"connections:connection-test", "connections:model-fetch"}  # what they answer: tests/connections
CONFIRMED = {"connections:connection-edit", "connections:connection-delete"}  # ask for the password before anything
OF_A_SESSION = [name for name, row in ROWS.items() if row[0] is Access.OWNER and "profile" not in name]
STORED = (User, Workspace, Membership, TenantPolicy, Connection, ChatModel, Profile, Session, Message, Turn)


def _names(patterns: list[Any], namespace: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(
                pattern.url_patterns, f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            )
        elif isinstance(pattern, URLPattern):
            yield namespace + (pattern.name or str(pattern.pattern))


NAMES = sorted(set(_names(get_resolver().url_patterns)))


@dataclass
class Scenery:
    """One object of each kind, Alice's or of her tenant, and everybody who may come along."""

    ids: dict[str, Any]
    actors: dict[str, User | None]
    membership: Membership

    def address(self, name: str) -> str:
        patterns = get_resolver().reverse_dict
        if ":" in name:
            namespace, _, name_in_it = name.partition(":")
            patterns = get_resolver().namespace_dict[namespace][1].reverse_dict
            wanted = patterns.getlist(name_in_it)[0][0][0][1]
        else:
            wanted = patterns.getlist(name)[0][0][0][1]
        return reverse(name, kwargs={key: self.ids[key] for key in wanted})


@pytest.fixture
def scenery(alice: User, bob: User, carol: User, root: User) -> Scenery:
    membership = MembershipFactory.create(user=alice)
    model = ChatModelFactory.create(
        connection=ConnectionFactory.create(tenant=alice.tenant, origin=Connection.Origin.BROWSER)
    )
    session = SessionFactory.create(user=alice, workspace=membership.workspace, model=model)
    turn = TurnFactory.create(session=session)
    ids = {
        "session_id": session.pk,
        "turn_id": turn.pk,
        "message_id": turn.message_id,
        "profile_id": ProfileFactory.create(tenant=alice.tenant, owner=alice).pk,
        "person_id": alice.pk,
        "workspace_id": membership.workspace_id,
        "connection_id": model.connection_id,
        "model_id": model.pk,
    }
    actors = {
        "anonymous": None,
        "stranger in the tenant": bob,
        "member of the workspace": MembershipFactory.create(
            user=UserFactory.create(tenant=alice.tenant), workspace=membership.workspace
        ).user,
        "other tenant": carol,
        "super admin of another tenant": UserFactory.create(super_admin=True),
        "super admin": root,
        "owner": alice,
    }
    WorkspaceFactory.create(tenant=carol.tenant)
    return Scenery(ids, actors, membership)


def _refusal(access: Access, who: str) -> str:
    """What ``who`` gets: "" when let in, else the status or where they are sent."""
    if access is Access.PUBLIC:
        return ""
    if who == "anonymous":
        return "/accounts/login/"
    is_super, is_own = "super admin" in who, who == "super admin"
    match access:
        case Access.OWNER:
            return "" if who == "owner" else "404"
        case Access.SUPER_ADMIN:
            return "" if is_super else "403"
        case Access.OWN_SUPER_ADMIN:
            return "" if is_own else "404" if is_super else "403"
    return ""


def _ask(actor: User | None, method: str, address: str, *, confirmed: bool = False) -> HttpResponseBase:
    client = Client()
    if actor:
        client.force_login(actor)
        if confirmed:
            client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client.generic(method, address, content_type="application/x-www-form-urlencoded")


def _outcome(response: HttpResponseBase) -> str:
    place = response.headers.get("Location", "").partition("?")[0]
    return place if place in ("/accounts/login/", "/admin/login/") else str(response.status_code)


def _stored() -> dict[str, list[dict[str, Any]]]:
    volatile = {"last_login"}
    return {
        model.__name__: [
            {key: value for key, value in row.items() if key not in volatile}
            for row in model._default_manager.order_by("pk").values()
        ]
        for model in STORED
    }


def test_every_address_has_a_row() -> None:  # SEC-1
    assert {name for name in NAMES if not name.startswith("admin:")} == set(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_address_lets_in_whom_it_is_meant_for(scenery: Scenery, name: str) -> None:  # SEC-1
    access, methods = ROWS[name]
    address = scenery.address(name)
    before = _stored()
    refused = {who: actor for who, actor in scenery.actors.items() if _refusal(access, who)}
    for who, actor in refused.items():
        for method in BOTH:
            expected = _refusal(access, who) if method in methods else "405"
            outcome = _outcome(_ask(actor, method, address, confirmed=name in CONFIRMED))
            assert outcome == expected, f"{method} by {who}"
    assert _stored() == before, "a refused request changed something"
    for who, actor in scenery.actors.items():
        if who in refused:
            continue
        for method in BOTH:
            if method in methods and name in ASK_AN_ENDPOINT:
                continue
            outcome = _outcome(_ask(actor, method, address, confirmed=name in CONFIRMED))
            if method not in methods:
                assert outcome == "405", f"{method} by {who}"
            elif name == "account_login":
                assert outcome in ("200", "302"), f"{method} by {who}"
            else:
                assert outcome in ("200", "204", "302", "303", "400", "409", "422", "/accounts/login/"), (
                    f"{method} by {who}"
                )
                assert outcome != "/accounts/login/" or name == "account_logout", f"{method} by {who}"


def test_session_of_a_workspace_is_closed_to_its_owner_who_left(scenery: Scenery) -> None:  # CHAT-21, SEC-1
    scenery.membership.delete()
    alice = scenery.actors["owner"]
    for name in OF_A_SESSION:
        for method in ROWS[name][1]:
            assert _outcome(_ask(alice, method, scenery.address(name))) == "404", name


def test_operators_pages_are_closed_to_the_product(scenery: Scenery) -> None:  # SEC-1
    for name in NAMES:
        if not name.startswith("admin:") or name in ("admin:login", "admin:logout", "admin:jsi18n"):
            continue
        try:
            address = reverse(name)
        except NoReverseMatch:
            continue  # of an object: the list of them is closed
        for who in ("anonymous", "super admin", "owner"):
            assert _outcome(_ask(scenery.actors[who], "GET", address)) == "/admin/login/", f"{name} by {who}"


def test_deactivated_person_is_signed_out_everywhere(alice: User) -> None:  # SEC-1, CHAT-24
    client = Client()
    client.force_login(alice)
    assert client.get("/").status_code == 200
    alice.is_active = False
    alice.save()
    assert client.get("/").headers["Location"].startswith("/accounts/login/")
