"""The main tasks with the keyboard alone, from sign-in to sign-out (A11Y-1)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from chat.models import Session
from tests.browser.person import Person, prose
from tests.factories import PASSWORD
from tests.scenes import Scene

FOCUS = """() => { const e = document.activeElement; const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  const ring = [e, e.parentElement, e.closest("form, label, .option")].some((each) => {
    if (!each) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  });
  return { name: `${e.getAttribute("aria-label") ?? ""} ${e.textContent.trim()} ${e.name ?? ""}`, seen: ring,
           tag: e.tagName, id: e.id, size: box.width * box.height, text: style.color }; }"""


@pytest.fixture
def typist(scene: Scene, meet: Callable[..., Person]) -> Person:
    """Somebody without a mouse."""
    return meet(scene, signed_in=False)


def tab_to(person: Person, name: str, key: str = "Tab", limit: int = 60) -> None:
    """Press Tab until what has the focus is called ``name``; the focus must be visible all the way."""
    seen = []
    for _step in range(limit):
        person.page.keyboard.press(key)
        focus = person.page.evaluate(FOCUS)
        seen.append(focus["name"])
        if focus["tag"] == "BODY":
            continue
        assert focus["seen"], f"no visible focus: {focus}"
        if name in focus["name"]:
            return
    raise AssertionError(f"{name} is not reached: {seen}")


def test_everything_important_works_with_the_keyboard(typist: Person) -> None:  # A11Y-1, CHAT-12
    typist.scene.model("echo", is_default=True)
    page, keyboard = typist.open("/accounts/login/"), typist.page.keyboard
    tab_to(typist, "login")
    keyboard.type(typist.scene.user.username)
    tab_to(typist, "password")
    keyboard.type(PASSWORD)
    keyboard.press("Enter")
    page.wait_for_url(lambda url: "login" not in url)

    expect(typist.composer).to_be_focused()
    keyboard.type("Without a mouse")
    tab_to(typist, "memory_mode")
    keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Read only")).to_be_checked()
    tab_to(typist, "Start", key="Shift+Tab")
    keyboard.press("Enter")
    page.wait_for_url("**/sessions/*/")
    assert prose(typist.wait_for_end()) == "You said: Without a mouse"
    expect(typist.composer).to_be_focused()
    keyboard.type("And again")
    keyboard.press("Enter")
    expect(typist.replies).to_have_count(2)
    typist.wait_for_end()

    page.keyboard.press("Escape")
    page.locator(".skip-link").focus()
    keyboard.press("Enter")  # past the list of conversations
    tab_to(typist, "Actions for")
    keyboard.press("Enter")
    tab_to(typist, "Rename")
    keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    keyboard.press("Control+A")
    keyboard.type("Named by hand")
    keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Named by hand")

    page.locator(".skip-link").focus()
    tab_to(typist, typist.scene.user.username)
    keyboard.press("Enter")
    tab_to(typist, "简体中文")
    keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.locator(".skip-link").focus()
    tab_to(typist, typist.scene.user.username)
    keyboard.press("Enter")
    tab_to(typist, "English")
    keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "en")

    page.locator(".skip-link").focus()
    keyboard.press("Enter")
    tab_to(typist, "Actions for")
    keyboard.press("Enter")
    tab_to(typist, "Delete")
    keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    tab_to(typist, "Delete")
    keyboard.press("Enter")
    page.wait_for_url(lambda url: "/sessions/" not in url)
    assert not Session.objects.filter(user=typist.scene.user).exists()

    page.locator(".skip-link").focus()
    tab_to(typist, typist.scene.user.username)
    keyboard.press("Enter")
    tab_to(typist, "Sign out")
    keyboard.press("Enter")
    page.wait_for_url("**/accounts/login/**")


def test_a_dialog_gives_the_focus_back(person: Person) -> None:  # A11Y-1
    person.open_session()
    settings = person.page.get_by_role("link", name="Conversation settings")
    settings.focus()
    person.page.keyboard.press("Enter")
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for _step in range(30):
        person.page.keyboard.press("Tab")
        inside = person.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
        assert inside, "the focus left an open dialog"
    person.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(settings).to_be_focused()
