"""Objects for views: what isn't there for this user is 404, whoever it belongs to."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest
from django_htmx.middleware import HtmxDetails

from adminchat.accounts.models import User

T = TypeVar("T")


class HtmxRequest(HttpRequest):
    """A request of a signed-in user, as the middleware leaves it."""

    htmx: HtmxDetails
    user: User


def found(select: Callable[[User, UUID], T], user: User, key: UUID) -> T:
    """What ``select`` finds for ``user``; raises ``Http404`` instead of its ``DoesNotExist``."""
    try:
        return select(user, key)
    except ObjectDoesNotExist:
        raise Http404 from None
