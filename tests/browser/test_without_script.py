"""Without JavaScript one can sign in, chat and keep order (UX-1); without cookies the sign-in says what is wrong."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from chat.models import Session, Turn
from tests.browser.person import Person, prose
from tests.factories import PASSWORD
from tests.scenes import Scene
from tests.servers import eventually


@pytest.fixture
def plain(scene: Scene, meet: Callable[..., Person]) -> Person:
    """Somebody whose browser runs no scripts."""
    return meet(scene, java_script_enabled=False, signed_in=False)


def wait_for_turns(session: Session, state: str, count: int) -> None:
    eventually(lambda: session.turns.filter(state=state).count() == count)


def test_a_conversation_without_scripts(plain: Person) -> None:  # UX-1
    plain.scene.model("echo", is_default=True)
    page = plain.open("/")
    page.get_by_label("Username").fill(plain.scene.user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    plain.composer.fill("No scripts here")
    page.get_by_test_id("send").click()
    page.wait_for_url("**/sessions/*/")
    session = Session.objects.get(user=plain.scene.user)
    wait_for_turns(session, Turn.State.DONE, 1)
    page.reload()
    assert prose(plain.replies.last) == "You said: No scripts here"
    plain.composer.fill("Still none")
    page.get_by_test_id("send").click()
    wait_for_turns(session, Turn.State.DONE, 2)
    page.reload()
    assert prose(plain.replies.last) == "You said: Still none"

    plain.use_menu("Rename")
    page.get_by_role("main").get_by_role("textbox").fill("By hand")
    page.get_by_role("main").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("By hand")
    page.get_by_role("link", name="Conversation settings").click()
    page.get_by_role("radio", name="Read only").check(force=True)
    page.get_by_role("button", name="Save").click()
    page.goto(f"/sessions/{session.pk}/")
    expect(page.get_by_test_id("memory-mode")).to_contain_text("Read only")
    page.get_by_role("link", name="Edit and ask again").last.click()
    page.get_by_role("main").get_by_role("textbox").fill("Still none at all")
    page.get_by_role("button", name="Ask again").click()
    wait_for_turns(session, Turn.State.DONE, 3)
    page.goto(f"/sessions/{session.pk}/")
    expect(plain.messages.last.locator(".siblings-place")).to_have_text("2/2")

    page.get_by_role("button", name=plain.scene.user.username).click()
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.get_by_role("button", name=plain.scene.user.username).click()
    page.get_by_role("button", name="English").click()
    plain.use_menu("Delete")
    page.get_by_role("main").get_by_role("button", name="Delete").click()
    assert not Session.objects.filter(pk=session.pk).exists()


def test_a_running_reply_can_be_stopped_without_scripts(plain: Person) -> None:  # UX-1, CHAT-7
    plain.sign_in()
    session = plain.open_session("slow-20x2000")
    plain.composer.fill("Count")
    plain.page.get_by_test_id("send").click()
    eventually(lambda: session.turns.filter(reply__text__contains="tok5").exists())
    plain.page.reload()
    expect(plain.page.get_by_role("link", name="Reload to see more")).to_be_visible()
    plain.page.get_by_test_id("stop").click()
    wait_for_turns(session, Turn.State.STOPPED, 1)
    plain.page.reload()
    assert prose(plain.replies.last).startswith("tok0 tok1")


def test_an_empty_message_is_explained_without_scripts(plain: Person) -> None:  # UX-1, CHAT-12
    plain.sign_in()
    plain.open_session()
    plain.composer.fill("   ")
    plain.page.get_by_test_id("send").click()
    expect(plain.page.get_by_role("alert")).to_contain_text("Write a message first")


def test_without_cookies_the_sign_in_says_so(scene: Scene, meet: Callable[..., Person]) -> None:  # UX-1, SEC-4
    person = meet(scene, signed_in=False)
    page = person.open("/accounts/login/")
    person.context.clear_cookies()
    page.get_by_label("Username").fill(scene.user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your browser sent no cookie")
    expect(page.locator("main")).to_contain_text("need cookies")
