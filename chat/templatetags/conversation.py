"""What the templates of a conversation need beside their context."""

from django import template

from adminchat.lib.markdown import localised
from chat.failures import Failure, failure
from chat.forms import default_label

register = template.Library()
register.filter("localised", localised)
register.filter("default_label", default_label)


@register.simple_tag
def failure_of(error_code: str) -> Failure:
    """Title and hint for the error code of a failed turn (CHAT-9)."""
    return failure(error_code)
