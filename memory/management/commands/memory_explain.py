"""``memory_explain``: what a question of somebody would load, and why (10-interfaces)."""

import json
import logging
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from adminchat.accounts.models import User
from adminchat.lib.encryption import DecryptionError
from memory import loads, places
from memory.places import NoPlace, Place
from memory.targets import target_of

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Print what a question would load of somebody's entries, and why, as JSON. The call is logged."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", required=True, help="username")
        parser.add_argument("--session", type=UUID, help="id of a session of theirs; decides workspace and model")
        parser.add_argument("--question", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get(username=options["user"])
        except User.DoesNotExist:
            raise CommandError("There is no user of this name.") from None
        place = self._place(user, options["session"])
        logger.info("An operator looked at what a user's memory loads", extra={"user": str(user.pk)})
        try:
            made = loads.load(user, options["question"], target_of(user, place))
        except DecryptionError:
            raise CommandError("An entry of this user cannot be decrypted with the configured keys.") from None
        selection = made.selection
        answer = {
            "loaded": [
                {
                    "id": one.entry.id,
                    "scope": one.entry.scope,
                    "tier": one.entry.tier,
                    "topic": one.entry.topic,
                    "text": one.entry.text,
                    "reason": str(one.why),
                    "words": list(one.words),
                    "tokens": one.tokens,
                }
                for one in selection.loaded
            ],
            "not_loaded": [
                {"id": one.entry.id, "text": one.entry.text, "reason": str(one.why)} for one in selection.not_loaded
            ],
            "tokens": selection.tokens,
            "core_tokens": selection.core_tokens,
            "budget": made.target.limits.total,
            "core_budget": made.target.limits.core,
            "tokenizer": made.tokenizer,
            "exact": made.exact,
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))

    def _place(self, user: User, session_id: UUID | None) -> Place | None:
        if session_id is None:
            return None
        try:
            return places.place(user, session_id)
        except NoPlace:
            raise CommandError("This user has no such session.") from None
