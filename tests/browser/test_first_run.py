"""The first page of a fresh installation, and connecting a model of one's own from there."""

import re

import pytest
from playwright.sync_api import expect

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from tests.browser.person import Person, prose
from tests.factories import PASSWORD


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
