"""The only reads of sessions, turns and messages. Each takes the acting user, and with them their tenant (ENTRY-6).

A session of another user or tenant, or of a workspace that the user has left, doesn't exist for them (CHAT-21): the
functions that return one object then raise its ``DoesNotExist``.
"""

from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from adminchat.accounts.models import User
from chat.models import Message, Session, Turn
from memory.selectors import is_recorded


def _open_to(user: User, prefix: str = "") -> Q:
    """The condition that a session, found through ``prefix``, is this user's and not closed to them."""
    return Q(**{f"{prefix}user": user, f"{prefix}tenant": user.tenant_id}) & (
        Q(**{f"{prefix}workspace": None}) | Q(**{f"{prefix}workspace__in": user.memberships.values("workspace")})
    )


T = TypeVar("T", Session, Turn, Message)


def _one(user: User, rows: QuerySet[T], key: UUID, prefix: str = "") -> T:
    """One of ``rows`` by the same condition. Asks for the membership only where there is a workspace: nearly every
    request of a conversation comes through here."""
    row = rows.get(**{"pk": key, f"{prefix}user": user, f"{prefix}tenant": user.tenant_id})
    session = row if isinstance(row, Session) else row.session
    if session.workspace_id and not user.memberships.filter(workspace=session.workspace_id).exists():
        raise rows.model.DoesNotExist
    session.user = user
    return row


def sessions(user: User) -> QuerySet[Session]:
    """All sessions of ``user``, temporary and archived ones too."""
    return Session.objects.filter(_open_to(user))


def session(user: User, session_id: UUID) -> Session:
    """One session with what its page shows of it."""
    shown = Session.objects.select_related("model__connection", "profile", "workspace")
    return _one(user, shown.defer("model__connection__api_key"), session_id)


def turns(user: User) -> QuerySet[Turn]:
    return Turn.objects.filter(_open_to(user, "session__"))


def turn(user: User, turn_id: UUID) -> Turn:
    """One turn with its session, message and reply, as the page shows it."""
    shown = Turn.objects.select_related("session__model", "message", "reply").annotate(is_recorded=is_recorded(user))
    return _one(user, shown, turn_id, "session__")


def learned_turn(user: User, turn_id: UUID) -> Turn:
    """One turn with what learning has to know of it."""
    related = Turn.objects.select_related("session__profile", "session__workspace", "message", "model__connection")
    return _one(user, related, turn_id, "session__")


def bare_turn(user: User, turn_id: UUID) -> Turn:
    """One turn with its session, without texts."""
    return _one(user, Turn.objects.select_related("session"), turn_id, "session__")


def user_message(user: User, message_id: UUID) -> Message:
    """One message that ``user`` wrote, with its session."""
    written = Message.objects.filter(role=Message.Role.USER).select_related("session")
    return _one(user, written, message_id, "session__")


def too_many_turns(user: User) -> bool:
    """Whether ``user`` has started as many turns in the last minute as one may (SEC-7)."""
    limit = settings.ADMINCHAT_TURNS_PER_MINUTE
    minute = timezone.now() - timedelta(minutes=1)
    if limit is None:
        return False
    return Turn.objects.filter(session__user=user, created_at__gt=minute).count() >= limit
