"""The entries that were sent to a model, and what a proposed fact means for them (LEARN-16)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory.learning.languages import words
from memory.learning.operations import Operation
from memory.learning.reading import Reading, Sort, Token, folded, read, same_words
from memory.learning.support import Support


@dataclass(frozen=True, slots=True)
class Known:
    """An entry that was sent to the model. ``expires`` is the last valid day."""

    id: str
    scope: str
    tier: str
    topic: str
    kind: str
    text: str
    fact_key: str
    pinned: bool
    expires: date | None = None


def entry_of(operation: Operation, book: Sequence[Known]) -> Known | None:
    """The entry that an operation changes or removes."""
    return next((known for known in book if known.id == operation.target), None)


def entry_met(operation: Operation, fact: Reading, book: Sequence[Known], today: date) -> Known | None:
    """The entry of the same scope that an ``add`` would double: one with its text or words, else one with its fact key."""
    here = [known for known in book if known.scope == operation.scope]
    return (
        next((known for known in here if same_text(known.text, operation.text)), None)
        or next((known for known in here if same_words(read(folded(known.text).text, today), fact)), None)
        or next((known for known in here if known.fact_key and _key(known.fact_key) == _key(operation.fact_key)), None)
    )


def _key(fact_key: str) -> str:
    return folded(fact_key).text.strip()


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for what folding takes out, spaces and the last mark."""
    return _comparable(one) == _comparable(other)


def _comparable(text: str) -> str:
    return "".join(folded(text).text.split()).rstrip(".。!?;,")


def is_same(operation: Operation, known: Known) -> bool:
    """Whether writing the operation would leave the entry as it is."""
    return (
        same_text(operation.text, known.text)
        and (operation.scope, operation.tier, operation.kind) == (known.scope, known.tier, known.kind)
        and same_text(operation.topic, known.topic)
        and operation.expires == known.expires
    )


def is_about(fact: Reading, operation: Operation, known: Known, book: Sequence[Known], today: date) -> bool:
    """Whether an update belongs to this entry: they share something, or its key, and no other entry shares more."""
    shares = {one.id: _shared(fact.content, one, today) for one in book}
    if _key(operation.fact_key) == _key(known.fact_key) and known.fact_key:
        return shares[known.id] > 0 or not any(shares.values())
    return shares[known.id] > 0


def is_named(reading: Reading, start: int, end: int, known: Known, book: Sequence[Known], today: date) -> bool:
    """Whether a request to forget names this entry, and no other one better."""
    object_ = [
        token
        for token in reading.tokens
        if token.is_content and token.start < end and token.end > start and not token.keys <= words().forget_framing
    ]
    for wanted in _named_apart(reading, object_):
        shares = {one.id: _shared(wanted, one, today) for one in book}
        best = max(shares.values(), default=0)
        if best > 0 and shares[known.id] == best:
            return True
    return False


def _named_apart(reading: Reading, object_: Sequence[Token]) -> list[list[Token]]:
    """What stands apart in an enumeration, such as ``my desk number and my shoe size``."""
    groups: list[list[Token]] = []
    for token in object_:
        between = reading.bare[groups[-1][-1].end : token.start] if groups else ""
        joined = groups and not any(
            mark in between for mark in (",", "、", "和", "与", "及", " and ", " or ", ";", "。")
        )
        if joined:
            groups[-1].append(token)
        else:
            groups.append([token])
    return groups


def _shared(tokens: Sequence[Token], known: Known, today: date) -> float:
    """How much of some tokens an entry holds. Longer words say more, and characters within words a little."""
    about = read(folded(f"{known.text} {known.topic} {known.fact_key.replace('_', ' ')}").text, today)
    support = Support(about.tokens, about.text)
    share = 0.0
    for token in tokens:
        if support.holds(token):
            share += 1.0 if token.sort is not Sort.HAN else 0.5 * len(token.key)
        elif token.sort is Sort.HAN:
            share += 0.2 * sum(char in support.han for char in token.key)
    return share
