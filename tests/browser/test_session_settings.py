"""The settings of a conversation, a first message with choices, and the settings of an account."""

import re

from playwright.sync_api import expect

from adminchat.accounts.models import User
from chat.models import Session
from tests.browser.person import Person, prose
from tests.factories import MembershipFactory, ProfileFactory, WorkspaceFactory


def test_changed_settings_hold_from_the_next_turn(person: Person) -> None:  # CHAT-15
    session = person.open_session(display_name="First model")
    other = person.scene.model("tokens-3", display_name="Second model")
    person.ask("Before")
    person.page.get_by_role("link", name="Conversation settings").click()
    dialog = person.page.get_by_role("dialog", name="Conversation settings")
    dialog.get_by_label("Model").select_option("Second model")
    dialog.get_by_label(re.compile("^Temperature")).fill("0.3")
    dialog.get_by_label(re.compile("^Longest reply")).fill("50")
    dialog.get_by_role("radio", name="Read only").check()
    dialog.get_by_role("button", name="Save").click()
    expect(person.page.get_by_test_id("model-select")).to_have_text("Second model")
    expect(person.page.get_by_test_id("memory-mode")).to_contain_text("Read only")
    assert prose(person.ask("After")) == "tok0 tok1 tok2"
    body = person.scene.models.requests(other.name)[0]["body"]
    assert body["temperature"] == 0.3
    assert 50 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    session.refresh_from_db()
    assert session.memory_mode == "read_only"


def test_a_wrong_value_is_explained_and_kept(person: Person) -> None:  # CHAT-15
    session = person.open_session()
    person.page.get_by_role("link", name="Conversation settings").click()
    dialog = person.page.get_by_role("dialog", name="Conversation settings")
    dialog.get_by_label(re.compile("^Temperature")).evaluate("field => { field.form.noValidate = true }")
    dialog.get_by_label(re.compile("^Temperature")).fill("99")
    dialog.get_by_role("button", name="Save").click()
    field = person.page.get_by_label(re.compile("^Temperature"))
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("99")
    session.refresh_from_db()
    assert session.temperature is None


def test_the_launchers_choices_belong_to_the_conversation_it_starts(person: Person) -> None:  # CHAT-1, CHAT-23
    user = person.scene.user
    workspace = MembershipFactory.create(user=user, workspace=WorkspaceFactory.create(tenant=user.tenant)).workspace
    profile = ProfileFactory.create(tenant=user.tenant, owner=user, name="Terse", memory_default="learn", notes=False)
    person.scene.model("echo", display_name="The model")
    page = person.open("/")
    page.get_by_label("Profile").select_option("Terse")
    expect(page.get_by_role("radio", name="Learn")).to_be_checked()  # the profile's own
    expect(page.get_by_role("checkbox", name="Notes")).not_to_be_checked()
    page.get_by_role("radio", name="Read only").check()
    page.get_by_label("Workspace").select_option(workspace.name)
    page.get_by_test_id("model-select").get_by_role("combobox").select_option("The model")
    person.send("Begin")
    page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    session = Session.objects.get(user=user)
    assert (session.profile, session.workspace, session.memory_mode, session.notes) == (
        profile,
        workspace,
        "read_only",
        False,
    )
    person.open("/")
    expect(page.get_by_label("Profile").locator("option:checked")).to_have_text("Terse")
    expect(page.get_by_test_id("model-select").locator("option:checked")).to_have_text("The model")


def test_a_temporary_chat_is_not_listed(person: Person) -> None:  # CHAT-4
    person.scene.model("echo", is_default=True)
    person.open("/")
    person.page.get_by_test_id("composer").get_by_text("Temporary", exact=True).click()
    person.send("Between us")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    expect(person.page.locator(".topbar")).to_contain_text("Temporary")
    expect(person.page.locator(".session-row")).to_have_count(0)


def test_theme_and_language_change_where_one_is(person: Person) -> None:  # I18N-2, UX-1
    session = person.open_session()
    person.page.get_by_role("button", name=person.scene.user.username).click()
    person.page.get_by_role("button", name="Dark").click()
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    person.page.wait_for_function("() => getComputedStyle(document.body).colorScheme.includes('dark')")
    person.page.get_by_role("button", name="简体中文").click()
    expect(person.page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert str(session.pk) in person.page.url
    user = User.objects.get(pk=person.scene.user.pk)
    assert (user.theme, user.language) == ("dark", "zh-hans")
