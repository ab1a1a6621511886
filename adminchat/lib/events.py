"""Messages to every web process, by channel: the way to say "look again".

Within a process they are delivered at once and need no broker. Redis publish/subscribe carries them to the other
processes; nothing is stored there, and nobody waits for it. When the broker is away, or comes back, listeners get
``None``, which means that something may have been missed: the database is the truth, read it again (REL-3).
"""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import orjson
import redis
import redis.asyncio
from django.conf import settings
from django.db import transaction
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

logger = logging.getLogger(__name__)

Payload = dict[str, Any]
Inbox = asyncio.Queue[Payload | None]

PREFIX = "adminchat:"
INBOX_LIMIT = 1000  # messages; a listener that falls further behind is told to look again
OUTBOX_LIMIT = 10_000  # messages waiting for the broker; older ones are dropped
RETRY_SECONDS = 1.0

_hub: "Hub | None" = None


class Hub:
    """The exchange of one web process. All methods belong to the event loop that started it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._name = uuid.uuid4().hex
        self._loop = asyncio.get_running_loop()
        self._inboxes: dict[str, set[Inbox]] = {}
        self._outbox: deque[tuple[str, bytes]] = deque(maxlen=OUTBOX_LIMIT)
        self._outgoing = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._subscriber: redis.asyncio.client.PubSub | None = None
        self._connected = False

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def start(self) -> None:
        if self._url:
            self._tasks = [self._loop.create_task(self._receive()), self._loop.create_task(self._send())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def is_connected(self) -> bool:
        """Whether the broker carries messages to and from other processes now."""
        return self._connected

    def is_wanted(self, channel: str) -> bool:
        """Whether anybody may be listening; without a broker only this process is known."""
        return self._connected or channel in self._inboxes

    def publish(self, channel: str, payload: Payload) -> None:
        """Deliver to this process's listeners now and hand to the broker; never waits, never fails."""
        self._deliver(channel, payload)
        if self._connected:
            self._outbox.append((PREFIX + channel, orjson.dumps({"from": self._name, "data": payload})))
            self._outgoing.set()

    def nudge(self) -> None:
        """Tell every listener of this process to look again."""
        for channel in list(self._inboxes):
            self._deliver(channel, None)

    @contextmanager
    def listen(self, channel: str) -> Iterator[Inbox]:
        """An inbox that gets what is published on ``channel`` from now on."""
        inbox: Inbox = asyncio.Queue(INBOX_LIMIT)
        inboxes = self._inboxes.setdefault(channel, set())
        inboxes.add(inbox)
        if len(inboxes) == 1:
            self._change_subscription(channel, wanted=True)
        try:
            yield inbox
        finally:
            inboxes.discard(inbox)
            if not inboxes and self._inboxes.get(channel) is inboxes:
                del self._inboxes[channel]
                self._change_subscription(channel, wanted=False)

    def _deliver(self, channel: str, payload: Payload | None) -> None:
        for inbox in self._inboxes.get(channel, ()):
            if inbox.full():
                while not inbox.empty():
                    inbox.get_nowait()
                inbox.put_nowait(None)
            else:
                inbox.put_nowait(payload)

    def _change_subscription(self, channel: str, *, wanted: bool) -> None:
        if self._subscriber and self._connected:
            change = self._subscriber.subscribe if wanted else self._subscriber.unsubscribe
            task = self._loop.create_task(self._quietly(change, PREFIX + channel))
            self._tasks.append(task)
            task.add_done_callback(self._tasks.remove)

    async def _quietly(self, change: Callable[[str], Awaitable[None]], channel: str) -> None:
        with suppress(Exception):  # the receiver sees the same, and subscribes anew
            await change(channel)

    async def _receive(self) -> None:
        """Keep a subscription to all channels that are listened to, across restarts of the broker."""
        home = PREFIX + self._name  # a channel of one's own, so that there always is a subscription to wait on
        while True:
            client = redis.asyncio.Redis.from_url(
                self._url, socket_connect_timeout=2, health_check_interval=15, retry=Retry(NoBackoff(), 0)
            )
            try:
                self._subscriber = client.pubsub(ignore_subscribe_messages=True)
                known = set(self._inboxes)
                await self._subscriber.subscribe(home, *(PREFIX + channel for channel in known))
                self._connected = True
                for channel in self._inboxes.keys() - known:
                    self._change_subscription(channel, wanted=True)
                self.nudge()
                async for message in self._subscriber.listen():
                    self._take(message)
            except Exception as error:  # noqa: BLE001 (whatever it is, this process must hear the others again)
                if self._connected:
                    logger.warning(
                        "The broker is away; other web processes are reached through the database.",
                        extra={"error_type": type(error).__name__},
                    )
                self._connected = False
                self._outbox.clear()
                await asyncio.sleep(RETRY_SECONDS)
            finally:
                self._connected = False
                await client.aclose()

    def _take(self, message: dict[str, Any]) -> None:
        try:
            event = orjson.loads(message["data"])
            if event["from"] != self._name:
                self._deliver(message["channel"].decode().removeprefix(PREFIX), event["data"])
        except (ValueError, KeyError, TypeError):
            logger.warning("An announcement could not be read; it may be one of another version.")

    async def _send(self) -> None:
        client = redis.asyncio.Redis.from_url(
            self._url, socket_connect_timeout=2, socket_timeout=5, retry=Retry(NoBackoff(), 1)
        )
        try:
            while True:
                await self._outgoing.wait()
                self._outgoing.clear()
                pipeline = client.pipeline(transaction=False)
                while self._outbox:
                    pipeline.publish(*self._outbox.popleft())
                try:
                    await pipeline.execute()
                except Exception:  # noqa: BLE001 (as above; that the broker is away, the receiver says)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            await client.aclose()


def user_channel(user_id: uuid.UUID) -> str:
    """What concerns all pages of one user: ``session`` with the id of one that has changed, ``receipt`` with that of a turn
    whose learning has ended, ``rights`` when they lost one."""
    return f"user:{user_id}"


def announce_lost_rights(user_id: uuid.UUID) -> None:
    """After the commit, let open streams of a user look whether they may still be told (CHAT-21)."""
    transaction.on_commit(partial(announce, user_channel(user_id), {"rights": True}))


def hub() -> Hub:
    """The hub of the running event loop, started at first use."""
    global _hub
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:
        _hub = Hub(settings.REDIS_URL)
        _hub.start()
    return _hub


def announce(channel: str, payload: Payload) -> None:
    """Publish from any thread or process. Best effort: without a broker only this process hears it."""
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.publish, channel, payload)
    elif settings.REDIS_URL:
        try:
            with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1) as client:
                client.publish(PREFIX + channel, orjson.dumps({"from": "", "data": payload}))
        except (redis.RedisError, OSError):
            logger.warning("The broker is away; an announcement was dropped.")
