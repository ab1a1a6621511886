"""Objects for views: what isn't there for this user is 404, whoever it belongs to."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404

from adminchat.accounts.models import User

T = TypeVar("T")


def found(select: Callable[[User, UUID], T], user: User, key: UUID) -> T:
    """What ``select`` finds for ``user``; raises ``Http404`` instead of its ``DoesNotExist``."""
    try:
        return select(user, key)
    except ObjectDoesNotExist:
        raise Http404 from None
