"""The only reads of sessions, turns and messages. Each takes the acting user, and with them their tenant (ENTRY-6).

A session of another user or tenant, or of a workspace that the user has left, doesn't exist for them (CHAT-21): the
functions that return one object then raise its ``DoesNotExist``.
"""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from adminchat.accounts.models import User
from chat.models import Message, Session, Turn


def _open_to(user: User, prefix: str = "") -> Q:
    """The condition that a session, found through ``prefix``, is this user's and not closed to them."""
    return Q(**{f"{prefix}user": user, f"{prefix}tenant": user.tenant_id}) & (
        Q(**{f"{prefix}workspace": None}) | Q(**{f"{prefix}workspace__in": user.workspaces.values("pk")})
    )


def sessions(user: User) -> QuerySet[Session]:
    """All sessions of ``user``, temporary and archived ones too."""
    return Session.objects.filter(_open_to(user))


def session(user: User, session_id: UUID) -> Session:
    """One session with what its page shows of it."""
    session = sessions(user).select_related("model__connection", "profile", "workspace").get(pk=session_id)
    session.user = user
    return session


def turns(user: User) -> QuerySet[Turn]:
    return Turn.objects.filter(_open_to(user, "session__"))


def turn(user: User, turn_id: UUID) -> Turn:
    """One turn with its session, message and reply."""
    return turns(user).select_related("session__model", "message", "reply").get(pk=turn_id)


def user_message(user: User, message_id: UUID) -> Message:
    """One message that ``user`` wrote, with its session."""
    mine = Message.objects.filter(_open_to(user, "session__"), role=Message.Role.USER)
    return mine.select_related("session").get(pk=message_id)


def too_many_turns(user: User) -> bool:
    """Whether ``user`` has started as many turns in the last minute as one may (SEC-7)."""
    limit = settings.ADMINCHAT_TURNS_PER_MINUTE
    minute = timezone.now() - timedelta(minutes=1)
    return limit is not None and turns(user).filter(created_at__gt=minute).count() >= limit
