"""The few words that rendered Markdown adds to a text, in the language of whoever looks at it.

HTML is rendered once and kept, also for readers of another language later, so that it holds a mark where a label
belongs. The marks are private-use characters; one that somebody typed can at worst become a label.
"""

import re

from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

LABELS: dict[str, str | Promise] = {
    # Translators: button that copies one block of code.
    "copy": _("Copy"),
    # Translators: label of a block of code whose language is not known.
    "code": _("Code"),
    # Translators: what a screen reader calls the box in which a wide table scrolls.
    "table": _("Table"),
    # Translators: stands in a very long text, of which the rest is not formatted.
    "plain": _(
        "This text is very long. From here on it is shown as it was written; copying and exporting give all of it."
    ),
    "done": _("Done"),
    "todo": _("To do"),
}

_MARK = re.compile("\ue000([a-z]{1,10})\ue001")


def mark(name: str) -> str:
    """The mark of one of the ``LABELS``."""
    return f"\ue000{name}\ue001"


def localised(html: str) -> SafeString:
    """Rendered Markdown with its labels in the active language."""
    return mark_safe(_MARK.sub(lambda found: escape(str(LABELS.get(found[1], ""))), html))
