"""Who may open a view."""

from collections.abc import Callable
from typing import TypeVar, cast

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.auth.decorators import user_passes_test
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

from adminchat.accounts.models import User

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class UserRequest(HttpRequest):
    """A request of somebody who is signed in, as every view behind ``login_required`` or one of these gets it."""

    user: User
    htmx: HtmxDetails


def _is_super_admin(user: User | AnonymousUser) -> bool:
    if not isinstance(user, User):
        return False
    if not user.is_super_admin:
        raise PermissionDenied
    return True


super_admin_required = user_passes_test(_is_super_admin)
"""Let super administrators in, send strangers to the sign-in page and answer others with 403 (SEC-1)."""


def confirmation_before_form(view: View) -> View:
    """Ask for the password again before a form is shown (SEC-9).

    Not before it is sent: what was typed would have to wait in the login session, in clear, until the password has
    come. A view of such a form looks at ``is_confirmed`` instead.
    """
    guarded = reauthentication_required(enabled=lambda request: request.method == "GET")(view)
    return cast(View, guarded)


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the person has typed their password again a short while ago (SEC-9)."""
    try:
        reauthentication_required(lambda request: HttpResponse())(request)
    except ReauthenticationRequired:
        return False
    return True
