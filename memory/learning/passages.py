"""The parts of a message that may not be its author's own words: code, quotations, addresses, names of files (LEARN-5).

Blocks are those of Markdown; the rest is found by patterns. All of it is linear in the length of the message.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


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
    found = [*_blocks(text), *_inline_code(text), *_in_lines(text)]
    found.sort(key=lambda passage: (passage.start, -passage.end))
    outer: list[Passage] = []
    for passage in found:
        if not outer or passage.start >= outer[-1].end:
            outer.append(passage)
    return outer


# --- blocks -----------------------------------------------------------------------------------------------------------

_MAY_HAVE_BLOCKS = re.compile(r"^(?:    |\t|[ \t\d.)*+-]*(?:```|~~~|>))", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_LIST_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
_FENCE = re.compile(r"[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_QUOTED = re.compile(r"[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?>")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)[ \t]*\S")


def _blocks(text: str) -> Iterator[Passage]:
    """Fenced and indented code and quoted lines, line by line.

    A line right under a quoted one without a sign is the author's own, unlike in Markdown. What is indented is code after
    an empty line, unless a list goes on.
    """
    if not _MAY_HAVE_BLOCKS.search(text):
        return
    fence, fence_start = "", 0
    may_be_code, in_list = True, False
    for match in _LINE.finditer(text):
        line, start, end = match[0].rstrip("\r\n"), *match.span()
        found = _FENCE.match(line)
        if fence:
            if found and found["fence"].startswith(fence) and not line[found.end() :].strip():
                yield Passage(Kind.CODE_BLOCK, fence_start, end)
                fence, may_be_code = "", True
        elif found:
            fence, fence_start = found["fence"], start
        elif _QUOTED.match(line):
            yield Passage(Kind.BLOCK_QUOTE, start, end)
        elif not line.strip():
            may_be_code = True
        elif may_be_code and not in_list and _INDENTED.match(line):
            yield Passage(Kind.CODE_BLOCK, start, end)
        else:
            in_list = bool(_LIST_ITEM.match(line)) or (in_list and line[0] in " \t")
            may_be_code = False
    if fence:
        yield Passage(Kind.CODE_BLOCK, fence_start, len(text))


_TICKS = re.compile(r"(?P<ticks>`+)|\n[ \t]*\n")


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

# Each pattern begins with characters that are rare, so that most of a text is passed over quickly.
_WITHIN = r"\n(?![ \t]*\n)"  # a paragraph goes on
_MARKS = '"\u201c\u201d\u201e\u201f\u301d\u301e\uff02'
_PAIRS = ("\u300c\u300d", "\u300e\u300f", "\u300a\u300b", "\u3008\u3009", "\u00ab\u00bb", "\u2039\u203a")
_QUOTATIONS = [
    rf"[{_MARKS}](?<!\d\")(?:[^{_MARKS}\n]|{_WITHIN})*[{_MARKS}]",
    rf"\u2018(?<!\w\u2018)(?:[^\u2018\u2019\n]|(?<=\w)\u2019(?=[a-z])|{_WITHIN})*\u2019",
    rf"'(?<!\w')(?=\S)(?:[^'\n]|(?<=\w)'(?=[a-z])|{_WITHIN})*(?<=\S)'(?!\w)",
    *(rf"{a}(?:[^{a}{b}\n]|{_WITHIN})*{b}" for a, b in map(tuple, _PAIRS)),
]
_HAN = r"\u3400-\u9fff"
_IN_URL = r"!#-&(-;=?-_a-z~"
_EXTENSIONS = """
    7z avi bak bash bat bin bmp bz2 c cc cfg cmd conf cpp cs css csv dart db deb dll dmg doc docx dot env exe fish flac gif
    go gz h hpp htm html ico ini ipynb iso java jpeg jpg js json jsonl jsx key kt lock log lua m4a md mjs mkv mov mp3 mp4
    msi odt org pdf pem php pl png ppt pptx proto ps1 psd pub py pyi rar rb rpm rs rst rtf scss sh sql sqlite svg swift
    tar tex tf tgz tmp toml ts tsv tsx txt vue wav webm webp xls xlsx xml yaml yml zip zsh
"""
_PATTERNS = [
    *((Kind.QUOTATION, quotation) for quotation in _QUOTATIONS),
    (Kind.URL, rf"://(?:[{_IN_URL}]|(?<=[/=#?&_-])[{_HAN}]+)*(?:[{_IN_URL}](?<![.,;:!?()])|(?<=[{_HAN}]))"),
    (Kind.URL, rf"www\.[{_IN_URL}]*[{_IN_URL}](?<![.,;:!?()])"),
    (Kind.URL, r"@[a-z0-9-]+(?:\.[a-z0-9-]+)+"),
    (Kind.FILE_NAME, rf"\.(?:{'|'.join(_EXTENSIONS.split())})(?![a-z0-9_]|\.[a-z0-9])"),
    (Kind.FILE_NAME, r"[/~.\\](?<![\w./\\~:-][/~.\\])(?:(?<=/)|(?<=~)/|(?<=\.)\.?/|(?<=\\)\\)[a-z0-9_.\\/-]*[a-z0-9_]"),
    (Kind.FILE_NAME, r":\\[a-z0-9_.\\/-]*[a-z0-9_]"),
]
_COMPILED = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS]
_BEFORE = {
    Kind.URL: re.compile(r"[a-z0-9+._-]{0,64}\Z", re.IGNORECASE),
    Kind.FILE_NAME: re.compile(rf"(?:[a-z0-9_.~/\\:-]{{1,128}}|(?<![\w./-])[{_HAN}]{{1,6}})?\Z", re.IGNORECASE),
}
LONGEST_BEFORE = 128
"""Characters that are looked at before the mark by which an address or a name of a file is known."""


def _in_lines(text: str) -> Iterator[Passage]:
    for kind, pattern in _COMPILED:
        before = _BEFORE.get(kind)
        for match in pattern.finditer(text):
            start = match.start()
            if before:
                found = before.search(text, max(0, start - LONGEST_BEFORE), start)
                start = found.start() if found else start
            yield Passage(kind, start, match.end())
