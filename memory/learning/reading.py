"""A text as what can be compared with another one: its clauses, and in them words, names, signs and values (LEARN-13)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property

import regex

from memory import everyday
from memory.learning.folding import Folded, fold
from memory.learning.languages import words
from memory.learning.values import Value, values


class Sort(StrEnum):
    WORD = "word"
    HAN = "han"
    NAME = "name"
    SIGN = "sign"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Token:
    """A word by its stem, a word in Chinese, a name such as an address or identifier, another sign, or a value.

    ``negated`` counts the negations that stand before it in its clause.
    """

    sort: Sort
    keys: frozenset[str]
    start: int
    end: int
    clause: int
    negated: int

    @property
    def key(self) -> str:
        return min(self.keys) if len(self.keys) > 1 else next(iter(self.keys))

    @property
    def is_content(self) -> bool:
        """Whether it carries something of a fact: neither a function word nor one that frames facts."""
        return not (self.keys <= words().function or self.keys <= words().framing)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part ``text[start:end]`` of a sentence."""

    start: int
    end: int
    sentence: int
    negations: int


@dataclass(frozen=True)
class Reading:
    """A folded text with its clauses and tokens. ``bare`` is the text without what only asks to remember."""

    text: str
    bare: str
    tokens: tuple[Token, ...]
    clauses: tuple[Clause, ...]
    values: tuple[Value, ...]

    @cached_property
    def content(self) -> list[Token]:
        return [token for token in self.tokens if token.is_content]

    @cached_property
    def content_by_clause(self) -> dict[int, list[Token]]:
        found: dict[int, list[Token]] = {}
        for token in self.content:
            found.setdefault(token.clause, []).append(token)
        return found

    def sentence(self, clause: int, *, bare: bool = False) -> str:
        """The sentence that holds a clause; without what only asks to remember, if it is to be ``bare``."""
        inside = [one for one in self.clauses if one.sentence == self.clauses[clause].sentence]
        return (self.bare if bare else self.text)[inside[0].start : inside[-1].end]

    def clause_at(self, place: int) -> int:
        return next((at for at, clause in enumerate(self.clauses) if place < clause.end), len(self.clauses) - 1)


def folded(text: str) -> Folded:
    """``text`` folded; quotation marks of all kinds are the same, and lines stay lines."""
    found = fold(text)
    chars = list(found.text.translate(_QUOTES))
    for at, char in enumerate(chars):
        if char == " " and "\n" in text[found.places[at] : found.places[at + 1]]:
            chars[at] = "\n"
    return Folded("".join(chars), found.places)


_QUOTES = dict.fromkeys(map(ord, "“”„‟«»〝〞「」『』《》"), '"')


def read(text: str, today: date, blocked: bytes = b"", workspace: str = "") -> Reading:
    """Read a folded ``text``; what is ``blocked`` (one byte per character) is not read. ``workspace`` is the folded name
    of the place where it was said, which is no part of a fact."""
    if blocked:
        text = "".join(" " if block and char != "\n" else char for char, block in zip(text, blocked, strict=True))
    bare = text
    for pattern in (*words().loose, *_place(workspace)):
        bare = pattern.sub(lambda match: " " * len(match[0]), bare)
    found = tuple(values(bare, today))
    clauses = tuple(_clauses(text, bare, found))
    return Reading(text, bare, tuple(_tokens(bare, found, clauses)), clauses, found)


def _place(workspace: str) -> list[regex.Pattern[str]]:
    if not workspace:
        return []
    name = regex.escape(workspace)
    return [
        regex.compile(
            rf"\b(?:in|for|at|on|within) (?:the )?{name}\b|(?:在|对于?)?{name}(?:这边|项目|工作区|里|中|内|的)*"
        )
    ]


_SENTENCE_END = regex.compile(r"[。！？!?;\n]+|\.+(?=\s|$|\")")
_CLAUSE_END = regex.compile(r"[,、:()]|\s-+\s|[。！？!?;\n]+|\.+(?=\s|$|\")")


def _clauses(text: str, bare: str, found: tuple[Value, ...]) -> Iterator[Clause]:
    inside = bytearray(len(text))
    for value in found:
        inside[value.start : value.end] = b"\x01" * (value.end - value.start)
    ends = {
        match.end(): bool(_SENTENCE_END.match(text, match.start()))
        for match in _CLAUSE_END.finditer(text)
        if not inside[match.start()] and not _within_name(text, match)
    }
    ends |= {match.start(): False for match in words().patterns["joints"].finditer(bare) if match.start() not in ends}
    ends[len(text)] = True
    start = sentence = 0
    for end in sorted(ends):
        if end > start or end == len(text):
            yield Clause(start, end, sentence, len(list(_negations(bare[start:end]))))
        start = end
        sentence += ends[end]


def _within_name(text: str, match: regex.Match[str]) -> bool:
    """Whether a mark stands within an address, a time or a number, as in ``10.0.0.5:5432``."""
    after = text[match.end() : match.end() + 1]
    return (
        match[0] in (":", ",")
        and after.isalnum()
        and after.isascii()
        and text[match.start() - 1 : match.start()].isascii()
    )


def _negations(text: str) -> Iterator[tuple[int, int]]:
    spared = bytearray(len(text))
    for match in words().patterns["not_negators"].finditer(text):
        spared[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    for match in words().patterns["negators"].finditer(text):
        if not spared[match.start()]:
            yield match.span()


_PIECE = regex.compile(
    r"""
      (?P<han>\p{Han}+)
    | (?P<words>[\p{L}--\p{Han}]+(?:[-/'][\p{L}--\p{Han}]+)*)(?![\w--\p{Han}]|[./:@_+#&=]+[\w--\p{Han}]|\+\+|\#)
    | (?P<name>[\w--\p{Han}]+(?:[-./\\:@+_&=%?~]+[\w--\p{Han}]+)*(?:\+\+|\#)?)
    | (?P<sign>[^\s\p{P}\w$€£¥+<>=|~^`])
    """,
    regex.VERBOSE | regex.VERSION1,
)
_ENDING = regex.compile(r"'\p{L}+$")


def _tokens(bare: str, found: tuple[Value, ...], clauses: tuple[Clause, ...]) -> Iterator[Token]:
    negations = list(_negations(bare))
    blank = list(bare)
    for start, end in [*negations, *((value.start, value.end) for value in found)]:
        blank[start:end] = " " * (end - start)
    pieces = [(value.start, value.end, Sort.VALUE, value.keys) for value in found]
    pieces += [(start, end, sort, frozenset([key])) for start, end, sort, key in _pieces("".join(blank))]
    scopes = [(place, _scope_end(bare, place)) for place, _ in negations]
    at = 0
    for start, end, sort, keys in sorted(pieces, key=lambda piece: piece[:2]):
        while start >= clauses[at].end and at < len(clauses) - 1:
            at += 1
        negated = sum(clauses[at].start <= place < start <= last for place, last in scopes)
        yield Token(sort, keys, start, end, at, negated)


def _scope_end(text: str, negation: int) -> int:
    """How far a negation reaches at most: one that only names a contrast, to what holds for both sides."""
    for match in words().patterns["contrast"].finditer(text):
        if match.start() <= negation < match.end():
            end = words().patterns["contrast_end"].search(text, match.end())
            return end.start() if end else len(text)
    return len(text)


def _pieces(text: str) -> Iterator[tuple[int, int, Sort, str]]:
    for match in _PIECE.finditer(text):
        start = match.start()
        if match["han"]:
            for word in everyday.words(match[0]):
                yield start, start + len(word), Sort.HAN, word
                start += len(word)
        elif match["words"]:
            for part in regex.finditer(r"\p{L}+(?:'\p{L}+)?", match[0]):
                yield start + part.start(), start + part.end(), Sort.WORD, words().stem(_ENDING.sub("", part[0]))
        elif match["name"]:
            yield start, match.end(), Sort.NAME, match[0].strip("_")
        else:
            yield start, match.end(), Sort.SIGN, match[0]


def same_words(one: Reading, other: Reading) -> bool:
    """Whether two texts have the same content words and values, and as many negations (LEARN-16)."""
    return _bag(one) == _bag(other)


def _bag(reading: Reading) -> Counter[str]:
    found = Counter(token.key for token in reading.tokens if token.is_content and token.sort is not Sort.HAN)
    han = "".join(token.key for token in reading.tokens if token.is_content and token.sort is Sort.HAN)
    found.update(han)
    found["not "] = sum(clause.negations for clause in reading.clauses)
    return found
