"""Dates, times, numbers and quantities of a folded text, by value, in English and Chinese (LEARN-13).

A value has keys, and two values agree when they share one: ``n:35000`` is 三万五千 and 35,000. See ``numbers`` and ``days``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

import regex

from memory.learning.days import DATE, RELATIVE, TIME, UP_TO_99, coming, date_keys, relative_keys, time_keys
from memory.learning.numbers import (
    ALONE,
    DAY,
    DIGITS,
    ENDS,
    ENGLISH,
    HAN,
    NTH,
    NUMBER,
    SIGNS,
    UNIT,
    number,
    number_keys,
    plain,
    quantity_keys,
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value that stands in ``text[start:end]``."""

    keys: frozenset[str]
    start: int
    end: int

    def agrees(self, other: "Value") -> bool:
        return not self.keys.isdisjoint(other.keys)


Read = Callable[[regex.Match[str], date], set[str]]
_FLAGS = regex.VERBOSE | regex.VERSION1
_SIGN = "|".join(map(regex.escape, SIGNS))
_READERS: list[tuple[regex.Pattern[str], Read]] = [
    (regex.compile(DATE, _FLAGS), date_keys),
    (regex.compile(TIME, _FLAGS), time_keys),
    (regex.compile(rf"百分之(?P<n>{NUMBER})", _FLAGS), lambda match, _: {f"q:%:{plain(number(match['n']))}"}),
    (
        regex.compile(rf"(?P<sign>{_SIGN})[ ]?(?P<n>{DIGITS})(?![\w--\p{{Han}}])", _FLAGS),
        lambda match, _: {f"q:{SIGNS[match['sign']]}:{plain(number(match['n']))}"},
    ),
    (
        regex.compile(
            rf"(?:{ALONE}(?P<n>{NUMBER})|(?P<n>{HAN}))[ -]?(?P<unit>{UNIT})(?![ ]?(?:[一二三四五六日]\b))", _FLAGS
        ),
        quantity_keys,
    ),
    (regex.compile(RELATIVE, _FLAGS), relative_keys),
    (
        regex.compile(rf"{ALONE}(?P<n>\d{{1,2}})(?:st|nd|rd|th)\b|(?P<n>{UP_TO_99})[ ]?[号日](?![\w])", _FLAGS),
        lambda match, today: number_keys(match["n"]) | coming(int(number(match["n"])), today),
    ),
    (
        regex.compile(rf"(?P<n>{HAN})|{ALONE}(?P<n>{DIGITS}){ENDS}|\b(?P<n>{NTH}|{ENGLISH})\b", _FLAGS),
        lambda match, _: number_keys(match["n"]),
    ),
]


def values(text: str, today: date) -> list[Value]:
    """The values of a folded text in the order of their places; they don't overlap."""
    taken = bytearray(len(text))
    found = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            start, end = match.span()
            while start < end and text[start] == " ":
                start += 1
            if any(taken[start:end]):
                continue
            if keys := read(match, today):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Value(frozenset(keys), start, end))
    return sorted(found, key=lambda value: value.start)


def lasting(found: list[Value], text: str) -> Iterator[date]:
    """The days that something may last until, according to the values of ``text``: no beginnings."""
    for value in found:
        if _BEGINS_BEFORE.search(text[: value.start][-20:]) or _BEGINS_AFTER.match(text, value.end):
            continue
        before = _BEFORE_IT.search(text[: value.start][-20:]) or _BEFORE_AFTER.match(text, value.end)
        for key in value.keys:
            if key.startswith(("d:2", "e:2")):
                day = date.fromisoformat(key[2:])
                yield day
                if before:
                    yield day - DAY


_BEGINS_BEFORE = regex.compile(r"\b(?:from|since|starting|as of|beginning|after)(?: on)? (?:the )?$|自从?$|从 ?$")
_BEGINS_AFTER = regex.compile(r" ?(?:起|开始|之?以?后|onwards?|and after)")
_BEFORE_IT = regex.compile(r"\bbefore (?:the )?$")
_BEFORE_AFTER = regex.compile(r" ?之?以?前")
