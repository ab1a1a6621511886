"""``manage.py rotate_keys``: put a new key first in FIELD_ENCRYPTION_KEY, restart, run this, then drop the old key."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adminchat import keyrotation


class Command(BaseCommand):
    help = _(
        "Encrypts all encrypted fields with the first key of FIELD_ENCRYPTION_KEY, in batches, while the service runs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch-rows", type=int, default=keyrotation.BATCH_ROWS, help=_("rows per transaction"))

    def handle(self, *args: Any, batch_rows: int, **options: Any) -> None:
        """Raises CommandError when something is left that no key decrypts."""
        unreadable = 0
        for model, field in keyrotation.columns():
            progress = keyrotation.Progress(f"{model._meta.label}.{field.name}")
            for progress in keyrotation.rotate(model, field, batch_rows):
                if options["verbosity"] > 1:
                    self.stdout.write(
                        _("%(column)s: %(rotated)d so far") % {"column": progress.column, "rotated": progress.rotated}
                    )
            unreadable += progress.unreadable
            self.stdout.write(
                _(
                    "%(column)s: %(rotated)d rotated, %(current)d already with the first key, "
                    "%(changed)d changed meanwhile, %(unreadable)d unreadable"
                )
                % asdict(progress)
            )
        if unreadable:
            raise CommandError(
                ngettext(
                    "%(count)d value cannot be decrypted by any key of FIELD_ENCRYPTION_KEY. Keep all old keys in the "
                    "list, behind the new one, and run this again.",
                    "%(count)d values cannot be decrypted by any key of FIELD_ENCRYPTION_KEY. Keep all old keys in the "
                    "list, behind the new one, and run this again.",
                    unreadable,
                )
                % {"count": unreadable}
            )
        self.stdout.write(_("Everything is encrypted with the first key; the others can be removed."))
