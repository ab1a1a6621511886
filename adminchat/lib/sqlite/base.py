"""SQLite where the writers of one process wait in a line.

A writer that finds the database locked asks again after a while, up to a tenth of a second later, and whoever asks at the
right moment wins: under load some starve while the database is idle half of the time. So the threads of a process first
wait for each other, which wakes the next one at once; SQLite's own lock then only has to settle it between processes.
"""

from threading import Lock
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

_writers = Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes its place in the line when a transaction begins, leaves it when it ends.

    For connections whose transactions are all ``IMMEDIATE``, with a ``timeout`` (seconds) among their options.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_writer = False

    def _start_transaction_under_autocommit(self) -> None:
        if not _writers.acquire(timeout=self.settings_dict["OPTIONS"]["timeout"]):
            raise OperationalError("database is locked")
        self._is_writer = True
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # missing from the stubs
        except BaseException:
            self._leave()
            raise

    def commit(self) -> None:
        super().commit()  # where this fails, a rollback follows
        self._leave()

    def rollback(self) -> None:
        try:
            super().rollback()
        finally:
            self._leave()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._is_writer:
            self._is_writer = False
            _writers.release()
