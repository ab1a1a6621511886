"""``manage.py memory_validate`` judges JSON lines without a database."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

OPERATION = {
    "op": "add",
    "scope": "global",
    "tier": "core",
    "topic": "",
    "kind": "preference",
    "text": "On leave until 2026-07-02.",
    "fact_key": "leave",
    "expires": "2026-07-02",
    "target": None,
    "evidence": "I am on leave until tomorrow",
}
LINE = {"id": "a", "text": "Note that I am on leave until tomorrow.", "operations": [OPERATION]}


def run(monkeypatch: pytest.MonkeyPatch, *lines: str) -> tuple[list[dict[str, object]], str, bool]:
    output, errors = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    failed = False
    try:
        call_command("memory_validate", "--today", "2026-07-01", stdout=output, stderr=errors)
    except CommandError:
        failed = True
    return [json.loads(line) for line in output.getvalue().splitlines()], errors.getvalue(), failed


def test_each_operation_has_a_result(monkeypatch: pytest.MonkeyPatch) -> None:  # LEARN-13
    wrong = OPERATION | {"expires": "2026-07-09"}
    found, errors, failed = run(monkeypatch, json.dumps(LINE | {"operations": [wrong, OPERATION, {"op": "add"}]}))

    results = ["invalid_evidence", "written", "invalid_output"]
    assert found == [{"id": "a", "outcomes": [{"op": "add", "result": result} for result in results]}]
    assert (errors, failed) == ("", False)


@pytest.mark.parametrize("line", ["{", "[]", "7", '{"id": 1}', '{"id": 1, "text": 2, "operations": []}', "[" * 100_000])
def test_a_wrong_line_is_named_and_the_others_are_judged(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    found, errors, failed = run(monkeypatch, json.dumps(LINE), line, "", json.dumps(LINE))

    assert len(found) == 2
    assert "2" in errors
    assert failed


def test_a_book_with_its_limit_is_full(monkeypatch: pytest.MonkeyPatch) -> None:  # LEARN-16
    book = [
        {
            "id": f"m{n}",
            "scope": "global",
            "tier": "core",
            "topic": "",
            "kind": "reference",
            "text": f"Locker {n} is free.",
        }
        for n in range(80)
    ]
    found, _errors, _failed = run(monkeypatch, json.dumps(LINE | {"book": book}))

    assert found[0]["outcomes"] == [{"op": "add", "result": "capacity"}]
