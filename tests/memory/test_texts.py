"""What the text of an entry may hold (ENTRY-8)."""

import unicodedata

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from memory.texts import clean_line, has_hidden_characters

LIMIT = 300

NEEDED = [
    "می‌خواهم",  # Persian with a non-joiner
    "क्‍ष",  # Devanagari with a joiner
    "👨‍👩‍👧‍👦 at home",
    "👩🏽‍🚀",
    "🏳️‍🌈",
    "❤️",
    "1️⃣",
    "葛󠄀城",  # a glyph variant
]
HIDDEN = [
    "a\u200bb",
    "a\u200db",
    "中\u200d文",
    "a\u202eb",
    "a\u2066b\u2069",
    "\ufeffa b",
    "a\u00adb",
    "a\ufe0f\ufe0f",
    "x\U000e0041y",
    "x\U000e0100",
    "a\u3164b",
    "a\u2800b",
    "a\x07b",
    "a\tb",
    "a\ue000b",
]
BREAKS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("text", NEEDED)
def test_joiners_and_variants_are_fine_where_they_are_needed(text: str) -> None:  # ENTRY-8
    assert clean_line(text, LIMIT) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("text", HIDDEN, ids=ascii)
def test_hidden_characters_are_refused(text: str) -> None:  # ENTRY-8
    with pytest.raises(ValidationError) as refused:
        clean_line(text, LIMIT)
    assert refused.value.code == "hidden"


@pytest.mark.parametrize("line_break", BREAKS, ids=ascii)
def test_inner_line_breaks_are_refused_and_outer_ones_trimmed(line_break: str) -> None:  # ENTRY-8
    with pytest.raises(ValidationError) as refused:
        clean_line(f"one{line_break}two", LIMIT)
    assert refused.value.code == "line_break"
    assert clean_line(f"{line_break} one \u3000{line_break}", LIMIT) == "one"


@pytest.mark.parametrize("character", ["x", "好", "😀", "e\u0301"], ids=ascii)
def test_length_counts_code_points_after_composing(character: str) -> None:  # ENTRY-7, ENTRY-8
    assert len(clean_line(character * LIMIT, LIMIT)) == LIMIT
    assert clean_line(f"  {character * LIMIT}\n", LIMIT)
    with pytest.raises(ValidationError) as refused:
        clean_line(character * (LIMIT + 1), LIMIT)
    assert refused.value.code == "too_long"


def test_a_megabyte_is_refused_before_any_work() -> None:  # SEC-7
    with pytest.raises(ValidationError):
        clean_line("x" * 1_000_000, LIMIT)


@given(st.text(max_size=350))
def test_what_is_accepted_is_one_visible_line_and_stays_as_it_is(text: str) -> None:  # ENTRY-8
    try:
        cleaned = clean_line(text, LIMIT)
    except ValidationError:
        return
    assert len(cleaned) <= LIMIT
    assert cleaned == cleaned.strip() == unicodedata.normalize("NFC", cleaned)
    assert len(cleaned.splitlines()) <= 1
    assert not has_hidden_characters(cleaned)
    assert clean_line(cleaned, LIMIT) == cleaned
