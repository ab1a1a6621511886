"""``manage.py make_key``: a new key for FIELD_ENCRYPTION_KEY."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from adminchat.settings.keyfiles import new_encryption_key


class Command(BaseCommand):
    help = _("Prints a new key for FIELD_ENCRYPTION_KEY.")
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(new_encryption_key())
