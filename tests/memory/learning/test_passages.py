"""What of a message may not be its author's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.learning.passages import Kind, passages


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("Why?\n```py\n# remember\n```\nok", Kind.CODE_BLOCK, "```py\n# remember\n```\n"),
        ("Why?\n```\nnever closed", Kind.CODE_BLOCK, "```\nnever closed"),
        ("Why?\n\n    remember\n\nok", Kind.CODE_BLOCK, "    remember\n"),
        ("Why `a` fails", Kind.INLINE_CODE, "`a`"),
        ("Why ``a ` b`` fails", Kind.INLINE_CODE, "``a ` b``"),
        ("> remember\nmine", Kind.BLOCK_QUOTE, "> remember\n"),
        ('She said "remember it" today', Kind.QUOTATION, '"remember it"'),
        ("She said “remember it” today", Kind.QUOTATION, "“remember it”"),
        ("She said ‘don’t do it’ today", Kind.QUOTATION, "‘don’t do it’"),
        ("She said 'don't do it' today", Kind.QUOTATION, "'don't do it'"),
        ("他說「記住」了", Kind.QUOTATION, "「記住」"),
        ("他说“记住”了", Kind.QUOTATION, "“记住”"),
        ("读《记住我》一书", Kind.QUOTATION, "《记住我》"),
        ("see https://example.com/remember?me=1.", Kind.URL, "https://example.com/remember?me=1"),
        ("打开https://example.com/a然后记住", Kind.URL, "https://example.com/a"),
        ("ask remember.me@example.com now", Kind.URL, "remember.me@example.com"),
        ("open remember_me.py now", Kind.FILE_NAME, "remember_me.py"),
        ("open ./docs/never/always.md.", Kind.FILE_NAME, "./docs/never/always.md"),
        ("打开 更正说明.docx 看", Kind.FILE_NAME, "更正说明.docx"),
    ],
)
def test_a_passage_is_found(text: str, kind: Kind, part: str) -> None:  # LEARN-5
    assert [(passage.kind, text[passage.start : passage.end]) for passage in passages(text)] == [(kind, part)]


@pytest.mark.parametrize(
    "text",
    [
        "I don't know what it's for, and the users' data isn't there.",
        'a 5" disk and a 7" display',
        "- a list\n    with its second line",
        "one ` tick",
        'an "open mark\n\nand another" paragraph',
        "and/or, Done.Next",
        "记住，我们用 a < b",
    ],
)
def test_ones_own_words_are_no_passage(text: str) -> None:  # LEARN-5
    assert passages(text) == []


@given(st.text(alphabet="a \n`>~-\"'“”‘’「」《》.:/@*1记\t"))
def test_passages_stand_in_order_within_the_text(text: str) -> None:  # LEARN-5
    end = 0
    for passage in passages(text):
        assert end <= passage.start < passage.end <= len(text)
        end = passage.end
