"""Whether a fact means what the message means: words alone don't tell (LEARN-13, LEARN-14)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memory.learning.languages import words
from memory.learning.message import Message
from memory.learning.outcomes import Outcome
from memory.learning.reading import Reading, Sort, Token
from memory.learning.support import Support, left_out

_TOKENS = 400


@dataclass(frozen=True)
class Case:
    """A fact that is taken from these clauses of a message (``homes``), and the entry that it updates, if any."""

    fact: Reading
    message: Message
    homes: Sequence[int]
    target: Reading | None

    @property
    def reading(self) -> Reading:
        return self.message.reading

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences that the fact is taken from, once each."""
        return list(dict.fromkeys(self.reading.sentence(clause) for clause in self.homes))

    def home_tokens(self) -> list[Token]:
        """At most ``_TOKENS`` of them: a fact is short."""
        return [token for token in self.reading.tokens if token.clause in self.homes][:_TOKENS]


def refusal(case: Case) -> Outcome | None:
    """Why the message doesn't support the fact, although it holds its words."""
    if is_passing(case):
        return Outcome.NO_CANDIDATES
    for is_wrong in (
        is_asked,
        is_hypothetical,
        is_reported,
        is_made_universal,
        is_made_lasting,
        is_turned_around,
        is_swapped,
        has_other_subject,
        leaves_out_restriction,
    ):
        if is_wrong(case):
            return Outcome.INVALID_EVIDENCE
    return None


def is_passing(case: Case) -> bool:
    """Role-play, sarcasm, a reminder, a to-do or what is so this once."""
    has = words().has
    if has("play", case.reading.text):
        return True
    for sentence in case.sentences:
        if has("sarcasm", sentence) or has("reminders", sentence) or has("once", sentence):
            return True
        if has("todo", sentence) and not has("standing", sentence) and not has("manner", sentence):
            return True
    return False


def is_asked(case: Case) -> bool:
    """A question is no statement, but for a request in the form of one (LEARN-5)."""
    has = words().has
    for sentence in case.sentences:
        sentence = sentence.strip()
        if sentence.endswith(("?", "吗", "呢", "吗。")):
            if not has("requests", sentence):
                return True
        elif has("wondering", sentence):
            return True
    return False


def is_hypothetical(case: Case) -> bool:
    sentences = {case.reading.sentence(clause, bare=True) for clause in case.homes}
    return any(words().has("hypothetical", sentence) for sentence in sentences)


def is_reported(case: Case) -> bool:
    """What somebody else says, after a colon: ``Tom wrote: we ship on Fridays``."""
    speech = words().patterns["speech"]
    for clause in case.homes:
        if clause == 0:
            continue
        before = case.reading.clauses[clause - 1]
        text = case.reading.bare[before.start : before.end].strip()
        if text.endswith(":") and speech.search(text) and _content_left(case, clause - 1):
            return True
    return False


def _content_left(case: Case, clause: int) -> list[Token]:
    return left_out(case.reading, clause, Support(case.fact.tokens, case.fact.text))


def is_made_universal(case: Case) -> bool:
    """The fact says "always" or "all" and nothing that it is taken from does."""
    sources = [*case.sentences, case.target.text if case.target else ""]
    return words().has("universal", case.fact.text) and not any(
        words().has("universal_support", source) for source in sources
    )


def is_made_lasting(case: Case) -> bool:
    """``Takes the train`` made of ``I took the train``: what happened once became a habit."""
    for token in case.fact.tokens:
        written = case.fact.text[token.start : token.end]
        if token.sort is Sort.WORD and token.is_content and written.endswith("s"):
            found = _same(token, case.home_tokens())
            if found and all(_is_past(case.reading, one, written) for one in found):
                return True
    return False


def _is_past(reading: Reading, token: Token, present: str) -> bool:
    """Whether a verb tells of the past: no participle after a form of *be* or *have*, and no form of the present."""
    written, before = reading.text[token.start : token.end], reading.text[: token.start][-25:]
    past = words().stems.get(written) == words().stems.get(present, present[:-1]) or written.endswith("ed")
    return past and not written.endswith(("s", "ing")) and not words().has("auxiliary", before)


def is_turned_around(case: Case) -> bool:
    """A negation is dropped, added or moved to something else."""
    own = case.home_tokens()
    negated_home = any(case.reading.clauses[clause].negations for clause in case.homes)
    older = case.target.tokens if case.target else ()
    for at, clause in enumerate(case.fact.clauses):
        directions = set()
        for token in case.fact.content:
            if token.clause != at:
                continue
            found = _same(token, own) or _same(token, older)
            if found and all(_count(one) != _count(token) for one in found):
                directions.add(_count(found[0]) > _count(token))
        if directions and (not clause.negations or not (negated_home or case.target) or len(directions) > 1):
            return True
    return False


def _count(token: Token) -> int:
    return min(token.negated, 2)


def _same(token: Token, others: Iterable[Token]) -> list[Token]:
    """The tokens that say the same; of Chinese words, whose ends are uncertain, those that lie within each other."""
    if token.sort is not Sort.HAN:
        return [other for other in others if not token.keys.isdisjoint(other.keys)]
    return [other for other in others if other.sort is Sort.HAN and (token.key in other.key or other.key in token.key)]


def is_swapped(case: Case) -> bool:
    """What stands on both sides of a word changed places: ``trains to planes`` made of ``planes to trains``. Where a fact
    tells an order, clauses must not change places either."""
    if any(words().has("passive", case.fact.text) != words().has("passive", sentence) for sentence in case.sentences):
        return False
    across = words().has("sequence", case.fact.text)
    own = [replace(token, clause=0) if across else token for token in case.home_tokens()]
    places = {token: _same(token, own)[:_PLACES] for token in case.fact.tokens}
    for middle in case.fact.tokens:
        if middle.keys & words().symmetric or not places[middle]:
            continue
        around = [token for token in case.fact.content if across or token.clause == middle.clause]
        left = [places[token] for token in around if token.start < middle.start]
        right = [places[token] for token in around if token.start > middle.start]
        if all(
            any(_only_beside(found, one, after=True) for found in left)
            and any(_only_beside(found, one, after=False) for found in right)
            for one in places[middle]
        ):
            return True
    return False


_PLACES = 10
"""Places of one word that are looked at."""


def _only_beside(found: list[Token], middle: Token, *, after: bool) -> bool:
    """Whether tokens stand in the clause of ``middle``, all of them after it, or all before it."""
    beside = {token.start >= middle.end for token in found if token.clause == middle.clause and token != middle}
    return beside == {after}


def has_other_subject(case: Case) -> bool:
    """``he prefers imperial`` says nothing of the user; a fact that holds the clause before may mean that person."""
    third = words().third_persons
    if any(token.keys & third for token in case.fact.tokens):
        return False
    named = [clause for clause in case.homes if not _begins_with_person(case, clause)]
    return any(
        _begins_with_person(case, clause) and not any(other < clause for other in named) for clause in case.homes
    )


def _begins_with_person(case: Case, clause: int) -> bool:
    for token in case.reading.tokens:
        if token.clause == clause:
            if token.keys & words().third_persons:
                return True
            if token.is_content:
                return False
    return False


def _takes_negated(case: Case, clause: int, fact: Support) -> bool:
    """Whether the fact says what is negated there; else it may leave out what only is the contrast (``not Tuesday``)."""
    return any(token.negated and fact.holds(token) for token in case.reading.content_by_clause.get(clause, ()))


def leaves_out_restriction(case: Case) -> bool:
    """The clauses that a fact is taken from hold more than it says, or a condition of their sentence is not in it.

    An update need not repeat the message, only what is new in it: values, and what restricts it.
    """
    fact = Support(case.fact.tokens, case.fact.text)
    sentences = {case.reading.clauses[clause].sentence for clause in case.homes}
    for at, clause in enumerate(case.reading.clauses):
        if at in case.homes:
            missing = left_out(case.reading, at, fact)
            if not _takes_negated(case, at, fact):
                missing = [token for token in missing if not token.negated]
            if case.target:
                missing = [token for token in missing if token.sort is Sort.VALUE]
        elif clause.sentence in sentences and words().has("conditions", case.reading.bare[clause.start : clause.end]):
            missing = left_out(case.reading, at, fact)
        else:
            continue
        if missing:
            return True
    return False
