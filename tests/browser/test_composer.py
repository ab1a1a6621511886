"""The message box: what sends, what doesn't, and that nothing typed is lost."""

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from adminchat.accounts.models import User
from tests.browser.person import Person

COMPOSING = """(box, how) => box.dispatchEvent(new KeyboardEvent("keydown",
  { key: "Enter", code: "Enter", bubbles: true, cancelable: true, ...how }))"""


def test_enter_sends_and_shift_enter_breaks_the_line(person: Person) -> None:  # CHAT-12
    session = person.open_session()
    person.composer.press_sequentially("One")
    person.composer.press("Shift+Enter")
    person.composer.press_sequentially("Two")
    expect(person.composer).to_have_value("One\nTwo")
    person.composer.press("Enter")
    person.wait_for_end()
    assert session.turns.get().message.text == "One\nTwo"


def test_ctrl_enter_sends_for_those_who_want_it(person: Person) -> None:  # CHAT-12
    User.objects.filter(pk=person.scene.user.pk).update(send_key="mod_enter")
    session = person.open_session()
    person.composer.press_sequentially("One")
    person.composer.press("Enter")
    person.composer.press_sequentially("Two")
    assert not session.turns.exists()
    person.composer.press("Control+Enter")
    person.wait_for_end()
    assert session.turns.get().message.text == "One\nTwo"


@pytest.mark.parametrize("how", [{"isComposing": True}, {"keyCode": 229}])
def test_enter_during_a_composition_sends_nothing(person: Person, how: dict[str, Any]) -> None:  # CHAT-12
    session = person.open_session()
    person.composer.fill("nihao")
    assert person.composer.evaluate(COMPOSING, how), "the key was taken for sending"
    person.composer.press("Enter")  # an ordinary one still does
    person.wait_for_end()
    assert session.turns.get().message.text == "nihao"


def test_the_box_grows_with_its_text(person: Person) -> None:  # CHAT-12
    person.open_session()
    height = "box => box.getBoundingClientRect().height"
    before = person.composer.evaluate(height)
    person.composer.fill("line\n" * 6)
    assert person.composer.evaluate(height) > before * 2
    person.composer.fill("line\n" * 200)
    assert person.composer.evaluate(height) < person.page.viewport_size["height"] * 0.6  # type: ignore[index]


def test_a_draft_survives_a_reload_in_its_own_conversation(person: Person) -> None:  # CHAT-12
    first = person.open_session()
    person.composer.fill("Half a thought")
    person.page.reload()
    expect(person.composer).to_have_value("Half a thought")
    person.open_session()
    expect(person.composer).to_have_value("")
    person.open("/")
    expect(person.composer).to_have_value("")
    person.open(f"/sessions/{first.pk}/")
    expect(person.composer).to_have_value("Half a thought")
    person.composer.press("Enter")
    person.wait_for_end()
    person.page.reload()
    expect(person.composer).to_have_value("")


def test_the_launchers_draft_goes_when_it_is_sent(person: Person) -> None:  # CHAT-12
    person.scene.model("echo", is_default=True)
    person.open("/")
    person.composer.fill("A plan")
    person.page.reload()
    expect(person.composer).to_have_value("A plan")
    person.composer.press("Enter")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    person.open("/")
    expect(person.composer).to_have_value("")


def test_a_refused_message_stays_typed(person: Person) -> None:  # CHAT-12, SEC-7
    person.open_session()
    long = "word " * 40_001
    person.send(long)
    expect(person.page.get_by_role("alert")).to_contain_text("at most")
    expect(person.composer).to_have_value(long)
    person.page.reload()
    expect(person.composer).to_have_value(long)


def test_a_message_stays_typed_while_the_server_is_away(person: Person) -> None:  # CHAT-12, REL-8
    person.open_session()
    person.page.route("**/turns/", lambda route: route.abort())
    person.send("Are you there?")
    expect(person.page.locator("#toasts")).to_contain_text("cannot be reached")
    expect(person.composer).to_have_value("Are you there?")
    person.page.unroute("**/turns/")
    person.composer.press("Enter")
    person.wait_for_end()
    expect(person.composer).to_have_value("")
    expect(person.messages).to_have_count(1)


def test_an_answer_that_got_lost_does_not_double_the_message(person: Person) -> None:  # CHAT-7
    session = person.open_session()

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    person.page.route("**/turns/", lose_answer, times=1)
    person.send("Once only")
    expect(person.page.locator("#toasts")).to_contain_text("cannot be reached")
    person.composer.press("Enter")
    person.wait_for_end()
    assert session.turns.count() == 1


def test_an_ended_sign_in_keeps_what_was_typed(person: Person) -> None:  # CHAT-12
    session = person.open_session()
    person.composer.fill("Long thought")
    person.context.clear_cookies(name="sessionid")
    person.composer.press("Enter")
    person.page.wait_for_url("**/accounts/login/**")
    person.sign_in()
    person.open(f"/sessions/{session.pk}/")
    expect(person.composer).to_have_value("Long thought")


def test_shortcuts_reach_the_search_and_their_list(person: Person) -> None:  # CHAT-12
    person.open_session()
    person.composer.press_sequentially("/?")
    expect(person.composer).to_have_value("/?")  # typed, not obeyed
    person.composer.blur()
    person.page.keyboard.press("/")
    expect(person.page.locator("#search")).to_be_focused()
    person.page.locator("#search").blur()
    person.page.keyboard.press("?")
    shortcuts = person.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(shortcuts).to_contain_text("Stop the reply")
    person.page.keyboard.press("Escape")
    expect(shortcuts).to_be_hidden()
    person.page.keyboard.press("c")
    expect(person.composer).to_be_focused()
