"""Conversations that were had already."""

from adminchat.lib.markdown import render, render_user
from chat.models import Message, Session, Turn
from tests.factories import MessageFactory, TurnFactory


def talk(session: Session, exchanges: list[tuple[str, str]], **fields: object) -> list[Turn]:
    """Let ``session`` go on with questions and replies; ``fields`` are those of every turn."""
    head, made = session.head, list[Turn]()
    for question, answer in exchanges:
        message = MessageFactory.create(session=session, parent=head, text=question, html=render_user(question))
        head = MessageFactory.create(
            session=session, parent=message, role=Message.Role.ASSISTANT, text=answer, html=render(answer)
        )
        made.append(TurnFactory.create(session=session, message=message, reply=head, model=session.model, **fields))
    session.head = head
    session.save(update_fields=["head"])
    return made
