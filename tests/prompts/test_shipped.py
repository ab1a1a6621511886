"""What comes with AdminChat (PROMPT-3)."""

import json
import re
from datetime import date

import pytest

from adminchat.accounts.models import User
from adminchat.prompts.defaults import shipped
from adminchat.prompts.models import PromptVersion, Range
from adminchat.prompts.resolution import resolve

EXTRACTION = next(each.text for each in shipped() if each.range == Range.MEMORY_EXTRACTION)
FIELDS = {"op", "scope", "tier", "topic", "kind", "text", "fact_key", "expires", "target", "evidence"}


@pytest.mark.parametrize("range_name", Range.values)
def test_every_range_works_without_any_row(alice: User, range_name: str) -> None:  # PROMPT-3
    prompt = resolve(alice.tenant_id, range_name)
    assert prompt.text
    assert (prompt.range, prompt.model, prompt.version_id) == (range_name, None, None)
    assert resolve(alice.tenant_id, prompt.code) == prompt
    assert not PromptVersion.objects.exists()


def test_codes_are_fixed_and_each_is_one() -> None:  # PROMPT-3
    assert {each.code: each.range for each in shipped()} == {
        "2026.12.01.1-T1-A1": "memory-extraction",
        "2026.12.01.2-T1-A1": "session-title",
        "2026.12.01.3-T1-A1": "compaction-summary",
    }
    for version in shipped():
        version.clean_fields(exclude=["tenant", "author", "used_at"])


def test_examples_of_the_extraction_prompt_keep_its_own_rules() -> None:  # PROMPT-3, LEARN-10
    inputs = [json.loads(line) for line in re.findall(r"(?m)^\{\"message\".*$", EXTRACTION)]
    answers = [json.loads(line) for line in re.findall(r"(?m)^\{\"operations\": \[\{.*$", EXTRACTION)]
    assert len(inputs) == len(answers) == 2
    for given, answer in zip(inputs, answers, strict=True):
        assert 0 < len(answer["operations"]) <= 5
        for operation in answer["operations"]:
            assert set(operation) == FIELDS
            assert operation["evidence"] in given["message"]
            assert (operation["target"] is None) == (operation["op"] == "add")
            assert operation["expires"] is None or date.fromisoformat(operation["expires"]) > date(2026, 5, 4)
            assert (operation["tier"] == "topic") == bool(operation["topic"])
