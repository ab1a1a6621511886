"""The connections of threads that work for asynchronous code and for pages."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection, connections

from adminchat.lib.database import kept_connections


def _work_twice(rest: float) -> tuple[bool, int]:
    """Whether two pieces of work had one connection, and how often it was tried, with that many seconds between them."""
    with patch("adminchat.lib.database.time.monotonic", return_value=1000.0) as clock, kept_connections():
        connection.ensure_connection()
        first = connection.connection
    clock.return_value += rest
    with (
        patch("adminchat.lib.database.time.monotonic", clock),
        patch.object(type(connections["default"]), "is_usable", return_value=True) as tried,
        kept_connections(),
    ):
        connection.cursor().close()
        same = connection.connection is first
    connection.close()
    return same, tried.call_count


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("rest", "times"), [(0.1, 0), (60.0, 1)])
def test_kept_connection_is_tried_after_a_rest_only(rest: float, times: int) -> None:  # PERF-4, REL-4
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_work_twice, rest).result() == (True, times)


def _fail() -> bool:
    try:
        with kept_connections():
            connection.ensure_connection()
            raise OperationalError("gone")
    except OperationalError:
        return connection.connection is None
    return False


@pytest.mark.django_db(transaction=True)
def test_connection_is_thrown_away_after_a_database_error() -> None:  # REL-4
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_fail).result()
