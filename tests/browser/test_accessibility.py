"""Every page, light and dark: no violation that axe can find; and what screen readers hear of a reply (A11Y-1)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import axe_playwright_python
import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from adminchat.accounts.models import User
from adminchat.prompts import versions
from adminchat.prompts.versions import Figures
from chat import system_messages
from chat.models import Turn
from tests.browser.histories import talk
from tests.browser.person import Person
from tests.factories import (
    EntryFactory,
    MembershipFactory,
    ProfileFactory,
    PromptVersionFactory,
    SessionFactory,
    UserFactory,
    WorkspaceFactory,
)
from tests.fakes.replies import MARKDOWN
from tests.scenes import Scene

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOK = """async rules => (await axe.run(document, { runOnly: rules, resultTypes: ["violations"] }))
  .violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 150)}`))"""


@cache
def axe() -> str:
    (script,) = Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")
    return script.read_text()


def violations(page: Page) -> list[str]:
    """What axe finds in the light theme, and of colours in the dark one, which nothing else depends on."""
    found = []
    for theme, rules in (("light", STANDARDS), ("dark", ["color-contrast", "link-in-text-block"])):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(axe())
        kind = "tag" if theme == "light" else "rule"
        found += [f"{theme} {each}" for each in page.evaluate(LOOK, {"type": kind, "values": rules})]
    return found


@pytest.fixture
def owner(person: Person) -> Person:
    """A super administrator of an organisation with something on every page."""
    user = person.scene.user
    User.objects.filter(pk=user.pk).update(role=User.Role.SUPER_ADMIN)
    user.refresh_from_db()
    model = person.scene.model("echo", display_name="A model", is_default=True)
    colleague = UserFactory.create(tenant=user.tenant, first_name="Ada", is_active=False)
    workspace = WorkspaceFactory.create(tenant=user.tenant)
    for member in (user, colleague):
        MembershipFactory.create(user=member, workspace=workspace)
    profile = ProfileFactory.create(tenant=user.tenant, owner=user)
    session = SessionFactory.create(user=user, title="Renewing certificates", model=model, workspace=workspace)
    entry = EntryFactory.create(user=user, text="Prefers tea.", topic="Drinks", tier="topic", pinned=True)
    EntryFactory.create(user=user, text="Is in Rome.", workspace=workspace, expires_at=timezone.now())
    prompt = PromptVersionFactory.create(tenant=user.tenant, note="Shorter", temperature=0.2, chosen_model="Gone")
    versions.keep_score(user.tenant_id, prompt.code, Figures(0.9, 0.8, 1, 2.0, "A connection", "A model", 0.1))
    for revision in range(2):
        system_messages.save_global(user, f"Rule {revision}.", revision=revision)
    talk(session, [("How? " * 400, MARKDOWN)], input_tokens=20, output_tokens=300)
    talk(session, [("And *then*?", "")], state=Turn.State.FAILED, error_code="timeout")
    talk(session, [("Again", "Some words")], state=Turn.State.STOPPED, omitted_messages=3, cut_short=True)
    person.ids = {  # type: ignore[attr-defined]
        "session": session.pk,
        "entry": entry.pk,
        "colleague": colleague.pk,
        "workspace": workspace.pk,
        "profile": profile.pk,
        "connection": person.scene.connection.pk,
        "model": model.pk,
        "prompt": prompt.code,
    }
    return person


PAGES = {
    "chat": [
        "/",
        "/sessions/{session}/",
        "/sessions/{session}/messages/",
        "/sessions/{session}/rename/",
        "/sessions/{session}/delete/",
        "/sessions/{session}/settings/",
        "/sessions/",
        "/sessions/?q=how",
        "/sessions/?archived=1",
    ],
    "own": [
        "/profiles/",
        "/profiles/new/",
        "/profiles/{profile}/",
        "/profiles/{profile}/delete/",
        "/settings/",
        "/accounts/password/change/",
        "/accounts/reauthenticate/",
        "/accounts/logout/",
        "/accounts/sessions/",
    ],
    "people": [
        "/people/",
        "/people/create/",
        "/people/{colleague}/",
        "/workspaces/",
        "/workspaces/create/",
        "/workspaces/{workspace}/",
        "/policy/",
    ],
    "connections": ["/connections/", "/connections/{connection}/", "/connections/models/{model}/"],
    "prompts": [
        "/prompts/",
        "/prompts/import/",
        "/prompts/session-title/",
        "/prompts/versions/{prompt}/",
        "/prompts/versions/{prompt}/create/",
        "/prompts/versions/{prompt}/edit/",
        "/prompts/versions/{prompt}/delete/",
        "/prompts/session-title/compare/?old=2026.12.01.2-T1-A1&new={prompt}",
    ],
    "memory": [
        "/memory/entries/?session={session}",
        "/memory/entries/?scope=all&sort=topic",
        "/memory/entries/{entry}/edit/",
        "/memory/entries/{entry}/delete/",
        "/memory/loaded/",
        "/memory/preview/",
        "/memory/system-messages/",
        "/memory/system-messages/versions/",
        "/memory/activity/",
    ],
    "errors": ["/nowhere/", "/sessions/00000000-0000-4000-8000-000000000000/"],
}


@pytest.mark.parametrize("part", PAGES)
def test_pages_have_no_violations(owner: Person, part: str) -> None:  # A11Y-1
    found = {}
    for path in PAGES[part]:
        page = owner.open(path.format(**owner.ids))  # type: ignore[attr-defined]
        found[path] = violations(page)
        assert page.locator("main").count() == 1
        assert page.locator("h1").count() >= 1
    assert {path: each for path, each in found.items() if each} == {}


def test_what_opens_on_a_page_has_no_violations(owner: Person) -> None:  # A11Y-1
    page = owner.open("/sessions/{session}/".format(**owner.ids))  # type: ignore[attr-defined]
    found = {}
    for item in ("Rename", "Delete"):
        owner.use_menu(item)
        expect(page.get_by_role("dialog")).to_be_visible()
        found[item] = violations(page)
        page.keyboard.press("Escape")
    page.locator(".topbar .menu-button").click()
    found["session menu"] = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name=owner.scene.user.username).click()
    found["account menu"] = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Conversation settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found["settings"] = violations(page)
    page.keyboard.press("Escape")
    owner.messages.last.get_by_role("link", name="Edit and ask again").click()
    expect(page.locator(".message-edit")).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # nothing half behind the composer
    found["edit"] = violations(page)
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_role("button", name="Chats").click()
    found["drawer"] = violations(page)
    assert {what: each for what, each in found.items() if each} == {}


def test_a_growing_reply_and_a_wrong_form_have_no_violations(person: Person) -> None:  # A11Y-1
    person.open_session("slow-20x2000")
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok5 ")
    assert violations(person.page) == []
    person.page.keyboard.press("Escape")
    person.wait_for_end("stopped")
    person.open("/")
    person.page.locator("#composer").evaluate("form => { form.noValidate = true }")
    person.page.evaluate("document.querySelector('#composer').submit()")  # past the script's own check
    expect(person.page.get_by_role("alert")).to_be_visible()
    assert violations(person.page) == []


def test_pages_before_signing_in_have_no_violations(scene: Scene, meet: Callable[..., Person]) -> None:  # A11Y-1
    person = meet(scene, signed_in=False)
    page = person.open("/accounts/login/")
    assert violations(page) == []
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []


def test_the_end_of_a_reply_is_announced_once(person: Person) -> None:  # A11Y-1
    person.open_session("slow-20x40")
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok3 ")
    live = person.page.locator("[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]")
    assert not live.filter(has_text="tok3").count(), "the growing text is read aloud"
    person.wait_for_end()
    expect(person.page.locator("#announcer")).to_have_text("The reply is finished.")
    assert person.page.evaluate("announced") == ["The reply is finished."]


def test_nothing_moves_for_those_who_want_it_still(scene: Scene, meet: Callable[..., Person]) -> None:  # A11Y-1
    person = meet(scene, reduced_motion="reduce")
    person.open_session("slow-20x2000")
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok2 ")
    assert person.page.evaluate("document.getAnimations().length") == 0
    person.page.get_by_role("button", name=scene.user.username).click()
    assert person.page.evaluate("document.getAnimations().length") == 0
    person.page.keyboard.press("Escape")
    person.page.get_by_test_id("stop").click()
    person.wait_for_end("stopped")
