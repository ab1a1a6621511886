"""The list of a user's sessions beside every page (CHAT-2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import User
from chat import selectors
from chat.models import Session

PAGE_SIZE = 30  # sessions
LONGEST_PAGE = 300  # sessions; a page that shows more has the rest come as one scrolls
PINNED_LIMIT = 100  # sessions

PINNED = _("Pinned")
TODAY = _("Today")
YESTERDAY = _("Yesterday")
LAST_WEEK = _("Last 7 days")
OLDER = _("Older")

type_of_label = str | Promise
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Cursor(NamedTuple):
    """The last session of a page, from which the next one goes on; as text ``microseconds.hex``."""

    active_at: datetime
    pk: UUID

    def __str__(self) -> str:
        return f"{(self.active_at - _EPOCH) // timedelta(microseconds=1)}.{self.pk.hex}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Raises ``ValueError`` for a text that no cursor has."""
        microseconds, _dot, key = text.partition(".")
        try:
            return cls(_EPOCH + timedelta(microseconds=int(microseconds)), UUID(hex=key))
        except OverflowError:
            raise ValueError("time out of range") from None


class Group(NamedTuple):
    """Sessions under one label; the label is empty when the group goes on from the page before."""

    label: type_of_label
    sessions: list[Session]


@dataclass(frozen=True)
class Page:
    groups: list[Group]
    cursor: Cursor | None

    @property
    def state(self) -> str:
        """Tells, compared with an earlier one, whether the list still looks the same."""
        rows = [(str(group.label), [(row.pk, row.title) for row in group.sessions]) for group in self.groups]
        return sha256(repr((rows, self.cursor is None)).encode()).hexdigest()[:16]


def page_of(
    sessions: QuerySet[Session], before: Cursor | None, size: int = PAGE_SIZE
) -> tuple[list[Session], Cursor | None]:
    """The next ``size`` of ``sessions``, most recently active first, and where to go on when there are more."""
    if before:
        sessions = sessions.filter(Q(active_at__lt=before.active_at) | Q(active_at=before.active_at, pk__lt=before.pk))
    found = list(sessions.order_by("-active_at", "-pk")[: size + 1])
    rows = found[:size]
    return rows, Cursor(rows[-1].active_at, rows[-1].pk) if len(found) > size else None


def page(user: User, before: Cursor | None = None, size: int = PAGE_SIZE) -> Page:
    """One page of the sidebar in two queries at most: the pinned sessions first, then the others by last activity."""
    listed = selectors.sessions(user).filter(temporary=False, archived_at=None)
    rows, cursor = page_of(listed.filter(pinned_at=None), before, size)
    today = timezone.localdate()
    groups = list(_by_age(rows, today))
    if before and groups and groups[0].label == age_label(before.active_at, today):
        groups[0] = Group("", groups[0].sessions)
    if before is None:
        pinned = list(listed.exclude(pinned_at=None).order_by("-active_at", "-pk")[:PINNED_LIMIT])
        if pinned:
            groups.insert(0, Group(PINNED, pinned))
    return Page(groups, cursor)


def _by_age(sessions: Iterable[Session], today: date) -> Iterable[Group]:
    for label, members in groupby(sessions, key=lambda session: age_label(session.active_at, today)):
        yield Group(label, list(members))


def age_label(moment: datetime, today: date) -> type_of_label:
    """The label for something last active at ``moment``, by the calendar of the active time zone."""
    days = (today - timezone.localtime(moment).date()).days
    if days <= 0:
        return TODAY
    if days == 1:
        return YESTERDAY
    return LAST_WEEK if days <= 7 else OLDER


class Sidebar:
    """The first page of the sidebar, read only when a template shows it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def _page(self) -> Page:
        user = self._request.user
        return page(user) if isinstance(user, User) else Page([], None)

    @property
    def groups(self) -> list[Group]:
        return self._page.groups

    @property
    def cursor(self) -> Cursor | None:
        return self._page.cursor

    @property
    def state(self) -> str:
        return self._page.state

    @property
    def current_id(self) -> UUID | None:
        """The session whose page this is, or from whose page htmx asks."""
        request = self._request
        match = request.resolver_match
        if address := request.htmx.current_url_abs_path:  # type: ignore[attr-defined]
            try:
                match = resolve(urlsplit(address).path)
            except Resolver404:
                return None
        return match.kwargs.get("session_id") if match else None


def sidebar(request: HttpRequest) -> dict[str, Sidebar]:
    """Context processor."""
    return {"sidebar": Sidebar(request)}
