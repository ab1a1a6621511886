"""The parts of a message that may not be its author's own words: code, quotations, addresses, names of files (LEARN-5).

Blocks are those of Markdown; the rest is found by patterns. All of it is linear in the length of the message.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import regex
from markdown_it import MarkdownIt


class Kind(StrEnum):
    CODE_BLOCK = "code_block"
    INLINE_CODE = "inline_code"
    BLOCK_QUOTE = "block_quote"
    QUOTATION = "quotation"
    URL = "url"
    FILE_NAME = "file_name"


@dataclass(frozen=True, slots=True)
class Passage:
    """A part ``text[start:end]`` of the original text, with its marks."""

    kind: Kind
    start: int
    end: int


def passages(text: str) -> list[Passage]:
    """The passages of ``text`` in the order of their places; those within another one are left out."""
    found = [*_blocks(text), *_inline_code(text)]
    for kind, pattern in _PATTERNS:
        found += (Passage(kind, *match.span()) for match in pattern.finditer(text))
    found.sort(key=lambda passage: (passage.start, -passage.end))
    outer: list[Passage] = []
    for passage in found:
        if not outer or passage.start >= outer[-1].end:
            outer.append(passage)
    return outer


# --- blocks -----------------------------------------------------------------------------------------------------------

_MAY_HAVE_BLOCKS = regex.compile(r"^(?:[ ]{4}|[ ]*\t|.*(?:```|~~~)|[^\w\n]*>)", regex.MULTILINE)
_LINE_END = regex.compile(r"\r\n|\r|\n")
_QUOTED_LINE = regex.compile(r"[\s\d.)*+>-]*>")
_BLOCKS = {"fence": Kind.CODE_BLOCK, "code_block": Kind.CODE_BLOCK, "blockquote_open": Kind.BLOCK_QUOTE}
_markdown = MarkdownIt("zero").enable(["code", "fence", "blockquote", "list"])
_markdown.core.ruler.enableOnly(["normalize", "block"])


def _blocks(text: str) -> Iterator[Passage]:
    """Blocks of code and quoted lines. A line right under a quoted one without a sign is the author's own."""
    if not _MAY_HAVE_BLOCKS.search(text):
        return
    starts = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
    last = 0
    for token in _markdown.parse(text):
        kind = _BLOCKS.get(token.type)
        if kind is None or token.map is None or token.map[0] < last:
            continue
        first, last = token.map
        if kind is Kind.CODE_BLOCK:
            yield Passage(kind, starts[first], starts[last])
            continue
        for line in range(first, last):
            if _QUOTED_LINE.match(text, starts[line], starts[line + 1]):
                yield Passage(kind, starts[line], starts[line + 1])


_TICKS = regex.compile(r"(?P<ticks>`+)|\n[ \t]*\n")


def _inline_code(text: str) -> Iterator[Passage]:
    """Between runs of the same number of backticks, within a paragraph."""
    marks = list(_TICKS.finditer(text))
    closing: dict[int, int] = {}
    closes: list[int | None] = [None] * len(marks)
    for at in range(len(marks) - 1, -1, -1):
        if marks[at]["ticks"]:
            length = len(marks[at][0])
            closes[at] = closing.get(length)
            closing[length] = at
        else:
            closing.clear()
    at = 0
    while at < len(marks):
        close = closes[at]
        if close is not None:
            yield Passage(Kind.INLINE_CODE, marks[at].start(), marks[close].end())
            at = close
        at += 1


# --- what stands in a line --------------------------------------------------------------------------------------------

_WITHIN = r"\n(?![ \t]*\n)"  # a paragraph goes on
_MARKS = '"\u201c\u201d\u201e\u201f\u301d\u301e\uff02'
_PAIRS = ("\u300c\u300d", "\u300e\u300f", "\u300a\u300b", "\u3008\u3009", "\u00ab\u00bb", "\u2039\u203a")
_BRACKETS = "|".join(rf"{a}(?:[^{a}{b}\n]|{_WITHIN})*{b}" for a, b in map(tuple, _PAIRS))
_QUOTATION = rf"""
    (?:(?<!\d)"|[{_MARKS}--["]])(?:[^{_MARKS}\n]|{_WITHIN})*[{_MARKS}]
  | (?<![\p{{L}}\p{{N}}])\u2018(?:[^\u2018\u2019\n]|(?<=\p{{L}})\u2019(?=[a-z])|{_WITHIN})*\u2019
  | (?<![\p{{L}}\p{{N}}])'(?=\S)(?:[^'\n]|(?<=\p{{L}})'(?=[a-z])|{_WITHIN})*(?<=\S)'(?![\p{{L}}\p{{N}}])
  | {_BRACKETS}
"""
_URL = r"""
    (?<![a-z0-9])(?:[a-z][a-z0-9+.-]{1,20}://|www\.)(?:[!-~--["'<>`{}|\\^]]|(?<=[/=#?&_-])\p{Han}+)*(?:[!-~--["'<>`.,;:!?()]]|(?<=\p{Han}))
  | (?<![\w.+-])[a-z0-9_.+-]++@[a-z0-9-]++(?:\.[a-z0-9-]++)+
"""
_EXTENSIONS = """
    7z avi bak bash bat bin bmp bz2 c cc cfg cmd conf cpp cs css csv dart db deb dll dmg doc docx dot env exe fish flac gif
    go gz h hpp htm html ico ini ipynb iso java jpeg jpg js json jsonl jsx key kt lock log lua m4a md mjs mkv mov mp3 mp4
    msi odt org pdf pem php pl png ppt pptx proto ps1 psd pub py pyi rar rb rpm rs rst rtf scss sh sql sqlite svg swift
    tar tex tf tgz tmp toml ts tsv tsx txt vue wav webm webp xls xlsx xml yaml yml zip zsh
"""
_NAME = r"(?<![\w./\\~-])[a-z0-9_.~/\\-]*[a-z0-9_-]"
_FILE_NAME = rf"""
    (?:{_NAME}|(?<![\w./-])\p{{Han}}{{1,6}})\.(?:{"|".join(_EXTENSIONS.split())})(?![a-z0-9_]|\.[a-z0-9])
  | (?<![\w./\\~:-])(?:[a-z]:\\|\\\\|~/|\.{{1,2}}/|/)[a-z0-9_.\\/-]*[a-z0-9_]
"""
_FLAGS = regex.VERBOSE | regex.VERSION1 | regex.IGNORECASE
_PATTERNS = [
    (Kind.QUOTATION, regex.compile(_QUOTATION, _FLAGS)),
    (Kind.URL, regex.compile(_URL, _FLAGS)),
    (Kind.FILE_NAME, regex.compile(_FILE_NAME, _FLAGS)),
]
