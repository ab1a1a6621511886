"""``manage.py memory_validate``: what would become of operations that a model proposes for messages."""

import json
import sys
from datetime import date
from io import TextIOWrapper
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from memory.learning.book import Known
from memory.learning.operations import InvalidOutput, Operation, parse_operation
from memory.learning.outcomes import Outcome
from memory.learning.validation import MESSAGE_LIMIT, validate

LINE_LIMIT = 1_000_000
"""Characters of a line."""


class Command(BaseCommand):
    help = _(
        "Says for JSON lines with messages and proposed operations what validation makes of them, without a database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--today", type=date.fromisoformat, help=_("The day of the messages, as YYYY-MM-DD."))

    def handle(self, *args: Any, today: date | None, **options: Any) -> None:
        wrong = 0
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        for number, line in enumerate(sys.stdin, 1):
            if not line.strip():
                continue
            try:
                answer = judge(_decoded(line), today or timezone.localdate())
            except ValueError:
                wrong += 1
                self.stderr.write(_("Line %(number)d is not of the right form.") % {"number": number})
                continue
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()
        if wrong:
            raise CommandError(_("Lines that could not be read: %(count)d.") % {"count": wrong})


def _decoded(line: str) -> dict[str, Any]:
    """One line's object. Raises ``ValueError``."""
    try:
        value = json.loads(line) if len(line) <= LINE_LIMIT else None
    except RecursionError:
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("text"), str) or "id" not in value:
        raise ValueError("no message")
    if not isinstance(value.get("operations"), list) or not isinstance(value.get("book") or [], list):
        raise ValueError("no operations")
    return value


def judge(value: dict[str, Any], today: date) -> dict[str, Any]:
    """The line's answer. An operation that is not of the right form is ``invalid_output``; the others are judged.

    Raises ``ValueError`` when the line itself is not of the right form.
    """
    workspace = value.get("workspace") or None
    if workspace is not None and not isinstance(workspace, str):
        raise ValueError("workspace")
    parsed = [_parsed(operation) for operation in value["operations"]]
    book = [_known(entry) for entry in value.get("book") or []]
    valid = [operation for operation in parsed if operation]
    if len(value["text"]) > MESSAGE_LIMIT:
        outcomes = iter([Outcome.TOO_LONG] * len(valid))
    else:
        room = max(0, settings.ADMINCHAT_MEMORY_ENTRIES - len(book))
        judged = validate(value["text"], valid, book=book, workspace=workspace, today=today, room=room)
        outcomes = iter([one.outcome for one in judged])
    results = [
        {
            "op": given.get("op") if isinstance(given, dict) else None,
            "result": _result(next(outcomes) if operation else Outcome.INVALID_OUTPUT),
        }
        for given, operation in zip(value["operations"], parsed, strict=True)
    ]
    return {"id": value["id"], "outcomes": results}


def _result(outcome: Outcome) -> str:
    return "written" if outcome is Outcome.UPDATED else outcome.value


def _parsed(value: object) -> Operation | None:
    try:
        return parse_operation(value)
    except InvalidOutput:
        return None


def _known(entry: object) -> Known:
    if not isinstance(entry, dict):
        raise ValueError("entry")
    fields = {name: entry.get(name, "") for name in ("id", "scope", "tier", "topic", "kind", "text", "fact_key")}
    if not all(isinstance(field, str) for field in fields.values()):
        raise ValueError("entry")
    expires = entry.get("expires")
    if not isinstance(expires, str | None):
        raise ValueError("entry")
    return Known(**fields, pinned=bool(entry.get("pinned")), expires=date.fromisoformat(expires) if expires else None)
