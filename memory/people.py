"""What a text tells of people that should not be stored: health and other special categories of data, and how to reach
somebody else (LEARN-14). Texts are in compatibility form; case doesn't matter.

A word alone tells nothing: a *health check* is work, and so is a product for diabetics. It takes a person who has, is or
believes it.
"""

from collections.abc import Iterator

import regex

from memory.patterns import patterns

Places = Iterator[tuple[int, int]]


def special_categories(text: str) -> Places:
    """Where a text tells of somebody's health, belief, orientation, politics, origin or convictions."""
    people = patterns("people")
    for match in people["special"].finditer(text):
        if not people["no_person"].search(match[0]):
            yield match.span()


_ADDRESSES = ("phone", "mail", "handle", "address")


def contacts(text: str) -> Places:
    """Where a text tells how to reach a person other than its author: phone, mail, messenger, home address.

    An address of unknown owner counts, but for that of an office, and for numbers that are no personal telephone's.
    """
    people = patterns("people")
    for kind in _ADDRESSES:
        for match in people[kind].finditer(text):
            if kind == "mail" and people["mailbox"].match(match[0]):
                continue
            around = _sentence(text, match.start(), match.end())
            person, own = people["person"].search(around), people["own"].search(around)
            if own and not (person and person.start() < own.start()):
                continue
            is_personal = kind in ("mail", "handle") or (kind == "phone" and _is_mobile(match[0]))
            if person or (is_personal and not people["office"].search(around)):
                yield match.span()


def _is_mobile(number: str) -> bool:
    digits = regex.sub(r"\D", "", number)
    return bool(regex.fullmatch(r"(?:86)?1[3-9]\d{9}", digits)) or number.startswith("+") or len(digits) == 10


_END = regex.compile(r"[。！？!?;；\n]|\. ")
_AROUND = 200
"""Characters before and after an address that tell whose it is."""


def _sentence(text: str, start: int, end: int) -> str:
    before = _END.split(text[max(0, start - _AROUND) : start])[-1]
    return before + text[start:end] + _END.split(text[end : end + _AROUND])[0]
