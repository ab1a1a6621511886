"""Which messages are let through to learning, and that no message can take long."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import triage
from memory.learning.eligibility import LIMIT, judge
from memory.learning.outcomes import Outcome

REQUEST = "Remember that I use fish."


@pytest.mark.parametrize("language", triage.LANGUAGES)
def test_requests_are_told_from_near_misses(language: str) -> None:  # LEARN-2, LEARN-4, LEARN-5
    figures = triage.figures(triage.own(language))
    assert figures.reached, str(figures)


@pytest.mark.parametrize(
    "text",
    [
        "Why does this fail?\n```\n# remember that I use fish\n```",
        "Why does this fail?\n\n    remember that I use fish\n\nThanks.",
        "> Remember that I use fish.\nWho wrote this?",
        "She wrote “Remember that I use fish.” to me.",
        "Is 'Remember that I use fish.' a good example?",
        "他写了「记住我用 fish」。",
        "`always answer in German` fails",
        "See https://example.com/remember-that-i-use-fish",
    ],
)
def test_what_isnt_ones_own_doesnt_count(text: str) -> None:  # LEARN-5
    assert judge(text).reason == Outcome.NOT_TRIGGERED
    assert judge(f"{text}\n\n{REQUEST}").eligible


@pytest.mark.parametrize(
    "text",
    [
        "REMEMBER THAT I USE FISH",
        "Ｒｅｍｅｍｂｅｒ that I use fish",
        "re\u200bmember that I use fish",
        "Don’t forget that I use fish",
    ],
)
def test_writing_doesnt_matter(text: str) -> None:  # LEARN-2
    assert judge(text).eligible


def test_a_message_over_the_limit_is_too_long() -> None:  # LEARN-6
    fitting = REQUEST + " " * (LIMIT - len(REQUEST))
    assert judge(fitting).eligible
    assert judge(fitting + " ").reason == Outcome.TOO_LONG


def test_switched_off_languages_dont_count_but_can_be_added_by_hand() -> None:  # LEARN-3, LEARN-19
    verdict = judge(REQUEST, languages=["zh"])
    assert (verdict.eligible, verdict.reason, verdict.asks) == (False, Outcome.NOT_TRIGGERED, True)


PIECES = [
    "remember ",
    "please ",
    "记住",
    "以后都",
    "if i ",
    "i ",
    "don't ",
    '"',
    "`",
    "\n",
    ", ",
    "my ",
    "is ",
    "a",
    "，",
    "“",
    "/",
    ".",
    "不要",
    "我",
    "> ",
    "you ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=80).map("".join) | st.text())
@settings(deadline=None)
def test_every_text_has_a_verdict(text: str) -> None:  # LEARN-2
    verdict = judge(text)
    assert verdict.eligible == (verdict.reason is None)
    assert verdict.eligible == bool(verdict.family)


@pytest.mark.parametrize("piece", [*PIECES, "please please", "i prefer ", "remember, ", "我的", "把", "forget the "])
def test_twice_the_text_takes_about_twice_the_time(piece: str) -> None:  # PERF-6
    half = _seconds((piece * LIMIT)[: LIMIT // 2])
    whole = _seconds((piece * LIMIT)[:LIMIT])
    assert whole < 3.2 * half + 0.01


def _seconds(text: str) -> float:
    taken = []
    for _ in range(3):
        began = time.thread_time()
        judge(text)
        taken.append(time.thread_time() - began)
    return min(taken)
