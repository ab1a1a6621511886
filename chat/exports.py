"""A session as a file (CHAT-11): Markdown of what its page shows, or JSON with every branch."""

import json
from datetime import UTC, datetime
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.models import Message, Session
from chat.threads import Tree

FORMAT, VERSION = "adminchat.session", 1
NAME_LIMIT = 60  # characters


def file_name(session: Session, extension: str) -> str:
    """A name that every file system takes, from the title's letters in any script."""
    return f"{slugify(session.title, allow_unicode=True)[:NAME_LIMIT].strip('-_') or 'chat'}.{extension}"


def as_markdown(session: Session) -> str:
    """The branch that the page shows, each message under a heading that says who wrote it."""
    path = Tree(session).path(session.head_id)
    texts = dict(session.messages.values_list("pk", "text"))
    parts = [f"# {session.title}"]
    for node in path:
        parts += [
            f"## {_('You')}",
            texts[node.message],
            f"## {_('Assistant')}",
            texts[node.reply],
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def as_json(session: Session) -> str:
    """Everything that was said, as a tree: ``parent`` names the message before, ``shown`` the branch of the page.

    Times are ISO 8601 in UTC. ``version`` grows when a reader of the format would have to change.
    """
    shown = {key for node in Tree(session).path(session.head_id) for key in (node.message, node.reply)}
    turns = {turn.reply_id: turn for turn in session.turns.all()}
    messages = []
    for message in session.messages.order_by("created_at", "pk").defer("html"):
        item: dict[str, Any] = {
            "id": str(message.pk),
            "parent": str(message.parent_id) if message.parent_id else None,
            "role": message.role,
            "text": message.text,
            "created_at": _iso(message.created_at),
            "shown": message.pk in shown,
        }
        if message.role == Message.Role.ASSISTANT and (turn := turns.get(message.pk)):
            item |= {
                "model": turn.model_label,
                "state": turn.state,
                "input_tokens": turn.input_tokens,
                "output_tokens": turn.output_tokens,
                "seconds": turn.seconds,
            }
        messages.append(item)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "id": str(session.pk),
        "title": session.title,
        "created_at": _iso(session.created_at),
        "memory_mode": session.memory_mode,
        "notes": session.notes,
        "temporary": session.temporary,
        "messages": messages,
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
