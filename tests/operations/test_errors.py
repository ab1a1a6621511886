"""What goes wrong on our side: what passes, and what doesn't (REL-4)."""

import sqlite3

import pytest
from django.db import InterfaceError, OperationalError
from django.test import RequestFactory

from adminchat.errors import server_error


def _answer(error: Exception, cause: Exception | None) -> int:
    try:
        raise error from cause
    except type(error):
        return server_error(RequestFactory().get("/")).status_code


def _of_sqlite(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("secret")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize("name", ["SQLITE_BUSY", "SQLITE_LOCKED_SHAREDCACHE", "SQLITE_IOERR_READ", "SQLITE_CANTOPEN"])
def test_a_database_that_is_away_or_locked_is_waited_for(name: str) -> None:  # REL-4
    assert _answer(OperationalError(), _of_sqlite(name)) == 503


@pytest.mark.parametrize("name", ["SQLITE_ERROR", "SQLITE_FULL", "SQLITE_READONLY"])
def test_what_waiting_does_not_mend_is_not_called_passing(name: str) -> None:  # REL-4, REL-7
    assert _answer(OperationalError(), _of_sqlite(name)) == 500


def test_a_lost_server_is_waited_for() -> None:  # REL-4
    assert _answer(OperationalError(), None) == 503
    assert _answer(InterfaceError(), None) == 503
    assert _answer(ValueError(), None) == 500
