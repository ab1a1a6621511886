"""Prompt codes and references to prompts (PROMPT-1, PROMPT-2)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adminchat.prompts.codes import MAX_DEPTH, MAX_LENGTH, Code, Step, following, opening, parse, parse_reference

COUNTS = st.integers(min_value=1, max_value=9999)
CODES = st.builds(
    Code,
    day=st.dates(min_value=date(1000, 1, 1), max_value=date(2999, 12, 31)),
    number=COUNTS,
    tactic=st.lists(COUNTS, min_size=1, max_size=MAX_DEPTH).map(tuple),
    aiming=COUNTS,
)
BASE = parse("2026.11.30.1-T1.2-A3")


@given(CODES)
def test_code_is_read_as_it_is_written(code: Code) -> None:  # PROMPT-1
    assert parse(str(code)) == code
    assert len(str(code)) <= MAX_LENGTH
    assert parse_reference(str(code)).code == str(code)


@given(st.lists(st.sampled_from(Step), max_size=40), st.data())
def test_no_code_is_given_twice(steps: list[Step], data: st.DataObject) -> None:  # PROMPT-1
    given_codes = [opening(date(2026, 11, 30), [])]
    for step in steps:
        base = data.draw(st.sampled_from(given_codes))
        if step is Step.BRANCH and len(base.tactic) == MAX_DEPTH:
            with pytest.raises(ValueError, match="branches"):
                following(base, step, given_codes)
            continue
        made = following(base, step, given_codes)
        assert made not in given_codes
        assert made.series == base.series
        assert made.is_of(base.tactic) == (step is not Step.TACTIC)
        given_codes.append(made)


def test_steps_follow_the_version_that_they_begin_from() -> None:  # PROMPT-1
    taken = [BASE, parse("2026.11.30.1-T1.2-A7"), parse("2026.11.30.1-T1.2.1-A1"), parse("2026.11.30.2-T9-A1")]
    assert [str(following(BASE, step, taken)) for step in Step] == [
        "2026.11.30.1-T1.2-A8",
        "2026.11.30.1-T1.2.2-A1",
        "2026.11.30.1-T2-A1",
    ]
    assert str(opening(date(2026, 11, 30), taken)) == "2026.11.30.3-T1-A1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026.11.30.1",
        "2026.11.30.1-T1",
        "2026.13.30.1-T1-A1",
        "2026.02.30.1-T1-A1",
        "2026.11.30.0-T1-A1",
        "2026.11.30.1-T0-A1",
        "2026.11.30.1-T1.-A1",
        "2026.11.30.1-T1-A1 ",
        "2026.11.30.1-T1-A1\n",
        "٢٠٢٦.11.30.1-T1-A1",
        "2026.11.30.1-T" + ".".join("1" * (MAX_DEPTH + 1)) + "-A1",
    ],
)
def test_other_texts_are_no_codes(text: str) -> None:  # PROMPT-1
    with pytest.raises(ValueError):  # noqa: PT011
        parse(text)


@pytest.mark.parametrize(
    ("reference", "fits"),
    [
        ("memory-extraction", True),
        (" memory-extraction  T1 ", True),
        ("memory-extraction T1.2", True),
        ("memory-extraction T1.3", False),
        ("memory-extraction T11", False),
        ("memory-extraction T1.2.3", False),
        ("2026.11.30.1", True),
        ("2026.11.30.1-T1", True),
        ("2026.11.30.2-T1", False),
        ("2026.11.30.1-T1.2-A3", True),
        ("memory-extraction 2026.11.30.1-T1.2-A3", True),
        ("2026.11.30.1-T1.2-A4", False),
    ],
)
def test_reference_fits_what_it_names(reference: str, fits: bool) -> None:  # PROMPT-2
    assert parse_reference(reference).fits(BASE) is fits


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "T1",
        "A1",
        "-T1",
        "2026.11.30.1T1",
        "2026.11.30.1-",
        "memory-extraction T1 T2",
        "Memory",
        "memory-extraction x",
    ],
)
def test_other_texts_are_no_references(reference: str) -> None:  # PROMPT-2
    with pytest.raises(ValueError):  # noqa: PT011
        parse_reference(reference)
