"""Prompt codes, such as ``2026.11.30.1-T1.2-A3``, and what may stand for one (PROMPT-1, PROMPT-2).

The day and its counter name a *series*: the line of versions that was begun on that day. ``T`` is the tactic, ``A`` the
attempt (the aiming) within it. ``T1.2`` is the second branch of ``T1`` and counts as a part of it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum

MAX_LENGTH = 60  # characters
MAX_DEPTH = 6  # branches of branches

_DAY = r"[12][0-9]{3}\.[0-9]{2}\.[0-9]{2}"
_COUNT = r"[1-9][0-9]{0,3}"
_BRANCHES = rf"{_COUNT}(?:\.{_COUNT}){{0,{MAX_DEPTH - 1}}}"
_CODE = re.compile(rf"(?P<day>{_DAY})\.(?P<number>{_COUNT})-T(?P<tactic>{_BRANCHES})-A(?P<aiming>{_COUNT})")
_RANGE = re.compile(r"[a-z]+(?:-[a-z]+)*")
_PART = re.compile(rf"(?P<series>{_DAY}\.{_COUNT})?(?:(?(series)-)T(?P<tactic>{_BRANCHES}))?")


class Step(Enum):
    """How a version follows another one."""

    AIMING = "aiming"
    BRANCH = "branch"
    TACTIC = "tactic"


@dataclass(frozen=True, order=True)
class Code:
    """A version's code; they sort by age of the series, tactic and aiming."""

    day: date
    number: int
    tactic: tuple[int, ...]
    aiming: int

    def __str__(self) -> str:
        return f"{self.series}-T{'.'.join(map(str, self.tactic))}-A{self.aiming}"

    @property
    def series(self) -> str:
        return f"{self.day:%Y.%m.%d}.{self.number}"

    def is_of(self, tactic: tuple[int, ...]) -> bool:
        """Whether the version belongs to ``tactic`` or one of its branches."""
        return self.tactic[: len(tactic)] == tactic


def parse(text: str) -> Code:
    """Read a full code. Raises ``ValueError``."""
    found = _CODE.fullmatch(text)
    if not found:
        raise ValueError("not a prompt code")
    day = datetime.strptime(found["day"], "%Y.%m.%d").replace(tzinfo=UTC).date()
    return Code(day, int(found["number"]), _tactic(found["tactic"]), int(found["aiming"]))


@dataclass(frozen=True)
class Reference:
    """What stands for a version: a full ``code``, or any of a range, a series and a tactic; "" and () where not said."""

    range: str = ""
    code: str = ""
    series: str = ""
    tactic: tuple[int, ...] = ()

    def fits(self, code: Code) -> bool:
        """Whether a version with this code, in the right range, may be what is meant."""
        if self.code:
            return str(code) == self.code
        return self.series in ("", code.series) and code.is_of(self.tactic)


def parse_reference(text: str) -> Reference:
    """Read ``memory-extraction``, ``memory-extraction T1``, ``2026.11.30.1-T1`` or a full code, with or without its range.

    Raises ``ValueError``, also for a tactic that is in no range.
    """
    words = text.split()
    name = words.pop(0) if words and _RANGE.fullmatch(words[0]) else ""
    rest = words.pop(0) if words else ""
    part = _PART.fullmatch(rest)
    if words or not (name or rest):
        raise ValueError("not a reference to a prompt")
    if part and (name or part["series"]):
        return Reference(name, "", part["series"] or "", _tactic(part["tactic"]) if part["tactic"] else ())
    return Reference(name, str(parse(rest)))


def opening(day: date, taken: Iterable[Code]) -> Code:
    """The first code of a new series of ``day``."""
    return Code(day, 1 + max((code.number for code in taken if code.day == day), default=0), (1,), 1)


def following(base: Code, step: Step, taken: Iterable[Code]) -> Code:
    """The next free code after ``base``: another attempt at its tactic, a branch of it, or another tactic.

    Raises ``ValueError`` for a branch that would be too deep.
    """
    own = [code for code in taken if code.series == base.series]
    if step is Step.AIMING:
        tactic = base.tactic
    elif step is Step.TACTIC:
        tactic = (1 + max((code.tactic[0] for code in own), default=0),)
    elif len(base.tactic) == MAX_DEPTH:
        raise ValueError("too many branches of branches")
    else:
        depth = len(base.tactic)
        branches = [code.tactic[depth] for code in own if code.is_of(base.tactic) and len(code.tactic) > depth]
        tactic = (*base.tactic, 1 + max(branches, default=0))
    aiming = 1 + max((code.aiming for code in own if code.tactic == tactic), default=0)
    return Code(base.day, base.number, tactic, aiming)


def _tactic(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
