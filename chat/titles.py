"""Titles: written by the model after the first reply, where its owner hasn't set one (CHAT-14)."""

import logging
from functools import partial
from uuid import UUID

from django.db import DatabaseError

from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.models import ChatModel, Connection
from adminchat.lib.database import in_database_thread
from adminchat.lib.events import hub, user_channel
from adminchat.prompts.models import Range
from adminchat.prompts.resolution import resolve
from adminchat.providers.base import ChatRequest
from adminchat.providers.errors import ProviderError
from adminchat.providers.registry import provider_for
from chat.models import Message, Session, Turn
from chat.texts import one_line

logger = logging.getLogger(__name__)

TITLE_CHARACTERS = 60
EXCERPT_CHARACTERS = 2_000  # of each side; more tells no more about the subject
QUOTES = "\"'“”‘’«»「」『』《》*#` \t"


def may_name(turn: Turn) -> bool:
    """Whether the session of ``turn`` had no better title than its first words when the turn was stored."""
    return turn.session.title_source == Session.TitleSource.FIRST_WORDS and not turn.session.temporary


async def name_session(turn: Turn) -> None:
    """Give the session of its first turn a generated title; when that fails the first words stay.

    The built-in model is too small to be asked, unless the prompt names it.
    """
    try:
        await _name(turn)
    except (ProviderError, DatabaseError) as error:
        logger.info("No title was generated", extra={"turn": str(turn.pk), "error_type": type(error).__name__})


async def _name(turn: Turn) -> None:
    asked = await in_database_thread(_request, turn)
    if asked is None:
        return
    model, request = asked
    completion = await provider_for(endpoint_of(model.connection)).complete(request)
    if title := cleaned_title(completion.text):
        if await in_database_thread(partial(_store, turn.session_id, title)):
            hub().publish(user_channel(turn.session.user_id), {"session": str(turn.session_id)})


def cleaned_title(answer: str) -> str:
    """The first line of a model's answer as a title, or "" when there is none."""
    line = next((line for line in answer.strip().splitlines() if line.strip()), "")
    title = one_line(line).strip(QUOTES).rstrip(".。")
    return title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1].rstrip() + "…"


def _request(turn: Turn) -> tuple[ChatModel, ChatRequest] | None:
    """Whom to ask and what, or None: only after the first reply that came to its end, where nobody sees a better title or
    would see this one. The prompt may have a model of its own (PROMPT-2)."""
    unnamed = Session.objects.filter(pk=turn.session_id, title_source=Session.TitleSource.FIRST_WORDS, temporary=False)
    replies = Message.objects.filter(session__in=unnamed, turn_of_reply__state=Turn.State.DONE).exclude(text="")
    texts = list(replies.values_list("pk", "text")[:2])
    if [key for key, _text in texts] != [turn.reply_id]:
        return None
    prompt = resolve(turn.session.tenant_id, Range.SESSION_TITLE)
    model = prompt.model or turn.model
    if model is None or (prompt.model is None and model.connection.kind == Connection.Kind.LOCAL):
        return None
    question, answer = turn.message.text[:EXCERPT_CHARACTERS], texts[0][1][:EXCERPT_CHARACTERS]
    conversation = f"<user>\n{question}\n</user>\n<assistant>\n{answer}\n</assistant>"
    return model, prompt.request(model.name, conversation)


def _store(session_id: UUID, title: str) -> bool:
    return bool(
        Session.objects.filter(pk=session_id, title_source=Session.TitleSource.FIRST_WORDS).update(
            title=title, title_source=Session.TitleSource.GENERATED
        )
    )
