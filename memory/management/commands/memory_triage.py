"""``manage.py memory_triage``: which of some messages ask for something to be remembered (LEARN-2 to LEARN-6)."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from memory.learning.eligibility import judge


class Command(BaseCommand):
    help = _("Reads JSON lines with “id” and “text”, and says of each whether it is eligible for learning, or why not.")
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        bad = 0
        for number, line in enumerate(sys.stdin, start=1):
            if not line.strip():
                continue
            try:
                message = json.loads(line)
                message_id, verdict = message["id"], judge(message["text"])
            except (ValueError, KeyError, TypeError):
                bad += 1
                self.stderr.write(_("Line %(number)d is no JSON object with “id” and “text”.") % {"number": number})
                continue
            answer = {"id": message_id, "eligible": verdict.eligible, "reason": verdict.reason}
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
            self.stdout.flush()
        if bad:
            raise CommandError(_("Some lines could not be read; the others were answered."))
