"""Event streams: a turn for the pages that watch it, and a user's own channel.

A stream waits most of its life, so it holds no database connection while it does: its view ends before it begins, and
its own reads go through the database threads.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import (
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from adminchat.accounts.models import User
from adminchat.lib.database import in_database_thread
from adminchat.lib.events import hub
from adminchat.lib.sse import encode
from chat import selectors, threads, turns
from chat.feeds import View
from chat.following import watch
from chat.models import Session, Turn
from chat.streaming import runner
from chat.views.access import HtmxRequest, found

KEEP_ALIVE_SECONDS = 15.0  # below the idle time-out of common proxies
RETRY_MILLISECONDS = 1_000  # how soon a browser reconnects

_streams: Counter[UUID] = Counter()


@dataclass(frozen=True)
class _Page:
    """For whom fragments are rendered after the request that asked for them has been answered."""

    user: User
    language: str
    csrf_token: str

    def context(self) -> dict[str, Any]:
        return {"user": self.user, "csrf_token": self.csrf_token}


def _event_stream(chunks: AsyncIterator[str]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        chunks,
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


def _too_many(user: User) -> HttpResponse | None:
    """An answer for a user who has as many streams open as one person can need (REL-8)."""
    limit = settings.ADMINCHAT_STREAMS_PER_USER
    if limit is None or _streams[user.pk] < limit:
        return None
    return HttpResponse(
        _("You have too many pages open at once. Close some, then reload this one."),
        status=429,
        content_type="text/plain; charset=utf-8",
        headers={"Retry-After": "10"},
    )


@require_GET
@login_required
def turn_stream(request: HtmxRequest, turn_id: UUID) -> HttpResponseBase:
    """``delta``… then ``done`` or ``failed``, and ``end``. Opened late it starts from the beginning (CHAT-6)."""
    turn = found(selectors.turn, request.user, turn_id)
    if refusal := _too_many(request.user):
        return refusal
    page = _Page(request.user, translation.get_language() or "en", get_token(request))
    return _event_stream(_turn_events(page, turn))


async def _turn_events(page: _Page, turn: Turn) -> AsyncIterator[str]:
    with _counted(page.user):
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        if turn.is_open:
            async with watch(turn) as feed:
                seen, first, status = 0, True, ""
                while True:
                    changed = feed.changed()
                    if feed.status != status:
                        status = feed.status
                        yield encode("status", await in_database_thread(_status_html, page, turn.pk, status))
                    if feed.text_length:
                        view = feed.view(seen)
                        yield encode("delta", _delta_html(turn.pk, view, first=first))
                        seen, first = view.seen, False
                    if feed.ended:
                        break
                    if runner().draining.is_set() and turn.pk not in runner().running:
                        return  # without an end: the page connects again, to another process
                    while not changed.done():
                        await asyncio.wait({changed}, timeout=KEEP_ALIVE_SECONDS)
                        if not changed.done():
                            yield ": still here\n\n"
        event, html = await in_database_thread(_outcome, page, turn.pk)
        yield encode(event, html)
        yield encode("end", "")


def _delta_html(turn_id: UUID, view: View, *, first: bool) -> str:
    """Out-of-band pieces: finished blocks are added, on a fresh connection set; the last block is replaced."""
    blocks = "".join(view.new_blocks)
    html = f'<div id="tail-{turn_id}" hx-swap-oob="innerHTML">{view.tail}</div>'
    if blocks or first:
        how = "innerHTML" if first else "beforeend"
        html = f'<div id="frozen-{turn_id}" hx-swap-oob="{how}">{blocks}</div>{html}'
    return html


def _status_html(page: _Page, turn_id: UUID, status: str) -> str:
    with translation.override(page.language):
        text = _("Waiting: the built-in model answers one question at a time.") if status == "queued" else ""
        return render_to_string("chat/_status.html", {"turn_id": turn_id, "text": text})


def _outcome(page: _Page, turn_id: UUID) -> tuple[str, str]:
    """The finished reply as the page shows it; nothing for a turn that was deleted meanwhile."""
    try:
        turn = selectors.turn(page.user, turn_id)
    except Turn.DoesNotExist:
        return "done", ""
    with translation.override(page.language):
        context = {"exchange": threads.exchange(turn), "session": turn.session, "oob": True}
        html = render_to_string("chat/_reply.html", page.context() | context)
    return ("done" if turn.state in (Turn.State.DONE, Turn.State.STOPPED) else "failed"), html


@require_GET
@login_required
def events(request: HtmxRequest) -> HttpResponseBase:
    """The user's own channel: ``session`` brings a changed row of the sidebar."""
    if refusal := _too_many(request.user):
        return refusal
    return _event_stream(_user_events(_Page(request.user, translation.get_language() or "en", get_token(request))))


async def _user_events(page: _Page) -> AsyncIterator[str]:
    with _counted(page.user), hub().listen(turns.user_channel(page.user.pk)) as inbox:
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        while not runner().draining.is_set():
            try:
                news = await asyncio.wait_for(inbox.get(), KEEP_ALIVE_SECONDS)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if news and "session" in news:
                yield encode("session", await in_database_thread(_session_html, page, UUID(news["session"])))


def _session_html(page: _Page, session_id: UUID) -> str:
    try:
        session = selectors.session(page.user, session_id)
    except Session.DoesNotExist:
        return ""
    with translation.override(page.language):
        return render_to_string("chat/_session_changed.html", page.context() | {"session": session})
