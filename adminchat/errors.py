"""The page for what goes wrong on our side."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

RETRY_AFTER = 5  # seconds


def server_error(request: HttpRequest) -> HttpResponse:
    """503 while the database is away or locked, which passes (REL-4); else 500. Called while the error is handled."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_AFTER)})
    return HttpResponse(render_to_string("500.html"), status=500)
