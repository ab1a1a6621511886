"""The first page of a fresh installation, and connecting a model of one's own from there."""

import re

import pytest
from playwright.sync_api import expect

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from tests.browser.person import Person, prose
from tests.factories import PASSWORD, ProfileFactory, WorkspaceFactory


@pytest.fixture
def owner(person: Person) -> Person:
    """The super administrator of an installation that has only its built-in model."""
    User.objects.filter(pk=person.scene.user.pk).update(role=User.Role.SUPER_ADMIN)
    Connection.objects.filter(pk=person.scene.connection.pk).update(origin=Connection.Origin.BUILT_IN)
    return person


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_first_page_offers_the_built_in_model_or_ones_own(owner: Person, language: str) -> None:  # OPS-3
    User.objects.filter(pk=owner.scene.user.pk).update(language=language)
    owner.scene.model("echo", is_default=True)
    page = owner.open("/")
    ways = page.locator(".first-run-way")
    expect(ways).to_have_count(2)
    tops = [box["y"] * 10_000 + box["x"] for way in ways.all() if (box := way.bounding_box())]
    built_in_first = tops[0] < tops[1]
    assert built_in_first == (language == "en")  # the built-in model speaks English only
    owner.send("Hello")
    page.wait_for_url("**/sessions/*/")
    assert prose(owner.wait_for_end()) == "You said: Hello"
    owner.open("/")
    expect(ways).to_have_count(0)


def test_without_any_model_the_first_page_leads_to_connecting_one(owner: Person) -> None:  # OPS-3, UX-1
    page = owner.open("/")
    page.get_by_role("link", name="Connect a model").click()
    page.wait_for_url("**/connections/**")


def test_a_model_is_connected_tested_and_used(owner: Person) -> None:  # CHAT-16, SEC-9
    page = owner.open("/connections/")
    page.get_by_role("link", name=re.compile("^Add .*connection")).click()
    page.wait_for_url("**/accounts/reauthenticate/**")  # a guarded act: the password again
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/connections/create/")
    form = page.get_by_test_id("connection-form")
    expect(form.get_by_label("Name")).to_be_focused()
    form.get_by_label("Name").fill("Our server")
    form.get_by_label("Base URL").fill("http://169.254.169.254/v1")
    form.get_by_label("Key").fill("good")
    form.get_by_role("button", name="Save").click()
    expect(page.locator(".field.invalid")).to_contain_text("never allowed")
    expect(form.get_by_label("Key")).to_have_value("good")
    form.get_by_label("Base URL").fill(owner.scene.models.url)
    form.get_by_role("button", name="Save").click()

    page.get_by_test_id("fetch-models").click()
    page.get_by_label("echo", exact=True).check()
    page.get_by_test_id("add-models").click()
    expect(page.locator(".rows")).to_contain_text("echo")
    page.get_by_test_id("test-connection").click()
    checks = page.get_by_test_id("test-result")
    expect(checks).to_be_visible()
    states = {
        check.get_attribute("data-check"): check.get_attribute("data-state") for check in checks.locator("li").all()
    }
    assert {states[name] for name in ("reach", "key", "model", "streaming")} == {"ok"}
    assert "good" not in page.content()

    owner.open("/")
    page.get_by_test_id("model-select").get_by_role("combobox").select_option("echo")
    owner.send("Over to you")
    page.wait_for_url("**/sessions/*/")
    assert prose(owner.wait_for_end()) == "You said: Over to you"


def test_a_refused_key_is_said_by_the_test(owner: Person) -> None:  # CHAT-16
    owner.scene.connection.api_key = "bad"
    owner.scene.connection.save()
    owner.scene.model("echo")
    page = owner.open(f"/connections/{owner.scene.connection.pk}/")
    page.get_by_test_id("test-connection").click()
    expect(page.locator("[data-check='key']")).to_have_attribute("data-state", "failed")


def test_the_notice_to_test_goes_when_that_is_done(owner: Person) -> None:  # CHAT-16, UX-1
    page = owner.open("/accounts/reauthenticate/?next=/connections/create/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    form = page.get_by_test_id("connection-form")
    form.get_by_label("Name").fill("Our server")
    form.get_by_label("Base URL").fill(owner.scene.models.url)
    form.get_by_label("Key").fill("good")
    form.get_by_label("Model").fill("echo")
    form.get_by_role("button", name="Save").click()
    notice = page.get_by_text("The connection is saved. Test it to see what works.")
    expect(notice).to_be_visible()
    expect(page.get_by_text("New chats now start with echo")).to_be_visible()
    page.get_by_test_id("test-connection").click()
    expect(page.get_by_test_id("test-result")).to_be_visible()
    expect(notice).to_have_count(0)


def test_workspaces_are_shown_to_whom_they_matter(owner: Person) -> None:  # CHAT-16, UX-1
    WorkspaceFactory.create(tenant=owner.scene.user.tenant, name="Payroll")
    page = owner.open("/accounts/reauthenticate/?next=/connections/create/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_label("Payroll")).to_be_hidden()
    page.get_by_label("Members of chosen workspaces").check()
    expect(page.get_by_label("Payroll")).to_be_visible()


def test_choosing_a_profile_names_its_model_as_the_default(person: Person) -> None:  # CHAT-1, CHAT-23
    person.scene.model("echo", display_name="Usual", is_default=True)
    own = person.scene.model("echo", display_name="Precise")
    tenant = person.scene.user.tenant
    ProfileFactory.create(tenant=tenant, name="Careful", model=own)
    ProfileFactory.create(tenant=tenant, name="Plain")
    page = person.open("/")
    models = page.get_by_test_id("model-select").get_by_role("combobox")
    chosen = models.locator("option:checked")
    expect(chosen).to_have_text("Default: Usual")
    page.get_by_label("Profile").select_option("Careful")
    expect(chosen).to_have_text("Default: Precise")
    page.get_by_label("Profile").select_option("Plain")
    expect(chosen).to_have_text("Default: Usual")
    models.select_option("Usual")
    page.get_by_label("Profile").select_option("Careful")
    expect(chosen).to_have_text("Default: Precise")
    person.send("Hello")
    page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    assert person.scene.user.sessions.get().model == own
