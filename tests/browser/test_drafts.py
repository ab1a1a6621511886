"""What was typed belongs to who typed it, and outlives a lost sign-in; going back sends nothing for something else."""

from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect

from chat.models import Session
from tests.browser.person import Person
from tests.factories import PASSWORD
from tests.scenes import Scene
from tests.servers import eventually, login_session


def sign_in(page: Page, name: str) -> None:
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")


def test_a_draft_is_shown_to_nobody_else_at_the_same_browser(person: Person, stranger: Scene) -> None:  # CHAT-12, SEC-1
    person.open("/")
    person.composer.fill("Between us")
    cookie = {"name": "sessionid", "value": login_session(stranger.user), "url": person.scene.site.url}
    person.context.add_cookies([cookie])  # type: ignore[list-item]
    person.page.reload()
    expect(person.composer).to_have_value("")
    person.composer.fill("Something else")
    person.sign_in()
    person.page.reload()
    expect(person.composer).to_have_value("Between us")


def test_a_new_chat_survives_an_ended_sign_in(person: Person) -> None:  # CHAT-12
    person.scene.model("echo", is_default=True)
    person.open("/")
    person.composer.fill("Long thought")
    person.context.clear_cookies(name="sessionid")
    person.composer.press("Enter")
    person.page.wait_for_url("**/accounts/login/**")
    sign_in(person.page, person.scene.user.username)
    expect(person.page.locator("#sidebar")).to_be_visible()
    person.open("/")
    expect(person.composer).to_have_value("Long thought")
    person.composer.press("Enter")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    person.open("/")
    expect(person.composer).to_have_value("")
    assert Session.objects.filter(user=person.scene.user).count() == 1


def test_the_same_words_after_going_back_begin_another_chat(person: Person) -> None:  # CHAT-7, CHAT-12
    person.scene.model("echo", is_default=True)
    person.open("/")
    for count in (1, 2):
        person.send("Good morning")
        person.page.wait_for_url("**/sessions/*/")
        person.wait_for_end()
        assert Session.objects.filter(user=person.scene.user).count() == count
        person.page.go_back()
        person.page.wait_for_url(f"{person.scene.site.url}/")


def test_the_same_words_from_a_page_that_was_kept_begin_another_chat(person: Person) -> None:  # CHAT-7, CHAT-12
    """Chromium loads a page again that is come back to, since it says "no-store"; others show it as it was left."""
    person.scene.model("echo", is_default=True)
    started = Session.objects.filter(user=person.scene.user)

    def leave_page_as_it_is(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.fulfill(status=204)

    person.page.route("**/sessions/", leave_page_as_it_is, times=1)
    person.open("/")
    person.send("Good morning")
    eventually(lambda: started.count() == 1)
    person.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    person.composer.press("Enter")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    assert started.count() == 2


def test_the_same_words_after_going_back_are_asked_again(person: Person) -> None:  # CHAT-7, CHAT-12
    session = person.open_session()
    person.ask("Good morning")
    person.open("/")
    person.page.go_back()
    person.page.wait_for_url("**/sessions/*/")
    person.ask("Good morning")
    assert [turn.message.text for turn in session.turns.all()] == ["Good morning", "Good morning"]


def test_what_was_sent_is_not_in_the_box_after_going_back(person: Person) -> None:  # CHAT-12
    person.scene.model("echo", is_default=True)
    person.open("/")
    person.send("Good morning")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    person.page.go_back()
    person.page.wait_for_url(f"{person.scene.site.url}/")
    expect(person.composer).to_have_value("")


def test_a_message_that_is_edited_outlives_a_reload(person: Person) -> None:  # CHAT-12, CHAT-8
    person.open_session()
    person.ask("Good morning")
    edited = person.page.locator(".message-edit textarea")

    def edit() -> None:
        person.page.get_by_role("link", name="Edit and ask again").click()

    edit()
    edited.fill("Good evening")
    person.page.reload()
    edit()
    expect(edited).to_have_value("Good evening")
    person.page.get_by_role("link", name="Cancel").click()
    edit()
    expect(edited).to_have_value("Good morning")
    edited.fill("Good night")
    edited.press("Enter")
    expect(person.page.get_by_test_id("message").filter(has_text="You said: Good night")).to_be_visible()
    person.wait_for_end()
    edit()
    expect(edited).to_have_value("Good night")
    assert person.page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))") == []


def test_a_database_that_is_away_loses_nothing_that_was_typed(person: Person) -> None:  # REL-4, CHAT-12
    person.open_session()
    page = render_to_string("503.html")
    person.page.route(
        "**/turns/", lambda route: route.fulfill(status=503, body=page, content_type="text/html"), times=1
    )
    person.send("Are you there?")
    expect(person.page.get_by_text("The database doesn’t answer at the moment.")).to_be_visible()
    expect(person.composer).to_have_value("Are you there?")
    person.composer.press("Enter")
    expect(person.page.get_by_text("You said: Are you there?")).to_be_visible()
