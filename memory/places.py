"""Where memory is looked at from. Memory knows no sessions: chat, which does, says what they are (ENTRY-10)."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from adminchat.accounts.models import User, Workspace


@dataclass(frozen=True)
class Place:
    """A session of its owner, as far as memory is concerned.

    ``model_name`` is the model whose tokenizer counts, ``local`` whether it is the built-in one.
    """

    session_id: UUID
    title: str
    workspace: Workspace | None
    mode: str
    model_name: str
    local: bool


class NoPlace(Exception):
    """There is no such session for this user."""


Finder = Callable[[User, UUID], Place]
_finders: list[Finder] = []


def register(find: Finder) -> None:
    """Let ``find(user, session_id)`` answer for sessions; it raises ``NoPlace``."""
    _finders[:] = [find]


def place(user: User, session_id: UUID) -> Place:
    """The session of ``user`` with that id. Raises ``NoPlace``, also when nobody knows of sessions."""
    for find in _finders:
        return find(user, session_id)
    raise NoPlace
