"""What a turn loads, told by the page alone; what a question would load; and what is left of both (ENTRY-22 to 26)."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect

from chat.models import Session
from memory.models import Entry
from tests.browser.payloads import IN_TEXT
from tests.browser.person import Person, shown
from tests.browser.test_accessibility import violations
from tests.factories import EntryFactory, MembershipFactory, WorkspaceFactory
from tests.scenes import Scene

QUESTION = "When is the expense report due?"
NARROW = {"width": 390, "height": 800}


def furnish(person: Person) -> None:
    """Entries of every fate."""
    user = person.scene.user
    elsewhere = MembershipFactory.create(user=user, workspace=WorkspaceFactory.create(tenant=user.tenant)).workspace
    EntryFactory.create(user=user, text="Answers start with the conclusion.", pinned=True)
    EntryFactory.create(user=user, text="Works in the finance office.")
    EntryFactory.create(user=user, text="Expense reports are due on the 25th.", tier="topic", topic="Expenses")
    EntryFactory.create(user=user, text="The espresso machine is descaled on Mondays.", tier="topic", topic="Kitchen")
    EntryFactory.create(user=user, text="Was in Oslo.", tier="archive")
    EntryFactory.create(user=user, text="Is in Rome.", expires_at=timezone.now() - timedelta(days=1))
    EntryFactory.create(user=user, text="Signs with M. L.", workspace=elsewhere)


def in_mode(person: Person, mode: str, model: str = "echo") -> Session:
    session = person.open_session(model)
    Session.objects.filter(pk=session.pk).update(memory_mode=mode)
    person.page.reload()
    return session


def report(person: Person) -> Locator:
    return person.page.locator("#turns").get_by_test_id("loaded-report").last


def test_the_page_says_what_was_loaded_before_the_reply(person: Person) -> None:  # ENTRY-22, ENTRY-23, ENTRY-24
    furnish(person)
    session = in_mode(person, "read_only")
    person.scene.script(session, ["On the ", "25th."], hold_at=0)
    person.send(QUESTION)
    expect(report(person).locator("summary")).to_have_text(
        re.compile(r"3 entries · \d+ of 1000 tokens · (exact|estimate)\s*$")
    )
    assert "25th" not in shown(person.replies.last), "the reply came first"
    report(person).locator("summary").click()
    expect(report(person).get_by_test_id("loaded-entry")).to_have_text(
        [
            re.compile(r"conclusion\..*My global\s+· pinned core entry · \d+ tokens", re.DOTALL),
            re.compile(r"finance office\..*My global\s+· core entry · \d+ tokens", re.DOTALL),
            re.compile(r"25th\..*My global\s+· Topic “Expenses” · matches your message:.*\d+ tokens", re.DOTALL),
        ]
    )
    reasons = report(person).get_by_test_id("loaded-entry").evaluate_all("rows => rows.map(r => r.dataset.reason)")
    assert reasons == ["pinned_core", "core", "topic"]
    assert {word.lower() for word in report(person).locator("mark").all_inner_texts()} >= {"expense", "report", "due"}
    expect(report(person)).to_contain_text(re.compile(r"core entries\s*\d+ / 300"))
    for words in ("Loaded does not mean used", "does not list everything", "not the cost of the request"):
        expect(report(person)).to_contain_text(words)
    expect(report(person)).not_to_contain_text("Oslo")

    report(person).get_by_role("link", name="Show 4 entries that were not loaded, and why").click()
    expect(report(person).get_by_test_id("not-loaded")).to_have_count(4)
    fates = {
        part.get_attribute("data-reason"): shown(part.get_by_role("listitem"))
        for part in report(person).get_by_test_id("not-loaded").all()
    }
    assert fates == {
        "not_relevant": "The espresso machine is descaled on Mondays. “Kitchen”",
        "archived": "Was in Oslo.",
        "expired": "Is in Rome.",
        "other_workspace": "Signs with M. L.",
    }
    person.scene.release(session)
    person.wait_for_end()
    expect(report(person).get_by_test_id("loaded-entry")).to_have_count(3)


def test_the_report_lives_on_its_page_alone(person: Person) -> None:  # ENTRY-22, ENTRY-25
    furnish(person)
    in_mode(person, "read_only")
    person.ask(QUESTION)
    page = person.page
    page.get_by_test_id("memory-button").click()
    page.locator("#panel").get_by_role("link", name="Loaded this turn").click()
    copy = page.locator("#panel").get_by_test_id("loaded-report")
    expect(copy.get_by_test_id("loaded-entry")).to_have_count(3)
    copy.get_by_role("link", name="Show 4 entries").click()
    expect(copy.get_by_test_id("not-loaded")).to_have_count(4)
    expect(report(person).get_by_test_id("not-loaded")).to_have_count(0)
    person.ask("Hello")
    expect(copy.get_by_test_id("loaded-entry")).to_have_count(2)
    page.reload()
    expect(page.locator("#panel")).to_contain_text("No report on this page yet")
    expect(page.get_by_test_id("loaded-report")).to_have_count(0)
    page.locator("#panel").get_by_role("link", name="Which entries earlier turns loaded").click()
    rows = page.get_by_test_id("activity-row")
    expect(rows).to_have_text([re.compile("2 entries loaded, 5 not"), re.compile("3 entries loaded, 4 not")])
    rows.last.click()
    expect(page.locator("#panel").get_by_test_id("loaded-entry")).to_have_count(3)
    expect(page.locator("#panel")).not_to_contain_text(QUESTION)
    expect(page).to_have_url(re.compile(r"/sessions/.*\?memory=activity$"))


def test_a_quick_reply_is_not_without_its_report(person: Person) -> None:  # ENTRY-22
    furnish(person)
    in_mode(person, "read_only")
    for number in range(4):
        person.ask(f"Once more: {number}")
        expect(person.page.locator("#turns").get_by_test_id("loaded-report")).to_have_count(number + 1)


def test_off_is_said_and_nothing_else(person: Person) -> None:  # ENTRY-2, ENTRY-23
    furnish(person)
    session = in_mode(person, "off")
    person.ask(QUESTION)
    expect(report(person)).to_have_attribute("data-rule", "off")
    report(person).locator("summary").click()
    expect(report(person)).to_contain_text("Nothing was looked up and nothing was sent.")
    assert "25th" not in str(person.scene.requests(session))
    person.open("/memory/activity/")
    expect(person.page.get_by_test_id("activity-row")).to_have_count(0)


def test_a_question_is_tried_without_a_model(person: Person) -> None:  # ENTRY-26
    furnish(person)
    session = in_mode(person, "off")
    page = person.page
    page.get_by_test_id("memory-button").click()
    page.locator("#panel").get_by_role("link", name="Preview").click()
    question = page.locator("#panel").get_by_label("Your question")
    page.locator("#panel").get_by_role("button", name="Show what it would load").click()
    expect(page.locator("#preview-result")).to_have_text("")  # the browser asks for a question
    question.fill(QUESTION)
    page.locator("#panel").get_by_role("button", name="Show what it would load").click()
    expect(page.locator("#panel").get_by_test_id("loaded-entry")).to_have_count(3)
    expect(page.locator("#panel").get_by_test_id("not-loaded")).to_have_count(4)
    expect(page.locator("#panel")).to_contain_text(
        "A turn of this chat would load nothing of it: Memory is off for this chat."
    )
    expect(question).to_have_value(QUESTION)
    assert person.scene.requests(session) == []
    assert "expense" not in page.url


def test_a_deleted_entry_leaves_its_place(person: Person) -> None:  # ENTRY-25
    furnish(person)
    in_mode(person, "read_only")
    person.ask(QUESTION)
    mine = Entry.objects.filter(book__user=person.scene.user)
    mine.filter(tier="topic").delete()
    mine.filter(pinned=True).update(revision=2)
    person.open("/memory/activity/")
    person.page.get_by_test_id("activity-row").click()
    loaded = person.page.get_by_test_id("loaded-entry")
    expect(loaded).to_have_text(
        [re.compile("conclusion.*changed since", re.DOTALL), re.compile("finance"), re.compile("deleted entry")]
    )


def test_preview_and_activity_without_scripts(scene: Scene, meet: Callable[..., Person]) -> None:  # ENTRY-27, UX-1
    plain = meet(scene, java_script_enabled=False)
    furnish(plain)
    page = plain.open("/memory/")
    tabs = page.locator(".tabs")
    for tab in tabs.get_by_role("link").all_inner_texts():
        tabs.get_by_role("link", name=tab).click()
        expect(tabs.locator("[aria-current]")).to_have_text(tab)
    tabs.get_by_role("link", name="Loaded this turn").click()
    expect(page.locator("main")).to_contain_text("No report on this page yet")
    page.get_by_role("link", name="What would a question load?").click()
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Show what it would load").click()
    expect(page.get_by_test_id("loaded-entry")).to_have_count(3)
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)


@pytest.mark.parametrize("where", ["report", "preview"])
def test_what_is_loaded_is_text(person: Person, where: str) -> None:  # SEC-3
    lines = [" ".join(payload.split())[:300] for payload in IN_TEXT if "\x00" not in payload][::2]
    for number, line in enumerate(lines):
        fields = {"tier": "topic", "topic": line[:40]} if number % 2 else {}
        EntryFactory.create(user=person.scene.user, text=line, **fields)
    question = " ".join(lines)[:3000]
    in_mode(person, "read_only")
    if where == "report":
        person.ask(question)
        report(person).locator("summary").click()
        report(person).get_by_role("link", name="not loaded").click()
    else:
        person.open("/memory/preview/")
        person.page.get_by_label("Your question").fill(question)
        person.page.get_by_role("button", name="Show what it would load").click()
    expect(person.page.get_by_test_id("loaded-entry").filter(has=person.page.locator("mark")).first).to_be_visible()
    expect(person.page.get_by_test_id("not-loaded").first).to_be_visible()
    shown_texts = [text.strip() for text in person.page.locator(".loaded-text").all_text_contents()]
    assert shown_texts
    assert set(shown_texts) <= set(lines)
    person.check_safe()


def test_reports_have_no_violations(person: Person) -> None:  # A11Y-1
    furnish(person)
    in_mode(person, "read_only")
    person.ask(QUESTION)
    found = {"line": violations(person.page)}
    report(person).locator("summary").click()
    report(person).get_by_role("link", name="not loaded").click()
    expect(report(person).get_by_test_id("not-loaded")).to_have_count(4)
    found["report"] = violations(person.page)
    person.page.get_by_test_id("memory-button").click()
    person.page.locator("#panel").get_by_role("link", name="Loaded this turn").click()
    expect(person.page.locator("#panel").get_by_test_id("loaded-entry")).to_have_count(3)
    found["tab"] = violations(person.page)
    person.page.set_viewport_size(NARROW)
    found["drawer"] = violations(person.page)
    person.open("/memory/activity/")
    person.page.get_by_test_id("activity-row").click()
    expect(person.page.get_by_test_id("loaded-entry")).to_have_count(3)
    found["activity"] = violations(person.page)
    assert {what: each for what, each in found.items() if each} == {}


def test_opening_the_report_at_the_end_of_the_chat_moves_nothing(person: Person) -> None:  # ENTRY-22, LOOK
    furnish(person)
    in_mode(person, "read_only")
    person.page.set_viewport_size({"width": 900, "height": 520})
    person.ask(QUESTION)
    summary = report(person).locator("summary")
    summary.scroll_into_view_if_needed()
    before = summary.bounding_box()
    summary.click()
    expect(report(person).get_by_test_id("loaded-entry").first).to_be_visible()
    person.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    after = summary.bounding_box()
    assert before and after and abs(before["y"] - after["y"]) < 2


def test_after_a_reload_the_reply_leads_to_what_it_loaded(person: Person) -> None:  # ENTRY-25
    furnish(person)
    session = in_mode(person, "read_only")
    person.ask(QUESTION)
    link = person.replies.last.get_by_role("link", name="What it loaded")
    expect(link).to_be_hidden()  # the report is there
    person.page.reload()
    expect(report(person)).to_have_count(0)
    link.click()
    expect(person.page.locator("#memory").get_by_test_id("loaded-entry")).to_have_count(3)
    expect(person.page.locator("#memory").get_by_role("link", name=session.title)).to_be_visible()
