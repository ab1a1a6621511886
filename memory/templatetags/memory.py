"""What templates of the Memory panel need."""

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe

from memory.expiry import day_and_time
from memory.tabs import TABS

register = template.Library()


@register.simple_tag(takes_context=True)
def memory_tabs(context: dict[str, Any], current: str) -> list[dict[str, Any]]:
    """The tabs as links that keep the session from which the panel was opened."""
    query = session_query(context)
    return [
        {"name": tab.name, "label": tab.label, "href": tab.address + query, "current": tab.name == current}
        for tab in TABS
    ]


@register.simple_tag(takes_context=True)
def session_query(context: dict[str, Any]) -> SafeString:
    """``?session=…`` for an address of the panel, or nothing."""
    place = context.get("place")
    return mark_safe(f"?session={place.session_id}") if place else SafeString("")


@register.filter
def last_day(moment: datetime) -> str:
    """The last day on which an entry holds, with the time where it ends within the day."""
    day, within = day_and_time(moment)
    if within is None:
        return date_format(day, "DATE_FORMAT")
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
