"""Extraction without a model: an explicit sentence becomes one entry in its author's own words (OPS-4, PROMPT-3).

What introduces the fact ("please remember that …", 请记住…) is taken off, and what is left is kept as it was said. A
correction changes the entry that has most to do with it, a request to forget removes it; where none has, or several have
as much, nothing is proposed, since rules can't ask. Validation follows as for a model.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from memory.analysis import Analysis, analyse
from memory.learning.eligibility import judge
from memory.learning.masking import MASK
from memory.learning.operations import MOST, Operation
from memory.learning.passages import Kind, passages
from memory.loading import Candidate

CODE = "rules-1"

_SENTENCE = re.compile(r"[^。！？!?\n.;；]+(?:\.(?=\S)[^。！？!?\n.;；]*)*[。！？!?.;；]*")
_ITEM = re.compile(r"(?:^|(?<=[\s：:]))(?:[-*•–]|\d{1,2}[.)、](?!\d)|[（(]\d{1,2}[)）])\s*", re.MULTILINE)
_INTRODUCTIONS = (
    re.compile(
        r"""(?: (?:hey|hi|hello|ok|okay|and|also|so|well|btw|by\ the\ way|please|pls|kindly|thanks|important)\b[\s,:!–-]*
        | (?:can|could|would|will)\ you\b\s*(?:please\b\s*)?
        | (?:i(?:'d|’d|\ would)\ like|i\ want)\ you\ to\s+
        | (?:do\ not|don['’]?t|never|let['’]s\ not)\ forget\b[\s,:]*
        | (?:remember|memori[sz]e|keep\ in\ mind|bear\ in\ mind|make\ a(?:\ mental)?\ note|take\ note|note)\b
            (?:\s+(?:down|for\ (?:later|the\ future|next\ time)|this|it|the\ following))*[\s,:–-]*
        | (?:from\ now\ on|from\ here\ on|going\ forward|henceforth|for\ the\ future|for\ future\ reference)\b[\s,:–-]*
        | (?:forget|delete|erase|remove|stop\ (?:remembering|using))\b(?:\s+(?:about|that|what\ you\ know\ about))*\s+
        | (?:correction|update|actually)\s*[,:–-]\s* | actually\s+
        | that\s+(?=\S) )""",
        re.VERBOSE | re.IGNORECASE,
    ),
    re.compile(
        r"""(?: [，,：:、\s]+ | (?:你好|嗨|请|麻烦|拜托|帮我|劳驾|对了|另外|顺便|好的)[，,\s]*
        | 你?(?:能不能|能否|可不可以|可以|能)(?=(?:帮我|请)?(?:记|牢记))
        | (?:一定要|务必|要)?(?:牢牢)?(?:记住|牢记|记得|记一下|记下来?|记着|备忘)(?:一点|一件事)?[，,：:\s]*
        | (?:忘掉|忘记|忘了|删掉|删除|(?:不要|别)再(?:记|用|记住))(?:关于)?
        | (?:别|不要|请勿)忘(?:了|记)?[，,：:\s]*
        | (?:从现在(?:起|开始)|从今(?:往后|以后|天起)|今后)(?:请|都)?[，,：:\s]*
        | (?:更正|纠正|修正)(?:一下)?\s*[，,：:]\s* )""",
        re.VERBOSE,
    ),
)
_ENDS = re.compile(
    r"(?:[\s,，]*(?:please|thanks|thank you|ok|okay|谢谢|好吗|可以吗|行吗|吗|吧))?[\s。.!！?？;；,，]*$", re.IGNORECASE
)
_FOR_WORKSPACE = re.compile(
    r"\b(?:in|for) (?:this|the|our) (?:workspace|project|team)\b|(?:这个|本|我们)?(?:工作区|项目|团队)(?:里|中|内)",
    re.IGNORECASE,
)
_PART = 0.4  # of what a text says; the rest is the value that is corrected
_INSTEAD = 1.3  # how much more the best entry must have in common with a correction than the next


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the message as it was written, and what it asks for."""

    text: str
    family: str


def extract(message: str, entries: Sequence[Candidate], *, has_workspace: bool) -> list[Operation]:
    """The operations that the sentences of ``message`` ask for, five at most; ``entries`` are those it may be about."""
    operations = []
    for sentence in _sentences(message):
        fact = _fact(sentence.text)
        if not fact or MASK in fact:
            continue
        target = _target(fact, entries) if sentence.family in ("correction", "forget") else None
        if sentence.family == "forget":
            if target:
                operations.append(_operation("forget", target, "", sentence.text))
        elif target:
            operations.append(_operation("update", target, _tidy(fact, sentence.text), fact))
        else:
            scope = "workspace" if has_workspace and _FOR_WORKSPACE.search(sentence.text) else "global"
            operations.append(_added(scope, _tidy(fact, sentence.text), fact))
    return operations[:MOST]


def _sentences(message: str) -> Iterator[_Sentence]:
    """The sentences that ask for something. What one only announces are the items of the list that follows, else the next
    sentence."""
    announced = ""
    for block in _outside_blocks(message).split("\n\n"):
        items = _ITEM.split(block)
        for number, item in enumerate(items):
            for match in _SENTENCE.finditer(item):
                text = match[0].strip()
                verdict = judge(f"{announced} {text}" if announced else text)
                if verdict.eligible and _fact(text):
                    yield _Sentence(text, verdict.family)
                    announced = announced if number else ""
                elif verdict.eligible and not announced:
                    announced = text
                elif announced and not number:
                    announced = ""
        if len(items) > 1:
            announced = ""


def _outside_blocks(message: str) -> str:
    """The message without code blocks and quoted paragraphs, as they are nobody's statement."""
    pieces, at = [], 0
    for passage in passages(message):
        if passage.kind in (Kind.CODE_BLOCK, Kind.BLOCK_QUOTE):
            pieces += [message[at : passage.start], "\n"]
            at = passage.end
    return "".join([*pieces, message[at:]])


def _fact(sentence: str) -> str:
    """The sentence without what introduces it, and without its end."""
    at = 0
    while match := next(
        (found for one in _INTRODUCTIONS if (found := one.match(sentence, at)) and found.end() > at), None
    ):
        at = match.end()
    fact = _ENDS.sub("", sentence[at:]).strip()
    return fact if sum(character.isalpha() for character in fact) > 1 else ""


def _target(fact: str, entries: Sequence[Candidate]) -> Candidate | None:
    """The entry that says the same but for a value, if only one does: a good part of what either says is in the other."""
    said = analyse(fact)
    shares = sorted(((_common(said, analyse(entry.text)), entry.id) for entry in entries), reverse=True)
    if not shares or shares[0][0] < _PART or (len(shares) > 1 and shares[0][0] < _INSTEAD * shares[1][0]):
        return None
    return next(entry for entry in entries if entry.id == shares[0][1])


def _common(one: Analysis, other: Analysis) -> float:
    return max(_share(one, other.keys()), _share(other, one.keys()))


def _share(text: Analysis, keys: Set[str]) -> float:
    """How much of what a text says is among the words of another."""
    whole = sum(token.information for token in text.tokens())
    return sum(token.information for token in text.tokens() if token.key in keys) / whole if whole else 0.0


def _tidy(fact: str, sentence: str) -> str:
    """The fact as a sentence: with a capital, and with the full stop that it had."""
    end = sentence.rstrip()[-1:]
    return fact[0].upper() + fact[1:] + (end if end in ".。" else "")


def _added(scope: str, text: str, evidence: str) -> Operation:
    return Operation(
        op="add",
        scope=scope,
        tier="core",
        topic="",
        kind="preference",
        text=text,
        fact_key="",
        expires=None,
        target=None,
        evidence=evidence,
    )


def _operation(op: str, target: Candidate, text: str, evidence: str) -> Operation:
    return Operation(
        op=op,
        scope=target.scope,
        tier=target.tier,
        topic=target.topic,
        kind="preference",
        text=text,
        fact_key=target.fact_key,
        expires=None,
        target=target.id,
        evidence=evidence,
    )
