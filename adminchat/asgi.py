"""The ASGI application: Django, with a lifespan that lets running turns finish when the process is asked to stop."""

import asyncio
import gc
import os
import signal
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from types import FrameType
from typing import Any

import django
from django.db import DatabaseError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.quickstart")

django.setup(set_prefix=False)

from adminchat.connections.endpoints import kinds_in_use  # noqa: E402  (after the apps are loaded)
from adminchat.handlers import PageHandler  # noqa: E402
from adminchat.lib.database import in_database_thread  # noqa: E402
from adminchat.lib.events import hub  # noqa: E402
from adminchat.providers.registry import preload  # noqa: E402
from chat.streaming import runner  # noqa: E402
from memory import loads  # noqa: E402

django_application = PageHandler()

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        await django_application(scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            hub()
            _drain_on_signal()
            await _warm_up()
            await send({"type": "lifespan.startup.complete"})
        else:
            await runner().drained()
            await hub().stop()
            await send({"type": "lifespan.shutdown.complete"})
            return


async def _warm_up() -> None:
    """Load what is in use, of protocols and word lists, before somebody waits for it; then leave all that is loaded to itself.

    Without the last step the collector would walk through every module again and again, a tenth of all the work.
    """
    with suppress(DatabaseError):
        kinds = await in_database_thread(kinds_in_use)
        await asyncio.to_thread(preload, kinds)
        await in_database_thread(loads.warm_up)
    gc.collect()
    gc.freeze()


def _drain_on_signal() -> None:
    """Begin to drain at the signal, before the server waits for its connections: pages that watch a turn are among them."""
    loop, turns = asyncio.get_running_loop(), runner()
    for number in (signal.SIGTERM, signal.SIGINT):
        previous = signal.getsignal(number)

        def drain(received: int, frame: FrameType | None, previous: Any = previous) -> None:
            loop.call_soon_threadsafe(turns.drain)
            if callable(previous):
                previous(received, frame)

        signal.signal(number, drain)
