"""What learning would make of a sentence, for those who look after an installation."""

import json
import logging
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from adminchat.accounts.models import MemoryMode, User
from adminchat.accounts.policies import policy_for
from adminchat.connections.selectors import default_model
from memory.learning import learner
from memory.learning.apply import Applied, apply, as_json
from memory.learning.eligibility import judge
from memory.learning.extraction import Call
from memory.learning.outcomes import Outcome
from memory.places import Subject

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = str(gettext_lazy("Says as JSON what learning makes of a text: the receipt, with operations and outcomes."))

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", required=True, help=_("The user name of whose memory it is."))
        parser.add_argument("--text", required=True, help=_("The message."))
        parser.add_argument("--dry-run", action="store_true", help=_("Write nothing."))

    def handle(self, *args: Any, user: str, text: str, dry_run: bool, **options: Any) -> None:
        try:
            owner = User.objects.get(username=user, is_active=True)
        except User.DoesNotExist:
            raise CommandError(_("There is no user with this name.")) from None
        logger.info("An operator let memory learn from a text", extra={"user": str(owner.pk)})
        self.stdout.write(json.dumps(_receipt(owner, text, dry_run=dry_run), ensure_ascii=False))


def _receipt(user: User, text: str, *, dry_run: bool) -> dict[str, Any]:
    verdict = judge(text, languages=policy_for(user).learning_languages)
    if not verdict.eligible:
        return {"reason": verdict.reason, "operations": []}
    call = Call()
    message_id = uuid4()
    subject = Subject(
        user=user,
        session_id=message_id,
        message_id=message_id,
        text=text,
        asked_at=timezone.now(),
        workspace=None,
        mode=MemoryMode.LEARN,
        is_capped=False,
        model=default_model(user),
    )
    try:
        with learner.in_time_zone(user):
            proposal = learner.propose(subject, None, call)
            with transaction.atomic():
                applied = apply(user, proposal, ask_first=False)
                transaction.set_rollback(dry_run)
    except learner.Ended as ended:
        return {"reason": ended.outcome, "operations": []} | _cost(call)
    return {
        "reason": applied.outcome,
        "prompt": proposal.origin.prompt_code,
        "dry_run": dry_run,
        "operations": _operations(applied),
    } | _cost(call)


def _operations(applied: Applied) -> list[dict[str, Any]]:
    return [json.loads(as_json(one.operation)) | {"result": _result(one.outcome)} for one in applied.judged]


def _result(outcome: Outcome) -> str:
    return "written" if outcome == Outcome.UPDATED else outcome


def _cost(call: Call) -> dict[str, Any]:
    return {
        "input_tokens": call.input_tokens,
        "output_tokens": call.output_tokens,
        "seconds": round(call.seconds, 3),
    }
