"""Emphasis beside Chinese, Japanese and Korean text.

CommonMark decides whether ``**`` opens or closes by the character on either side, and counts full-width punctuation
as punctuation. In ``**重要：**请看`` the closing run stands between punctuation and a letter without a space, so it
may not close. The "CJK-friendly" amendment of CommonMark (https://github.com/tats-u/markdown-cjk-friendly) changes
two words of the rule: punctuation that is itself CJK does not forbid, and a CJK neighbour allows as a space would.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType


@lru_cache(maxsize=4096)
def is_cjk(character: str) -> bool:
    """Say whether one character is wide by nature: ideographs, kana, Hangul, full-width forms; emoji are not."""
    return unicodedata.east_asian_width(character) in "WFH" and unicodedata.category(character) != "So"


class CjkStateInline(StateInline):
    """The inline state whose delimiter runs follow the CJK-friendly rule."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        """Classify the delimiter run at ``start``; texts without CJK beside the run get CommonMark's answer."""
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < self.posMax else " "
        if not (is_cjk(before) or is_cjk(after)):
            return scanned
        space_before, space_after = isWhiteSpace(ord(before)), isWhiteSpace(ord(after))
        mark_before, mark_after = _is_punctuation(before), _is_punctuation(after)
        opens = not space_after and (not mark_after or is_cjk(after) or space_before or mark_before or is_cjk(before))
        closes = not space_before and (not mark_before or is_cjk(before) or space_after or mark_after or is_cjk(after))
        if canSplitWord:
            return Scanned(opens, closes, scanned.length)
        return Scanned(
            opens and (not closes or mark_before),
            closes and (not opens or mark_after),
            scanned.length,
        )


class CjkParserInline(ParserInline):
    """The inline parser that starts from :class:`CjkStateInline`."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Parse one run of inline text into ``tokens``."""
        state = CjkStateInline(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _is_punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)
