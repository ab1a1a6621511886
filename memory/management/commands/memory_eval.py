"""How well a version of the prompt for learning does on a connection, by a file of messages (PROMPT-4)."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from adminchat.accounts.tenants import default_tenant
from adminchat.connections.models import ChatModel
from adminchat.prompts.resolution import NoPrompt, resolve
from adminchat.prompts.versions import Figures, keep_score
from memory.learning.evaluation import Evaluation, Utterance, evaluate
from memory.learning.learner import RANGE


class Command(BaseCommand):
    help = str(
        gettext_lazy("Says as JSON how well messages of a file are learned from: precision, recall, refusals, cost.")
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, help=_("JSON lines with “text” and “expect”, which is “learn” or “skip”.")
        )
        parser.add_argument(
            "--connection", help=_("The name of the connection to ask; without it the rules are tried.")
        )
        parser.add_argument("--prompt", default=RANGE, help=_("The code of the version, or the range."))
        parser.add_argument("--today", help=_("The day of the messages, as YYYY-MM-DD."))

    def handle(
        self, *args: Any, file: Path, connection: str | None, prompt: str, today: str | None, **options: Any
    ) -> None:
        day = parse_date(today) if today else timezone.localdate()
        if day is None:
            raise CommandError(_("This is not a day. Write it as YYYY-MM-DD."))
        tenant = default_tenant()
        try:
            found = resolve(tenant.pk, prompt) if connection else None
        except NoPrompt as none:
            raise CommandError(str(none.sentence)) from None
        model = _model(tenant.pk, connection) if connection else None
        result = evaluate(_utterances(file), found, model, day)
        if found and model:
            keep_score(
                tenant.pk,
                found.code,
                Figures(
                    precision=result.precision,
                    recall=result.recall,
                    refusals=result.refused,
                    seconds=result.seconds,
                    connection=model.connection.name,
                    model=model.name,
                ),
            )
        self.stdout.write(json.dumps(_figures(result) | {"prompt": found.code if found else "rules-1"}))


def _model(tenant_id: Any, connection: str) -> ChatModel:
    models = ChatModel.objects.filter(connection__tenant=tenant_id, connection__name=connection, enabled=True)
    model = models.select_related("connection").order_by("-is_default", "name").first()
    if model is None:
        raise CommandError(_("There is no connection of this name with a model."))
    return model


def _utterances(file: Path) -> list[Utterance]:
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [
            Utterance(row["text"], row["expect"] == "learn") for row in rows if "expect" not in row.get("either", [])
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CommandError(_("The file is not there, or is not of the right form.")) from None


def _figures(result: Evaluation) -> dict[str, Any]:
    return {
        "messages": result.messages,
        "failed": result.failed,
        "precision": round(result.precision, 3),
        "recall": round(result.recall, 3),
        "refusals": round(result.refusals, 3),
        "input_tokens": result.input_tokens,
        "output_tokens": result.output_tokens,
        "seconds": round(result.seconds, 1),
    }
