"""A conversation as people have it: sign in, ask, watch, come back, stop."""

import re
from collections.abc import Callable
from uuid import UUID

from playwright.sync_api import Locator, Page, Route, expect

from chat.models import Session, Turn
from tests.browser.person import Person, prose, shown
from tests.factories import PASSWORD
from tests.scenes import Scene, said
from tests.servers import eventually

TOKENS, HELD = 60, 25
COUNTED = " ".join(f"tok{index}" for index in range(TOKENS))
SO_FAR = f"tok{HELD - 1}"
ENDLESS = "slow-20x2000"


def count(person: Person, interval: float = 0.02) -> Session:
    """Open a conversation and ask for a reply of six paragraphs, which waits in its third until it is released."""
    session = person.open_session()
    chunks = [f"tok{index} " + ("\n\n" if index % 10 == 9 else "") for index in range(TOKENS)]
    person.scene.script(session, chunks, interval=interval, hold_at=HELD)
    person.send("Count")
    return session


def growing(page: Page) -> Locator:
    return page.locator(".growing")


def test_signing_in_leads_to_a_conversation(
    scene: Scene, meet: Callable[..., Person]
) -> None:  # CHAT-1, CHAT-5, CHAT-6
    model = scene.model("echo", is_default=True)
    person = meet(scene, signed_in=False)
    page = person.open("/")
    page.get_by_label("Username").fill(scene.user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")
    assert page.get_by_role("radio", name="Off").is_checked()
    page.get_by_label("Message").fill("Who goes there?")
    page.get_by_test_id("send").click()
    page.wait_for_url("**/sessions/*/")
    assert prose(person.wait_for_end()) == "You said: Who goes there?"

    assert prose(person.ask("And now?")) == "You said: And now?"
    expect(person.messages).to_have_count(2)
    expect(person.composer).to_have_value("")
    assert said(scene.models.requests(model.name)[1]) == [
        ("user", "Who goes there?"),
        ("assistant", "You said: Who goes there?"),
        ("user", "And now?"),
    ]


def test_text_appears_as_it_arrives(person: Person) -> None:  # CHAT-6
    session = count(person, interval=0.1)  # longer than text is gathered for, so that each piece is a step
    expect(growing(person.page)).to_contain_text(SO_FAR)
    expect(growing(person.page).locator("p")).to_have_count(3)
    person.scene.release(session)
    assert prose(person.wait_for_end()) == COUNTED
    grown = person.page.evaluate("grown")
    assert len(grown) > 20
    assert all(COUNTED.startswith(text) for text in grown)


def test_a_reload_in_the_middle_loses_and_doubles_nothing(person: Person) -> None:  # CHAT-6
    session = count(person)
    for _time in range(2):
        expect(growing(person.page)).to_contain_text(SO_FAR)
        person.page.reload()
    expect(growing(person.page)).to_contain_text(SO_FAR)
    person.scene.release(session)
    assert prose(person.wait_for_end()) == COUNTED
    grown = person.page.evaluate("grown")
    assert grown[-1] == COUNTED
    assert all(COUNTED.startswith(text) for text in grown)


def test_a_lost_connection_is_made_again_without_a_doubled_word(person: Person) -> None:  # CHAT-6
    browser = person.scene.browser()
    connections = 0

    def break_first(route: Route) -> None:
        nonlocal connections
        connections += 1
        if connections > 1:
            return route.continue_()
        turn = UUID(route.request.url.split("/")[-3])
        page = browser.glance(turn, until="tok15")
        lines = [
            f"event: {event.name}\ndata: {event.data.replace(chr(10), chr(10) + 'data: ')}\n\n" for event in page.events
        ]
        route.fulfill(content_type="text/event-stream", body="retry: 50\n\n" + "".join(lines))

    person.page.route("**/stream/*", break_first)
    session = count(person)
    expect(growing(person.page)).to_contain_text(SO_FAR)
    person.scene.release(session)
    assert prose(person.wait_for_end()) == COUNTED
    assert connections == 2
    grown = person.page.evaluate("grown")
    assert all(COUNTED.startswith(text) for text in grown)
    assert grown[-1] == COUNTED


def test_two_pages_watch_one_reply(person: Person) -> None:  # CHAT-6
    session = count(person)
    other = person.context.new_page()
    other.goto(f"{person.scene.site.processes[1].url}/sessions/{session.pk}/")  # the other web process
    for page in (person.page, other):
        expect(growing(page)).to_contain_text(SO_FAR)
    person.scene.release(session)
    reply = other.locator(".reply").last
    expect(reply).to_have_attribute("data-state", "done")
    assert prose(reply) == prose(person.wait_for_end()) == COUNTED
    assert other.evaluate("grown")[-1] == COUNTED


def test_a_closed_page_ends_nothing(person: Person) -> None:  # CHAT-6
    session = count(person)
    expect(growing(person.page)).to_contain_text("tok5")
    person.page.close()
    person.scene.release(session)
    eventually(lambda: session.turns.filter(state=Turn.State.DONE).exists())
    person.page = person.context.new_page()
    person.open(f"/sessions/{session.pk}/")
    assert prose(person.replies.last) == COUNTED


def test_stop_keeps_what_was_written(person: Person) -> None:  # CHAT-7
    session = person.open_session(ENDLESS)
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok5 ")
    person.page.get_by_test_id("stop").click()
    reply = person.wait_for_end("stopped")
    expect(reply).to_contain_text("Stopped")
    words = prose(reply)
    assert words.startswith("tok0 tok1 tok2 tok3 tok4 tok5")
    assert eventually(lambda: person.scene.requests(session)[0]["disconnected"])
    person.page.reload()
    assert prose(person.replies.last) == words


def test_escape_stops(person: Person) -> None:  # CHAT-12, CHAT-7
    person.open_session(ENDLESS)
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok3 ")
    person.page.keyboard.press("Escape")
    person.wait_for_end("stopped")


def test_a_double_click_sends_once(person: Person) -> None:  # CHAT-7
    session = person.open_session()
    person.composer.fill("Once")
    person.page.get_by_test_id("send").dblclick()
    person.wait_for_end()
    expect(person.messages).to_have_count(1)
    person.open("/")
    person.scene.model("echo", is_default=True)
    person.composer.fill("One conversation")
    person.page.get_by_test_id("send").dblclick()
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    assert session.turns.count() == 1
    assert Session.objects.filter(user=person.scene.user).count() == 2


def test_the_second_of_two_pages_is_told_why_it_cannot_send(person: Person) -> None:  # CHAT-7
    session = person.open_session(ENDLESS)
    other = person.context.new_page()
    # It doesn't hear of the turn of the first.
    other.route(re.compile("/(events|changes)/"), lambda route: route.abort())
    other.goto(f"/sessions/{session.pk}/")
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok3 ")
    other.locator("#composer-text").fill("Meanwhile")
    other.get_by_test_id("send").click()
    expect(other.get_by_role("alert")).to_contain_text("still answering")
    expect(other.locator("#composer-text")).to_have_value("Meanwhile")
    person.page.keyboard.press("Escape")
    person.wait_for_end("stopped")
    other.get_by_test_id("send").click()
    expect(other.locator("#composer-notice")).to_be_empty()
    expect(other.locator(".message").last).to_contain_text("Meanwhile")
    other.get_by_test_id("stop").click()
    expect(other.locator(".reply").last).to_have_attribute("data-state", "stopped")


def test_a_session_deleted_while_it_streams_says_so(person: Person) -> None:  # CHAT-3, CHAT-9
    session = person.open_session(ENDLESS)
    person.send("Count")
    expect(person.replies.last).to_contain_text("tok3 ")
    session.delete()
    person.page.reload()
    assert "nothing here" in shown(person.page.locator("h1"))
