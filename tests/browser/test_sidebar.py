"""The list of conversations: titles that come by themselves, search, and what can be done to a conversation."""

from datetime import timedelta
from pathlib import Path

from django.utils import timezone
from playwright.sync_api import Locator, Route, expect

from chat.models import Session
from tests.browser.histories import talk
from tests.browser.person import Person
from tests.factories import MessageFactory, SessionFactory
from tests.servers import eventually


def row(person: Person, session: Session) -> Locator:
    return person.page.locator(f"#session-{session.pk}")


def chat(person: Person, title: str, **fields: object) -> Session:
    return SessionFactory.create(user=person.scene.user, title=title, **fields)


def test_a_title_arrives_by_itself(person: Person) -> None:  # CHAT-14, CHAT-2
    person.scene.model("echo", is_default=True)
    person.open("/")
    person.send("How do I renew a certificate?")
    person.page.wait_for_url("**/sessions/*/")
    expect(person.page.get_by_role("heading", level=1)).to_have_text("A short title")
    expect(person.page.get_by_role("navigation", name="Recent").get_by_text("A short title")).to_be_visible()
    expect(person.page).to_have_title("A short title · AdminChat")


def test_a_title_that_was_made_before_the_page_listened_is_shown(person: Person) -> None:  # CHAT-14
    person.scene.model("slow-20x10", is_default=True)
    held: list[Route] = []
    person.open("/")
    person.page.route("**/events/?*session=**", lambda route: held.append(route))
    person.send("How do I renew a certificate?")
    person.page.wait_for_url("**/sessions/*/")
    eventually(lambda: person.page.evaluate("true") and held)
    titles = Session.objects.filter(user=person.scene.user, title_source=Session.TitleSource.GENERATED)
    eventually(titles.exists)
    held[0].continue_()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("A short title")


def test_a_title_of_ones_own_stays(person: Person) -> None:  # CHAT-14
    person.scene.model("slow-20x20", is_default=True)
    person.open("/")
    person.send("First words of mine")
    person.page.wait_for_url("**/sessions/*/")
    person.use_menu("Rename")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Mine")
    dialog.get_by_role("button", name="Rename").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Mine")
    person.wait_for_end()
    person.ask("More")
    person.page.reload()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Mine")


def test_conversations_stand_in_groups(person: Person) -> None:  # CHAT-2
    now = timezone.now()
    chat(person, "Held", pinned_at=now, active_at=now - timedelta(days=90))
    chat(person, "New", active_at=now)
    chat(person, "Recent", active_at=now - timedelta(days=4))
    chat(person, "Ancient", active_at=now - timedelta(days=60))
    person.open("/")
    groups = person.page.locator(".session-group")
    assert {
        str(group.get_attribute("aria-label")): group.locator(".session-link").inner_text() for group in groups.all()
    } == {
        "Pinned": "Held",
        "Today": "New",
        "Last 7 days": "Recent",
        "Older": "Ancient",
    }


def test_the_list_goes_on_as_one_scrolls(person: Person) -> None:  # CHAT-2
    for number in range(65):
        chat(person, f"Chat {number}", active_at=timezone.now() - timedelta(days=30, minutes=number))
    person.open("/")
    rows = person.page.locator(".session-row")
    expect(rows).to_have_count(30)
    for count in (60, 65):
        person.page.locator(".sessions-more").scroll_into_view_if_needed()
        expect(rows).to_have_count(count)
    assert [link.inner_text() for link in rows.locator(".session-link").all()] == [f"Chat {n}" for n in range(65)]


def test_search_finds_two_chinese_characters_and_marks_them(person: Person) -> None:  # CHAT-2
    found = chat(person, "周报")
    MessageFactory.create(session=found, text="请把本季度的备份计划整理成一张表。")
    chat(person, "Something else")
    person.open("/")
    person.page.keyboard.press("Escape")
    person.composer.blur()
    person.page.keyboard.press("/")
    person.page.keyboard.type("备份")
    person.page.keyboard.press("Enter")
    person.page.wait_for_url("**/sessions/?q=*")
    expect(person.page.locator(".result")).to_have_count(1)
    expect(person.page.locator(".result mark")).to_have_text("备份")
    person.page.get_by_role("main").get_by_role("link", name="周报").click()
    person.page.wait_for_url(f"**/sessions/{found.pk}/")


def test_a_search_without_a_hit_says_what_to_do(person: Person) -> None:  # CHAT-2, UX-1
    person.open("/sessions/?q=nowhere")
    expect(person.page.get_by_role("main")).to_contain_text("Nothing found")


def test_renaming_in_the_dialog(person: Person) -> None:  # CHAT-2
    session = chat(person, "Old name")
    person.open("/")
    person.use_menu("Rename", row(person, session).locator(".menu-button"))
    dialog = person.page.get_by_role("dialog")
    name = dialog.get_by_role("textbox")
    expect(name).to_be_focused()
    expect(name).to_have_value("Old name")
    name.fill("New name")
    name.press("Enter")
    expect(row(person, session)).to_contain_text("New name")
    assert person.page.url.rstrip("/") == person.scene.site.url


def test_pinning_and_unpinning(person: Person) -> None:  # CHAT-2
    session = chat(person, "Dear to me")
    chat(person, "Another")
    person.open("/")
    person.use_menu("Pin", row(person, session).locator(".menu-button"))
    pinned = person.page.get_by_role("list", name="Pinned")
    expect(pinned).to_contain_text("Dear to me")
    person.use_menu("Unpin", row(person, session).locator(".menu-button"))
    expect(pinned).to_have_count(0)
    expect(row(person, session)).to_be_visible()


def test_archiving_and_bringing_back(person: Person) -> None:  # CHAT-2
    session = chat(person, "Done with")
    person.open("/")
    person.use_menu("Archive", row(person, session).locator(".menu-button"))
    expect(row(person, session)).to_have_count(0)
    person.page.get_by_role("link", name="Archived").first.click()
    result = person.page.locator(".result")
    expect(result).to_contain_text("Done with")
    person.use_menu("Move out of the archive", result.locator(".menu-button"))
    expect(row(person, session)).to_be_visible()


def test_deleting_asks_first_and_is_for_good(person: Person) -> None:  # CHAT-3
    session = person.open_session()
    person.ask("Forget this")
    person.use_menu("Delete")
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_contain_text("for good")
    expect(dialog).to_contain_text("memory learned from it stays")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    assert Session.objects.filter(pk=session.pk).exists()
    person.use_menu("Delete")
    person.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    person.page.wait_for_url(lambda url: str(session.pk) not in url)
    expect(row(person, session)).to_have_count(0)
    assert not Session.objects.filter(pk=session.pk).exists()


def test_an_export_is_a_file_of_the_conversation(person: Person, tmp_path: Path) -> None:  # CHAT-11
    person.open_session("markdown-sample")
    person.ask("Show me a table")
    with person.page.expect_download() as started:
        person.use_menu("Export as Markdown")
    path = tmp_path / "export.md"
    started.value.save_as(path)
    text = path.read_text()
    assert started.value.suggested_filename.endswith(".md")
    assert "Show me a table" in text
    assert "| Name | Size |" in text


def test_on_a_phone_the_list_is_a_drawer(person: Person) -> None:  # CHAT-2
    session = chat(person, "Behind the drawer")
    person.page.set_viewport_size({"width": 390, "height": 800})
    person.open("/")
    expect(row(person, session)).to_be_hidden()
    person.page.get_by_role("button", name="Chats").click()
    expect(row(person, session)).to_be_visible()
    row(person, session).get_by_role("link").click()
    person.page.wait_for_url(f"**/sessions/{session.pk}/")
    expect(row(person, session)).to_be_hidden()


def test_an_old_conversation_shows_its_earlier_messages_on_demand(person: Person) -> None:  # CHAT-6
    session = person.open_session()
    talk(session, [(f"Question {n}", f"Answer {n}") for n in range(60)])
    person.page.reload()
    expect(person.replies).to_have_count(50)
    person.page.get_by_role("link", name="Show earlier messages").scroll_into_view_if_needed()
    read = person.page.get_by_text("Question 10", exact=True)
    before = read.bounding_box()
    person.page.get_by_role("link", name="Show earlier messages").click()
    expect(person.replies).to_have_count(60)
    expect(person.messages.first).to_contain_text("Question 0")
    after = read.bounding_box()
    assert before and after and abs(before["y"] - after["y"]) < 1  # what is read stays where it is
