"""Which topic entries have to do with a message, by the words that they share (ENTRY-15, ENTRY-17).

An entry is judged by the part of the message that fits it best, so that one clause of a long message is enough. What
counts is how much the shared words say, in general language and in this book, and which share they are of all that this
part of the message says: a word in common is no link where everything around it is about something else.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

from adminchat.lib.textcache import TextCache
from memory.analysis import Token, analyse


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the ranking weighs by; ``python -m bench --only RELEVANCE`` says what they achieve."""

    floor: float = 0.8
    """The least score that is a link."""
    cut: float = 0.55
    """The least share of the best score."""
    topic: float = 2.0
    """What it adds that a topic's whole name is mentioned; less where that is an everyday word among others."""
    topic_words: float = 0.7
    """What a word of a topic's name counts, compared to one of the text."""
    fragments: float = 0.5
    """What a part of an identifier or of a longer word counts, compared to a word of its own."""
    length: float = 0.15
    """By how much a score sinks with each doubling of the message or the entry: long ones share much by chance."""


PARAMETERS = Parameters()

WINDOW = 14
"""Tokens that make up a part of a message; a longer clause is a part by itself."""

NAME = 3.0
"""What a topic's name says when it is no everyday word."""

MOST_CHARACTERS = 6000
"""Of a longer message the two ends are looked at: before or after what was pasted stands what is asked."""

BOOK = 80
"""The size of a book by which a word is judged rare: a word in one of three entries is no everyday word (ENTRY-9)."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is ranked: the texts of an entry."""

    id: str
    text: str
    topic: str


@dataclass(frozen=True, slots=True)
class Match:
    """A document that has to do with the message, and the words that say so, as the message writes them."""

    id: str
    score: float
    words: tuple[str, ...]


def rank(question: str, documents: Sequence[Document], parameters: Parameters = PARAMETERS) -> list[Match]:
    """Return those of ``documents`` that have to do with the question, best first; the same for the same arguments."""
    if len(question) > MOST_CHARACTERS:
        question = f"{question[: MOST_CHARACTERS // 2]}\n{question[-MOST_CHARACTERS // 2 :]}"
    message = _Message.of(question)
    shared = {document: message.found_by.keys() & _entry(document).keys for document in documents}
    rarity = _rarity(shared.values())
    matches = [
        match
        for document, keys in shared.items()
        if keys and (match := _match(message, document, keys, rarity, parameters))
    ]
    best = max((match.score for match in matches), default=0.0)
    chosen = (match for match in matches if match.score >= parameters.cut * best)
    return sorted(chosen, key=lambda match: (-match.score, match.id))


@dataclass(frozen=True, slots=True)
class _Entry:
    """By what an entry is found: all its keys and those of its text; the words of its topic's name, and what they say."""

    keys: frozenset[str]
    text: frozenset[str]
    name: frozenset[str]
    name_information: float


@dataclass(frozen=True, slots=True)
class _Message:
    """A message: its tokens by their own keys, and by all keys that find them with what these say.

    Its parts are some clauses in a row each; of each is known how much it says, and of each token in which it stands.
    """

    tokens: Mapping[str, Token]
    found_by: Mapping[str, Sequence[tuple[Token, float]]]
    parts: Sequence[float]
    parts_of: Mapping[str, Sequence[int]]
    clauses: int

    @classmethod
    def of(cls, text: str) -> "_Message":
        clauses = analyse(text).clauses
        tokens = {token.key: token for token in chain.from_iterable(clauses)}
        found_by: dict[str, list[tuple[Token, float]]] = defaultdict(list)
        for token in tokens.values():
            for key, information in ((token.key, token.information), *token.parts):
                found_by[key].append((token, information))
        parts: list[float] = []
        parts_of: dict[str, list[int]] = defaultdict(list)
        for window in _windows(clauses):
            for key in window:
                parts_of[key].append(len(parts))
            # What an unshared number says is not missed.
            parts.append(sum(token.information for token in window.values() if not token.is_number))
        return cls(tokens, found_by, parts, parts_of, len(clauses))

    def parts_with(self, keys: Iterable[str]) -> set[int]:
        """The parts in which all of ``keys`` are found."""
        parts = ({part for token, _ in self.found_by[key] for part in self.parts_of[token.key]} for key in keys)
        return set.intersection(*parts)


@dataclass(slots=True)
class _Link:
    """What a token shares with an entry: what that says in this book, and in general."""

    evidence: float = 0.0
    covered: float = 0.0


@dataclass(slots=True)
class _Sum:
    """What a part of a message shares with an entry."""

    information: float
    evidence: float = 0.0
    covered: float = 0.0


def _windows(clauses: Sequence[Sequence[Token]]) -> Iterator[Mapping[str, Token]]:
    for begin in range(len(clauses)):
        window = alone = {token.key: token for token in clauses[begin]}
        yield alone
        for clause in clauses[begin + 1 :]:
            longer = {**window, **{token.key: token for token in clause}}
            if len(longer) > WINDOW:
                break
            window = longer
        if window is not alone:
            yield window


def _rarity(shared: Iterable[Set[str]]) -> Mapping[str, float]:
    """How rare each key is in the book: 1 for one that a single entry holds, 0 for one that a full book holds."""
    counts = Counter(chain.from_iterable(shared))
    once = math.log((BOOK + 1) / 1.5)
    return {key: max(0.0, math.log((BOOK + 1) / (count + 0.5))) / once for key, count in counts.items()}


def _match(
    message: _Message, document: Document, shared: Set[str], rarity: Mapping[str, float], parameters: Parameters
) -> Match | None:
    entry = _entry(document)
    links = _links(message, entry, shared, rarity, parameters)
    total = sum(link.evidence for link in links.values())
    lengths = max(1.0, message.clauses / 2) * max(1.0, len(entry.text) / 20)
    penalty = parameters.length * math.log2(lengths)
    naming = message.parts_with(entry.name) if entry.name and entry.name <= shared else set[int]()
    if not naming and total - penalty < parameters.floor:
        return None  # so it is with most entries; what follows costs more
    sums: dict[int, _Sum] = {}
    for key, link in links.items():
        token = message.tokens[key]
        for number in message.parts_of[key]:
            part = sums.setdefault(number, _Sum(message.parts[number]))
            part.information += token.information if token.is_number else 0.0
            part.evidence += link.evidence
            part.covered += link.covered
    naming_says = min(1.0, entry.name_information / NAME)
    score = -math.inf
    for number, part in sums.items():
        coverage = part.covered / part.information
        mention = max(naming_says, coverage) if number in naming else 0.0
        score = max(score, part.evidence * coverage + parameters.topic * mention)
    if score - penalty < parameters.floor:
        return None
    words = tuple(token.written for key, token in message.tokens.items() if key in links)
    return Match(document.id, score - penalty, words)


def _links(
    message: _Message, entry: _Entry, shared: Set[str], rarity: Mapping[str, float], parameters: Parameters
) -> Mapping[str, _Link]:
    links: dict[str, _Link] = {}
    # In a fixed order: the last digits of a sum depend on it.
    for key in sorted(shared):
        weight = rarity[key] * (1.0 if key in entry.text else parameters.topic_words)
        for token, information in message.found_by[key]:
            whole = token.key in entry.keys
            if whole and key != token.key:
                continue
            link = links.setdefault(token.key, _Link())
            link.evidence += information * weight * (1.0 if whole else parameters.fragments)
            link.covered = min(link.covered + information, token.information)
    return links


_entries: TextCache[_Entry] = TextCache(4000)
"""What was found in entries before: a book is ranked at every turn."""


def _entry(document: Document) -> _Entry:
    def make() -> _Entry:
        text, topic = analyse(document.text), analyse(document.topic)
        name = {token.key: token.information for token in topic.tokens()}
        return _Entry(text.keys() | topic.keys(), text.keys(), frozenset(name), sum(name.values()))

    return _entries.get(f"{document.topic}\0{document.text}", make)
