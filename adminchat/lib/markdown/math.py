r"""Formulas: recognised only where nothing else can be meant, and turned into MathML on the server.

``$$…$$`` and ``\[…\]`` as blocks of their own; ``\(…\)``, ``\[…\]``, ``$$…$$`` and ``$…$`` within a line when what is
between looks like a formula. ``$5 and $6``, ``$HOME/$USER`` and escaped brackets stay text (CHAT-10).
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from xml.etree.ElementTree import tostring

from latex2mathml.converter import Converter
from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

MAX_FORMULA_CHARACTERS = 2000
MAX_BLOCK_LINES = 100
_MAX_INLINE_CHARACTERS = 400

# The last formulas are kept, because the unfinished end of a streamed reply is rendered again and again.
_CACHED_FORMULAS = 256

_BLOCK_CLOSERS = {"$$": "$$", r"\[": r"\]"}
_INLINE_CLOSERS = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$"}
_FENCE = re.compile(r"\s*(?:`{3}|~{3})")
_COMMAND = re.compile(r"\\[A-Za-z]")
_WORD = re.compile(r"[^\W\d_]{3}")
_AMOUNT = re.compile(r"[\d.,]+\D*\s\D*[^\W\d_]{2}")
_DEFINES_MACROS = re.compile(r"\\(?:[gex]?def|let|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment)")
_ALIGNED = re.compile(r"\\(begin|end)\{(?:aligned|gathered|gather\*?|split|equation\*?)\}")
_UNKNOWN_COMMAND = re.compile(r">\\[A-Za-z]")


def add_math_rules(md: MarkdownIt) -> None:
    """Add the tokens ``math_block`` and ``math_inline`` to a parser; ``content`` is the LaTeX source."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "math_block", _math_block, alternatives)
    md.inline.ruler.before("escape", "math_inline", _math_inline)


@lru_cache(maxsize=_CACHED_FORMULAS)
def to_mathml(latex: str, *, block: bool) -> str | None:
    """Convert one formula to a ``<math>`` element, or return ``None`` when it cannot be shown faithfully."""
    if len(latex) > MAX_FORMULA_CHARACTERS or _DEFINES_MACROS.search(latex):
        return None
    latex = _ALIGNED.sub(r"\\\1{align*}", latex)
    try:
        element = Converter(display="block" if block else "inline").convert_to_element(latex)
    except Exception:  # noqa: BLE001 (its own kinds, IndexError, RecursionError …: each means "no formula")
        return None
    for part in element.iter():
        # The library writes character references as text and trusts its input; both end here.
        if part.text:
            part.text = html.unescape(part.text)
    markup = tostring(element, encoding="unicode")
    return None if _UNKNOWN_COMMAND.search(markup) else markup


def looks_like_formula(source: str) -> bool:
    """Say whether the text between two markers can only be meant as a formula."""
    if not source.strip():
        return False
    if _COMMAND.search(source):
        return True
    return not _WORD.search(source) and not _AMOUNT.match(source)


def _math_block(state: StateBlock, first_line: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(first_line):
        return False
    text = _line(state, first_line)
    opener = text[:2]
    closer = _BLOCK_CLOSERS.get(opener)
    if closer is None:
        return False
    body = text[2:].rstrip()
    line = first_line
    parts: list[str] = []
    while closer not in body:
        parts.append(body)
        line += 1
        if line >= min(end_line, first_line + MAX_BLOCK_LINES) or state.sCount[line] < state.blkIndent:
            return False
        body = _line(state, line).rstrip()
        if not body or body.startswith(r"\[") or _FENCE.match(body):
            return False
    if not body.endswith(closer) or closer in body[: -len(closer)]:
        return False
    parts.append(body[: -len(closer)])
    content = "\n".join(parts).strip()
    if not content:
        return False
    if silent:
        return True
    state.line = line + 1
    token = state.push("math_block", "math", 0)
    token.block, token.content, token.markup, token.map = (
        True,
        content,
        opener,
        [first_line, state.line],
    )
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _math_inline(state: StateInline, silent: bool) -> bool:
    source, start = state.src, state.pos
    if source[start] not in "$\\":
        return False
    opener = source[start : start + 2]
    if source[start] == "$" and opener != "$$":
        opener = "$"
    closer = _INLINE_CLOSERS.get(opener)
    if closer is None:
        return False
    begin = start + len(opener)
    end = source.find(closer, begin, min(state.posMax, begin + _MAX_INLINE_CHARACTERS))
    after = end + len(closer)
    if end < 0 or (opener == "$" and not _dollars_stand_alone(source, start, end, state.posMax)):
        return False
    content = source[begin:end]
    if opener == r"\[" and source[after : after + 1] in ("(", "["):
        return False
    if "\n" in content or "`" in content or not looks_like_formula(content):
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content, token.markup = content.strip(), opener
    state.pos = after
    return True


def _dollars_stand_alone(source: str, start: int, end: int, limit: int) -> bool:
    """Say whether two single dollars can enclose a formula: tight inside, no letter, digit or dollar outside."""
    before = source[start - 1] if start else " "
    after = source[end + 1] if end + 1 < limit else " "
    if end == start + 1 or source[start + 1].isspace() or source[end - 1].isspace() or source[end - 1] == "\\":
        return False
    return not any(_joins_words(neighbour) for neighbour in (before, after))


def _joins_words(character: str) -> bool:
    return character in "$\\_{" or (character.isascii() and character.isalnum())
