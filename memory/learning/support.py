"""Whether every part of a fact is supported, and whether the fact leaves out what restricts it (LEARN-13)."""

from collections.abc import Iterable, Sequence

import regex

from memory.learning.languages import words
from memory.learning.reading import Reading, Sort, Token

_HAN = regex.compile(r"\p{Han}+")
_LATIN = regex.compile(r"\p{Latin}+")


class Support:
    """What of one text is found in another: stems, names, values by value, and Chinese words within its characters."""

    def __init__(self, tokens: Iterable[Token], text: str) -> None:
        self.tokens = list(tokens)
        self.keys = {key for token in self.tokens for key in token.keys}
        self.keys.update(map(words().stem, _LATIN.findall(text)))
        self.han = "".join(_HAN.findall(text))
        self.text = text

    def holds(self, token: Token) -> bool:
        match token.sort:
            case Sort.HAN:
                return self._holds_han(token.key)
            case Sort.VALUE:
                return not self.keys.isdisjoint(token.keys)
            case Sort.NAME | Sort.SIGN:
                return token.key in self.keys or (token.key.isalpha() and words().stem(token.key) in self.keys)
        return token.key in self.keys

    def _holds_han(self, word: str) -> bool:
        """A word is found as such, or in parts, since the ends of words are uncertain: parts of two characters, words of
        one, or such as carry no fact."""
        if word in self.han:
            return True
        known = words().function | words().framing | self.keys
        reached = {0}
        for end in range(1, len(word) + 1):
            for start in range(max(0, end - 4), end):
                part = word[start:end]
                if start in reached and (part in known or (end - start > 1 and part in self.han)):
                    reached.add(end)
        return len(word) in reached


def unsupported(fact: Reading, sources: Sequence[Support]) -> list[Token]:
    """The content of a fact that none of the sources holds."""
    return [token for token in fact.content if not any(source.holds(token) for source in sources)]


def homes(fact: Reading, message: Reading, start: int, end: int) -> list[int]:
    """The clauses of the message that the fact is taken from: those of the evidence that share content with it, and those
    that alone hold a part of it; not what a pronoun of the evidence stands for."""
    shared: dict[int, int] = {}
    alone = set()
    by_clause = {at: Support(tokens, _text(tokens)) for at, tokens in _clauses(message).items()}
    for token in fact.content:
        holding = [at for at, support in by_clause.items() if support.holds(token)]
        for at in holding:
            shared[at] = shared.get(at, 0) + 1
        if len(holding) == 1:
            alone.add(holding[0])
    first, last = message.clause_at(start), message.clause_at(max(start, end - 1))
    quoted = [at for at in shared if first <= at <= last]
    if any(words().has("anaphora", message.text[message.clauses[at].start : message.clauses[at].end]) for at in quoted):
        total = len(fact.content)
        alone = {at for at in alone if 2 * shared[at] > total}
    return sorted({*quoted, *alone})


def _clauses(reading: Reading) -> dict[int, list[Token]]:
    found: dict[int, list[Token]] = {}
    for token in reading.tokens:
        found.setdefault(token.clause, []).append(token)
    return found


def _text(tokens: Iterable[Token]) -> str:
    return "".join(token.key for token in tokens if token.sort is Sort.HAN)


def left_out(message: Reading, clause: int, fact: Support) -> list[Token]:
    """The content of a clause of the message that the fact doesn't hold."""
    tokens = message.content_by_clause.get(clause, ())
    return [token for token in tokens if not fact.holds(token) and not _in_parts(token, fact)]


def _in_parts(token: Token, fact: Support) -> bool:
    """Whether the characters of a Chinese word all stand in the fact, which may divide its words in another way."""
    known = words().function | words().framing
    return token.sort is Sort.HAN and all(char in fact.han or char in known for char in token.key)
