"""The page for what goes wrong on our side."""

import sqlite3
import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

RETRY_AFTER = 5  # seconds
PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PROTOCOL")


def server_error(request: HttpRequest) -> HttpResponse:
    """503 while the database is away or locked, which passes (REL-4); else 500. Called while the error is handled."""
    if _passes(sys.exc_info()[1]):
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_AFTER)})
    return HttpResponse(render_to_string("500.html"), status=500)


def _passes(error: BaseException | None) -> bool:
    """Whether the database was away or locked. For SQLite a full disk or a missing table is an operational error, too."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    return not isinstance(cause, sqlite3.Error) or cause.sqlite_errorname.startswith(PASSING)
