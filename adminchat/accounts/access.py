"""Who may open a view."""

from django.contrib.auth.decorators import user_passes_test
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from adminchat.accounts.models import User


class UserRequest(HttpRequest):
    """A request of somebody who is signed in, as every view behind a decorator of this module gets it."""

    user: User


def _is_super_admin(user: User | AnonymousUser) -> bool:
    if not isinstance(user, User):
        return False
    if not user.is_super_admin:
        raise PermissionDenied
    return True


super_admin_required = user_passes_test(_is_super_admin)
"""Let super administrators in, send strangers to the sign-in page and answer others with 403 (SEC-1)."""
