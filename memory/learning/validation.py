"""What becomes of the operations that a model proposes (LEARN-13 to LEARN-17): a function of its arguments.

No model, no database, no clock. What is looked at has a bound, and so has the work.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import regex
from django.conf import settings

from memory.learning.book import Known, entry_met, entry_of, is_about, is_named, is_same
from memory.learning.languages import words
from memory.learning.masking import MASK
from memory.learning.meaning import Case, refusal
from memory.learning.message import Message
from memory.learning.operations import MOST, Operation
from memory.learning.outcomes import Outcome
from memory.learning.reading import Reading, folded, read
from memory.learning.support import Support, homes, unsupported
from memory.learning.values import lasting
from memory.safety import dangers
from memory.texts import LINE_BREAK, has_hidden_characters

MESSAGE_LIMIT = 4_000
"""Characters of a message (LEARN-6)."""

PLACES = 3
"""Places of a quote that are looked at."""

HOMES = 20
"""Clauses that a fact may be taken from."""

HIDDEN = "hidden_characters"
MASKED = "masked"


@dataclass(frozen=True, slots=True)
class Judged:
    """An operation as it is to be applied, and its outcome; ``UPDATED`` passes. ``category`` says what is unsafe."""

    operation: Operation
    outcome: Outcome
    category: str = ""


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """Why an operation doesn't pass."""

    outcome: Outcome
    category: str = ""


def validate(
    message: str,
    operations: Sequence[Operation],
    *,
    book: Sequence[Known],
    workspace: str | None,
    today: date,
    room: int | None = None,
) -> list[Judged]:
    """Judge each operation of a turn. ``book`` holds the entries that were sent to the model, ``workspace`` the name of
    the session's, ``room`` how many entries may be added (``None``: any number); what is forgotten makes room first.
    """
    turn = _Turn(Message(message[:MESSAGE_LIMIT], today, workspace), book)
    judged = [turn.judge(operation) for operation in operations[:MOST]]
    judged += [Judged(operation, Outcome.INVALID_OUTPUT) for operation in operations[MOST:]]
    return judged if room is None else _fitting(judged, room)


def _fitting(judged: Sequence[Judged], room: int) -> list[Judged]:
    room += sum(one.outcome is Outcome.UPDATED and one.operation.op == "forget" for one in judged)
    fitting = []
    for one in judged:
        if one.outcome is Outcome.UPDATED and one.operation.op == "add":
            room -= 1
            if room < 0:
                one = replace(one, outcome=Outcome.CAPACITY)
        fitting.append(one)
    return fitting


class _Turn:
    """What the operations of one turn have in common; each entry is changed once."""

    def __init__(self, message: Message, book: Sequence[Known]) -> None:
        self.message, self.book = message, book
        self.touched: set[str] = set()
        self.added: set[tuple[str, str]] = set()

    def judge(self, operation: Operation) -> Judged:
        try:
            self._check_form(operation)
            self._check_safety(operation)
            places = self._places(operation)
            if operation.op == "forget":
                operation = self._forget(operation, places)
            else:
                operation = self._write(operation, places)
        except Refusal as refused:
            return Judged(operation, refused.outcome, refused.category)
        return Judged(operation, Outcome.UPDATED)

    def _check_form(self, operation: Operation) -> None:
        """What no message could make right (LEARN-10, LEARN-17)."""
        is_forget = operation.op == "forget"
        wrong = (
            (operation.scope == "workspace" and self.message.workspace is None)
            or (operation.op == "add") != (operation.target is None)
            or (operation.target is not None and entry_of(operation, self.book) is None)
            or _length(operation.text) > settings.ADMINCHAT_MEMORY_TEXT_CHARACTERS
            or _length(operation.topic) > settings.ADMINCHAT_MEMORY_TOPIC_CHARACTERS
            or (not is_forget and not operation.text.strip())
            or (not is_forget and (operation.tier == "topic") != bool(operation.topic.strip()))
            or bool(LINE_BREAK.search(operation.text.strip() + operation.topic.strip()))
        )
        known = entry_of(operation, self.book)
        if wrong or (known and not is_forget and known.scope != operation.scope):
            raise Refusal(Outcome.INVALID_OUTPUT)

    def _check_safety(self, operation: Operation) -> None:
        """LEARN-14, for all that would be stored, and for what the text is taken from."""
        for text in (operation.text, operation.topic, operation.evidence, operation.fact_key):
            if has_hidden_characters(text):
                raise Refusal(Outcome.UNSAFE, HIDDEN)
            if MASK in text:
                raise Refusal(Outcome.UNSAFE, MASKED)
        if operation.op == "forget":
            return
        for text in (f"{operation.topic}: {operation.text}", operation.text, operation.evidence):
            if found := dangers(text):
                raise Refusal(Outcome.UNSAFE, found[0].value)

    def _places(self, operation: Operation) -> list[tuple[int, int]]:
        """Where the evidence stands in the author's own words (LEARN-13)."""
        spans = self.message.spans(operation.evidence)
        own = [(start, end) for start, end in spans if not all(self.message.blocked[start:end])]
        if not own:
            raise Refusal(Outcome.INVALID_EVIDENCE)
        if any(any(self.message.secrets[start:end]) for start, end in own):
            raise Refusal(Outcome.UNSAFE, MASKED)
        return own

    def _forget(self, operation: Operation, places: Sequence[tuple[int, int]]) -> Operation:
        known = entry_of(operation, self.book)
        assert known
        if not any(self._asks_to_forget(start, end, known) for start, end in places):
            raise Refusal(Outcome.INVALID_EVIDENCE)
        self._touch(known)
        return operation

    def _asks_to_forget(self, start: int, end: int, known: Known) -> bool:
        reading = self.message.reading
        clauses = [clause for clause in reading.clauses if clause.start < end and clause.end > start]
        sentences = {clause.sentence for clause in clauses}
        inside = [clause for clause in reading.clauses if clause.sentence in sentences]
        first, last = inside[0].start, inside[-1].end
        text = words().patterns["kept"].sub(" ", reading.text[first:last])
        if not (words().has("forget", text) or words().has("ceased", text)):
            return False
        return is_named(reading, first, last, known, self.book, self.message.today)

    def _touch(self, known: Known) -> None:
        if known.pinned:
            raise Refusal(Outcome.PINNED)
        if known.id in self.touched:
            raise Refusal(Outcome.INVALID_OUTPUT)
        self.touched.add(known.id)

    def _write(self, operation: Operation, places: Sequence[tuple[int, int]]) -> Operation:
        today = self.message.today
        fact = read(folded(operation.text).text, today)
        target = entry_of(operation, self.book)
        outcomes = [self._unfit(operation, fact, target, start, end) for start, end in places[:PLACES]]
        if None not in outcomes:
            raise Refusal(outcomes[0] or Outcome.INVALID_EVIDENCE)
        if target is None:
            target = entry_met(operation, fact, self.book, today)
            if target:
                operation = replace(operation, op="update", target=target.id)
        elif not is_about(fact, operation, target, self.book, today):
            raise Refusal(Outcome.INVALID_EVIDENCE)
        if target:
            if is_same(operation, target):
                raise Refusal(Outcome.NO_DIFFERENCE)
            self._touch(target)
        else:
            self._add(operation)
        return operation

    def _add(self, operation: Operation) -> None:
        texts = (operation.scope, "".join(folded(operation.text).text.split()))
        if texts in self.added:
            raise Refusal(Outcome.NO_DIFFERENCE)
        self.added.add(texts)

    def _unfit(self, operation: Operation, fact: Reading, target: Known | None, start: int, end: int) -> Outcome | None:
        """Why the message, quoted there, doesn't carry the fact."""
        reading, today = self.message.reading, self.message.today
        own = Support(reading.tokens, reading.text)
        sources = [own]
        older = None
        if target:
            older = read(folded(f"{target.topic}: {target.text}").text, today)
            sources.append(Support(older.tokens, older.text))
        if not fact.content or _other_script(operation) or words().has("later", fact.text):
            return Outcome.INVALID_EVIDENCE
        days = set(lasting(list(reading.values), reading.text))
        spared = words().lasting if days else frozenset()
        if any(not token.keys <= spared for token in unsupported(fact, sources)) or not any(
            own.holds(token) for token in fact.content
        ):
            return Outcome.INVALID_EVIDENCE
        found = homes(fact, reading, start, end)
        if not 0 < len(found) <= HOMES or not self._names_scope(operation, found):
            return Outcome.INVALID_EVIDENCE
        if operation.expires and operation.expires not in days:
            return Outcome.INVALID_EVIDENCE
        if operation.expires and operation.expires < today:
            return Outcome.NO_CANDIDATES
        return refusal(Case(fact, self.message, found, older))

    def _names_scope(self, operation: Operation, clauses: Sequence[int]) -> bool:
        """Whether the scope is the one that the message means (LEARN-17)."""
        text = self.message.reading.text
        if operation.scope == "workspace":
            return (bool(self.message.place) and self.message.place in text) or words().has("place", text)
        return not any(words().has("here", self.message.reading.sentence(clause)) for clause in clauses)


def _length(text: str) -> int:
    """Code points as they would be stored (ENTRY-8)."""
    return len(unicodedata.normalize("NFC", text).strip())


_LATIN, _HAN = regex.compile(r"\p{Latin}"), regex.compile(r"\p{Han}")


def _other_script(operation: Operation) -> bool:
    """Whether the text was translated: it has letters of one script, and its evidence only of another (LEARN-10)."""
    text, evidence = operation.text, operation.evidence
    return (bool(_LATIN.search(text)) and not _HAN.search(text) and not _LATIN.search(evidence)) or (
        bool(_HAN.search(text)) and not _HAN.search(evidence)
    )
