"""What a model proposes to change in a book, read from its answer (LEARN-10).

The schema is in the part of JSON Schema that the strict outputs of the known providers share. Whether an operation is
right for the message is for ``validation``; here it only has the right form.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

MOST = 5
"""Operations of one answer."""

ANSWER_LIMIT = 50_000
"""Characters of an answer that are read."""

FIELD_LIMIT = 2_000
"""Characters of one field; an entry's own limits are below that."""

OPS = ("add", "update", "forget")
SCOPES = ("global", "workspace")
TIERS = ("core", "topic")
KINDS = ("preference", "project", "decision", "reference")
_CHOICES = {"op": OPS, "scope": SCOPES, "tier": TIERS, "kind": KINDS}
_TEXTS = ("topic", "text", "fact_key", "evidence")
_NULLABLE = ("expires", "target")
_OPTIONAL = {"topic": "", "text": "", "fact_key": "", "expires": None, "target": None}


class InvalidOutput(Exception):
    """The answer doesn't have the form that was asked for. It carries no text of the answer."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One proposed change. ``expires`` is the last valid day, ``target`` the id of the entry that is changed or removed,
    ``evidence`` a quote of the message."""

    op: str
    scope: str
    tier: str
    topic: str
    kind: str
    text: str
    fact_key: str
    expires: date | None
    target: str | None
    evidence: str


_PROPERTIES: dict[str, Any] = {
    "op": {"type": "string", "enum": list(OPS)},
    "scope": {"type": "string", "enum": list(SCOPES)},
    "tier": {"type": "string", "enum": list(TIERS)},
    "topic": {"type": "string", "description": "A short name; empty unless the tier is topic."},
    "kind": {"type": "string", "enum": list(KINDS)},
    "text": {"type": "string", "description": "The fact in the user's own language; empty for forget."},
    "fact_key": {"type": "string", "description": "What the fact is about, in snake_case."},
    "expires": {"type": ["string", "null"], "description": "The last valid day as YYYY-MM-DD, or null."},
    "target": {"type": ["string", "null"], "description": "The id of the entry to update or forget, else null."},
    "evidence": {"type": "string", "description": "A verbatim quote of the user's message."},
}
OPERATIONS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "operations": {
            "type": "array",
            "description": f"At most {MOST}; empty when there is nothing to remember.",
            "items": {
                "type": "object",
                "properties": _PROPERTIES,
                "required": list(_PROPERTIES),
                "additionalProperties": False,
            },
        }
    },
    "required": ["operations"],
    "additionalProperties": False,
}


def parse(value: object) -> list[Operation]:
    """The operations of a decoded answer. What is harmless is forgiven: a field that is unknown, an empty one that is
    missing, "" for null.

    Raises ``InvalidOutput``, before any work on a list that is too long.
    """
    if not isinstance(value, dict) or not isinstance(value.get("operations"), list):
        raise InvalidOutput("no list of operations")
    if len(value["operations"]) > MOST:
        raise InvalidOutput(f"more than {MOST} operations")
    return [parse_operation(one) for one in value["operations"]]


def parse_operation(value: object) -> Operation:
    """One operation of a decoded answer. Raises ``InvalidOutput``."""
    if not isinstance(value, dict):
        raise InvalidOutput("an operation is not an object")
    fields: dict[str, Any] = {}
    for name in (*_CHOICES, *_TEXTS, *_NULLABLE):
        field = value.get(name, _OPTIONAL.get(name))
        if field is None and name in _OPTIONAL:
            field = _OPTIONAL[name]
        if field is not None and not isinstance(field, str):
            raise InvalidOutput(f"{name} is not a string")
        if field is None and name not in _NULLABLE:
            raise InvalidOutput(f"{name} is missing")
        if field is not None and len(field) > FIELD_LIMIT:
            raise InvalidOutput(f"{name} is too long")
        fields[name] = field
    for name, choices in _CHOICES.items():
        if fields[name] not in choices:
            raise InvalidOutput(f"{name} is none of its values")
    return Operation(**fields | {"expires": _day(fields["expires"]), "target": fields["target"] or None})


def _day(value: str | None) -> date | None:
    if not value:
        return None
    try:
        if len(value) != len("2026-01-01"):
            raise ValueError(value)
        return date.fromisoformat(value)
    except ValueError:
        raise InvalidOutput("expires is not a day") from None


def parse_text(answer: str) -> list[Operation]:
    """The operations of an answer as a model wrote it, which may hold thoughts before the object and a fence around it.

    The last object with operations counts. Raises ``InvalidOutput``, also for half an object.
    """
    if len(answer) > ANSWER_LIMIT:
        raise InvalidOutput("too long")
    answer = answer.rpartition("</think>")[2]
    last: object = None
    end = 0
    for found, after in _objects(answer):
        last, end = found, after
    if '"operations"' in answer[end:]:
        raise InvalidOutput("half an answer")
    return parse(last)


_TRIES = 50
"""Places of an answer at which an object may begin."""


def _objects(answer: str) -> Iterator[tuple[object, int]]:
    """The objects with operations in an answer, each with where it ends."""
    decoder = json.JSONDecoder()
    place = 0
    for _ in range(_TRIES):
        place = answer.find("{", place)
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(answer, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if isinstance(found, dict) and "operations" in found:
            yield found, end
        place = end
