"""``manage.py memory_rank``: what a book would load for each of some questions."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from adminchat.lib.tokens import count
from memory.budget import Limits
from memory.entries import hand_made_key
from memory.loading import Candidate, select

WORKSPACE = "workspace"
MODEL = ""
"""No model is meant: tokens are estimated, as for a model that is not known."""


class Command(BaseCommand):
    help = _("Says what the entries of a file would load for each of its questions, without a database.")
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help=_("A JSON file with “entries” and “questions”."))

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            book = json.loads(file.read_text(encoding="utf-8"))
            entries = candidates(book["entries"])
            questions = [(question["id"], question["text"]) for question in book["questions"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(_("That file is missing, or not of the right form.")) from error
        for question_id, text in questions:
            selection = select(
                entries,
                text,
                workspace=WORKSPACE,
                now=datetime.now(UTC),
                limits=Limits(settings.ADMINCHAT_MEMORY_TOKENS, settings.ADMINCHAT_MEMORY_CORE_TOKENS),
                count_tokens=lambda text: count(text, MODEL).tokens,
            )
            loaded = [one.entry.id for one in selection.loaded]
            line = {"question_id": question_id, "loaded": loaded, "tokens": selection.tokens}
            self.stdout.write(json.dumps(line, ensure_ascii=False))


def candidates(entries: list[dict[str, Any]]) -> list[Candidate]:
    """The entries of a file as those of one user's book, stored in the order of the file."""
    stored = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Candidate(
            id=entry["id"],
            text=entry["text"],
            topic=entry["topic"],
            tier=entry["tier"],
            workspace=WORKSPACE if entry["scope"] == "workspace" else None,
            pinned=bool(entry.get("pinned")),
            fact_key=entry.get("fact_key") or hand_made_key(entry["topic"], entry["text"]),
            expires_at=None,
            updated_at=stored + timedelta(seconds=place),
        )
        for place, entry in enumerate(entries)
    ]
