"""The SystemMessage tab: two texts, each saved by itself, no draft lost (SYS-7, SYS-8)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from adminchat.accounts.models import User
from chat import system_messages
from tests.browser.payloads import IN_TEXT
from tests.browser.person import Person
from tests.browser.test_accessibility import violations
from tests.factories import UserFactory
from tests.scenes import Scene

PATH = "/memory/system-messages/"
SAVE = {"my": "Save changes", "global": "Save global SystemMessage"}
NARROW = {"width": 390, "height": 800}


@pytest.fixture
def root(person: Person) -> Person:
    """A super administrator."""
    User.objects.filter(pk=person.scene.user.pk).update(role=User.Role.SUPER_ADMIN)
    person.scene.user.refresh_from_db()
    return person


def part(page: Page, which: str) -> Locator:
    return page.get_by_test_id(f"system-message-{which}")


def save(page: Page, which: str, text: str) -> None:
    part(page, which).get_by_role("textbox").fill(text)
    part(page, which).get_by_role("button", name=SAVE[which], exact=True).click()


def stored(user: User, which: str) -> str:
    return (system_messages.my(user) if which == "my" else system_messages.current_global(user)).text


def open_panel(person: Person) -> Locator:
    person.open_session()
    person.page.get_by_test_id("memory-button").click()
    panel = person.page.locator("#panel")
    panel.get_by_role("link", name="SystemMessage").click()
    expect(part(person.page, "my")).to_be_visible()
    return panel


@pytest.mark.parametrize(("saved", "other"), [("my", "global"), ("global", "my")])
def test_saving_one_keeps_what_was_typed_into_the_other(root: Person, saved: str, other: str) -> None:  # SYS-7
    open_panel(root)
    part(root.page, other).get_by_role("textbox").fill("Half a thought")
    save(root.page, saved, "Answer briefly.")
    expect(part(root.page, saved)).to_contain_text("Saved")
    expect(part(root.page, other).get_by_role("textbox")).to_have_value("Half a thought")
    assert stored(root.scene.user, saved) == "Answer briefly."
    assert stored(root.scene.user, other) == ""
    expect(part(root.page, saved)).to_contain_text("tokens per turn")


@pytest.mark.parametrize("choice", ["mine", "theirs"])
@pytest.mark.parametrize("which", ["my", "global"])
def test_of_two_tabs_none_loses_its_text(root: Person, which: str, choice: str) -> None:  # SYS-8, ENTRY-30
    page, second = root.open(PATH), root.context.new_page()
    second.goto(PATH)
    save(page, which, "From the first.")
    expect(part(page, which)).to_contain_text("Saved")
    save(second, which, "From the second.")
    expect(part(second, which).get_by_role("alert")).to_contain_text("From the first.")
    expect(part(second, which).get_by_role("textbox")).to_have_value("From the second.")
    assert stored(root.scene.user, which) == "From the first."
    if choice == "mine":
        part(second, which).get_by_role("button", name=SAVE[which]).click()
        expect(part(second, which)).to_contain_text("Saved")
        assert stored(root.scene.user, which) == "From the second."
    else:
        part(second, which).get_by_role("link", name="Keep the newer version").click()
        expect(part(second, which).get_by_role("textbox")).to_have_value("From the first.")
        expect(part(second, which).get_by_role("alert")).to_have_count(0)
    second.reload()
    assert root.warnings == 0


def test_a_draft_outlives_other_tabs_and_leaving_asks(person: Person) -> None:  # SYS-7
    panel = open_panel(person)
    draft = part(person.page, "my").get_by_role("textbox")
    draft.fill("Half a thought")
    panel.get_by_role("link", name="Activity").click()
    expect(panel).to_contain_text("Nothing here yet")
    panel.get_by_role("link", name="SystemMessage").click()
    expect(draft).to_have_value("Half a thought")
    system_messages.save_my(person.scene.user, "From elsewhere.", revision=0)
    panel.get_by_role("button", name="Close").click()
    person.page.get_by_test_id("memory-button").click()
    panel.get_by_role("link", name="SystemMessage").click()
    expect(draft).to_have_value("Half a thought")
    part(person.page, "my").get_by_role("button", name="Save changes").click()
    expect(part(person.page, "my").get_by_role("alert")).to_contain_text("From elsewhere.")  # it is of before that
    expect(draft).to_have_value("Half a thought")
    person.page.reload()
    assert person.warnings == 1
    expect(draft).to_have_value("From elsewhere.")
    person.page.reload()
    assert person.warnings == 1


def test_too_much_is_counted_and_kept(person: Person) -> None:  # SYS-3
    page = person.open(PATH)
    draft = part(page, "my").get_by_role("textbox")
    draft.fill("好" * 2001)
    expect(part(page, "my").locator("[data-count]")).to_have_text("2001 / 2000")
    part(page, "my").get_by_role("button", name="Save changes").click()
    expect(part(page, "my")).to_contain_text("2001 characters; at most 2000")
    expect(draft).to_have_value("好" * 2001)
    assert stored(person.scene.user, "my") == ""


def test_versions_are_read_and_brought_back(root: Person) -> None:  # SYS-8
    page = root.open(PATH)
    for text in ("One rule.", "Another rule."):
        save(page, "global", text)
        expect(part(page, "global")).to_contain_text("It reaches 1 person")
    part(page, "global").get_by_role("link", name="Versions").click()
    page.get_by_text("What it changed").first.click()
    expect(page.locator(".changes").first).to_contain_text("+ Another rule.")
    page.get_by_role("button", name="Bring this version back").click()
    expect(part(page, "global").get_by_role("textbox")).to_have_value("One rule.")


def test_system_messages_without_scripts(scene: Scene, meet: Callable[..., Person]) -> None:  # UX-1, SYS-7, SYS-8
    plain = meet(scene, java_script_enabled=False)
    page = plain.open("/memory/")
    page.get_by_role("link", name="SystemMessage").click()
    save(page, "my", "Answer briefly.")
    expect(part(page, "my").get_by_role("textbox")).to_have_value("Answer briefly.")
    expect(page.locator(".messages")).to_contain_text("Saved.")
    system_messages.save_my(scene.user, "From elsewhere.", revision=1)
    save(page, "my", "My draft.")
    expect(part(page, "my").get_by_role("alert")).to_contain_text("From elsewhere.")
    expect(part(page, "my").get_by_role("textbox")).to_have_value("My draft.")
    part(page, "my").get_by_role("button", name="Save changes").click()
    assert stored(scene.user, "my") == "My draft."


def test_system_messages_are_text(root: Person, meet: Callable[..., Person]) -> None:  # SEC-3
    lines = [" ".join(payload.split()) for payload in IN_TEXT if "\x00" not in payload]
    text = "\n".join(line for line in lines if line.isascii() and line.isprintable())[:1990]
    user = root.scene.user
    for revision, each in enumerate((text[::-1], text)):
        system_messages.save_my(user, each, revision=revision)
        system_messages.save_global(user, each, revision=revision, announce=True)
    page = root.open(PATH)
    expect(part(page, "global").get_by_role("textbox")).to_have_value(text.strip())
    root.check_safe()
    system_messages.save_my(user, text[::-1], revision=2)
    save(page, "my", "<script>window.pwned = 1</script>")
    expect(part(page, "my").get_by_role("alert")).to_be_visible()
    root.check_safe()
    page.goto(f"{PATH}versions/")
    page.get_by_text("What it changed").first.click()
    root.check_safe()
    root.scene.user = UserFactory.create(tenant=user.tenant)
    reader = meet(root.scene)
    reader.open(PATH)
    expect(part(reader.page, "global")).to_contain_text("<script>")
    reader.check_safe()


def test_system_messages_have_no_violations(root: Person) -> None:  # A11Y-1
    user = root.scene.user
    system_messages.save_my(user, "Answer briefly.", revision=0)
    for revision in range(2):
        system_messages.save_global(user, f"Rule {revision}.", revision=revision)
    found = {}
    open_panel(root)
    system_messages.save_my(user, "From elsewhere.", revision=1)
    save(root.page, "my", "My draft.")
    expect(part(root.page, "my").get_by_role("alert")).to_be_visible()
    found["conflict"] = violations(root.page)
    save(root.page, "my", "x" * 2001)
    expect(part(root.page, "my")).to_contain_text("2001 characters")
    found["error"] = violations(root.page)
    for size in (NARROW, {"width": 1440, "height": 900}):
        root.page.set_viewport_size(size)
        for path in (PATH, f"{PATH}versions/"):
            root.open(path)
            found[path, size["width"]] = violations(root.page)
            assert root.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert {what: each for what, each in found.items() if each} == {}


def test_a_version_is_brought_back_beside_the_conversation(root: Person) -> None:  # SYS-8, ENTRY-27
    for revision, text in enumerate(("Answer briefly.", "Answer at length.")):
        system_messages.save_global(root.scene.user, text, revision=revision)
    open_panel(root)
    root.page.get_by_role("link", name="Versions").click()
    root.page.get_by_role("button", name="Bring this version back").click()
    expect(root.page.get_by_text("Saved as version 3.")).to_be_visible()
    expect(part(root.page, "global").get_by_role("textbox")).to_have_value("Answer briefly.")
    expect(root.composer).to_be_visible()
    assert "/sessions/" in root.page.url
