"""Where memory is looked at from. Memory knows no sessions: chat, which does, says what they are (ENTRY-10)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from adminchat.accounts.models import User, Workspace
from adminchat.connections.models import ChatModel


@dataclass(frozen=True)
class Place:
    """A session of its owner, as far as memory is concerned.

    ``model_name`` is the model whose tokenizer counts, ``local`` whether it is the built-in one. ``rule`` says why its
    turns use no memory, or "".
    """

    session_id: UUID
    title: str
    workspace: Workspace | None
    mode: str
    rule: str
    model_name: str
    local: bool


@dataclass(frozen=True)
class Link:
    """A session by its title, and where it is."""

    title: str
    address: str


@dataclass(frozen=True)
class Subject:
    """A turn as far as learning is concerned, as things are now: what its user wrote, and what they allow.

    ``mode`` is the session's memory mode under its caps, which lowered it where ``is_capped``; ``model`` the one that was
    asked.
    """

    user: User
    session_id: UUID
    message_id: UUID
    text: str
    asked_at: datetime
    workspace: Workspace | None
    mode: str
    is_capped: bool
    model: ChatModel | None


class NoPlace(Exception):
    """There is no such session for this user."""


class Sessions(Protocol):
    """What memory asks of whoever knows sessions and messages."""

    def place(self, user: User, session_id: UUID) -> Place:
        """The session of ``user`` with that id. Raises ``NoPlace``."""

    def message_addresses(self, user: User, message_ids: Collection[UUID]) -> dict[UUID, str]:
        """The addresses of those of the messages that ``user`` can still open."""

    def links(self, user: User, session_ids: Collection[UUID]) -> dict[UUID, Link]:
        """Those of the sessions that ``user`` can still open."""

    def subject(self, user_id: UUID, turn_id: UUID) -> Subject:
        """That turn. Raises ``NoPlace`` when it was deleted, is closed to its user, or they were deactivated."""


_known: list[Sessions] = []


def register(sessions: Sessions) -> None:
    """Let ``sessions`` answer."""
    _known[:] = [sessions]


def place(user: User, session_id: UUID) -> Place:
    """The session of ``user`` with that id. Raises ``NoPlace``."""
    return _known[0].place(user, session_id)


def message_addresses(user: User, message_ids: Collection[UUID]) -> dict[UUID, str]:
    """The addresses of those of the messages that ``user`` can still open."""
    return _known[0].message_addresses(user, message_ids) if message_ids else {}


def links(user: User, session_ids: Collection[UUID]) -> dict[UUID, Link]:
    """Those of the sessions that ``user`` can still open."""
    return _known[0].links(user, session_ids) if session_ids else {}


def subject(user_id: UUID, turn_id: UUID) -> Subject:
    """That turn. Raises ``NoPlace`` when it was deleted, is closed to its user, or they were deactivated."""
    return _known[0].subject(user_id, turn_id)
