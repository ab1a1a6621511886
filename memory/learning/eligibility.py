"""Whether a message asks for something to be kept, changed or forgotten: no model, no database (LEARN-2 to LEARN-6).

What isn't the author's own is taken out, each sentence is folded, and the patterns of ``triggers`` are tried on it. A
refusal anywhere in the message wins. Everything is linear in the length of the message.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from memory.learning.folding import fold
from memory.learning.outcomes import Outcome
from memory.learning.passages import Kind, passages
from memory.learning.triggers import Language, Patterns, languages

LIMIT = 4000
"""Characters of a message that is looked at."""

_TAKEN_OUT = "\ufffc"
"""Stands for a passage, so that a sentence keeps its shape."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` says why a message isn't eligible. ``family`` and ``language`` say by which file it is.

    ``everything``: it asks to forget all there is, which is never done by learning. ``asks``: it isn't eligible, but
    says something that its author may want to add by hand (LEARN-19).
    """

    eligible: bool
    reason: Outcome | None
    family: str = ""
    language: str = ""
    everything: bool = False
    asks: bool = False


_NOT_TRIGGERED = Verdict(eligible=False, reason=Outcome.NOT_TRIGGERED)


def judge(text: str, *, languages: Collection[str] | None = None) -> Verdict:
    """Judge the message ``text``; ``languages`` are the codes of those that are switched on, ``None`` means all.

    A refusal counts in every language, whether it is switched on or not.
    """
    if len(text) > LIMIT:
        return Verdict(eligible=False, reason=Outcome.TOO_LONG)
    sentences = [sentence for sentence in _sentences(text) if any(map(sentence.holds_cue_of, _languages()))]
    if any(sentence.is_found(language, language.refusal) for sentence in sentences for language in _languages()):
        return Verdict(eligible=False, reason=Outcome.OPT_OUT)
    return _judge_sentences(sentences, languages)


def _judge_sentences(sentences: list["_Sentence"], switched_on: Collection[str] | None) -> Verdict:
    verdict = _NOT_TRIGGERED
    for sentence in sentences:
        for part in sentence.without_asides().statements_and_questions():
            for language in _languages():
                if part.is_found(language, language.everything):
                    return replace(_NOT_TRIGGERED, everything=True, language=language.code)
                family = part.family(language)
                if family and (switched_on is None or language.code in switched_on):
                    if not verdict.eligible:
                        verdict = Verdict(eligible=True, reason=None, family=family, language=language.code)
                elif not verdict.eligible and (family or part.is_found(language, language.wishes)):
                    verdict = replace(verdict, asks=True)
    return verdict


_languages = languages


# --- sentences --------------------------------------------------------------------------------------------------------

_SENTENCE = re.compile(r"(?:[^.。!?;…]|\.(?=[^\s]))+(?:[.。!?;…]+|$)|[.。!?;…]+")
_EMPHASIS = str.maketrans("", "", "*#")
_BLOCKS = (Kind.CODE_BLOCK, Kind.BLOCK_QUOTE)


def _sentences(text: str) -> Iterator["_Sentence"]:
    """The sentences of ``text`` without its passages and without the paragraphs that it introduces as another's."""
    introduced = False
    for paragraph in re.split(r"\n\s*\n", _own_words(text)):
        lines = paragraph.split("\n")
        if introduced:
            introduced = False
            continue
        for line in lines:
            folded = fold(line.translate(_EMPHASIS)).text.strip()
            if any(language.introduces.search(folded) for language in _languages()):
                introduced = line is lines[-1]
                break
            for match in _SENTENCE.finditer(folded):
                yield _Sentence(match[0].strip())


def _own_words(text: str) -> str:
    pieces = []
    at = 0
    for passage in passages(text):
        pieces += [text[at : passage.start], f"\n\n{_TAKEN_OUT}\n\n" if passage.kind in _BLOCKS else _TAKEN_OUT]
        at = passage.end
    pieces.append(text[at:])
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Folded text, and whether only requests count in it because it asks a question."""

    text: str
    is_question: bool = False

    def holds_cue_of(self, language: Language) -> bool:
        return any(cue in self.text for cue in language.cues)

    def is_found(self, language: Language, patterns: Patterns) -> bool:
        if patterns.anywhere.search(self.text):
            return True
        return any(
            patterns.opening.match(self.text, at) or (asked and patterns.asked.match(self.text, at))
            for at, asked in self.openings(language)
        )

    def family(self, language: Language) -> str:
        """The family of triggers that is found, or nothing."""
        openings = list(self.openings(language))
        for name, patterns in language.families.items():
            if any(asked and patterns.asked.match(self.text, at) for at, asked in openings):
                return name
            if self.is_question:
                continue
            if patterns.anywhere.search(self.text) or any(patterns.opening.match(self.text, at) for at, _ in openings):
                return name
        return ""

    def openings(self, language: Language) -> Iterator[tuple[int, bool]]:
        """Where a clause begins, and whether something is asked for there."""
        for start in language.start.finditer(self.text):
            at = start.end()
            yield at, False
            while True:
                if ask := language.ask.match(self.text, at):
                    yield ask.end(), True
                lead = language.lead.match(self.text, at)
                if not lead:
                    break
                at = lead.end()
                yield at, False

    def without_asides(self) -> "_Sentence":
        """The sentence with what counts for nothing taken out: idioms, what others said, what is only imagined."""
        text = self.text
        for language in _languages():
            sentence = _Sentence(text)
            spans = [match.span() for match in language.asides.anywhere.finditer(text)]
            for at, asked in sentence.openings(language):
                match = language.asides.opening.match(text, at) or (asked and language.asides.asked.match(text, at))
                if match:
                    spans.append(match.span())
            text = _without(text, spans)
        return _Sentence(text)

    def statements_and_questions(self) -> Iterator["_Sentence"]:
        """The parts of the sentence: what it states, and from where it asks."""
        language = next((one for one in _languages() if one.question.search(self.text)), None)
        if language is None or language.nod.search(self.text):
            yield self
            return
        turn = language.turn.search(self.text)
        if turn and not language.question.search(self.text[: turn.start()]):
            yield _Sentence(self.text[: turn.start()])
            yield _Sentence(self.text[turn.start() :], is_question=True)
        else:
            yield replace(self, is_question=True)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    pieces = []
    at = 0
    for start, end in sorted(spans):
        if start >= at and end > start:
            pieces += [text[at:start], _TAKEN_OUT]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
