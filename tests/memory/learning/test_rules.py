"""What the rules make of sentences: one entry in their author's own words, or nothing (OPS-4)."""

from datetime import UTC, date, datetime

import pytest

from memory.learning import rules
from memory.learning.book import Known
from memory.learning.outcomes import Outcome
from memory.learning.validation import validate
from memory.loading import Candidate


def candidate(key: str, text: str) -> Candidate:
    return Candidate(key, text, "", "core", None, False, key, None, datetime(2026, 7, 1, tzinfo=UTC))


BOOK = [candidate("day", "Release day is Tuesday."), candidate("badge", "我的工号是 A1234。")]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Please remember that I use fish as my shell.", [("add", "I use fish as my shell.")]),
        (
            "Hey, could you keep in mind that our fiscal year starts in April?",
            [("add", "Our fiscal year starts in April")],
        ),
        ("From now on, always answer in German.", [("add", "Always answer in German.")]),
        ("I prefer short answers.", [("add", "I prefer short answers.")]),
        (
            "Remember this: the staging server is called heron. Thanks!",
            [("add", "The staging server is called heron.")],
        ),
        ("Correction: the release day is Thursday.", [("update", "The release day is Thursday.")]),
        ("请记住，我负责华东区的采购。", [("add", "我负责华东区的采购。")]),
        ("从现在起，回答时先给结论。", [("add", "回答时先给结论。")]),
        ("麻烦帮我记一下：季度报告每三个月交一次。", [("add", "季度报告每三个月交一次。")]),
        ("忘掉我的工号", [("forget", "")]),
        ("Please remember:\n- I use Emacs\n- I sit in room 12", [("add", "I use Emacs"), ("add", "I sit in room 12")]),
        ("请记住：\n1. 我用 Helix\n2. 我在维也纳办公", [("add", "我用 Helix"), ("add", "我在维也纳办公")]),
        ("What is a quorum?", []),
        ("```\nremember that x = 1\n```", []),
        ("Forget my shoe size.", []),
    ],
)
def test_an_explicit_sentence_becomes_one_operation(message: str, expected: list[tuple[str, str]]) -> None:
    found = rules.extract(message, BOOK, has_workspace=False)
    assert [(one.op, one.text) for one in found] == expected
    known = [Known(e.id, e.scope, e.tier, "", "preference", e.text, e.fact_key, pinned=False) for e in BOOK]
    judged = validate(message, found, book=known, workspace=None, today=date(2026, 7, 1))
    assert [one.outcome for one in judged] == [Outcome.UPDATED] * len(expected)


def test_a_rule_of_the_workspace_is_of_the_workspace() -> None:  # LEARN-17
    message = "Note for later: in this workspace all migrations must be reversible."
    assert [one.scope for one in rules.extract(message, [], has_workspace=True)] == ["workspace"]
    assert [one.scope for one in rules.extract(message, [], has_workspace=False)] == ["global"]
