"""The state machine of a turn.

``pending`` → ``running`` → ``done``, ``stopped``, ``failed`` or ``interrupted``. A turn is stored as ``running`` by a
process that runs turns, as ``pending`` by any other. Every step is one conditional UPDATE,
so that two processes can never both take it; that a session has one open turn at a time is a constraint of the
database (CHAT-7).
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import MemoryMode
from adminchat.accounts.policies import policy_of
from adminchat.connections.models import ChatModel
from adminchat.connections.selectors import default_model, may_use
from adminchat.lib import events
from adminchat.lib.markdown import render, render_user
from chat import selectors
from chat.models import Message, Session, Turn
from memory.learning import jobs
from memory.rules import MemoryRule


class TurnRefused(Exception):
    """No turn was started. ``sentence`` tells its reader what to do, ``status`` is HTTP's."""

    sentence: str | Promise
    status: int


class TurnRunning(TurnRefused):
    """The session has an open turn; another can start when it has ended (CHAT-7)."""

    sentence = _("The assistant is still answering. Wait for the end of the reply, or stop it first.")
    status = 409


class TooManyTurns(TurnRefused):
    """The user has started as many turns in the last minute as one may (SEC-7)."""

    sentence = _("You have sent many messages in a short time. Wait a minute, then send again.")
    status = 429


def turn_channel(turn_id: UUID) -> str:
    """Where the web process that runs a turn says what is new."""
    return f"turn:{turn_id}"


def control_channel(turn_id: UUID) -> str:
    """Where that process is asked to do something: ``{"do": "stop"}`` or ``{"do": "save"}``."""
    return f"control:{turn_id}"


def announce_session(user_id: UUID, session_id: UUID) -> None:
    """Tell the user's pages, once what was written is stored, to look at the session again."""
    transaction.on_commit(partial(events.announce, events.user_channel(user_id), {"session": str(session_id)}))


def start(*, session: Session, text: str, request_id: UUID, html: str | None = None) -> Turn:
    """Store a message with its turn at the end of the conversation; ``html`` is the text as rendered, by who has it.

    The same ``request_id`` with the same text again returns the turn that it started before. Raises ``TurnRefused``, and
    ``Session.DoesNotExist`` when the session was deleted meanwhile, as the other ways to start a turn do.
    """
    return _open(session, request_id, text=text, html=html)


def edit(*, message: Message, text: str, request_id: UUID) -> Turn:
    """Ask again in other words: a sibling of ``message`` with a turn of its own (CHAT-8). Raises as ``start``."""
    return _open(message.session, request_id, text=text, beside=message)


def regenerate(*, turn: Turn, version: int | None = None, model: ChatModel | None = None) -> Turn:
    """Another reply to the same message (CHAT-8), which is also how a failed turn is retried (CHAT-9).

    ``version`` is the number of replies that the page showed: asking twice from the same page starts one turn.
    Raises as ``start``.
    """
    request_id = uuid4() if version is None else uuid5(turn.message_id, f"{version} {model.pk if model else ''}")
    return _open(turn.session, request_id, message=turn.message, model=model)


def _open(
    session: Session,
    request_id: UUID,
    *,
    text: str = "",
    html: str | None = None,
    beside: Message | None = None,
    message: Message | None = None,
    model: ChatModel | None = None,
) -> Turn:
    """Store an open turn; when the database refuses, find out why.

    It is stored as taken by this process where that runs turns, so that nobody has to take it after that.
    """
    if selectors.too_many_turns(session.user):
        raise TooManyTurns
    model = model or _model_of(session)
    html = (
        render_user(text) if html is None else html
    )  # takes its time, and must not take it while the database is locked
    insert = partial(_insert, session, text=text, html=html, beside=beside, message=message, model=model)
    try:
        return insert(request_id)
    except IntegrityError:
        if earlier := session.turns.filter(request_id=request_id).select_related("message", "reply").first():
            if message or earlier.message.text == text:
                return earlier
            request_id = uuid4()  # other words from a page that has been sent from before, as after going back
    sweep(session=session)
    with suppress(IntegrityError):
        return insert(request_id)
    raise TurnRunning


@transaction.atomic
def _insert(
    session: Session,
    request_id: UUID,
    *,
    text: str,
    html: str,
    beside: Message | None,
    message: Message | None,
    model: ChatModel | None,
) -> Turn:
    now = timezone.now()
    written = []
    if message is None:
        message = Message(
            session=session,
            parent_id=beside.parent_id if beside else _end_of(session),
            role=Message.Role.USER,
            text=text,
            html=html,
            created_at=now,
        )
        written.append(message)
    reply = Message(
        session=session, parent=message, role=Message.Role.ASSISTANT, created_at=now + timedelta(microseconds=1)
    )
    Message.objects.bulk_create([*written, reply])
    owner = _owner()
    mode, rule = memory_of(session, model)
    turn = Turn.objects.create(
        session=session,
        message=message,
        reply=reply,
        request_id=request_id,
        state=Turn.State.RUNNING if owner else Turn.State.PENDING,
        owner=owner,
        started_at=now if owner else None,
        memory_mode=mode,
        memory_rule=rule,
        model=model,
        model_label=model.stored_label if model else "",
    )
    if not Session.objects.filter(pk=session.pk).update(head=reply, active_at=now):
        raise Session.DoesNotExist
    session.head, session.active_at = reply, now
    transaction.on_commit(partial(_launch, turn))
    announce_session(session.user_id, session.pk)
    return turn


def _end_of(session: Session) -> UUID | None:
    """The newest reply, which may have come since ``session`` was read; the session is locked to the transaction's end."""
    return Session.objects.select_for_update().filter(pk=session.pk).values_list("head", flat=True).first()


def _model_of(session: Session) -> ChatModel | None:
    """The session's model, or the default where it has none. One that its owner may no longer use isn't replaced by
    another, to which they didn't choose to send their words."""
    if session.model is None:
        return default_model(session.user, session.workspace)
    return session.model if may_use(session.user, session.model, session.workspace) else None


def effective_mode(session: Session) -> MemoryMode:
    """The session's memory mode under the caps of its tenant and profile (ENTRY-5)."""
    if session.temporary or session.memory_mode == MemoryMode.OFF:
        return MemoryMode.OFF
    return MemoryMode.capped(session.memory_mode, _cap(session))


def _cap(session: Session) -> MemoryMode:
    """The highest mode that the tenant and the profile allow."""
    caps = [policy_of(session.tenant_id).mode_cap]
    if session.profile:
        caps.append(session.profile.memory_cap)
    return MemoryMode.capped(MemoryMode.LEARN, *caps)


def memory_of(session: Session, model: ChatModel | None) -> tuple[MemoryMode, str]:
    """The memory mode of a turn that begins now, and the rule by which it uses none (ENTRY-23), or ""."""
    mode = effective_mode(session)
    if session.temporary:
        return mode, MemoryRule.TEMPORARY
    if mode == MemoryMode.OFF:
        return mode, MemoryRule.POLICY if _cap(session) == MemoryMode.OFF else MemoryRule.OFF
    if model and not model.connection.allows_memory:
        return mode, MemoryRule.NO_MEMORY_CONNECTION
    return mode, ""


def _owner() -> UUID | None:
    from chat import streaming

    return streaming.owner()


def _launch(turn: Turn) -> None:
    from chat import streaming

    streaming.launch(turn)


def claim(turn_id: UUID, owner: UUID) -> Turn | None:
    """Take a pending turn for the web process ``owner``; None when it isn't there to take."""
    now = timezone.now()
    with transaction.atomic():  # takes its place among the writers, see adminchat.lib.sqlite
        taken = Turn.objects.filter(pk=turn_id, state=Turn.State.PENDING).update(
            state=Turn.State.RUNNING, owner=owner, started_at=now, heartbeat_at=now
        )
    if not taken:
        return None
    related = Turn.objects.select_related("session__profile", "session__user", "model__connection", "message")
    return related.defer("model__connection__api_key").get(pk=turn_id)


def hand_back(turn: Turn) -> None:
    """Leave a turn that this process has stored as its own, and won't run after all, to any other."""
    Turn.objects.filter(pk=turn.pk, owner=turn.owner, state=Turn.State.RUNNING).update(
        state=Turn.State.PENDING, owner=None, started_at=None
    )


@dataclass(slots=True)
class Progress:
    """What a running turn has so far; ``text`` is None when it hasn't grown since it was saved last."""

    turn_id: UUID
    reply_id: UUID
    text: str | None


def save(owner: UUID, progress: list[Progress]) -> set[UUID]:
    """Save texts and heartbeats of the turns that ``owner`` runs, in one transaction; return those that it has lost."""
    ids = [item.turn_id for item in progress]
    with transaction.atomic():
        mine = Turn.objects.filter(pk__in=ids, owner=owner, state=Turn.State.RUNNING)
        # Locked, so that a turn cannot end in between and have its text overwritten by an older one.
        kept = set(mine.select_for_update().order_by("pk").values_list("pk", flat=True))
        mine.update(heartbeat_at=timezone.now())
        for item in progress:
            if item.text is not None and item.turn_id in kept:
                Message.objects.filter(pk=item.reply_id).update(text=item.text)
    return set(ids) - kept


def stop_orders(turn_ids: list[UUID]) -> list[UUID]:
    """Those of the turns that somebody wants to stop."""
    return list(Turn.objects.filter(pk__in=turn_ids, stop_requested=True).values_list("pk", flat=True))


@dataclass(slots=True)
class Outcome:
    """How a turn ended. ``state`` is one of the ended states; token counts are the provider's own."""

    state: str
    text: str = ""
    error_code: str = ""
    cut_short: bool = False
    omitted_messages: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    first_token_at: Any = None


def finish(turn: Turn, outcome: Outcome) -> bool:
    """End a turn that ``turn.owner`` runs; False when it has been ended, or deleted, by somebody else.

    One that was taken for dead and is marked as interrupted still gets the rest of its text.
    """
    html = render(outcome.text)
    with transaction.atomic():
        ended = Turn.objects.filter(pk=turn.pk, owner=turn.owner, state=Turn.State.RUNNING).update(
            state=outcome.state,
            error_code=outcome.error_code,
            cut_short=outcome.cut_short,
            omitted_messages=outcome.omitted_messages,
            input_tokens=outcome.input_tokens,
            output_tokens=outcome.output_tokens,
            first_token_at=outcome.first_token_at,
            finished_at=timezone.now(),
        )
        if ended or _is_missing_text(turn, outcome.text):
            Message.objects.filter(pk=turn.reply_id).update(text=outcome.text, html=html)
        if ended:
            _begin_learning(turn)
    return bool(ended)


def _begin_learning(turn: Turn) -> None:
    """Let memory keep what is to be learned from a turn that ends with this transaction, however it ends (LEARN-6)."""
    if turn.memory_mode != MemoryMode.LEARN:
        return
    jobs.begin(
        turn.session.user,
        turn.message.text,
        turn_id=turn.pk,
        session_id=turn.session_id,
        message_id=turn.message_id,
        rule=turn.memory_rule,
        repeated=Turn.objects.filter(message=turn.message_id, created_at__lt=turn.created_at).exists(),
    )


def _is_missing_text(turn: Turn, text: str) -> bool:
    """Whether the turn was interrupted by others, and ``text`` goes on where what was saved of it ends."""
    interrupted = Turn.objects.filter(pk=turn.pk, owner=turn.owner, state=Turn.State.INTERRUPTED)
    saved = interrupted.values_list("reply__text", flat=True).first()
    return saved is not None and text.startswith(saved)


def stop(turn: Turn) -> None:
    """Ask the process that runs ``turn`` to end the model's call; a turn that nobody has taken ends here (CHAT-7)."""
    with transaction.atomic():
        unclaimed = Turn.objects.filter(pk=turn.pk, state=Turn.State.PENDING).update(
            state=Turn.State.STOPPED, finished_at=timezone.now()
        )
        if unclaimed:
            _begin_learning(turn)
    if unclaimed:
        events.announce(turn_channel(turn.pk), {"end": True})
        announce_session(turn.session.user_id, turn.session_id)
    else:
        Turn.objects.filter(pk=turn.pk, state=Turn.State.RUNNING).update(stop_requested=True)
        events.announce(control_channel(turn.pk), {"do": "stop"})


def sweep(*, session: Session | None = None) -> int:
    """End the turns whose web process has gone, keeping what they had (REL-2); return how many those were."""
    stale = timezone.now() - timedelta(seconds=settings.ADMINCHAT_TURN_STALE_SECONDS)
    lost = Turn.objects.filter(state__in=Turn.OPEN, heartbeat_at__lt=stale).select_related(
        "reply", "session__user", "message"
    )
    if session:
        lost = lost.filter(session=session)
    count = 0
    for turn in lost:
        html = render(turn.reply.text)  # can't have grown when the heartbeat, saved with it, still is as old
        with transaction.atomic():
            ended = Turn.objects.filter(pk=turn.pk, state__in=Turn.OPEN, heartbeat_at__lt=stale).update(
                state=Turn.State.INTERRUPTED, finished_at=timezone.now()
            )
            if ended:
                Message.objects.filter(pk=turn.reply_id).update(html=html)
                _begin_learning(turn)
                count += 1
        if ended:
            events.announce(turn_channel(turn.pk), {"end": True})
            announce_session(turn.session.user_id, turn.session_id)
    return count
