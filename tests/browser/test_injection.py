"""What people, models and operators write is shown as text; nothing of it runs or loads (SEC-3)."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel, Connection
from chat.models import Profile, Session
from chat.texts import cleaned
from tests.browser.histories import talk
from tests.browser.payloads import IN_TEXT, NAMES
from tests.browser.person import UNSAFE, Person, prose, shown
from tests.factories import MembershipFactory, ProfileFactory, SessionFactory, UserFactory, WorkspaceFactory
from tests.scenes import Scene

WATCH = f"""
window.unsafe = [];
document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => window.unsafe.push(...({UNSAFE})()))
  .observe(document.body, {{ subtree: true, childList: true, attributes: true }}));
"""
DOCUMENT = "\n\n".join(IN_TEXT)


@pytest.fixture
def watcher(person: Person) -> Person:
    """Somebody whose browser looks at every change of the page for something unsafe."""
    person.context.add_init_script(WATCH)
    return person


def check(person: Person) -> None:
    person.check_safe()
    found = person.page.evaluate("window.unsafe")
    assert not found, found[:3]


def test_a_message_is_text(watcher: Person) -> None:  # SEC-3
    watcher.open_session("tokens-3")
    watcher.ask(DOCUMENT)
    check(watcher)
    written = watcher.messages.last.locator(".prose").inner_text()
    for payload in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{ 7+7 }}", "<svg onload=alert(1)>"):
        assert payload in written
    watcher.page.reload()
    check(watcher)
    watcher.messages.last.get_by_role("link", name="Edit and ask again").click()
    expect(watcher.page.locator(".message-edit textarea")).to_have_value(cleaned(DOCUMENT))
    check(watcher)


@pytest.mark.parametrize("size", [1, 5])
def test_a_reply_is_harmless_at_every_moment_of_its_growth(watcher: Person, size: int) -> None:  # SEC-3, CHAT-10
    session = watcher.open_session()
    pieces = re.findall(rf"(?s).{{1,{size}}}", DOCUMENT)
    watcher.scene.script(session, pieces, interval=1.5 / len(pieces))
    reply = watcher.ask("Attack")
    assert len(watcher.page.evaluate("grown")) > 3
    check(watcher)
    for payload in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{ 7+7 }}"):
        assert payload in prose(reply)
    watcher.page.reload()
    check(watcher)


@pytest.mark.parametrize(
    "payload", ["<img src=x onerror='pwned=1'>", "<script>pwned=1</script>", "[x](javascript:pwned=1)"]
)
def test_markup_that_waits_for_its_end_is_harmless(watcher: Person, payload: str) -> None:  # SEC-3
    session = watcher.open_session()
    middle = len(payload) // 2
    watcher.scene.script(session, [f"Look: {payload[:middle]}", f"{payload[middle:]}\n\nDone"], interval=0.6)
    watcher.ask("Attack")
    check(watcher)
    watcher.page.reload()
    check(watcher)


def test_links_of_a_reply_lead_to_safe_places_only(watcher: Person) -> None:  # SEC-3
    session = watcher.open_session()
    watcher.scene.script(session, [DOCUMENT, "\n\n[good](https://example.com/page)"])
    reply = watcher.ask("Links")
    schemes = {link.evaluate("link => link.protocol") for link in reply.locator(".prose a").all()}
    assert schemes <= {"https:", "http:", "mailto:"}
    good = reply.get_by_role("link", name="good")
    assert {"noopener", "noreferrer"} & set((good.get_attribute("rel") or "").split())


def test_titles_and_names_are_text_wherever_they_stand(scene: Scene, meet: Callable[..., Person]) -> None:  # SEC-3
    user = scene.user
    User.objects.filter(pk=user.pk).update(role=User.Role.SUPER_ADMIN, first_name=NAMES[0])
    Connection.objects.filter(pk=scene.connection.pk).update(name=NAMES[1])
    model = scene.model("echo", is_default=True)
    ChatModel.objects.filter(pk=model.pk).update(display_name=NAMES[2])
    other = UserFactory.create(tenant=user.tenant, first_name=NAMES[3])
    workspace = WorkspaceFactory.create(tenant=user.tenant, name=NAMES[4], description=NAMES[5])
    for member in (user, other):
        MembershipFactory.create(user=member, workspace=workspace)
    profile = ProfileFactory.create(tenant=user.tenant, owner=user, name=NAMES[6], description=NAMES[7])
    sessions = [
        SessionFactory.create(user=user, title=name, workspace=workspace, profile=profile, model=model)
        for name in NAMES
    ]
    talk(sessions[0], [("A question", "An answer")])
    person = meet(scene)
    paths = [
        "/",
        f"/sessions/{sessions[0].pk}/",
        f"/sessions/{sessions[0].pk}/rename/",
        f"/sessions/{sessions[0].pk}/delete/",
        f"/sessions/{sessions[0].pk}/settings/",
        "/sessions/?archived=1",
        "/profiles/",
        f"/profiles/{profile.pk}/",
        f"/profiles/{profile.pk}/delete/",
        "/people/",
        f"/people/{other.pk}/",
        f"/people/{other.pk}/deactivate/",
        "/workspaces/",
        f"/workspaces/{workspace.pk}/",
        f"/workspaces/{workspace.pk}/delete/",
        "/connections/",
        f"/connections/{scene.connection.pk}/",
        f"/connections/models/{model.pk}/",
        "/settings/",
    ]
    for path in paths:
        person.open(path)
        person.check_safe()
    person.open("/")
    listed = [shown(link) for link in person.page.locator(".session-link").all()]
    assert set(listed) == {" ".join(name.split()) for name in NAMES}
    person.open(f"/sessions/{sessions[0].pk}/")
    person.use_menu("Rename")
    expect(person.page.get_by_role("dialog").get_by_role("textbox")).to_have_value(NAMES[0])
    person.check_safe()


def test_a_generated_title_is_text(person: Person) -> None:  # SEC-3, CHAT-14
    model = person.scene.model("slow-20x10", is_default=True)
    person.scene.models.script(model.name, ["Hello"])
    person.scene.models.script(model.name, [], whole="<img src=x onerror=alert(1)>")
    person.open("/")
    person.send("Name this")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("<img src=x onerror=alert(1)>")
    person.check_safe()


def test_a_search_is_text(person: Person) -> None:  # SEC-3
    session = person.open_session()
    talk(session, [(name, name) for name in NAMES])
    for name in NAMES:
        person.open(f"/sessions/?q={quote(name)}")
        person.check_safe()
        expect(person.page.locator("#page-search")).to_have_value(name)


def test_addresses_cannot_carry_scripts(person: Person) -> None:  # SEC-3
    for path in (
        "/accounts/login/?next=javascript:alert(1)",
        "/sessions/?before=<script>",
        "/%3Cscript%3Ealert(1)%3C/script%3E",
    ):
        person.open(path)
        person.check_safe()
    person.open_session()
    for target in ("javascript:alert(1)//", "//example.com/", "https://example.com/"):
        person.page.evaluate(
            """next => {
              const form = document.querySelector("[data-theme-switch]").cloneNode(true);
              form.removeAttribute("data-theme-switch");
              form.elements.next.value = next;
              document.body.append(form);
              form.querySelector("[value=light]").click();
            }""",
            target,
        )
        person.page.wait_for_url("**/settings/")
        person.page.go_back()


def test_an_exported_file_has_a_harmless_name(person: Person, tmp_path: Path) -> None:  # SEC-3
    session = person.open_session()
    talk(session, [("Question", "Answer")])
    for title in ('../../x"; filename="evil.html', "..\\..\\con.html", "a\u202egpj.html", "<script>.svg", "…/…/\x7f"):
        Session.objects.filter(pk=session.pk).update(title=title)
        person.open(f"/sessions/{session.pk}/")
        with person.page.expect_download() as started:
            person.use_menu("Export as JSON")
        name = started.value.suggested_filename
        assert name.endswith(".json"), name
        assert not re.search(r"[\\/<>\"\u202a-\u202e\x00-\x1f\x7f]", name), name


def test_a_profile_presets_no_markup(person: Person) -> None:  # SEC-3
    page = person.open("/profiles/new/")
    for name in NAMES[:3]:
        page.goto("/profiles/new/")
        page.locator("[name=name]").fill(name)
        page.locator("[name=instructions]").fill(DOCUMENT[:3000])
        page.get_by_role("button", name=re.compile("Save")).click()
        page.wait_for_url("**/profiles/")
        expect(page.locator(".rows")).to_contain_text(name)
        person.check_safe()
    assert Profile.objects.filter(owner=person.scene.user).count() == 3
