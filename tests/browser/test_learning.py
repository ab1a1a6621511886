"""From a sentence to a receipt, and to the next turn that loads it: the page, the worker and a model (LEARN-19, LEARN-20)."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from adminchat.accounts.models import Extractor, TenantPolicy
from chat.models import Session
from memory import selectors
from memory.models import Learning
from tests.browser.person import Person
from tests.browser.test_accessibility import violations
from tests.scenes import Scene
from tests.servers import Worker


def operation(text: str, evidence: str, **fields: Any) -> dict[str, Any]:
    """An operation as a model would propose it."""
    return {
        "op": "add",
        "scope": "global",
        "tier": "core",
        "topic": "",
        "kind": "preference",
        "text": text,
        "fact_key": "",
        "expires": None,
        "target": None,
        "evidence": evidence,
    } | fields


def proposing(*operations: dict[str, Any]) -> str:
    return json.dumps({"operations": operations})


@pytest.fixture
def worker(scene: Scene) -> Iterator[Worker]:
    with scene.site.worker() as worker:
        yield worker


def in_learn(person: Person) -> Session:
    session = person.open_session("echo")
    Session.objects.filter(pk=session.pk).update(memory_mode="learn")
    person.page.reload()
    return session


def receipt(person: Person) -> Locator:
    return person.page.locator("#turns").get_by_test_id("receipt").last


def test_from_a_sentence_to_the_turn_that_loads_it(person: Person, worker: Worker) -> None:  # LEARN-19, LEARN-20
    session = in_learn(person)
    person.scene.script_extraction(
        session, proposing(operation("Uses fish as the shell.", "I use fish as my shell", fact_key="shell"))
    )
    person.send("Please remember that I use fish as my shell.")
    expect(receipt(person)).to_have_attribute("data-reason", "updated")
    expect(receipt(person)).to_contain_text("My global: 1 added")
    expect(receipt(person)).to_contain_text("Uses fish as the shell.")
    assert [entry.text for entry in selectors.entries(person.scene.user)] == ["Uses fish as the shell."]

    person.send("Which shell do I use?")
    expect(person.page.locator("#turns").get_by_test_id("loaded-entry").last).to_contain_text("Uses fish as the shell.")
    expect(receipt(person)).to_have_attribute("data-reason", "not_triggered")
    assert violations(person.page) == []


def test_what_was_learned_is_pinned_and_undone_from_the_receipt(person: Person, worker: Worker) -> None:  # LEARN-20
    session = in_learn(person)
    person.scene.script_extraction(session, proposing(operation("Prefers metric units.", "I prefer metric units")))
    person.send("I prefer metric units.")
    receipt(person).get_by_role("button", name="Pin").click()
    expect(receipt(person).get_by_role("button", name="Unpin")).to_be_visible()
    assert selectors.entries(person.scene.user).get().pinned
    receipt(person).get_by_role("button", name="Unpin").click()
    expect(receipt(person).get_by_role("button", name="Pin", exact=True)).to_be_visible()
    receipt(person).get_by_role("link", name="Prefers metric units.").click()
    expect(person.page.locator("#memory").get_by_label("Text")).to_have_value("Prefers metric units.")


def test_a_fresh_entry_is_undone_with_one_click(person: Person, worker: Worker) -> None:  # LEARN-20
    session = in_learn(person)
    person.scene.script_extraction(session, proposing(operation("Prefers metric units.", "I prefer metric units")))
    person.send("I prefer metric units.")
    receipt(person).get_by_role("button", name="Undo").click()
    expect(receipt(person)).to_contain_text("Undone.")
    assert not selectors.entries(person.scene.user).exists()


def test_the_receipt_finds_its_reader_on_another_page(person: Person, worker: Worker) -> None:  # LEARN-19
    session = in_learn(person)
    person.scene.script_extraction(
        session, proposing(operation("Prefers metric units.", "I prefer metric units")), delay=2
    )
    person.send("I prefer metric units.")
    expect(person.page.locator("[data-receipt-waiting]")).to_be_visible()
    person.open("/")
    card = person.page.locator("#receipts").get_by_test_id("receipt")
    expect(card).to_have_attribute("data-reason", "updated")
    person.page.locator("#receipts").get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)


def test_a_receipt_is_gone_after_a_reload(person: Person, worker: Worker) -> None:  # LEARN-21
    in_learn(person)
    person.send("What is a quorum?")
    expect(receipt(person)).to_have_attribute("data-reason", "not_triggered")
    person.page.reload()
    expect(person.replies.last).to_be_visible()
    expect(person.page.get_by_test_id("receipt")).to_have_count(0)


def test_without_a_worker_the_page_says_that_learning_is_delayed(person: Person) -> None:  # LEARN-22, REL-3
    in_learn(person)
    TenantPolicy.objects.filter(tenant=person.scene.user.tenant).update(extractor=Extractor.RULES)
    person.send("Please remember that I use fish as my shell.")
    expect(person.page.locator("[data-receipt-waiting]")).to_contain_text("Learning is delayed")
    with person.scene.site.worker():
        expect(receipt(person)).to_have_attribute("data-reason", "updated", timeout=60_000)
    expect(receipt(person)).to_contain_text("by rules")


@pytest.mark.parametrize("mode", ["off", "read_only"])
def test_other_modes_have_their_receipt_at_once(person: Person, mode: str) -> None:  # LEARN-18, ENTRY-2, ENTRY-3
    session = person.open_session("echo")
    Session.objects.filter(pk=session.pk).update(memory_mode=mode)
    person.page.reload()
    person.send("Please remember that I use fish as my shell.")
    expect(receipt(person)).to_have_attribute("data-reason", mode)
    assert not Learning.objects.filter(user=person.scene.user).exists()


def test_a_suggestion_waits_is_edited_and_accepted(person: Person, worker: Worker) -> None:  # LEARN-23
    person.open("/memory/settings/")
    person.page.get_by_label("Ask me before anything is learned").check()
    person.page.get_by_role("button", name="Save").click()
    session = in_learn(person)
    person.scene.script_extraction(session, proposing(operation("Prefers metric units.", "I prefer metric units")))
    person.send("I prefer metric units.")
    expect(receipt(person)).to_contain_text("1 suggestion")
    assert not selectors.entries(person.scene.user).exists()
    receipt(person).get_by_role("link", name="Look at them").click()
    memory = person.page.locator("#memory")
    memory.get_by_role("link", name="Edit").click()
    memory.get_by_label("Text").fill("Prefers metric units in reports.")
    memory.get_by_role("button", name="Accept").click()
    expect(memory).to_contain_text("Accepted.")
    assert [entry.text for entry in selectors.entries(person.scene.user)] == ["Prefers metric units in reports."]


def test_a_sentence_can_be_tried(person: Person, meet: Callable[..., Person]) -> None:  # LEARN-7
    person.open("/memory/settings/")
    person.page.get_by_label("A sentence to try").fill("From now on, answer in German.")
    person.page.get_by_role("button", name="Try it").click()
    expect(person.page.locator("#tried [data-eligible=yes]")).to_be_visible()
    person.page.get_by_label("A sentence to try").fill("What time is it?")
    person.page.get_by_role("button", name="Try it").click()
    expect(person.page.locator("#tried [data-eligible=no]")).to_be_visible()
    assert violations(person.page) == []
