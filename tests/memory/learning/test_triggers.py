"""The examples that stand beside the patterns of each language."""

from collections.abc import Iterator
from typing import Any

import pytest

from memory.learning.eligibility import judge
from memory.learning.outcomes import Outcome
from memory.learning.triggers import languages, sources

SOURCES = {source["language"]: source for source in sources()}


def examples(part: str, key: str) -> list[Any]:
    return list(_examples(part, key))


def _examples(part: str, key: str) -> Iterator[Any]:
    for code, source in SOURCES.items():
        section = source.get(part, {})
        for name, group in {part: section, **{k: v for k, v in section.items() if isinstance(v, dict)}}.items():
            for text in group.get(key, []):
                yield pytest.param(code, text, id=f"{code}-{name}-{text[:30]}")


def texts(part: str, key: str) -> list[Any]:
    return [pytest.param(example.values[1], id=example.id) for example in _examples(part, key)]


def test_each_language_is_a_file_with_a_version() -> None:  # LEARN-3
    assert {"en", "zh"} <= {language.code for language in languages()}
    assert all(language.version >= 1 for language in languages())


@pytest.mark.parametrize("text", texts("families", "eligible"))
def test_a_trigger_counts(text: str) -> None:  # LEARN-2, LEARN-3
    assert judge(text).eligible
    assert not judge(text, languages=[]).eligible
    assert judge(text, languages=[]).asks


@pytest.mark.parametrize("text", [*texts("families", "not_triggered"), *texts("aside", "examples")])
def test_a_near_miss_doesnt_count(text: str) -> None:  # LEARN-3, LEARN-5
    assert judge(text).reason == Outcome.NOT_TRIGGERED


@pytest.mark.parametrize("text", texts("refusal", "examples"))
def test_a_refusal_wins(text: str) -> None:  # LEARN-4
    assert judge(text).reason == Outcome.OPT_OUT
    assert judge(f"Remember that I use fish. 记住我用 fish。{text}").reason == Outcome.OPT_OUT
    assert judge(text, languages=[]).reason == Outcome.OPT_OUT


@pytest.mark.parametrize("text", texts("refusal", "counterexamples"))
def test_a_request_to_forget_or_a_double_negation_is_no_refusal(text: str) -> None:  # LEARN-4
    assert judge(text).eligible


@pytest.mark.parametrize(("code", "text"), examples("everything", "examples"))
def test_forgetting_everything_is_never_done_by_learning(code: str, text: str) -> None:  # LEARN-4
    verdict = judge(text)
    assert (verdict.eligible, verdict.everything, verdict.language) == (False, True, code)


@pytest.mark.parametrize("text", texts("everything", "counterexamples"))
def test_forgetting_something_is(text: str) -> None:  # LEARN-4
    assert judge(text).eligible and not judge(text).everything


@pytest.mark.parametrize("text", texts("wishes", "examples"))
def test_a_wish_can_be_added_by_hand(text: str) -> None:  # LEARN-19
    verdict = judge(text)
    assert (verdict.eligible, verdict.asks) == (False, True)


@pytest.mark.parametrize("text", texts("wishes", "counterexamples"))
def test_other_messages_are_no_wish(text: str) -> None:  # LEARN-19
    assert not judge(text).asks
