"""Every address, for everybody (SEC-1). A view without a row in the table fails, and so does a row without a view."""

from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import NoReverseMatch, reverse

from adminchat.accounts.models import Membership, TenantPolicy, User, Workspace
from adminchat.connections.models import ChatModel, Connection
from adminchat.prompts.models import ActivePrompt, PromptChange, PromptVersion
from chat.models import Message, Profile, Session, Turn
from tests.factories import PASSWORD
from tests.security.addresses import ASK_AN_ENDPOINT, BOTH, CONFIRMED, NAMES, OF_A_SESSION, ROWS, Access, Scenery

STORED = (
    User,
    Workspace,
    Membership,
    TenantPolicy,
    Connection,
    ChatModel,
    PromptVersion,
    ActivePrompt,
    PromptChange,
    Profile,
    Session,
    Message,
    Turn,
)


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
