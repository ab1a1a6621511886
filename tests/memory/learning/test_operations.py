"""What a model proposes is read, and refused where it has not the right form (LEARN-10)."""

import json
import time
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.learning.operations import MOST, OPERATIONS_SCHEMA, InvalidOutput, parse, parse_text

ADD = {
    "op": "add",
    "scope": "global",
    "tier": "core",
    "topic": "",
    "kind": "preference",
    "text": "Likes tea.",
    "fact_key": "drink",
    "expires": None,
    "target": None,
    "evidence": "I like tea",
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from([*ADD, "operations"]), inner, max_size=12)
    ),
    max_leaves=30,
)


def test_an_operation_is_read_with_all_its_fields() -> None:  # LEARN-10
    (operation,) = parse({"operations": [ADD | {"expires": "2026-08-14"}]})

    assert (operation.op, operation.text, operation.expires) == ("add", "Likes tea.", date(2026, 8, 14))
    assert operation.target is None


def test_empty_fields_may_be_missing() -> None:  # LEARN-10
    bare = {name: ADD[name] for name in ("op", "scope", "tier", "kind", "text", "evidence")}

    forgiven = ADD | {"fact_key": None, "target": "", "more": 1}

    assert parse({"operations": [bare]}) == parse({"operations": [forgiven]})


@pytest.mark.parametrize(
    "change",
    [
        {"op": "drop"},
        {"scope": "tenant"},
        {"tier": "archive"},
        {"kind": 1},
        {"text": ["Likes tea."]},
        {"expires": "soon"},
        {"expires": "2026-02-30"},
        {"target": 7},
        {"evidence": None},
        {"text": "x" * 2001},
    ],
)
def test_a_wrong_field_is_refused(change: dict[str, object]) -> None:  # LEARN-10
    with pytest.raises(InvalidOutput):
        parse({"operations": [ADD | change]})


@pytest.mark.parametrize("value", [None, [], [ADD], {}, {"operations": ADD}, {"operations": [1]}, "add"])
def test_another_form_is_refused(value: object) -> None:  # LEARN-10
    with pytest.raises(InvalidOutput):
        parse(value)


def test_too_many_operations_are_refused_at_once() -> None:  # LEARN-10, SEC-7
    parse({"operations": [ADD] * MOST})
    many = {"operations": [ADD] * 10_000}
    began = time.process_time()
    with pytest.raises(InvalidOutput):
        parse(many)

    assert time.process_time() - began < 0.01


@given(JSON)
def test_whatever_a_model_answers_is_read_or_refused(value: object) -> None:  # LEARN-10
    for read in (lambda: parse(value), lambda: parse_text(json.dumps(value))):
        with suppress(InvalidOutput):
            read()


@pytest.mark.parametrize(
    "answer",
    [
        "{}",
        "```json\n{}\n```",
        "<think>The user {likes} tea.</think>\n{}",
        'First I thought of {"operations": []}, but no:\n{}\nDone.',
    ],
)
def test_thoughts_and_fences_around_an_answer_are_skipped(answer: str) -> None:  # LEARN-10
    answer = answer.replace("{}", json.dumps({"operations": [ADD]}))

    assert [operation.text for operation in parse_text(answer)] == ["Likes tea."]


def test_half_an_answer_is_refused() -> None:  # LEARN-10
    whole = json.dumps({"operations": [ADD, ADD]})
    for end in range(len(whole)):
        with pytest.raises(InvalidOutput):
            parse_text(whole[:end])


@pytest.mark.parametrize("piece", ["{", '{"operations":', "[{", "<think>", '{"a":{}}'])
def test_no_answer_takes_long(piece: str) -> None:  # SEC-7
    began = time.process_time()
    with pytest.raises(InvalidOutput):
        parse_text((piece * 50_000)[:50_000])

    assert time.process_time() - began < 1.0


def test_the_schema_keeps_to_what_strict_outputs_accept() -> None:  # LEARN-10
    items = OPERATIONS_SCHEMA["properties"]["operations"]["items"]

    for described in (OPERATIONS_SCHEMA, items):
        assert described["additionalProperties"] is False
        assert described["required"] == list(described["properties"])
    assert set(items["properties"]) == set(ADD)
