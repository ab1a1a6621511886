"""Database work of asynchronous code.

A turn's task and a waiting stream must not hold a database connection: they live for minutes and there are hundreds
of them. So their database work runs in a small pool of threads, each with one connection of its own that is kept open
between calls, tried before each call, and thrown away after any database error (REL-4).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from django.db import Error, close_old_connections, connections, reset_queries

P = ParamSpec("P")
T = TypeVar("T")

POOL_THREADS = 4

_pool = ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="database")


async def in_database_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run ``work`` in the pool and return what it returns; cancelling the caller doesn't stop work that has begun."""
    return await asyncio.get_running_loop().run_in_executor(_pool, lambda: _call(work, *args, **kwargs))


def _call(work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    reset_queries()
    close_old_connections()
    try:
        return work(*args, **kwargs)
    except Error:
        connections.close_all()
        raise
