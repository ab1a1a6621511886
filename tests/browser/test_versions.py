"""Asking again, asking otherwise, and going back and forth between what came of it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.histories import talk
from tests.browser.person import Person, prose, shown
from tests.scenes import Scene, said


def place(part: Locator) -> str:
    return shown(part.locator(".siblings-place"))


def test_answering_again_keeps_the_first_answer(person: Person) -> None:  # CHAT-8
    session = person.open_session()
    for answer in ("First answer", "Second answer", "Third answer"):
        person.scene.script(session, [answer])
    person.ask("Which one?")
    for count in (2, 3):
        person.page.get_by_role("button", name="Answer again", exact=True).click()
        expect(person.replies.last.locator(".siblings-place")).to_have_text(f"{count}/{count}")
        person.wait_for_end()
    assert prose(person.replies.last) == "Third answer"
    expect(person.messages).to_have_count(1)

    person.page.get_by_role("button", name="Previous version").click()
    expect(person.replies.last.locator(".siblings-place")).to_have_text("2/3")
    assert prose(person.replies.last) == "Second answer"
    person.page.reload()
    assert prose(person.replies.last) == "Second answer"
    person.page.get_by_role("button", name="Next version").click()
    expect(person.replies.last.locator(".siblings-place")).to_have_text("3/3")
    assert prose(person.replies.last) == "Third answer"
    assert all(said(request) == [("user", "Which one?")] for request in person.scene.requests(session))


def test_another_model_answers(person: Person) -> None:  # CHAT-8
    session = person.open_session(display_name="Small model")
    person.scene.model("tokens-3", display_name="Large model")
    person.page.reload()
    person.ask("Who are you?")
    expect(person.replies.last.get_by_role("heading")).to_have_text("Small model")
    person.page.get_by_role("button", name="Answer again with another model").click()
    person.page.get_by_role("button", name="Large model").click()
    expect(person.replies.last.locator(".siblings-place")).to_have_text("2/2")
    reply = person.wait_for_end()
    assert prose(reply) == "tok0 tok1 tok2"
    expect(reply.get_by_role("heading")).to_have_text("Large model")
    assert prose(person.ask("And now?")) == "You said: And now?"
    assert len(person.scene.requests(session)) == 2


def test_an_edited_message_stands_beside_the_old_one(person: Person) -> None:  # CHAT-8
    session = person.open_session()
    person.ask("Capital of Frence?")
    person.ask("And of Spain?")
    first = person.messages.first
    first.get_by_role("link", name="Edit and ask again").click()
    editor = first.get_by_role("textbox")
    expect(editor).to_be_focused()
    expect(editor).to_have_value("Capital of Frence?")
    editor.fill("Capital of France?")
    editor.press("Enter")
    expect(person.messages).to_have_count(1)
    assert prose(person.wait_for_end()) == "You said: Capital of France?"
    assert place(person.messages.first) == "2/2"
    assert said(person.scene.requests(session)[-1]) == [("user", "Capital of France?")]

    person.page.get_by_role("button", name="Previous version").click()
    expect(person.messages).to_have_count(2)
    assert prose(person.replies.last) == "You said: And of Spain?"


def test_an_edit_can_be_given_up(person: Person) -> None:  # CHAT-8
    person.open_session()
    person.ask("Stay")
    person.page.get_by_role("link", name="Edit and ask again").click()
    person.page.get_by_role("link", name="Cancel").click()
    expect(person.page.locator(".message-edit")).to_have_count(0)
    expect(person.messages).to_have_count(1)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("fault-401", "refused the key"),
        ("fault-404", "doesn’t know this model"),
        ("fault-malformed", "can’t be read"),
        ("fault-cut", "broke off"),
    ],
)
def test_a_failure_is_explained_and_can_be_retried(person: Person, model: str, words: str) -> None:  # CHAT-9
    session = person.open_session(model)
    person.send("Help me")
    reply = person.wait_for_end("failed")
    expect(reply.locator(".notice.danger")).to_contain_text(words)
    assert "secret" not in person.page.content()
    if model == "fault-cut":
        assert prose(reply) == "This ends"
    person.scene.script(session, ["Here you are"])
    reply.get_by_test_id("retry").click()
    expect(person.replies.last.locator(".siblings-place")).to_have_text("2/2")
    assert prose(person.wait_for_end()) == "Here you are"
    expect(person.messages).to_have_count(1)
    assert said(person.scene.requests(session)[-1]) == [("user", "Help me")]


def test_a_server_that_is_down_is_explained(scene: Scene, meet: Callable[..., Person]) -> None:  # CHAT-9
    person = meet(scene)
    session = person.open_session()
    scene.connection.base_url = "http://127.0.0.1:9/v1"
    scene.connection.save()
    person.send("Anybody?")
    expect(person.wait_for_end("failed")).to_contain_text("can’t be reached")
    scene.connection.base_url = scene.models.url
    scene.connection.save()
    person.page.get_by_test_id("retry").click()
    expect(person.replies.last.locator(".siblings-place")).to_have_text("2/2")
    assert prose(person.wait_for_end()) == "You said: Anybody?"
    assert session.turns.count() == 2


def test_what_was_left_out_is_marked(person: Person) -> None:  # CHAT-9
    talk(person.open_session(), [("A long story", "And its end")], omitted_messages=4)
    person.page.reload()
    expect(person.replies.last.locator(".mark")).to_contain_text("4 oldest messages were left out")
