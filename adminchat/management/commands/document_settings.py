"""``manage.py document_settings``: writes docs/settings.md from the settings themselves (OPS-7)."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from adminchat.settings.environment import Setting, env

INTRODUCTION = """# Settings

Everything is set by environment variables; nothing needs to be set for `make run`. Each variable can also be given as
`NAME_FILE`, the path of a file that holds the value, which suits keys and passwords. A variable that doesn't parse
stops the start and is named. Where the kind says "or empty", an empty value switches the limit off.

This table is written by `manage.py document_settings`.

| variable | kind | default | what it is for |
| --- | --- | --- | --- |
"""


class Command(BaseCommand):
    help = _("Writes docs/settings.md.")
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help=_("only fail when the file is not current"))

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        path = settings.BASE_DIR / "docs" / "settings.md"
        text = table(env.settings)
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            raise CommandError(_("docs/settings.md is not current; run manage.py document_settings."))


def table(rows: list[Setting]) -> str:
    """Return the page as Markdown, one line per setting in the order in which they are read."""
    return INTRODUCTION + "".join(
        f"| `{row.name}` | {row.kind} | {_default(row.default)} | {row.about} |\n" for row in rows
    )


def _default(default: str | None) -> str:
    if default is None:
        return "must be set"
    if default == "":
        return "empty"
    return default if " " in default or not default.isascii() else f"`{default}`"
