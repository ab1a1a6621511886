"""Texts with the differences of writing taken out that mean nothing for learning (LEARN-2, LEARN-13).

Width, case, typographic apostrophes and dashes, white space, hidden characters and the script of Chinese don't matter.
Every place of the folded text is known in the original.
"""

import unicodedata
from dataclasses import dataclass
from functools import cache

import regex

from memory.analysis import simplified


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded ``text``. ``places[i]`` is where its character ``i`` came from in the original; one more is the end."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]`` stands in the original, with all of each character that it holds a part of."""
        first = self.places[start]
        if end <= start:
            return first, first
        while self.places[end] == self.places[end - 1]:
            end += 1
        return first, self.places[end]


_PLAIN = r"!-~\u201c\u201d\u3001-\u301d\u3400-\u4DBF\u4E00-\u9FFF"
# Marks that stand on a character belong to it: é may be one character or two.
_PIECE = regex.compile(
    rf"""
      (?P<plain>[{_PLAIN}]+(?:\ [{_PLAIN}]+)*(?!\p{{M}}))
    | (?P<space>\s[\s\p{{Cf}}\p{{Cc}}\p{{Default_Ignorable_Code_Point}}]*)
    | (?P<hidden>[\p{{Cf}}\p{{Cc}}\p{{Default_Ignorable_Code_Point}}]+)
    | (?P<other>.(?:\p{{M}}(?<!\p{{Default_Ignorable_Code_Point}}))*)
    """,
    regex.VERBOSE | regex.VERSION1 | regex.DOTALL,
)
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4\uff07"), "'")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-")


def fold(text: str) -> Folded:
    """Fold ``text``, in time linear in its length."""
    if not text.isascii():
        text = text.translate(_one_to_one())
    pieces: list[str] = []
    places: list[int] = []
    for match in _PIECE.finditer(text):
        start, end = match.span()
        match match.lastgroup:
            case "plain":
                pieces.append(match[0].casefold())
                places.extend(range(start, end))
            case "space":
                pieces.append(" ")
                places.append(start)
            case "other":
                piece = _fold_character(match[0])
                pieces.append(piece)
                places.extend([start] * len(piece))
    places.append(len(text))
    return Folded("".join(pieces), tuple(places))


@cache
def _one_to_one() -> dict[int, str | int]:
    """What can be folded beforehand, since no place changes: most of Chinese text."""
    full_width = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    return {**simplified(), **full_width, **_APOSTROPHES, **_DASHES}


def _fold_character(character: str) -> str:
    """A character with its marks."""
    plain = unicodedata.normalize("NFKC", character)
    return unicodedata.normalize("NFKC", plain.translate(_one_to_one()).casefold())
