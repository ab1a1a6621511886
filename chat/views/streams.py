"""A turn as an event stream, for the pages that watch it.

A stream waits most of its life, so it holds no database connection while it does: its view ends before it begins, and
its own reads go through the database threads.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.backends.db import SessionStore
from django.http import (
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from adminchat.accounts.models import MemoryMode, User
from adminchat.lib.database import in_database_thread
from adminchat.lib.events import Inbox, hub, user_channel
from adminchat.lib.markdown import localised
from adminchat.lib.sse import encode
from chat import selectors, threads
from chat.feeds import Feed, View
from chat.following import watch
from chat.models import Turn
from chat.reports import report_of
from chat.streaming import runner
from chat.views.access import found
from memory import places
from memory import selectors as memory_selectors
from memory.learning import receipts
from memory.models import Learning
from memory.rules import MemoryRule

RIGHTS_SECONDS = 10.0  # how soon an open stream notices that its right has ended; also keeps it alive in proxies
BYTES_PER_SECOND = 400_000  # of HTML, to one page
ANY_TURN = "any-turn"
RETRY_MILLISECONDS = 1_000  # how soon a browser reconnects
STATUS_TEXTS = {  # what a turn waits for
    "queued": gettext_lazy("Waiting: the built-in model answers one question at a time."),
    "loading": gettext_lazy("Waiting: the built-in model is still starting."),
}

_streams: Counter[UUID] = Counter()


@dataclass(frozen=True)
class Page:
    """For whom fragments are rendered after the request that asked for them has been answered."""

    user: User
    login: str  # key of the login session
    language: str
    csrf_token: str

    def context(self) -> dict[str, Any]:
        return {"user": self.user, "csrf_token": self.csrf_token}


def page_of(request: UserRequest) -> Page:
    key = request.session.session_key or ""
    return Page(request.user, key, translation.get_language() or "en", get_token(request))


def event_stream(user: User, chunks: AsyncGenerator[str, None]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        _limited(user, chunks),
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@contextmanager
def _counted(user: User) -> Iterator[None]:
    _streams[user.pk] += 1
    try:
        yield
    finally:
        _streams[user.pk] -= 1
        if not _streams[user.pk]:
            del _streams[user.pk]


async def _limited(user: User, chunks: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    """``chunks`` as one more stream of ``user``; none of them when too many were asked for at the same moment."""
    async with aclosing(chunks):
        if not _is_full(user):
            with _counted(user):
                async for chunk in chunks:
                    yield chunk


def _is_full(user: User) -> bool:
    limit = settings.ADMINCHAT_STREAMS_PER_USER
    return limit is not None and _streams[user.pk] >= limit


def too_many(user: User) -> HttpResponse | None:
    """An answer for a user who has as many streams open as one person can need (REL-8)."""
    if not _is_full(user):
        return None
    return HttpResponse(
        _("You have too many pages open at once. Close some, then reload this one."),
        status=429,
        content_type="text/plain; charset=utf-8",
        headers={"Retry-After": "10"},
    )


@require_GET
@login_required
def turn_stream(request: UserRequest, turn_id: UUID) -> HttpResponseBase:
    """``report``, ``delta``… then ``done`` or ``failed``, and ``end``. Opened late it starts from the beginning (CHAT-6).

    The report is sent while the turn runs, and once after its end to a page that was made while it ran
    (``?report=1``): a quick turn may end before its page has attached (ENTRY-22, ENTRY-25).
    """
    turn = found(selectors.bare_turn, request.user, turn_id)
    if refusal := too_many(request.user):
        return refusal
    page = page_of(request)
    events = _turn_events(page, turn, told=turn.is_open or "report" in request.GET)
    if "report" in request.GET and not turn.is_open:
        events = _after_report(page, turn, events)
    return event_stream(request.user, events)


async def _after_report(page: Page, turn: Turn, events: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    yield encode("report", await _report(page, turn))
    async with aclosing(events):
        async for event in events:
            yield event


async def _turn_events(page: Page, turn: Turn, *, told: bool) -> AsyncGenerator[str, None]:
    """``told``: the page hasn't seen the turn's receipt, which is not repeated after its learning has ended (LEARN-21)."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    if turn.is_open:
        with hub().listen(user_channel(page.user.pk)) as news:
            async for piece in _growing(page, turn, news):
                if piece is None:
                    return  # without an end: the page connects again, to another process, or is refused
                yield piece
    event, html, is_there = await in_database_thread(_outcome, page, turn.pk)
    receipt = await _receipt(page, turn, repeated=not told) if is_there else ""
    yield encode(event, html + receipt)  # the page shows it with the end of the turn, after which it listens no longer
    if receipt:
        yield encode("receipt", receipt)
    yield encode("end", "")


async def _growing(page: Page, turn: Turn, news: Inbox) -> AsyncGenerator[str | None, None]:
    """What an open turn has to show until it ends; None when the page has to connect again.

    A chat that was closed to its reader ends like one that was deleted (CHAT-21).
    """
    async with watch(turn) as feed:
        seen, first, tail, shown, rights = 0, True, "", _Shown(), _Rights(page, turn.pk, news)
        while True:
            changed, ended = feed.changed(), feed.ended  # before the text: more of it may come while this is sent
            await rights.look()
            if rights.are_lost:
                if not await in_database_thread(_is_signed_in, page):
                    yield None
                return
            for event in await shown.news(page, turn, feed):
                yield event
            if feed.text_length:
                view = await feed.view(seen)
                yield encode("delta", _delta_html(page, turn.pk, view, first=first))
                seen, first = view.seen, False
                tail = view.tail
            if ended:
                return
            await _rest_after(tail)
            if runner().draining.is_set() and turn.pk not in runner().running:
                yield None
                return
            while not changed.done() and not rights.are_lost:
                await asyncio.wait({changed}, timeout=RIGHTS_SECONDS)
                if not changed.done():
                    yield ": still here\n\n"
                    await rights.look()


class _Rights:
    """Whether the page may still be told of a turn: looked at every few seconds, and at once when the user's channel says
    that they lost a right, or that something was missed."""

    def __init__(self, page: Page, turn_id: UUID, news: Inbox) -> None:
        self.page, self.turn_id, self.news = page, turn_id, news
        self.are_lost = False
        self.checked = time.monotonic()

    async def look(self) -> None:
        told = False
        while not self.news.empty():
            item = self.news.get_nowait()
            told = told or item is None or "rights" in item
        if told or time.monotonic() - self.checked > RIGHTS_SECONDS:
            self.are_lost = not await in_database_thread(may_watch, self.page, self.turn_id)
            self.checked = time.monotonic()


@dataclass
class _Shown:
    """What a page was told of a turn besides its text."""

    report: bool = False
    status: str = ""

    async def news(self, page: Page, turn: Turn, feed: Feed) -> list[str]:
        """The events for what has changed."""
        events = []
        if not self.report and (turn.memory_rule or feed.has_report):
            self.report = True
            events.append(encode("report", await _report(page, turn)))
        if feed.status != self.status:
            self.status = feed.status
            events.append(encode("status", await in_database_thread(_status_html, page, turn.pk, self.status)))
        return events


async def _rest_after(tail: str) -> None:
    """Send a long open block, which is sent anew with each change, less often."""
    seconds = len(tail.encode()) / BYTES_PER_SECOND
    if seconds > settings.ADMINCHAT_COALESCE_SECONDS:
        await asyncio.sleep(seconds)


def may_watch(page: Page, turn_id: UUID | None = None) -> bool:
    """Whether the page may still be told: rights can end while a stream is open (CHAT-21, SEC-9)."""
    return _is_signed_in(page) and (turn_id is None or selectors.turns(page.user).filter(pk=turn_id).exists())


def _is_signed_in(page: Page) -> bool:
    """Whether the login session is there, hasn't run out, and was begun with the password of now."""
    login = SessionStore(page.login).load()
    user = User.objects.filter(pk=page.user.pk, is_active=True).first()
    if user is None or login.get(SESSION_KEY) != str(user.pk):
        return False
    return constant_time_compare(login.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())


def _delta_html(page: Page, turn_id: UUID, view: View, *, first: bool) -> str:
    """Out-of-band pieces: finished blocks are added, on a fresh connection set; the last block is replaced."""
    blocks = "".join(view.new_blocks)
    html = f'<div id="tail-{turn_id}" hx-swap-oob="innerHTML">{view.tail}</div>'
    if blocks or first:
        how = "innerHTML" if first else "beforeend"
        html = f'<div id="frozen-{turn_id}" hx-swap-oob="{how}">{blocks}</div>{html}'
    with translation.override(page.language):
        return localised(html)


async def _report(page: Page, turn: Turn) -> str:
    """What the page is told that the turn loaded; a rule is known without the database, whose threads others wait for."""
    if turn.memory_rule:
        return _rule_html(turn.memory_rule, page.language).replace(ANY_TURN, str(turn.pk))
    return await in_database_thread(_report_html, page, turn)


@cache
def _rule_html(rule: str, language: str) -> str:
    """The report of a turn that loads nothing by ``rule``; it says ``ANY_TURN`` where the turn's id belongs."""
    with translation.override(language):
        return render_to_string("chat/_report_event.html", {"turn_id": ANY_TURN, "rule": MemoryRule(rule)})


def _report_html(page: Page, turn: Turn) -> str:
    """What the turn loaded, in the language of the page."""
    with translation.override(page.language):
        if not (report := report_of(page.user, turn)):
            return ""
        return render_to_string("chat/_report_event.html", page.context() | {"turn_id": turn.pk} | report)


async def _receipt(page: Page, turn: Turn, *, repeated: bool) -> str:
    """The receipt of a turn that has ended, or that it is still to come; "" for one that the page has had."""
    if turn.memory_mode == MemoryMode.LEARN:
        return await in_database_thread(_receipt_html, page, turn.pk, repeated=repeated)
    if repeated:
        return ""
    html = _mode_receipt_html(turn.memory_mode, turn.memory_rule, page.language)
    return html.replace(ANY_TURN, str(turn.pk))


@cache
def _mode_receipt_html(mode: str, rule: str, language: str) -> str:
    """The receipt of a turn that doesn't learn by its mode; it says ``ANY_TURN`` where the turn's id belongs."""
    with translation.override(language):
        receipt = receipts.of_mode(ANY_TURN, mode, rule)
        return render_to_string("chat/_receipt_event.html", {"receipt": receipt})


def _receipt_html(page: Page, turn_id: UUID, *, repeated: bool) -> str:
    try:
        learning = memory_selectors.learning(page.user, turn_id)
    except Learning.DoesNotExist:
        return ""
    return "" if repeated and not learning.is_waiting else rendered_receipt(page, learning)


def rendered_receipt(page: Page, learning: Learning, *, is_late: bool = False) -> str:
    with translation.override(page.language):
        receipt = receipts.of_learning(page.user, learning, is_late=is_late)
        chat = places.links(page.user, {learning.session_id}).get(learning.session_id)
        return render_to_string("chat/_receipt_event.html", page.context() | {"receipt": receipt, "chat": chat})


def _status_html(page: Page, turn_id: UUID, status: str) -> str:
    with translation.override(page.language):
        context = {"turn_id": turn_id, "text": STATUS_TEXTS.get(status, "")}
        return render_to_string("chat/_status.html", context)


def _outcome(page: Page, turn_id: UUID) -> tuple[str, str, bool]:
    """The finished reply as the page shows it, or that its chat is gone; and whether it is there."""
    with translation.override(page.language):
        try:
            turn = selectors.turn(page.user, turn_id)
        except Turn.DoesNotExist:
            return "failed", render_to_string("chat/_reply_gone.html", {"turn_id": turn_id}), False
        context = {"exchange": threads.exchange(turn), "session": turn.session, "oob": True}
        html = render_to_string("chat/_reply.html", page.context() | context)
    return ("done" if turn.state in (Turn.State.DONE, Turn.State.STOPPED) else "failed"), html, True
