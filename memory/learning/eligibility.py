"""Whether a message asks for something to be kept, changed or forgotten: no model, no database (LEARN-2 to LEARN-6).

What isn't the author's own is taken out, each sentence is folded, and the patterns of ``triggers`` are tried on it. A
refusal anywhere in the message wins. Everything is linear in the length of the message.
"""

import re
from collections.abc import Collection, Iterable, Iterator
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
    sentences = list(_sentences(text))
    together = "\n".join(sentences)
    characters = set(together)
    cues = [_present(language.cues, together, characters) for language in _languages()]
    refusal_cues = [_present(language.refusal_cues, together, characters) for language in _languages()]
    verdict = _NOT_TRIGGERED
    for sentence in sentences:
        for language in _holding(sentence, refusal_cues):
            if _is_found(sentence, language, language.refusal):
                return Verdict(eligible=False, reason=Outcome.OPT_OUT)
        if not (verdict.eligible or verdict.everything):
            found = _judge_sentence(sentence, _holding(sentence, cues), languages)
            verdict = found or verdict
    if verdict == _NOT_TRIGGERED and any(map(_wishes, sentences)):
        return replace(verdict, asks=True)
    return verdict


def _present(cues: Iterable[str], text: str, characters: set[str]) -> list[str]:
    return [cue for cue in cues if characters.issuperset(cue) and cue in text]


def _holding(sentence: str, cues: list[list[str]]) -> list[Language]:
    """The languages of whose ``cues`` the sentence holds one."""
    return [
        language
        for language, its_cues in zip(_languages(), cues, strict=True)
        if any(cue in sentence for cue in its_cues)
    ]


def _judge_sentence(sentence: str, looked_at: list[Language], switched_on: Collection[str] | None) -> Verdict | None:
    """What the triggers of the languages ``looked_at`` say of a sentence; ``None`` when they say nothing."""
    if not any(_may_be_trigger(sentence, language) for language in looked_at):
        return None
    for language in looked_at:
        sentence = _without_asides(sentence, language)
    asks = False
    for part, is_question in _statements_and_questions(sentence):
        for language in looked_at:
            if _is_found(part, language, language.everything):
                return replace(_NOT_TRIGGERED, everything=True, language=language.code)
            if family := _family(part, language, is_question=is_question):
                if switched_on is None or language.code in switched_on:
                    return Verdict(eligible=True, reason=None, family=family, language=language.code)
                asks = True
    return replace(_NOT_TRIGGERED, asks=True) if asks else None


def _wishes(sentence: str) -> bool:
    if not any(language.wishes.search(sentence) for language in _languages()):
        return False
    for language in _languages():
        sentence = _without_asides(sentence, language)
    return any(
        language.wishes.search(part)
        for part, is_question in _statements_and_questions(sentence)
        if not is_question
        for language in _languages()
    )


def _may_be_trigger(sentence: str, language: Language) -> bool:
    """Before the more costly asides are looked for."""
    return bool(_family(sentence, language, is_question=False)) or _is_found(sentence, language, language.everything)


_languages = languages


# --- sentences --------------------------------------------------------------------------------------------------------

_SENTENCE = re.compile(r"(?:[^.。!?;…]|\.(?=[^\s]))+(?:[.。!?;…]+|$)|[.。!?;…]+")
_EMPHASIS = str.maketrans("", "", "*#")
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n")


def _sentences(text: str) -> Iterator[str]:
    """The folded sentences of ``text`` without its passages and the paragraphs that it introduces as another's."""
    introduced = False
    for paragraph in _PARAGRAPH_END.split(_own_words(text)):
        if introduced:
            introduced = False
            continue
        for line in paragraph.splitlines():
            folded = fold(line.translate(_EMPHASIS)).text.strip()
            yield from (match[0].strip() for match in _SENTENCE.finditer(folded))
            if folded.endswith(":") and any(language.introduces.search(folded) for language in _languages()):
                introduced = paragraph.endswith(line)
                break


def _own_words(text: str) -> str:
    pieces = []
    at = 0
    for passage in passages(text):
        is_block = passage.kind in (Kind.CODE_BLOCK, Kind.BLOCK_QUOTE)
        pieces += [text[at : passage.start], f"\n\n{_TAKEN_OUT}\n\n" if is_block else _TAKEN_OUT]
        at = passage.end
    return "".join([*pieces, text[at:]])


def _statements_and_questions(sentence: str) -> Iterator[tuple[str, bool]]:
    """The parts of a sentence, and of each whether it asks a question: only requests count in it."""
    if not _asks(sentence) or any(language.nod.search(sentence) for language in _languages()):
        yield sentence, False
        return
    turns = [match.start() for language in _languages() if (match := language.turn.search(sentence))]
    if turns and not _asks(sentence[: min(turns)]):
        yield sentence[: min(turns)], False
        yield sentence[min(turns) :], True
    else:
        yield sentence, True


def _asks(sentence: str) -> bool:
    return any(language.question.search(sentence) for language in _languages())


def _without_asides(sentence: str, language: Language) -> str:
    """The sentence without what counts for nothing: idioms, what others said, what is only imagined."""
    spans = [match.span() for match in language.asides.anywhere.finditer(sentence)]
    for at, _ in _openings(sentence, language):
        if match := language.asides.opening.match(sentence, at):
            spans.append(match.span())
    pieces = []
    at = 0
    for start, end in sorted(spans):
        if at <= start < end:
            pieces += [sentence[at:start], _TAKEN_OUT]
        at = max(at, end)
    return "".join([*pieces, sentence[at:]])


# --- patterns ---------------------------------------------------------------------------------------------------------


def _openings(sentence: str, language: Language) -> Iterator[tuple[int, bool]]:
    """Where a clause begins, and whether something is asked for there."""
    for start in language.start.finditer(sentence):
        at = start.end()
        yield at, False
        while True:
            if ask := language.ask.match(sentence, at):
                yield ask.end(), True
            lead = language.lead.match(sentence, at)
            if not lead or lead.end() == at:
                break
            at = lead.end()
            yield at, False


def _is_found(sentence: str, language: Language, patterns: Patterns) -> bool:
    return bool(patterns.anywhere.search(sentence)) or any(
        patterns.opening.match(sentence, at) for at, _ in _openings(sentence, language)
    )


def _family(sentence: str, language: Language, *, is_question: bool) -> str:
    """The family of triggers that is found, or nothing."""
    openings = list(_openings(sentence, language))
    for name, patterns in language.families.items():
        if any(asked and patterns.asked.match(sentence, at) for at, asked in openings):
            return name
        if is_question:
            continue
        if patterns.anywhere.search(sentence) or any(patterns.opening.match(sentence, at) for at, _ in openings):
            return name
    return ""
