"""Follows turns for the pages that watch them, wherever they run.

A turn of this process is watched through its own feed. For any other: listen first, then read the database, then wait
for pieces. Each says where it begins, so that one that was known already adds nothing, and one that comes after a gap
makes us ask the turn's process to save, and read again. Silence, which is what a broker that is away or a process that
was killed look like, makes us read the database once a second.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from django.db import Error as DatabaseError

from adminchat.lib.database import in_database_thread
from adminchat.lib.events import Inbox, Payload, hub
from chat import turns
from chat.feeds import Feed
from chat.models import Turn
from chat.streaming import runner
from memory.selectors import has_activity

SILENCE_SECONDS = 1.0

_followed: dict[UUID, tuple[Feed, "asyncio.Task[None]"]] = {}


@asynccontextmanager
async def watch(turn: Turn) -> AsyncIterator[Feed]:
    """The feed of ``turn``, kept going as long as somebody watches."""
    if own := await runner().feed(turn.pk):
        yield own
        return
    if turn.pk not in _followed:
        feed = Feed(turn.pk)
        _followed[turn.pk] = (feed, asyncio.create_task(_follow(feed)))
    feed, task = _followed[turn.pk]
    feed.viewers += 1
    try:
        yield feed
    finally:
        feed.viewers -= 1
        if not feed.viewers:
            task.cancel()
            _followed.pop(turn.pk, None)


async def _follow(feed: Feed) -> None:
    with hub().listen(turns.turn_channel(feed.turn_id)) as inbox:
        waiting: list[Payload] = []
        while not feed.ended:
            try:
                state, text, feed.has_report = await in_database_thread(_progress, feed.turn_id)
            except DatabaseError:
                await asyncio.sleep(SILENCE_SECONDS)
                continue
            feed.put(0, text)
            waiting = [piece for piece in waiting if not feed.put(piece["at"], piece["text"])]
            if state not in Turn.OPEN:
                feed.end()
                return
            if state == Turn.State.PENDING:
                runner().take(feed.turn_id)
            feed.notify()
            await _listen(feed, inbox, waiting)


async def _listen(feed: Feed, inbox: Inbox, waiting: list[Payload]) -> None:
    """Take pieces until the database has to be read; those that come after a gap are added to ``waiting``."""
    asked = False
    while True:
        try:
            event = await asyncio.wait_for(inbox.get(), SILENCE_SECONDS)
        except TimeoutError:
            return
        if event is None or "text" not in event:  # among them: that the report is there
            return
        if not feed.put(event["at"], event["text"]):
            if not asked:
                hub().publish(turns.control_channel(feed.turn_id), {"do": "save"})
                asked = True
            waiting.append(event)
        else:
            feed.notify()


def _progress(turn_id: UUID) -> tuple[str, str, bool]:
    """State and text of a turn, and whether its report is there, after ending it when its process has gone.

    A deleted turn counts as ended.
    """
    row = Turn.objects.filter(pk=turn_id).select_related("session__user", "reply").first()
    if row is None:
        return Turn.State.INTERRUPTED, "", False
    if row.is_open and turns.sweep(session=row.session):
        row.refresh_from_db()
    return row.state, row.reply.text, bool(row.memory_rule) or has_activity(row.session.user, turn_id)
