"""A user's own channel: what has changed in their sessions, and the receipts of learning (CHAT-14, LEARN-19)."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from adminchat.lib.database import in_database_thread
from adminchat.lib.events import hub, user_channel
from adminchat.lib.sse import encode
from chat import selectors
from chat.models import Session
from chat.streaming import runner
from chat.views.streams import (
    RETRY_MILLISECONDS,
    RIGHTS_SECONDS,
    Page,
    event_stream,
    may_watch,
    page_of,
    rendered_receipt,
    too_many,
)
from memory.learning import jobs


@require_GET
@login_required
def events(request: UserRequest) -> HttpResponseBase:
    """The user's own channel: ``session`` says that one has changed and brings its title; without one any may have.
    ``receipt`` brings what became of learning in a turn, or that it is delayed (LEARN-19, LEARN-22).

    The session of ``?session=`` comes at once: it may have changed between the page and this connection. So do the
    receipts since ``?since=``, in seconds of Unix time, when the page was made, or since the last one that it got.
    """
    if refusal := too_many(request.user):
        return refusal
    page = page_of(request)
    try:
        shown = UUID(request.GET["session"])
    except (KeyError, ValueError):
        shown = None
    since = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    return event_stream(request.user, _user_events(page, shown, _Receipts(page, since)))


class _Receipts:
    """The receipts that a page has yet to get: the database is asked whenever something happens, so that none is lost
    with an announcement (LEARN-22)."""

    def __init__(self, page: Page, since: str) -> None:
        self.page = page
        self.late: set[UUID] = set()
        try:
            self.since = datetime.fromtimestamp(float(since), tz=UTC)
        except (ValueError, OverflowError, OSError):
            self.since = timezone.now()

    def news(self) -> list[str]:
        """The events for what has ended since, and for what has become late. For a database thread."""
        events = []
        for learning in jobs.ended_since(self.page.user, self.since):
            self.since = learning.finished_at or self.since
            html = rendered_receipt(self.page, learning)
            events.append(encode("receipt", html, id=repr(self.since.timestamp())))
        for learning in jobs.delayed(self.page.user):
            if learning.pk not in self.late:
                self.late.add(learning.pk)
                events.append(encode("receipt", rendered_receipt(self.page, learning, is_late=True)))
        return events


async def _user_events(page: Page, shown: UUID | None, missing: _Receipts) -> AsyncGenerator[str, None]:
    with hub().listen(user_channel(page.user.pk)) as inbox:
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        if shown:
            yield encode("session", await in_database_thread(_session_html, page, shown))
        for event in await in_database_thread(missing.news):
            yield event
        while not runner().draining.is_set():
            try:
                news = await asyncio.wait_for(inbox.get(), RIGHTS_SECONDS)
            except TimeoutError:
                news = {} if hub().is_connected else None  # without a broker other processes are not heard
                yield ": still here\n\n"
            if not await in_database_thread(may_watch, page):
                return
            for event in await in_database_thread(missing.news):
                yield event
            if news is None:
                yield encode("session", "")
            elif "session" in news:
                yield encode("session", await in_database_thread(_session_html, page, UUID(news["session"])))


def _session_html(page: Page, session_id: UUID) -> str:
    try:
        session = selectors.session(page.user, session_id)
    except Session.DoesNotExist:
        return ""
    with translation.override(page.language):
        return render_to_string("chat/_session_changed.html", page.context() | {"session": session})
