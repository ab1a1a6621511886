"""The writes on sessions: start, rename, pin, archive, choose a version, configure, delete."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import MemoryMode, User, Workspace
from adminchat.accounts.policies import policy_for
from adminchat.connections.models import ChatModel
from adminchat.lib.markdown import render_user
from chat import profiles, selectors, turns
from chat.models import ChatPreferences, Message, Profile, Session, Turn
from chat.texts import first_words
from chat.threads import Tree
from memory.learning import jobs

MODE_LOWERED = _("The memory mode was lowered to “%(mode)s”, the highest that is allowed here.")
NOTES_OFF = _("Notes are off: they are not allowed here.")


@dataclass(frozen=True)
class Choices:
    """What the launcher sets for the session about to be created (CHAT-1). None means the default."""

    memory_mode: str | None = None
    notes: bool | None = None
    model: ChatModel | None = None
    profile: Profile | None = None
    workspace: Workspace | None = None
    temporary: bool = False
    offered: frozenset[str] = frozenset()  # names of the choices that were there to be made: None was chosen, too


@dataclass
class Started:
    """A session, its first turn unless it was there before, and what its owner has to be told because a choice could not
    be followed."""

    session: Session
    turn: Turn | None = None
    notices: list[str | Promise] = field(default_factory=list)


def start(user: User, *, text: str, request_id: UUID, choices: Choices) -> Started:
    """Create a session together with its first turn; the same ``request_id`` with the same text again returns it.

    Raises ``Session.DoesNotExist`` when that session has been closed to ``user`` since, and ``turns.TurnRefused``.
    """
    if earlier := Session.objects.filter(user=user, request_id=request_id).first():
        if earlier.messages.filter(parent=None, role=Message.Role.USER, text=text).exists():
            return Started(selectors.session(user, earlier.pk))
        request_id = uuid4()  # other words from a page that has been sent from before, as after going back
    started = Started(_configured(user, text, request_id, choices))
    session = started.session
    started.notices = hold_to_rules(session, wanted_notes=choices.notes)
    if selectors.too_many_turns(user):
        raise turns.TooManyTurns
    html = render_user(text)  # takes its time, and must not take it while the database is locked
    try:
        with transaction.atomic():
            session.save(force_insert=True)
            started.turn = turns.start(session=session, text=text, request_id=request_id, html=html)
            _remember(user, choices)
    except IntegrityError:
        earlier = Session.objects.filter(user=user, request_id=request_id).first()
        if earlier is None:
            raise
        return Started(selectors.session(user, earlier.pk))
    return started


def _configured(user: User, text: str, request_id: UUID, choices: Choices) -> Session:
    profile = choices.profile
    mode = choices.memory_mode
    if mode is None:
        mode = (
            MemoryMode.capped(profile.memory_default, profiles.mode_cap(user, profile)) if profile else MemoryMode.OFF
        )
    return Session(
        user=user,
        tenant=user.tenant,
        workspace=choices.workspace,
        profile=profile,
        request_id=request_id,
        title=first_words(text),
        memory_mode=mode,
        notes=(profile.notes if profile else True) if choices.notes is None else choices.notes,
        model=choices.model or (profile.model if profile else None),
        temporary=choices.temporary,
    )


def hold_to_rules(session: Session, *, wanted_notes: bool | None = None) -> list[str | Promise]:
    """Lower what ``session`` asks for to what its tenant and profile allow (ENTRY-5), unsaved; return the notices."""
    if session.temporary:
        session.memory_mode, session.notes = MemoryMode.OFF, False
        return []
    notices: list[str | Promise] = []
    mode = MemoryMode.capped(session.memory_mode, profiles.mode_cap(session.user, session.profile))
    if mode != session.memory_mode:
        session.memory_mode = mode
        notices.append(MODE_LOWERED % {"mode": mode.label})
    if session.notes and not policy_for(session.user).notes_allowed:
        session.notes = False
        if wanted_notes:
            notices.append(NOTES_OFF)
    return notices


def _remember(user: User, choices: Choices) -> None:
    used = {"model": choices.model, "profile": choices.profile}
    defaults = {f"last_{name}": value for name, value in used.items() if name in choices.offered}
    if defaults:
        ChatPreferences.objects.update_or_create(user=user, defaults=defaults)


def rename(session: Session, title: str) -> None:
    """Give the session its owner's title, which nothing overwrites (CHAT-14)."""
    _change(session, title=title, title_source=Session.TitleSource.USER)


def pin(session: Session, pinned: bool) -> None:
    _change(session, pinned_at=timezone.now() if pinned else None)


def archive(session: Session, archived: bool) -> None:
    """Take the session out of the sidebar, or bring it back; an archived one is no longer pinned."""
    if archived:
        _change(session, archived_at=timezone.now(), pinned_at=None)
    else:
        _change(session, archived_at=None)


def show(turn: Turn) -> None:
    """Let the newest branch that goes through ``turn`` be the one that is shown, and goes on (CHAT-8)."""
    _change(turn.session, head=Tree(turn.session).newest_leaf(turn.pk))


def _change(session: Session, **values: Any) -> None:
    """Store ``values`` and tell the user's pages; one that was deleted meanwhile stays deleted."""
    Session.objects.filter(pk=session.pk).update(**values)
    turns.announce_session(session.user_id, session.pk)


def configure(session: Session, changed: list[str]) -> list[str | Promise]:
    """Save the ``changed`` settings, held to the rules, for the turns to come (CHAT-15); return the notices."""
    notices = hold_to_rules(session, wanted_notes="notes" in changed)
    stored = {name: getattr(session, name) for name in changed}
    if stored:
        Session.objects.filter(pk=session.pk).update(**stored)
        if "memory_mode" in stored and session.memory_mode != MemoryMode.LEARN:
            jobs.cancel(session.user, session.pk, session.memory_mode)
    return notices if {"memory_mode", "notes"} & stored.keys() else []


@transaction.atomic
def delete(session: Session) -> None:
    """Delete the session with its messages for good (CHAT-3); a turn that still runs is stopped first.

    The session is locked first, as by a turn that starts: two that wait for each other would end as an error.
    """
    Session.objects.select_for_update().filter(pk=session.pk).first()
    for turn in session.turns.filter(state__in=Turn.OPEN):
        turns.stop(turn)
    turns.announce_session(session.user_id, session.pk)
    session.delete()
