"""Typed texts before they are stored or shown in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.texts import cleaned, first_words, is_blank, one_line


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("\n \n    indented code\n\tmore\n\n", "    indented code\n\tmore"),
        ("family 👨‍👩‍👧 and ﷽", "family 👨‍👩‍👧 and ﷽"),
    ],
    ids=["controls", "line ends", "indentation", "joiners"],
)
def test_control_characters_are_dropped_and_the_rest_is_kept(typed: str, kept: str) -> None:
    assert cleaned(typed) == kept


@pytest.mark.parametrize("typed", ["", "  \n\t", "\u200b\ufeff", "\u3000"])
def test_what_cannot_be_seen_is_blank(typed: str) -> None:
    assert is_blank(cleaned(typed))


def test_one_line_has_no_line_breaks_or_controls() -> None:
    assert one_line("a\nb\t c\x00d\u2028e") == "a b c d e"
    assert one_line("a\u202eb\u2066c") == "abc"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Rotate the keys", "Rotate the keys"),
        ("\n\n# Rotate  the\tkeys\nplease", "Rotate the keys"),
        (
            "How do I rotate the encryption keys of a production database without downtime?",
            "How do I rotate the encryption keys of a production…",
        ),
        ("请" * 80, "请" * 59 + "…"),
        ("x" * 80, "x" * 59 + "…"),
        ("---", "---"),
    ],
    ids=["short", "first line", "whole words", "Chinese", "one long word", "only marks"],
)
def test_first_words_are_the_title(message: str, title: str) -> None:  # CHAT-14
    assert first_words(message) == title


@given(st.text(min_size=1))
def test_title_is_one_line_of_at_most_sixty_characters(message: str) -> None:  # CHAT-14
    title = first_words(message)
    assert len(title) <= 60
    assert len(title.splitlines()) <= 1
