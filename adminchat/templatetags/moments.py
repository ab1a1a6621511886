"""How templates tell time."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()

MINUTE = 60  # seconds
HOUR = 60 * MINUTE
DAY = 24 * HOUR
MONTH = 30 * DAY
YEAR = 365 * DAY


@register.filter
def ago(moment: datetime) -> str:
    """How long ago ``moment`` was, in its largest unit."""
    seconds = int((timezone.now() - moment).total_seconds())
    if seconds < MINUTE:
        return _("just now")
    if seconds < HOUR:
        count = seconds // MINUTE
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", count) % {"count": count}
    if seconds < DAY:
        count = seconds // HOUR
        return ngettext("%(count)d hour ago", "%(count)d hours ago", count) % {"count": count}
    if seconds < MONTH:
        count = seconds // DAY
        return ngettext("%(count)d day ago", "%(count)d days ago", count) % {"count": count}
    if seconds < YEAR:
        count = seconds // MONTH
        return ngettext("%(count)d month ago", "%(count)d months ago", count) % {"count": count}
    count = seconds // YEAR
    return ngettext("%(count)d year ago", "%(count)d years ago", count) % {"count": count}
