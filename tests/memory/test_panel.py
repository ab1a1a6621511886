"""The Memory panel: its tabs as pages and as fragments, from a chat and without one (ENTRY-27, ENTRY-29)."""

import re

import pytest
from django.test import Client

from adminchat.accounts.models import User
from chat.models import Session
from memory.tabs import TABS
from tests.factories import EntryFactory, ProfileFactory, SessionFactory

HTMX = {"HX-Request": "true"}
TAB_IDS = [tab.name for tab in TABS]


@pytest.mark.parametrize("tab", TABS, ids=TAB_IDS)
def test_tab_is_a_page_and_a_fragment(page: Client, session: Session, tab: object) -> None:  # ENTRY-27
    address = f"{tab.address}?session={session.pk}"  # type: ignore[attr-defined]
    whole = page.get(address)
    part = page.get(address, headers=HTMX)
    assert whole.content.lstrip().lower().startswith(b"<!doctype")
    assert b"<!doctype" not in part.content.lower() and b"<html" not in part.content
    for answer in (whole, part):
        assert answer.status_code == 200
        assert "no-store" in answer.headers["Cache-Control"]
        assert f'data-tab="{tab.name}"' in answer.content.decode()  # type: ignore[attr-defined]
    links = re.findall(r'<li><a href="([^"]+)"( aria-current="page")?', part.content.decode())
    assert [link for link, _ in links][: len(TABS)] == [f"{each.address}?session={session.pk}" for each in TABS]
    assert [link for link, current in links if current] == [address]


def test_panel_begins_with_the_entries(page: Client, session: Session) -> None:  # ENTRY-27
    assert page.get("/memory/").headers["Location"] == "/memory/entries/"
    assert page.get(f"/memory/?session={session.pk}").headers["Location"] == f"/memory/entries/?session={session.pk}"


def test_memory_is_reached_from_wherever_one_is(page: Client, alice: User, session: Session) -> None:  # ENTRY-27
    ProfileFactory.create(tenant=alice.tenant, owner=alice)
    for path, address in (
        ("/", "/memory/entries/"),
        ("/profiles/", "/memory/entries/"),
        (f"/sessions/{session.pk}/", f"/memory/entries/?session={session.pk}"),
    ):
        shown = page.get(path).content.decode()
        assert re.search(rf'<a[^>]*href="{re.escape(address)}"[^>]*data-testid="memory-button"', shown), path
    assert "Memory / conversation settings" in page.get("/").content.decode()
    shown = page.get(f"/sessions/{session.pk}/").content.decode()
    assert f'href="/memory/entries/?session={session.pk}" data-panel="entries">' in shown
    assert "Memory / conversation settings" in shown


def test_panel_says_where_it_is_seen_from(page: Client, alice: User, session: Session) -> None:  # ENTRY-29
    assert session.workspace
    assert session.workspace.name in page.get(f"/memory/entries/?session={session.pk}").content.decode()
    alone = SessionFactory.create(user=alice)
    assert "A chat without a workspace" in page.get(f"/memory/entries/?session={alone.pk}").content.decode()
    assert "memory-place" not in page.get("/memory/entries/").content.decode()


def test_temporary_chats_open_it_too(page: Client, alice: User) -> None:  # ENTRY-2, CHAT-4
    EntryFactory.create(user=alice, text="Prefers tea.")
    session = SessionFactory.create(user=alice, temporary=True)
    assert "Prefers tea." in page.get(f"/memory/entries/?session={session.pk}").content.decode()


def test_fields_of_several_forms_do_not_share_ids(page: Client, alice: User, session: Session) -> None:  # A11Y-1
    one, other = EntryFactory.create_batch(2, user=alice)
    parts = [page.get(f"/memory/entries/?session={session.pk}").content.decode()]
    for entry in (one, other):
        parts.append(page.get(f"/memory/entries/{entry.pk}/edit/?session={session.pk}", headers=HTMX).content.decode())
    ids = re.findall(r'<(?:input|select|textarea)[^>]* id="([^"]+)"', "".join(parts))
    assert len(ids) > 30
    assert sorted(ids) == sorted(set(ids))
