"""Each page in its reader's language and time zone."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin


class AccountPreferencesMiddleware(MiddlewareMixin):
    """Activates the account's language and time zone (I18N-2).

    Comes after Django's locale and authentication middleware: what the account leaves open stays as they found it, the
    cookie's language or else the browser's, and the site's time zone.
    """

    def process_request(self, request: HttpRequest) -> None:
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
