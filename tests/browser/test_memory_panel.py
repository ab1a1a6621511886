"""The Memory panel beside the page, and the Entries tab in it, without scripts as well (ENTRY-27 to ENTRY-30)."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect

from adminchat.accounts.models import Workspace
from chat.models import Session
from memory import selectors
from memory.models import Entry
from tests.browser.histories import talk
from tests.browser.payloads import IN_TEXT
from tests.browser.person import Person
from tests.browser.test_accessibility import violations
from tests.factories import EntryFactory, MembershipFactory, WorkspaceFactory
from tests.scenes import Scene
from tests.servers import eventually

NARROW = {"width": 390, "height": 800}


@pytest.fixture
def workspace(person: Person) -> Workspace:
    """A workspace of which the person is a member."""
    user = person.scene.user
    return MembershipFactory.create(user=user, workspace=WorkspaceFactory.create(tenant=user.tenant)).workspace


@pytest.fixture
def plain(scene: Scene, meet: Callable[..., Person]) -> Person:
    """Somebody whose browser runs no scripts."""
    return meet(scene, java_script_enabled=False)


def panel(person: Person) -> Locator:
    return person.page.locator("#panel")


def rows(person: Person) -> Locator:
    return person.page.get_by_test_id("entry")


def row(person: Person, text: str) -> Locator:
    return rows(person).filter(has_text=text)


def add_form(person: Person) -> Locator:
    return person.page.locator("#entry-add-form")


def in_workspace(person: Person, workspace: Workspace) -> Session:
    session = person.open_session()
    Session.objects.filter(pk=session.pk).update(workspace=workspace)
    return session


def open_panel(person: Person, session: Session | None = None, tab: str = "entries") -> None:
    person.open(f"/sessions/{session.pk}/?memory={tab}" if session else f"/?memory={tab}")
    expect(person.page.get_by_test_id("meter-entries")).to_be_visible()


def make(person: Person, *texts: str, **fields: object) -> list[Entry]:
    return [EntryFactory.create(user=person.scene.user, text=text, **fields) for text in texts]


def stored(person: Person) -> list[str]:
    return sorted(entry.text for entry in selectors.entries(person.scene.user))


def use_row_menu(person: Person, text: str, item: str) -> None:
    row(person, text).get_by_role("button", name="More").click()
    person.page.locator("[popover]:popover-open").get_by_text(item, exact=True).click()


# --- the panel --------------------------------------------------------------------------------------------------------


def test_panel_opens_beside_the_conversation_and_has_addresses(person: Person) -> None:  # ENTRY-27
    session = person.open_session()
    person.composer.fill("Half a thought")
    button = person.page.get_by_test_id("memory-button")
    button.click()
    expect(panel(person)).to_be_visible()
    expect(panel(person).get_by_role("heading", name="Memory")).to_be_visible()
    expect(person.page).to_have_url(re.compile(rf"/sessions/{session.pk}/\?memory=entries$"))
    panel(person).get_by_role("link", name="Preview").click()
    expect(person.page).to_have_url(re.compile(r"\?memory=preview$"))
    expect(panel(person).get_by_role("link", name="Preview")).to_have_attribute("aria-current", "page")
    expect(person.composer).to_have_value("Half a thought")
    person.page.go_back()
    expect(panel(person).get_by_role("link", name="Entries")).to_have_attribute("aria-current", "page")
    person.page.go_forward()
    expect(panel(person).get_by_role("link", name="Preview")).to_have_attribute("aria-current", "page")
    person.page.reload()
    expect(panel(person).get_by_role("link", name="Preview")).to_have_attribute("aria-current", "page")
    panel(person).get_by_role("button", name="Close").click()
    expect(panel(person)).to_be_hidden()
    expect(person.page).to_have_url(re.compile(rf"/sessions/{session.pk}/$"))
    person.page.go_back()
    expect(panel(person)).to_be_visible()


def test_a_wide_window_remembers_whether_the_panel_is_open(person: Person) -> None:  # ENTRY-27
    person.open_session()
    person.page.get_by_test_id("memory-button").click()
    expect(panel(person).get_by_test_id("meter-entries")).to_be_visible()
    person.open("/")
    expect(panel(person).get_by_test_id("meter-entries")).to_be_visible()
    panel(person).get_by_role("button", name="Close").click()
    person.open("/sessions/")
    expect(person.page.locator("#main h1")).to_be_visible()
    expect(panel(person)).to_be_hidden()


def test_panel_lies_over_a_narrow_page_until_escape(person: Person) -> None:  # ENTRY-27
    person.page.set_viewport_size({"width": 1000, "height": 800})
    person.open_session()
    width = person.page.locator("#main").bounding_box()
    button = person.page.get_by_test_id("memory-button")
    button.click()
    expect(panel(person).get_by_test_id("meter-entries")).to_be_visible()
    assert person.page.locator("#main").bounding_box() == width
    expect(person.page.locator("#memory")).to_be_focused()
    person.page.keyboard.press("Escape")
    expect(panel(person)).to_be_hidden()
    expect(button).to_be_focused()
    person.open("/")
    expect(panel(person)).to_be_hidden()


def test_nothing_behind_a_panel_that_covers_the_page_is_reached(person: Person) -> None:  # ENTRY-27, A11Y-1
    person.page.set_viewport_size(NARROW)
    open_panel(person)
    for _ in range(40):
        person.page.keyboard.press("Tab")
        where = person.page.evaluate("document.activeElement.closest('#main, #sidebar')?.id ?? ''")
        assert where == "", "the focus is behind the panel"
    panel(person).get_by_role("button", name="Close").click()
    person.composer.fill("Reached")
    expect(person.composer).to_be_focused()


def test_a_place_on_the_page_is_no_reason_to_lose_a_draft(person: Person) -> None:  # ENTRY-27
    make(person, "Prefers tea.")
    open_panel(person, person.open_session())
    row(person, "tea").get_by_role("link", name="Edit").click()
    draft = person.page.locator(".editing form").get_by_label("Text")
    draft.fill("Half a thought")
    person.page.evaluate("location.hash = 'main'")
    person.page.evaluate("history.back()")
    person.page.wait_for_function("location.hash === ''")
    expect(draft).to_have_value("Half a thought")


def test_a_tab_that_is_none_opens_nothing(person: Person) -> None:  # ENTRY-27
    person.open("/?memory=entrails")
    expect(panel(person)).to_be_hidden()
    expect(person.page).to_have_url(re.compile(r"/$"))


@pytest.mark.parametrize("place", ["launcher", "session"])
def test_memory_has_an_entry_where_one_chats(person: Person, place: str) -> None:  # ENTRY-27
    person.scene.model("echo", is_default=True)
    if place == "launcher":
        person.open("/")
        person.page.get_by_role("link", name="Memory / conversation settings").click()
    else:
        person.open_session()
        person.use_menu("Memory / conversation settings")
    expect(panel(person).get_by_test_id("meter-entries")).to_be_visible()


def test_tabs_all_answer_in_the_panel(person: Person) -> None:  # ENTRY-27
    open_panel(person, person.open_session())
    names = panel(person).locator(".tabs a").all_inner_texts()
    assert len(names) >= 5
    for name in names:
        panel(person).locator(".tabs").get_by_role("link", name=name).click()
        expect(panel(person).locator(".tabs [aria-current]")).to_have_text(name)
        assert panel(person).evaluate("panel => panel.scrollWidth <= panel.clientWidth"), name


# --- one entry --------------------------------------------------------------------------------------------------------


def test_an_entry_is_added_in_place(person: Person, workspace: Workspace) -> None:  # ENTRY-7, ENTRY-28
    make(person, "Prefers tea.", topic="Drinks", tier="topic")
    open_panel(person, in_workspace(person, workspace))
    person.page.get_by_text("Add an entry").click()
    form = add_form(person)
    expect(form.get_by_label("Topic", exact=True).last).to_be_hidden()
    form.get_by_label("Text").fill("Deploys on Tuesday.")
    expect(form.locator("[data-count]")).to_have_text("19 / 300")
    form.get_by_role("radio", name="This workspace").check()
    form.get_by_role("radio", name="Topic").check()
    topic = form.get_by_role("combobox", name="Topic")
    topic.fill("Deploys")
    assert person.page.locator(f"#{topic.get_attribute('list')} option").evaluate_all(
        "all => all.map(o => o.value)"
    ) == ["Drinks"]
    form.get_by_label("Kind").select_option("Decision")
    form.get_by_label(re.compile("^Valid until")).fill("2036-03-31")
    form.get_by_label(re.compile("^Time")).fill("18:00")
    form.get_by_text("Pinned").click()
    form.get_by_role("button", name="Add entry").click()
    made = row(person, "Deploys on Tuesday.")
    expect(made).to_have_attribute("data-tier", "topic")
    expect(made).to_have_attribute("data-scope", "workspace")
    for words in ("Deploys", "Decision", workspace.name, "Pinned", "March 31, 2036, 6 p.m."):
        expect(made).to_contain_text(words)
    expect(person.page.get_by_test_id("meter-entries")).to_contain_text("2 / 80")
    expect(form.get_by_label("Text")).to_have_value("")
    expect(person.page.locator("#announcer")).to_have_text("Added.")


def test_enter_sends_an_entry_and_pasted_line_breaks_become_spaces(person: Person) -> None:  # ENTRY-8
    open_panel(person)
    person.page.get_by_text("Add an entry").click()
    text = add_form(person).get_by_label("Text")
    text.fill("Prefers\r\n  tea.")
    expect(text).to_have_value("Prefers tea.")
    text.press("Enter")
    expect(row(person, "Prefers tea.")).to_be_visible()
    text.fill("好" * 301)
    expect(add_form(person).locator("[data-count]")).to_have_class(re.compile("over"))
    text.press("Enter")
    expect(add_form(person)).to_contain_text("301 characters; at most 300")
    expect(add_form(person).get_by_label("Text")).to_have_value("好" * 301)
    expect(add_form(person).get_by_label("Text")).to_be_focused()


def test_a_warning_is_read_before_saving_all_the_same(person: Person) -> None:  # LEARN-15
    open_panel(person)
    person.page.get_by_text("Add an entry").click()
    add_form(person).get_by_label("Text").fill("Our key is sk-proj-9fK2mQ7xV1bT4")
    add_form(person).get_by_label("Text").press("Enter")
    expect(add_form(person).get_by_role("alert")).to_contain_text("looks like a key")
    assert stored(person) == []
    add_form(person).get_by_label("Save it all the same").check()
    add_form(person).get_by_role("button", name="Add entry").click()
    expect(rows(person)).to_have_count(1)


def test_an_entry_is_edited_in_place(person: Person) -> None:  # ENTRY-28
    moment = timezone.now() + timedelta(days=9)
    (entry,) = make(person, "Prefers tea.", expires_at=moment)
    open_panel(person)
    row(person, "Prefers tea.").get_by_role("link", name="Edit").click()
    form = person.page.locator(".editing form")
    expect(form.get_by_label("Text")).to_be_focused()
    expect(form.get_by_label(re.compile("^Time"))).not_to_have_value("")
    form.get_by_label("Text").fill("Prefers coffee.")
    form.get_by_role("button", name="Save").click()
    expect(row(person, "Prefers coffee.")).to_contain_text("Saved.")
    assert stored(person) == ["Prefers coffee."]
    entry.refresh_from_db()
    assert entry.expires_at == moment, "what was not touched has changed"
    row(person, "Prefers coffee.").get_by_role("link", name="Edit").click()
    form.get_by_label("Text").fill("Never mind")
    form.get_by_role("link", name="Cancel").click()
    expect(row(person, "Prefers coffee.")).to_be_visible()


@pytest.mark.parametrize("choice", ["mine", "edited", "theirs"])
def test_conflict_is_decided_by_its_author(person: Person, choice: str) -> None:  # ENTRY-30
    (entry,) = make(person, "Deploys on Monday.")
    open_panel(person)
    row(person, "Deploys").get_by_role("link", name="Edit").click()
    form = person.page.locator(".editing form")
    form.get_by_label("Text").fill("Deploys on Tuesday.")
    entry.text, entry.revision = "Deploys on Friday.", 2
    entry.save()
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_test_id("newer-version")).to_contain_text("Deploys on Friday.")
    expect(form.get_by_label("Text")).to_have_value("Deploys on Tuesday.")
    assert stored(person) == ["Deploys on Friday."]
    if choice == "theirs":
        form.get_by_role("link", name="Keep theirs").click()
        expect(row(person, "Deploys on Friday.")).to_be_visible()
        return
    if choice == "edited":
        form.get_by_label("Text").fill("Deploys on Wednesday.")
    form.get_by_role("button", name="Take mine").click()
    expected = "Deploys on Tuesday." if choice == "mine" else "Deploys on Wednesday."
    expect(row(person, expected)).to_be_visible()
    assert stored(person) == [expected]


@pytest.mark.parametrize("gone", [False, True])
def test_an_entry_is_edited_on_a_page_of_its_own(person: Person, gone: bool) -> None:  # ENTRY-28, ENTRY-30
    (entry,) = make(person, "Deploys on Monday.")
    page = person.open(f"/memory/entries/{entry.pk}/edit/")
    form = page.get_by_test_id("entry-form")
    form.get_by_label("Text").fill("Deploys on Tuesday.")
    if gone:
        entry.delete()
    else:
        entry.revision = 2
        entry.save()
    form.get_by_role("button", name="Save").click()
    if gone:
        expect(add_form(person)).to_contain_text("is no longer there")
        add_form(person).get_by_role("button", name="Add entry").click()
    else:
        expect(page.get_by_test_id("newer-version")).to_be_visible()
        page.get_by_role("button", name="Take mine").click()
    expect(row(person, "Deploys on Tuesday.")).to_be_visible()
    expect(page.locator(".tabs").get_by_role("link", name="Entries")).to_be_visible()


def test_draft_of_an_entry_that_is_gone_becomes_a_new_one(person: Person) -> None:  # ENTRY-30
    (entry,) = make(person, "Deploys on Monday.")
    open_panel(person)
    row(person, "Deploys").get_by_role("link", name="Edit").click()
    person.page.locator(".editing form").get_by_label("Text").fill("Deploys on Tuesday.")
    entry.delete()
    person.page.locator(".editing form").get_by_role("button", name="Save").click()
    expect(add_form(person)).to_contain_text("is no longer there")
    expect(rows(person)).to_have_count(0)
    add_form(person).get_by_role("button", name="Add entry").click()
    expect(row(person, "Deploys on Tuesday.")).to_be_visible()


def test_what_is_done_from_a_row_stays_in_place_and_keeps_the_focus(person: Person) -> None:  # ENTRY-12, ENTRY-28
    make(person, "Prefers tea.", "Prefers mountains.")
    open_panel(person)
    for item, words in (
        ("Pin", "Pinned."),
        ("Unpin", "No longer pinned."),
        ("Archive", "Archived."),
        ("Restore", "Restored."),
    ):
        use_row_menu(person, "tea", item)
        expect(row(person, "tea")).to_contain_text(words)
        expect(row(person, "tea").get_by_role("link", name="Edit")).to_be_focused()
    use_row_menu(person, "tea", "Delete")
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Prefers tea.")
    assert len(stored(person)) == 2
    dialog.get_by_role("button", name="Delete entry").click()
    expect(dialog).to_be_hidden()
    expect(panel(person).get_by_text("Deleted for good.")).to_be_focused()
    expect(person.page.get_by_test_id("meter-entries")).to_contain_text("1 / 80")
    assert stored(person) == ["Prefers mountains."]


def test_row_that_is_outdated_shows_how_it_is_now(person: Person) -> None:  # ENTRY-30
    one, other = make(person, "Prefers tea.", "Prefers mountains.")
    open_panel(person)
    use_row_menu(person, "tea", "Delete")
    expect(person.page.get_by_role("dialog")).to_contain_text("Prefers tea.")
    Entry.objects.filter(pk=one.pk).update(revision=2, pinned=True)
    person.page.get_by_role("dialog").get_by_role("button", name="Delete entry").click()
    expect(row(person, "tea")).to_contain_text("was changed meanwhile")
    expect(row(person, "tea")).to_contain_text("Pinned")
    other.delete()
    use_row_menu(person, "mountains", "Archive")
    expect(panel(person)).to_contain_text("This entry is no longer there.")
    assert stored(person) == ["Prefers tea."]


def test_drafts_outlive_other_tabs_and_a_closed_panel(person: Person) -> None:  # ENTRY-28
    make(person, "Prefers tea.")
    open_panel(person, person.open_session())
    person.page.get_by_text("Add an entry").click()
    add_form(person).get_by_label("Text").fill("Half a thought")
    add_form(person).get_by_role("radio", name="Topic").check()
    row(person, "tea").get_by_role("link", name="Edit").click()
    edited = person.page.locator(".editing form").get_by_label("Text")
    edited.fill("Prefers coffee")
    panel(person).get_by_role("link", name="Preview").click()
    expect(panel(person).get_by_label("Your question")).to_be_visible()
    panel(person).get_by_role("link", name="Entries").click()
    expect(edited).to_have_value("Prefers coffee")
    expect(add_form(person).get_by_label("Text")).to_have_value("Half a thought")
    expect(add_form(person).get_by_role("radio", name="Topic")).to_be_checked()
    panel(person).get_by_role("button", name="Close").click()
    person.page.get_by_test_id("memory-button").click()
    expect(edited).to_have_value("Prefers coffee")
    add_form(person).get_by_role("radio", name="Core").check()
    add_form(person).get_by_role("button", name="Add entry").click()
    expect(row(person, "Half a thought")).to_be_visible()
    expect(edited).to_have_value("Prefers coffee")  # though the list came anew
    expect(add_form(person).get_by_label("Text")).to_have_value("")
    person.page.reload()
    assert person.warnings == 1
    expect(row(person, "tea")).to_be_visible()
    row(person, "tea").get_by_role("link", name="Edit").click()
    edited.fill("Never mind")
    person.page.locator(".editing form").get_by_role("link", name="Cancel").click()
    expect(row(person, "tea")).to_be_visible()
    person.page.reload()
    assert person.warnings == 1
    expect(rows(person)).to_have_count(2)


def test_an_entry_has_another_value_in_a_workspace(person: Person, workspace: Workspace) -> None:  # ENTRY-16
    make(person, "Deploys on Monday.")
    open_panel(person, in_workspace(person, workspace))
    use_row_menu(person, "Monday", "Other value in this workspace")
    expect(add_form(person)).to_contain_text("takes the place of the global one")
    expect(add_form(person).get_by_label("Text")).to_have_value("Deploys on Monday.")
    add_form(person).get_by_label("Text").fill("Deploys on Friday.")
    add_form(person).get_by_role("button", name="Add entry").click()
    expect(row(person, "Friday")).to_have_attribute("data-scope", "workspace")
    expect(row(person, "Monday")).to_have_attribute("data-scope", "global")
    panel(person).get_by_role("link", name="Preview").click()
    panel(person).get_by_label("Your question").fill("When do we deploy?")
    panel(person).get_by_role("button", name="Show what it would load").click()
    expect(person.page.get_by_test_id("loaded-entry")).to_have_text([re.compile("Deploys on Friday.")])
    overridden = person.page.locator("[data-testid='not-loaded'][data-reason='overridden_by_workspace']")
    expect(overridden).to_contain_text("Deploys on Monday.")
    expect(overridden).to_contain_text("Instead: Deploys on Friday.")


# --- many entries -----------------------------------------------------------------------------------------------------


def test_entries_are_found_while_one_types(person: Person) -> None:  # ENTRY-28
    make(person, "Prefers tea.", "Deploys on Tuesday.", "周五不发布。")
    open_panel(person)
    search = person.page.get_by_role("searchbox", name="Search in entries")
    search.fill("TUES")
    expect(rows(person)).to_have_count(1)
    expect(rows(person)).to_contain_text("Deploys on Tuesday.")
    assert "TUES" not in person.page.url
    search.fill("发布")
    expect(rows(person)).to_contain_text("周五不发布。")
    search.fill("nothing like it")
    expect(panel(person)).to_contain_text("No entry fits.")


def test_expired_and_unused_entries_are_one_click_away_and_stay_listed(person: Person) -> None:  # ENTRY-12, ENTRY-28
    long_ago = timezone.now() - timedelta(days=200)
    make(person, "Fresh.")
    make(person, "Quiet one.", "Quiet other.", updated_at=long_ago)
    make(person, "Expired.", expires_at=long_ago)
    open_panel(person)
    expect(person.page.locator("#stale-count")).to_have_text("3")
    panel(person).get_by_role("radio", name="Expired or unused 3").check()
    expect(rows(person)).to_have_count(3)
    use_row_menu(person, "Expired.", "Renew: no expiry")
    expect(person.page.locator("#stale-count")).to_have_text("2")
    row(person, "Quiet one.").get_by_role("checkbox").check()
    expect(panel(person)).to_contain_text("1 entry chosen")
    panel(person).locator("#bulk").get_by_role("button", name="Archive").click()
    expect(panel(person)).to_contain_text("1 entry is archived.")
    expect(rows(person)).to_have_text([re.compile("Quiet other.")])  # the list is still filtered
    expect(person.page.locator("#stale-count")).to_have_text("1")


def test_many_are_deleted_after_one_question(person: Person) -> None:  # ENTRY-28
    make(person, "One.", "Two.", "Three.")
    open_panel(person)
    bulk = panel(person).locator("#bulk")
    expect(bulk).to_be_hidden()
    for text in ("One.", "Two."):
        row(person, text).get_by_role("checkbox").check()
    bulk.get_by_role("button", name="Delete").click()
    dialog = person.page.get_by_role("dialog", name="Delete 2 entries?")
    dialog.get_by_role("button", name="Delete 2 entries").click()
    expect(dialog).to_be_hidden()
    expect(rows(person)).to_have_count(1)
    expect(person.page.get_by_test_id("meter-entries")).to_contain_text("1 / 80")
    assert stored(person) == ["Three."]


# --- from a message, and back -----------------------------------------------------------------------------------------


def test_a_message_is_remembered_and_found_again(person: Person) -> None:  # ENTRY-28
    session = person.open_session()
    talk(session, [("We deploy on\nTuesday.", "Noted.")])
    person.page.reload()
    person.messages.last.get_by_role("link", name="Remember this…").click()
    form = add_form(person)
    expect(form.get_by_label("Text")).to_have_value("We deploy on Tuesday.")
    form.get_by_role("button", name="Add entry").click()
    made = row(person, "We deploy on Tuesday.")
    use_row_menu(person, "We deploy", "Pin")
    expect(made).to_contain_text("Pinned.")
    made.locator("summary").click()
    made.get_by_role("link", name="Show the message").click()
    expect(person.page).to_have_url(re.compile(rf"/sessions/{session.pk}/.*#message-"))
    expect(person.messages.last).to_be_visible()


# --- for everybody ----------------------------------------------------------------------------------------------------


def test_entries_without_scripts(plain: Person) -> None:  # ENTRY-27, ENTRY-28, UX-1
    plain.scene.model("echo", is_default=True)
    page = plain.open("/")
    page.get_by_test_id("memory-button").click()
    expect(page.get_by_role("heading", name="Memory")).to_be_visible()
    page.get_by_text("Add an entry").click()
    form = add_form(plain)
    form.get_by_label("Text").fill("Prefers tea.")
    form.get_by_role("radio", name="Topic").check(force=True)
    form.get_by_role("button", name="Add entry").click()
    expect(form).to_contain_text("Name the topic")
    form.get_by_role("combobox", name="Topic").fill("Drinks")
    form.get_by_role("button", name="Add entry").click()
    expect(row(plain, "Prefers tea.")).to_contain_text("Drinks")
    row(plain, "Prefers tea.").get_by_role("link", name="Edit").click()
    draft = page.get_by_test_id("entry-form")
    draft.get_by_label("Text").fill("Prefers coffee.")
    Entry.objects.update(revision=5)
    draft.get_by_role("button", name="Save").click()
    expect(page.get_by_test_id("newer-version")).to_contain_text("Prefers tea.")
    draft.get_by_role("button", name="Take mine").click()
    expect(row(plain, "Prefers coffee.")).to_be_visible()
    use_row_menu(plain, "coffee", "Archive")
    expect(row(plain, "coffee")).to_have_attribute("data-tier", "archive")
    page.locator(".entry-show").get_by_role("radio", name="Pinned").check()
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#entries")).to_contain_text("No entry fits.")
    page.get_by_test_id("memory-button").click()
    row(plain, "coffee").get_by_role("checkbox").check()
    page.locator("#bulk").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete 1 entry").click()
    expect(page.locator(".messages")).to_contain_text("1 entry is deleted for good.")
    assert stored(plain) == []


def test_panel_has_no_violations(person: Person, workspace: Workspace) -> None:  # A11Y-1
    session = in_workspace(person, workspace)
    found = {}
    open_panel(person, session)
    found["empty"] = violations(person.page)
    make(person, "Prefers tea.", tier="topic", topic="Drinks", expires_at=timezone.now() + timedelta(days=9))
    make(person, "Old.", expires_at=timezone.now() - timedelta(days=9), pinned=True)
    (entry,) = make(person, "Here.", workspace=workspace)
    person.page.reload()
    expect(rows(person)).to_have_count(3)
    person.page.get_by_text("Add an entry").click()
    person.page.get_by_text("Filter and sort").click()
    row(person, "Old.").locator("summary").click()
    row(person, "Here.").get_by_role("link", name="Edit").click()
    expect(person.page.locator(".editing")).to_be_visible()  # it holds the revision that is then outdated
    entry.revision = 2
    entry.save()
    person.page.locator(".editing").get_by_role("button", name="Save").click()
    expect(person.page.get_by_test_id("newer-version")).to_be_visible()
    found["forms"] = violations(person.page)
    row(person, "Old.").get_by_role("checkbox").check()
    found["bulk"] = violations(person.page)
    row(person, "Old.").get_by_role("button", name="More").click()
    found["menu"] = violations(person.page)
    person.page.keyboard.press("Escape")
    panel(person).locator("#bulk").get_by_role("button", name="Delete").click()
    expect(person.page.get_by_role("dialog")).to_be_visible()
    found["dialog"] = violations(person.page)
    person.page.keyboard.press("Escape")
    person.page.set_viewport_size(NARROW)
    found["drawer"] = violations(person.page)
    for path in ("/memory/entries/", "/memory/loaded/", "/memory/preview/", "/memory/activity/"):
        person.open(path)
        found[path] = violations(person.page)
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert {what: each for what, each in found.items() if each} == {}


def test_entries_are_text(person: Person) -> None:  # SEC-3
    session = person.open_session()
    lines = [" ".join(payload.split())[:300] for payload in IN_TEXT if "\x00" not in payload]
    for line in lines:
        make(person, line, tier="topic", topic=line[:40])
    open_panel(person, session)
    expect(rows(person)).to_have_count(len(lines))
    texts = person.page.locator(".entry-text").all_text_contents()
    assert sorted(text.strip() for text in texts) == sorted(lines)
    person.check_safe()
    first = rows(person).first
    first.get_by_role("link", name="Edit").click()
    expect(person.page.locator(".editing form")).to_be_visible()
    person.check_safe()
    rows(person).nth(1).get_by_role("button", name="More").click()
    person.page.locator("[popover]:popover-open").get_by_text("Delete", exact=True).click()
    expect(person.page.get_by_role("dialog")).to_be_visible()
    person.check_safe()


def test_everything_is_reached_with_the_keyboard(person: Person) -> None:  # A11Y-1
    make(person, "Prefers tea.")
    open_panel(person)
    person.page.locator("#entry-add > summary").focus()
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Tab")
    expect(add_form(person).get_by_label("Text")).to_be_focused()
    person.page.keyboard.type("By hand.")
    person.page.keyboard.press("Enter")
    expect(row(person, "By hand.")).to_be_visible()
    row(person, "tea").get_by_role("button", name="More").focus()
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Tab")
    person.page.keyboard.press("Enter")
    expect(row(person, "tea")).to_contain_text("Pinned.")
    row(person, "tea").get_by_role("checkbox").focus()
    person.page.keyboard.press("Space")
    expect(panel(person)).to_contain_text("1 entry chosen")
    assert eventually(lambda: len(stored(person)) == 2)
