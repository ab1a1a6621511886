"""Runs turns in the web process, apart from any request: a closed page changes nothing (CHAT-6).

1. ``launch`` asks the event loop to run a turn that was just committed, as this process's own. One that is found pending
   is claimed first.
2. The reply's text goes into the turn's feed. The first piece is shown at once, later ones together with those of all
   other turns in a pulse of ``ADMINCHAT_COALESCE_SECONDS``; the same pulse carries them to the other web processes.
3. About once a second what all turns have is saved in one transaction, with a heartbeat. Stop orders are looked for in
   the database, too, so that stopping needs no broker.
4. At the end the outcome is committed, and only then do pages hear of it.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from adminchat.lib.database import in_database_thread
from adminchat.lib.events import Inbox, hub, user_channel
from adminchat.providers.base import Finish, Loading, TextDelta, Usage
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import close_all, is_loaded, preload, provider_for
from chat import titles, turns
from chat.context import ATTEMPTS, Assembled, NoModel, assemble
from chat.feeds import Feed
from chat.models import Turn
from chat.system_messages import Unreadable
from chat.turns import Outcome, Progress

logger = logging.getLogger(__name__)

T = TypeVar("T")

DRAIN_SAVE_SECONDS = 5.0  # to save what is there, after the time to finish is over
STOP_LOOK_SECONDS = 0.4
HEAD_START_SECONDS = 0.03
RETRY_DELAYS = (0.1, 0.5, 1.0, 2.0, 5.0)  # seconds, while the database is away


@dataclass
class Running:
    """A turn that this process runs."""

    turn: Turn
    feed: Feed
    assembled: threading.Event  # or ended
    generating: "asyncio.Task[None] | None" = None
    outcome: Outcome = field(default_factory=lambda: Outcome(state=Turn.State.DONE))
    published: int = 0  # characters that other processes were sent
    saved: int = 0  # characters in the database
    saved_at: float = field(default_factory=time.monotonic)  # seconds

    def progress(self) -> Progress:
        """What to save: the text where it has grown, and in any case that the turn is alive."""
        text = self.feed.text if self.saved < self.feed.text_length else None
        return Progress(self.turn.pk, self.turn.reply_id, text)

    def cancel(self, state: str) -> None:
        """End the model's call; what there is stays, marked as ``state``."""
        if self.generating and not self.generating.done():
            self.outcome.state = state
            self.generating.cancel()


class Runner:
    """The turns of one web process."""

    def __init__(self) -> None:
        self.name = uuid4()
        self.loop = asyncio.get_running_loop()
        self.running: dict[UUID, Running] = {}
        self._claims: dict[UUID, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._upkeep: list[asyncio.Task[None]] = []
        self._dirty: set[UUID] = set()
        self._wake = asyncio.Event()
        self._local_slot = asyncio.Semaphore(1)
        self.draining = asyncio.Event()
        self._drain_task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        work = (self._pulse, self._keep, self._look_for_stops)
        self._upkeep = [self.loop.create_task(_forever(step)) for step in work]

    def launch(self, turn: Turn, assembled: threading.Event) -> None:
        """Run a turn that was stored as this process's own; set ``assembled`` when its request is."""
        self._begin_task(self._run(self._own(turn, assembled)))

    def take(self, turn_id: UUID) -> None:
        """Run a turn that was found pending, unless another process takes it or this one is about to stop."""
        if not (self.draining.is_set() or turn_id in self.running or turn_id in self._claims):
            self._claims[turn_id] = asyncio.Event()
            self._begin_task(self._take(turn_id))

    def _begin_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def feed(self, turn_id: UUID) -> Feed | None:
        """The feed of a turn that runs here; of one that was just launched, once it is known whether it does."""
        if claim := self._claims.get(turn_id):
            await claim.wait()
        running = self.running.get(turn_id)
        return running.feed if running else None

    def drain(self) -> None:
        """Take no new turns and let the running ones finish, for a while (CHAT-6)."""
        if not self.draining.is_set():
            self.draining.set()
            hub().nudge()
            self._drain_task = self.loop.create_task(self._drain())

    async def drained(self) -> None:
        """Wait until every turn has ended, or is kept as interrupted."""
        self.drain()
        if self._drain_task:
            await self._drain_task

    async def _drain(self) -> None:
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=settings.ADMINCHAT_STOP_SECONDS)
        for running in list(self.running.values()):
            running.cancel(Turn.State.INTERRUPTED)
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=DRAIN_SAVE_SECONDS)
        for task in self._upkeep:
            task.cancel()
        await close_all()

    def _own(self, turn: Turn, assembled: threading.Event) -> Running:
        running = self.running[turn.pk] = Running(turn, Feed(turn.pk), assembled)
        return running

    async def _take(self, turn_id: UUID) -> None:
        if running := await self._claim(turn_id):
            await self._run(running)

    async def _claim(self, turn_id: UUID) -> Running | None:
        try:
            if turn := await _patiently(turns.claim, turn_id, self.name):
                return self._own(turn, threading.Event())
        except DatabaseError as error:
            logger.error(
                "A turn could not be claimed", extra={"turn": str(turn_id), "error_type": type(error).__name__}
            )
        finally:
            self._claims.pop(turn_id).set()
        return None

    async def _run(self, running: Running) -> None:
        turn_id = running.turn.pk
        running.generating = self.loop.create_task(self._generate(running))
        try:
            with hub().listen(turns.control_channel(turn_id)) as inbox:
                obeying = self.loop.create_task(self._obey(running, inbox))
                await asyncio.wait({running.generating})
                obeying.cancel()
            await self._finish(running)
        finally:
            running.assembled.set()
            self.running.pop(turn_id, None)
            self._dirty.discard(turn_id)

    async def _generate(self, running: Running) -> None:
        outcome = running.outcome
        try:
            await self._stream(running)
        except NoModel:
            outcome.state, outcome.error_code = Turn.State.FAILED, "no_model"
        except Unreadable:
            outcome.state, outcome.error_code = Turn.State.FAILED, "instructions_unreadable"
        except ProviderError as error:
            outcome.state, outcome.error_code = Turn.State.FAILED, error.code.value
        except asyncio.CancelledError:
            if outcome.state == Turn.State.DONE:
                outcome.state = Turn.State.INTERRUPTED
        except Exception as error:  # noqa: BLE001 (whatever it is, the turn ends and its page is told)
            logger.error("A turn failed", extra={"turn": str(running.turn.pk), "error_type": type(error).__name__})
            outcome.state, outcome.error_code = Turn.State.FAILED, "internal"
        else:
            if not running.feed.text_length:
                outcome.state, outcome.error_code = Turn.State.FAILED, "empty"

    async def _stream(self, running: Running) -> None:
        """Ask the model, with less of the conversation when it says that there is too much (CHAT-9)."""
        standing = None
        for attempt in range(ATTEMPTS):
            assembled = await _patiently(assemble, running.turn, attempt=attempt, standing=standing)
            running.assembled.set()
            if standing is None:
                standing = assembled.standing
                self._say_what_is_loaded(running)
            running.outcome.omitted_messages = assembled.omitted
            try:
                if assembled.endpoint.kind == "local":
                    await self._take_turns(running, assembled)
                else:
                    await self._read(running, assembled)
                return
            except ProviderError as error:
                last = attempt == ATTEMPTS - 1 or running.feed.text_length or not assembled.shrinkable
                if error.code != ErrorCode.CONTEXT_OVERFLOW or last:
                    raise

    def _say_what_is_loaded(self, running: Running) -> None:
        """The record of what the turn loaded is kept; pages can show it before the first token (ENTRY-22)."""
        running.feed.has_report = True
        running.feed.notify()
        channel = turns.turn_channel(running.turn.pk)
        if hub().is_wanted(channel):
            hub().publish(channel, {"report": True})

    async def _take_turns(self, running: Running, assembled: Assembled) -> None:
        """The built-in model answers one request at a time; the others see that they wait (OPS-4)."""
        if self._local_slot.locked():
            running.feed.status = "queued"
            running.feed.notify()
        async with self._local_slot:
            running.feed.status = ""
            running.feed.notify()
            await self._read(running, assembled)

    async def _read(self, running: Running, assembled: Assembled) -> None:
        outcome, feed = running.outcome, running.feed
        if not is_loaded(assembled.endpoint.kind):
            await asyncio.to_thread(preload, [assembled.endpoint.kind])
        stream = provider_for(assembled.endpoint).stream(assembled.request)
        try:
            async for event in stream:
                match event:
                    case Loading():
                        feed.status = "loading"
                        feed.notify()
                    case TextDelta(text=text):
                        text = text.replace("\0", "\ufffd")  # as CommonMark has it, and PostgreSQL stores no NUL
                        if not feed.text_length:
                            feed.status = ""
                            outcome.first_token_at = timezone.now()
                            feed.put(0, text)
                            self._publish(running)
                        else:
                            feed.put(feed.text_length, text)
                            self._dirty.add(running.turn.pk)
                            self._wake.set()
                    case Usage(input_tokens=input_tokens, output_tokens=output_tokens):
                        outcome.input_tokens, outcome.output_tokens = input_tokens, output_tokens
                    case Finish(reason=reason):
                        outcome.cut_short = reason == "length"
                        if reason == "refusal" and not feed.text_length:
                            raise ProviderError(ErrorCode.REFUSED)
        finally:
            await stream.aclose()

    async def _finish(self, running: Running) -> None:
        """Commit the outcome, however long the database is away (REL-4); then tell the pages."""
        outcome = running.outcome
        outcome.text = running.feed.text
        try:
            ended = await _patiently(turns.finish, running.turn, outcome, give_up=False)
        finally:
            running.feed.end()
            hub().publish(turns.turn_channel(running.turn.pk), {"end": True})
        if ended:
            hub().publish(user_channel(running.turn.session.user_id), {"session": str(running.turn.session_id)})
            if outcome.text and titles.may_name(running.turn):
                self._begin_task(titles.name_session(running.turn))

    async def _obey(self, running: Running, inbox: Inbox) -> None:
        while True:
            order = await inbox.get() or {}
            if order.get("do") == "stop":
                running.cancel(Turn.State.STOPPED)
            elif order.get("do") == "save":
                with suppress(DatabaseError):
                    await self._save([running])
                hub().publish(turns.turn_channel(running.turn.pk), {"saved": True})

    async def _pulse(self) -> None:
        """Show what has come in all turns, then rest: under load a pulse carries more instead of coming more often."""
        await self._wake.wait()
        self._wake.clear()
        for turn_id in list(self._dirty):
            self._dirty.discard(turn_id)
            if running := self.running.get(turn_id):
                self._publish(running)
        await asyncio.sleep(settings.ADMINCHAT_COALESCE_SECONDS)

    def _publish(self, running: Running) -> None:
        feed, channel = running.feed, turns.turn_channel(running.turn.pk)
        feed.notify()
        if hub().is_wanted(channel):
            hub().publish(channel, {"at": running.published, "text": feed.text[running.published :]})
        running.published = feed.text_length

    async def _keep(self) -> None:
        """Save what has grown, and a sign of life of what has not."""
        await asyncio.sleep(settings.ADMINCHAT_SAVE_SECONDS)
        latest = time.monotonic() - settings.ADMINCHAT_HEARTBEAT_SECONDS
        due = [
            running
            for running in self.running.values()
            if running.saved < running.feed.text_length or running.saved_at < latest
        ]
        if due:
            await self._save(due)

    async def _look_for_stops(self) -> None:
        """Read stop orders from the database: the broker, which brings them at once, may be away or too early (CHAT-7)."""
        await asyncio.sleep(STOP_LOOK_SECONDS)
        if self.running:
            for turn_id in await in_database_thread(turns.stop_orders, list(self.running)):
                if running := self.running.get(turn_id):
                    running.cancel(Turn.State.STOPPED)

    async def _save(self, due: list[Running]) -> None:
        lengths = {running.turn.pk: running.feed.text_length for running in due}
        lost = await in_database_thread(turns.save, self.name, [running.progress() for running in due])
        for running in due:
            running.saved, running.saved_at = lengths[running.turn.pk], time.monotonic()
            if running.turn.pk in lost:
                running.cancel(Turn.State.INTERRUPTED)


async def _patiently(work: Callable[..., T], *args: Any, give_up: bool = True, **options: Any) -> T:
    """Run ``work`` in a database thread, again and again while the database is away (REL-4).

    Raises the last ``DatabaseError`` after some seconds, unless it is not to ``give_up``.
    """
    for attempt in count():
        try:
            return await in_database_thread(work, *args, **options)
        except (OperationalError, InterfaceError):
            if give_up and attempt == len(RETRY_DELAYS):
                raise
            await asyncio.sleep(RETRY_DELAYS[min(attempt, len(RETRY_DELAYS) - 1)])
    raise AssertionError


async def _forever(step: Callable[[], Awaitable[None]]) -> None:
    """Repeat ``step``; whatever goes wrong in one round, the next one follows."""
    while True:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 (without its upkeep a process would lose every turn)
            logger.error("Upkeep of turns failed", extra={"error_type": type(error).__name__})
            await asyncio.sleep(RETRY_DELAYS[0])


_runner: Runner | None = None


def runner() -> Runner:
    """The runner of the running event loop, started at first use."""
    global _runner
    if _runner is None or _runner.loop is not asyncio.get_running_loop():
        _runner = Runner()
        _runner.begin()
    return _runner


def owner() -> UUID | None:
    """The name under which this process runs the turns that it stores, from any of its threads.

    None in a process without a runner (a command, a test client), and in one that is about to stop: their turns stay
    pending until a page attaches to them.
    """
    runs_turns = _runner is not None and _runner.loop.is_running() and not _runner.draining.is_set()
    return _runner.name if _runner and runs_turns else None


def launch(turn: Turn) -> None:
    """Run a turn that was just stored with this process as its ``owner``, or leave it to others when the end has come
    meanwhile. For any thread but the event loop's.

    The page is answered when the request is assembled, or soon in any case: work on the answer, and on what the page
    asks for next, would take the interpreter from the assembling, and the model would be asked later. When several ask
    at once nobody waits, since others' work would fill the time.
    """
    if _runner is None or turn.owner != _runner.name:
        return
    if _runner.draining.is_set():
        turns.hand_back(turn)
    else:
        is_alone = all(running.assembled.is_set() for running in tuple(_runner.running.values()))
        assembled = threading.Event()
        _runner.loop.call_soon_threadsafe(_runner.launch, turn, assembled)
        if is_alone:
            assembled.wait(HEAD_START_SECONDS)
