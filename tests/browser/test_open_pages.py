"""Pages of one person that are open at once, at different web processes: what is done in one is seen in the others."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from chat.models import Session, Turn
from tests.browser.histories import talk
from tests.browser.person import Person, shown
from tests.factories import SessionFactory
from tests.servers import eventually

TURNS = "#turns > .turn"


@pytest.fixture
def other(person: Person) -> Callable[[str], Page]:
    """``other(path)``: another tab, at the other web process."""

    def open_tab(path: str) -> Page:
        page = person.context.new_page()
        with page.expect_response(lambda response: "/events/" in response.url):
            page.goto(person.scene.site.processes[1].url + path)
        return page

    return open_tab


def row(page: Page, session: Session) -> Locator:
    return page.locator(f"#session-{session.pk}")


def place(page: Page) -> Locator:
    return page.locator(".message .siblings-place").last


def version(person: Person, session: Session) -> Turn:
    """Two versions of a question, of which the second, that is shown, is still being answered."""
    person.ask("Which one?")
    person.scene.script(session, ["Second ", "answer"], hold_at=1)
    person.page.get_by_role("link", name="Edit and ask again").click()
    editor = person.messages.get_by_role("textbox")
    editor.fill("Which two?")
    editor.press("Enter")
    expect(place(person.page)).to_have_text("2/2")
    expect(person.replies.last.locator(".growing")).to_contain_text("Second")
    return session.turns.get(state=Turn.State.RUNNING)


def test_a_turn_of_one_tab_grows_in_the_other(
    person: Person, other: Callable[[str], Page]
) -> None:  # CHAT-6, CHAT-7, REL-6
    session = person.open_session()
    tab = other(f"/sessions/{session.pk}/")
    person.ask("Question 1")
    expect(tab.locator(".reply")).to_have_attribute("data-state", "done")
    person.scene.script(session, ["Part one, ", "part two"], hold_at=1)
    person.send("Question 2")
    reply = tab.locator(".reply").nth(1)
    expect(reply.locator(".growing")).to_contain_text("Part one")
    expect(tab.get_by_test_id("stop")).to_have_count(1)
    person.scene.release(session)
    expect(reply).to_have_attribute("data-state", "done")
    person.wait_for_end()
    # What a turn loaded is kept by the pages that were there while it ran (ENTRY-25).
    for kind in ("user", "assistant"):
        there, here = (page.locator(f"#turns [data-role={kind}]") for page in (tab, person.page))
        assert [shown(there.nth(at)) for at in range(2)] == [shown(here.nth(at)) for at in range(2)]
        expect(there).to_have_count(2)
    tab.locator("#composer-text").fill("Question 3")
    tab.locator("#composer-text").press("Enter")
    expect(person.messages).to_have_count(3)
    expect(person.replies.last).to_contain_text("You said: Question 3")
    expect(tab.locator(TURNS)).to_have_count(3)
    expect(person.page.locator(TURNS)).to_have_count(3)
    assert session.turns.count() == 3


def test_a_turn_can_be_stopped_in_the_other_tab(person: Person, other: Callable[[str], Page]) -> None:  # CHAT-7
    session = person.open_session("slow-20x400")
    tab = other(f"/sessions/{session.pk}/")
    person.send("Go on")
    tab.get_by_test_id("stop").click()
    expect(person.replies.last).to_have_attribute("data-state", "stopped")
    expect(tab.locator(".reply")).to_have_attribute("data-state", "stopped")


def test_another_version_that_is_written_has_a_stop(person: Person) -> None:  # CHAT-7, CHAT-8
    session = person.open_session()
    turn = version(person, session)
    person.page.get_by_role("button", name="Previous version").click()
    expect(place(person.page)).to_have_text("1/2")
    notice = person.page.locator(".elsewhere")
    expect(notice).to_contain_text("A reply is being written in another version.")
    person.send("Too early")
    expect(person.page.locator("#toasts")).to_contain_text("still answering")
    expect(person.composer).to_have_value("Too early")
    notice.get_by_role("button", name="Stop").click()
    expect(notice).to_have_count(0)
    assert person.scene.ended(turn.pk).state == Turn.State.STOPPED
    person.composer.press("Enter")
    expect(person.messages).to_have_count(2)
    person.wait_for_end()


def test_another_version_that_is_written_is_one_click_away_and_its_notice_goes_by_itself(
    person: Person, other: Callable[[str], Page]
) -> None:  # CHAT-8
    session = person.open_session()
    version(person, session)
    person.page.get_by_role("button", name="Previous version").click()
    tab = other(f"/sessions/{session.pk}/")
    expect(tab.locator(".elsewhere")).to_have_count(1)
    person.page.get_by_role("button", name="Show it").click()
    for page in (person.page, tab):
        expect(place(page)).to_have_text("2/2")
        expect(page.locator(".elsewhere")).to_have_count(0)
        expect(page.locator(".growing")).to_contain_text("Second")
    person.page.get_by_role("button", name="Previous version").click()
    for page in (person.page, tab):
        expect(page.locator(".elsewhere")).to_have_count(1)
    person.scene.release(session)
    for page in (person.page, tab):
        expect(page.locator(".elsewhere")).to_have_count(0)
        assert shown(page.locator(".reply .prose")) == "You said: Which one?"


def test_escape_stops_another_version(person: Person) -> None:  # CHAT-12
    session = person.open_session()
    turn = version(person, session)
    person.page.get_by_role("button", name="Previous version").click()
    expect(person.page.locator(".elsewhere")).to_have_count(1)
    person.page.keyboard.press("Escape")
    assert person.scene.ended(turn.pk).state == Turn.State.STOPPED


def test_a_branch_that_is_asked_elsewhere_takes_the_place_of_the_old_one(
    person: Person, other: Callable[[str], Page]
) -> None:  # CHAT-8
    session = person.open_session()
    talk(session, [("One?", "1"), ("Two?", "2"), ("Three?", "3")])
    person.page.reload()
    tab = other(f"/sessions/{session.pk}/")
    message = person.messages.nth(1)
    message.get_by_role("link", name="Edit and ask again").click()
    message.get_by_role("textbox").fill("Zwei?")
    message.get_by_role("textbox").press("Enter")
    expect(tab.locator(".reply .prose").last).to_contain_text("You said: Zwei?")
    expect(tab.locator(TURNS)).to_have_count(2)
    expect(tab.locator(".message .prose").first).to_have_text("One?")


def test_list_of_chats_follows_what_is_done_elsewhere(
    person: Person, other: Callable[[str], Page]
) -> None:  # CHAT-2, CHAT-14
    older = SessionFactory.create(user=person.scene.user, title="Older one")
    tab = other("/")
    person.scene.model("echo", is_default=True)
    person.open("/")
    person.send("How do I renew a certificate?")
    person.page.wait_for_url("**/sessions/*/")
    session = Session.objects.filter(user=person.scene.user).exclude(pk=older.pk).get()
    expect(row(tab, session)).to_contain_text("A short title")

    for name in ("Renamed", "Renamed again"):
        person.use_menu("Rename")
        dialog = person.page.get_by_role("dialog")
        dialog.get_by_role("textbox").fill(name)
        dialog.get_by_role("button", name="Rename").click()
        expect(row(tab, session).locator(".session-link")).to_have_text(name)
        expect(row(tab, session).get_by_role("button", name=f"Actions for {name}")).to_have_count(1)

    person.use_menu("Pin", row(person.page, older).locator(".menu-button"))
    expect(tab.get_by_role("list", name="Pinned")).to_contain_text("Older one")
    person.use_menu("Archive", row(person.page, older).locator(".menu-button"))
    expect(row(tab, older)).to_have_count(0)
    person.use_menu("Delete")
    person.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row(tab, session)).to_have_count(0)
    expect(tab.locator(".sessions-empty")).to_be_visible()


def test_new_title_reaches_heading_and_menu(person: Person, other: Callable[[str], Page]) -> None:  # CHAT-14
    session = person.open_session()
    tab = other(f"/sessions/{session.pk}/")
    person.use_menu("Rename")
    person.page.get_by_role("dialog").get_by_role("textbox").fill("Mine")
    person.page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Mine")
    expect(tab).to_have_title("Mine · AdminChat")
    expect(tab.locator(".topbar").get_by_role("button", name="Actions for Mine")).to_be_visible()


def test_chat_that_is_deleted_elsewhere_closes(person: Person, other: Callable[[str], Page]) -> None:  # CHAT-3
    session = person.open_session()
    person.ask("Secret")
    tab = other(f"/sessions/{session.pk}/")
    person.use_menu("Delete")
    person.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(tab.locator("#turns")).to_contain_text("This chat has been deleted")
    expect(tab.locator("#turns")).not_to_contain_text("Secret")
    expect(tab.locator("#composer")).to_have_count(0)


def test_list_keeps_what_was_scrolled_to_and_where_one_is(
    person: Person, other: Callable[[str], Page]
) -> None:  # CHAT-2
    chats = [SessionFactory.create(user=person.scene.user, title=f"Chat {number}") for number in range(45)]
    tab = other("/")
    rows = tab.locator(".session-row")
    tab.locator(".sessions-more").scroll_into_view_if_needed()
    expect(rows).to_have_count(45)
    rows.last.get_by_role("link").focus()
    before = tab.locator("#sessions").evaluate("list => list.scrollTop")
    person.open(f"/sessions/{chats[20].pk}/")
    person.use_menu("Rename")
    person.page.get_by_role("dialog").get_by_role("textbox").fill("Named anew")
    person.page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    expect(row(tab, chats[20]).locator(".session-link")).to_have_text("Named anew")
    expect(rows).to_have_count(45)
    expect(rows.last.get_by_role("link")).to_be_focused()
    assert tab.locator("#sessions").evaluate("list => list.scrollTop") == before


def test_menu_that_is_open_stays_until_it_is_closed(person: Person, other: Callable[[str], Page]) -> None:  # CHAT-2
    first, second = (SessionFactory.create(user=person.scene.user, title=title) for title in ("First", "Second"))
    tab = other("/")
    row(tab, first).hover()
    row(tab, first).locator(".menu-button").click()
    menu = tab.locator("#sessions [popover]:popover-open")
    expect(menu).to_be_visible()
    person.open(f"/sessions/{second.pk}/")
    person.use_menu("Pin")
    person.use_menu("Rename")
    person.page.get_by_role("dialog").get_by_role("textbox").fill("Later")
    person.page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    expect(row(tab, second)).to_contain_text("Later")
    expect(menu).to_be_visible()
    expect(tab.get_by_role("list", name="Pinned")).to_have_count(0)
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("list", name="Pinned")).to_contain_text("Later")


def test_page_that_nobody_sees_holds_no_connection_and_looks_again_when_it_is_seen(
    person: Person, other: Callable[[str], Page]
) -> None:  # CHAT-6, REL-8
    session = person.open_session()
    tab = other(f"/sessions/{session.pk}/")
    ended: list[Request] = []
    tab.on("requestfailed", lambda request: ended.append(request))
    _show(tab, "hidden")
    eventually(lambda: tab.evaluate("true") and [request for request in ended if "/events/" in request.url])
    person.ask("While nobody looks")
    expect(tab.locator(TURNS)).to_have_count(0)
    _show(tab, "visible")
    expect(tab.locator(".reply .prose")).to_contain_text("You said: While nobody looks")


def _show(page: Page, state: str) -> None:
    """Let the page believe that it is seen, or not."""
    page.evaluate(
        """state => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          Object.defineProperty(document, "hidden", { value: state === "hidden", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )
