"""``manage.py memory_rank`` says what would be loaded, without a database."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ENTRIES = [
    {"id": "e1", "scope": "global", "tier": "core", "topic": "", "kind": "preference", "text": "Likes tables."},
    {"id": "e2", "scope": "workspace", "tier": "core", "topic": "", "kind": "project", "text": "Moves to Bristol."},
    {
        "id": "e3",
        "scope": "global",
        "tier": "topic",
        "topic": "payroll",
        "kind": "decision",
        "text": "Paid on the 27th.",
    },
    {"id": "e4", "scope": "global", "tier": "archive", "topic": "", "kind": "decision", "text": "Payroll was late."},
]
QUESTIONS = [{"id": "q1", "text": "payroll"}, {"id": "q2", "text": "Why do cats purr?", "relevant": [], "note": "x"}]


def ranked(path: Path, content: object) -> list[dict[str, object]]:
    path.write_text(json.dumps(content), encoding="utf-8")
    output = StringIO()
    call_command("memory_rank", str(path), stdout=output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_each_question_gets_a_line(tmp_path: Path) -> None:  # ENTRY-18
    first, second = ranked(tmp_path / "set.json", {"entries": ENTRIES, "questions": QUESTIONS})
    assert first == {"question_id": "q1", "loaded": ["e2", "e1", "e3"], "tokens": first["tokens"]}
    assert second["question_id"] == "q2" and second["loaded"] == ["e2", "e1"]
    assert 0 < int(str(second["tokens"])) < int(str(first["tokens"])) <= 1000


@pytest.mark.parametrize("content", [[], {"entries": []}, {"entries": [{"id": 1}], "questions": []}])
def test_another_form_is_refused(tmp_path: Path, content: object) -> None:
    with pytest.raises(CommandError):
        ranked(tmp_path / "set.json", content)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("memory_rank", str(tmp_path / "none.json"))
