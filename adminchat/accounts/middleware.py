"""Each page in its reader's language and time zone, and the way to sign in again from within a page."""

import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails


class AccountPreferencesMiddleware(MiddlewareMixin):
    """Activates the account's language and time zone (I18N-2).

    Comes after Django's locale and authentication middleware: what the account leaves open stays as they found it, the
    cookie's language or else the browser's, and the site's time zone.
    """

    def process_request(self, request: HttpRequest) -> None:
        request.arrived_at = f"{time.time():.6f}"  # type: ignore[attr-defined]  # before anything was read for the page
        timezone.deactivate()
        user = request.user
        if not user.is_authenticated:
            return
        if user.language and translation.check_for_language(user.language):
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        if user.time_zone:
            try:
                timezone.activate(ZoneInfo(user.time_zone))
            except (ZoneInfoNotFoundError, ValueError):
                timezone.deactivate()


class WholePageRedirectMiddleware(MiddlewareMixin):
    """Lets a redirect that answers htmx move the whole page, which htmx would otherwise put inside a part of it.

    Who has to sign in (again) comes back to the page they were on, where the browser has kept their draft. Comes after
    django-htmx's middleware.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
        if not htmx or not 300 <= response.status_code < 400 or "Location" not in response.headers:
            return response
        address = response.headers["Location"]
        if address.partition("?")[0] == resolve_url(settings.LOGIN_URL):
            address = redirect_to_login(htmx.current_url_abs_path or "/").url
        moved = HttpResponseClientRedirect(address)
        moved.cookies = response.cookies
        return moved
