"""What becomes of proposed operations, beyond the sets of examples (LEARN-9, LEARN-13 to LEARN-17)."""

import time
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.learning.book import Known
from memory.learning.masking import MASK, mask
from memory.learning.operations import MOST, Operation
from memory.learning.outcomes import Outcome
from memory.learning.validation import Judged, validate
from memory.safety import Danger, dangers, is_secret

TODAY = date(2026, 7, 1)
TEA = Operation("add", "global", "core", "", "preference", "Likes tea.", "drink", None, None, "I like tea")
KNOWN = Known("k1", "global", "core", "", "preference", "Likes coffee.", "drink", False)


def judged(message: str, *operations: Operation, book: tuple[Known, ...] = (), room: int | None = None) -> list[Judged]:
    return validate(message, operations, book=book, workspace=None, today=TODAY, room=room)


def outcomes(message: str, *operations: Operation, **options: object) -> list[Outcome]:
    return [one.outcome for one in judged(message, *operations, **options)]  # type: ignore[arg-type]


def test_an_add_with_a_known_fact_key_becomes_an_update() -> None:  # LEARN-16
    (one,) = judged("I like tea.", TEA, book=(KNOWN,))

    assert one.outcome is Outcome.UPDATED
    assert (one.operation.op, one.operation.target) == ("update", "k1")


def test_an_add_meets_only_entries_that_were_sent() -> None:  # LEARN-16
    (one,) = judged("I like tea.", TEA)

    assert (one.operation.op, one.operation.target) == ("add", None)


@pytest.mark.parametrize("text", ["LIKES TEA", "Likes  tea.", "Ｌikes tea."])
def test_the_same_text_written_otherwise_is_no_difference(text: str) -> None:  # LEARN-16
    assert outcomes("I like tea.", TEA, book=(replace(KNOWN, text=text),)) == [Outcome.NO_DIFFERENCE]


def test_a_pinned_entry_stays() -> None:  # LEARN-16
    forget = replace(TEA, op="forget", text="", target="k1", evidence="Forget that I like coffee")
    pinned = (replace(KNOWN, pinned=True),)

    assert outcomes("I like tea.", TEA, book=pinned) == [Outcome.PINNED]
    assert outcomes("Forget that I like coffee.", forget, book=pinned) == [Outcome.PINNED]


def test_what_is_forgotten_makes_room_for_what_is_added() -> None:  # LEARN-16
    message = "I like tea. Forget that I have a dog."
    dog = Known("k2", "global", "core", "", "reference", "Has a dog.", "dog", False)
    forget = replace(TEA, op="forget", text="", fact_key="dog", target="k2", evidence="Forget that I have a dog")

    assert outcomes(message, TEA, room=0) == [Outcome.CAPACITY]
    assert outcomes(message, TEA, forget, book=(dog,), room=0) == [Outcome.UPDATED, Outcome.UPDATED]


def test_one_entry_is_changed_once_in_a_turn() -> None:  # LEARN-17
    milk = replace(TEA, text="Likes milk.", evidence="I like milk")

    assert outcomes("I like tea. I like milk.", TEA, milk, book=(KNOWN,)) == [Outcome.UPDATED, Outcome.INVALID_OUTPUT]


def test_a_refused_operation_takes_no_other_with_it() -> None:  # LEARN-17
    wrong = replace(TEA, text="Likes wine.")

    assert outcomes("I like tea.", wrong, TEA) == [Outcome.INVALID_EVIDENCE, Outcome.UPDATED]


def test_only_so_many_operations_are_looked_at() -> None:  # LEARN-10, SEC-7
    found = outcomes("I like tea.", *[TEA] * 10_000)

    assert found[0] is Outcome.UPDATED
    assert set(found[MOST:]) == {Outcome.INVALID_OUTPUT}


def test_what_is_unsafe_has_a_category_and_no_text() -> None:  # LEARN-14
    secret = replace(TEA, text="Password is hun-ter2!", evidence="my password is hun-ter2!")
    (one,) = judged("my password is hun-ter2!", secret)

    assert (one.outcome, one.category) == (Outcome.UNSAFE, Danger.PASSWORD)


def test_secrets_are_masked_and_the_rest_may_be_learnt() -> None:  # LEARN-9
    message = "I like tea, and my wifi password is Tr0ub4dor&3"
    masked = mask(message)

    assert masked.text == f"I like tea, and my wifi password is {MASK}"
    assert masked.dangers == (Danger.PASSWORD,)
    assert outcomes(message, TEA) == [Outcome.UPDATED]


@pytest.mark.parametrize(
    "evidence", ["and my wifi password is Tr0ub4dor&3", f"and my wifi password is {MASK}", "password is Tr0ub4dor"]
)
def test_what_was_masked_becomes_no_entry(evidence: str) -> None:  # LEARN-9
    message = "I like tea, and my wifi password is Tr0ub4dor&3"

    assert outcomes(message, replace(TEA, text="Has a wifi password.", evidence=evidence)) != [Outcome.UPDATED]


@given(st.text(max_size=200))
def test_a_masked_text_holds_no_secret_and_a_clean_one_is_kept(text: str) -> None:  # LEARN-9
    masked = mask(text)

    assert masked.dangers or masked.text == text
    assert not any(is_secret(danger) for danger in dangers(masked.text)) or masked.dangers


WORDS = 'I don\'t like tea until 14 August, if Anna says "yes". 我不喜欢茶 ，如果 明天 下午三点 > ``` `x`\n忘掉 remember \u200b'


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS.split(" ")), max_size=30).map(" ".join),
    st.lists(st.sampled_from(WORDS.split(" ")), max_size=8).map(" ".join),
    st.lists(st.sampled_from(WORDS.split(" ")), max_size=8).map(" ".join),
    st.sampled_from(["add", "update", "forget"]),
)
def test_every_message_and_operation_has_an_outcome(message: str, text: str, evidence: str, op: str) -> None:
    operation = replace(TEA, op=op, text=text, evidence=evidence, target=None if op == "add" else "k1")

    assert len(judged(message, operation, book=(KNOWN,))) == 1


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "I like tea ",
        "not ",
        "不",
        "if ",
        "我喜欢茶，",
        "> q\n",
        '"x" said ',
        "1 ",
        "一",
        "my password is ",
        "and ",
        "总结下面",
        "他有",
    ],
)
def test_no_message_takes_long(piece: str) -> None:  # SEC-7
    message = (piece * 4000)[:4000]
    operation = replace(TEA, text=message[:300], evidence=message[:2000])
    began = time.process_time()
    judged(message, *[operation] * MOST, book=(KNOWN,))

    assert time.process_time() - began < 6.0
