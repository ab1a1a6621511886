"""The command that judges messages line by line, without a database."""

import io
import json

import pytest
from django.core.management import CommandError, call_command


def run(monkeypatch: pytest.MonkeyPatch, *lines: str) -> tuple[list[dict[str, object]], str, bool]:
    """The answers, what was said of errors, and whether the command failed."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    out, err, failed = io.StringIO(), io.StringIO(), False
    try:
        call_command("memory_triage", stdout=out, stderr=err)
    except CommandError:
        failed = True
    return [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue(), failed


def test_each_line_is_answered_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:  # LEARN-2, LEARN-4
    texts = ["Remember that I use fish.", "Don't remember this.", "What is RAID 5?", "x" * 4001]
    answers, _, failed = run(monkeypatch, *(json.dumps({"id": n, "text": text}) for n, text in enumerate(texts)))
    assert answers == [
        {"id": 0, "eligible": True, "reason": None},
        {"id": 1, "eligible": False, "reason": "opt_out"},
        {"id": 2, "eligible": False, "reason": "not_triggered"},
        {"id": 3, "eligible": False, "reason": "too_long"},
    ]
    assert not failed


@pytest.mark.parametrize("bad", ["{", "[]", '"text"', '{"id": 1}', '{"id": 1, "text": 5}'])
def test_a_bad_line_is_named_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch, bad: str) -> None:  # LEARN-2
    good = '{"id": "g", "text": "Remember that I use fish."}'
    answers, errors, failed = run(monkeypatch, good, bad, good)
    assert len(answers) == 2
    assert "Line 2 " in errors
    assert failed
