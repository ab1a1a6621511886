"""Database work of asynchronous code.

A turn's task and a waiting stream must not hold a database connection: they live for minutes and there are hundreds
of them. So their database work runs in a small pool of threads, each with one connection of its own that is kept open
between calls, and thrown away after any database error (REL-4).
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.db import Error, close_old_connections, connections, reset_queries

P = ParamSpec("P")
T = TypeVar("T")

POOL_THREADS = 4
TRIED_AFTER_SECONDS = 1.0

_pool = ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="database")
_thread = threading.local()


async def in_database_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run ``work`` in the pool and return what it returns; cancelling the caller doesn't stop work that has begun."""
    return await asyncio.get_running_loop().run_in_executor(_pool, lambda: _call(work, *args, **kwargs))


@contextmanager
def kept_connections() -> Iterator[None]:
    """For work in a thread of a pool: its connections stay open for the next one, unless a database error ends it.

    One that has rested for a while is tried before it is used. Trying it each time would double the journeys of much of
    the work; what breaks in between costs one error, as what breaks during the work does.
    """
    reset_queries()
    close_old_connections()
    if time.monotonic() - getattr(_thread, "worked_at", 0.0) < TRIED_AFTER_SECONDS:
        for connection in connections.all(initialized_only=True):
            connection.health_check_done = True  # type: ignore[attr-defined]  # missing from the stubs
    try:
        yield
    except Error:
        connections.close_all()
        raise
    finally:
        _thread.worked_at = time.monotonic()


def _call(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    with kept_connections():
        return work(*args, **kwargs)
