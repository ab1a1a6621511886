"""What differences of writing are taken out, and that every place is still known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.learning.folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Please REMEMBER", "please remember"),
        ("Don\u2019t, don\u02bct", "don't, don't"),
        ("請記住，我習慣", "请记住,我习惯"),
        ("ｒｅｍｅｍｂｅｒ：", "remember:"),
        ("re\u200bmem\u00adber\ufe0f", "remember"),
        ("a \u200b\n\t b", "a b"),
        ("2019\u20132024 \u2014 x", "2019-2024 - x"),
        ("cafe\u0301 ﬁne", "café fine"),
    ],
)
def test_writing_doesnt_matter(text: str, folded: str) -> None:  # LEARN-2
    assert fold(text).text == folded


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        ("ok — re\u200bmember  THIS", "remember this", "re\u200bmember  THIS"),
        ("the ﬁle", "f", "ﬁ"),
        ("請記住ｆｏｏ。", "记住foo", "記住ｆｏｏ"),
        ("a cafe\u0301", "café", "cafe\u0301"),
    ],
)
def test_a_part_is_found_in_the_original(text: str, part: str, original: str) -> None:  # LEARN-13
    folded = fold(text)
    start = folded.text.index(part)
    first, end = folded.span(start, start + len(part))
    assert text[first:end] == original


@given(st.text())
def test_every_place_is_known(text: str) -> None:  # LEARN-13
    folded = fold(text)
    assert len(folded.places) == len(folded.text) + 1
    assert list(folded.places) == sorted(folded.places)
    assert folded.places[-1] == len(text)
    for start in range(len(folded.text)):
        first, end = folded.span(start, start + 1)
        assert 0 <= first < end <= len(text)
        assert folded.text[start] in fold(text[first:end]).text
