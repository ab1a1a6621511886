from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from chat import upkeep


class Command(BaseCommand):
    help = _("Ends turns whose process has gone, deletes chats whose time is over. Safe to run at any time.")

    def handle(self, *args: Any, **options: Any) -> None:
        swept = upkeep.sweep()
        self.stdout.write(
            _("Interrupted turns: %(turns)d. Expired chats: %(sessions)d.")
            % {"turns": swept.interrupted_turns, "sessions": swept.expired_sessions}
        )
