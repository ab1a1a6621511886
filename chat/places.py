"""What memory may know of sessions (see ``memory.places``)."""

from collections.abc import Collection
from uuid import UUID

from django.urls import reverse

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.connections.selectors import default_model
from chat import selectors, turns
from chat.models import Message, Session
from memory.places import Link, NoPlace, Place


class ChatSessions:
    def place(self, user: User, session_id: UUID) -> Place:
        try:
            session = selectors.session(user, session_id)
        except Session.DoesNotExist:
            raise NoPlace from None
        model = session.model or default_model(user, session.workspace)
        return Place(
            session_id=session.pk,
            title=session.title,
            workspace=session.workspace,
            mode=turns.effective_mode(session),
            model_name=model.name if model else "",
            local=bool(model and model.connection.kind == Connection.Kind.LOCAL),
        )

    def message_addresses(self, user: User, message_ids: Collection[UUID]) -> dict[UUID, str]:
        mine = Message.objects.filter(pk__in=message_ids, session__in=selectors.sessions(user))
        return {
            message: f"{reverse('chat:session-detail', args=[session])}#message-{message}"
            for message, session in mine.values_list("pk", "session")
        }

    def links(self, user: User, session_ids: Collection[UUID]) -> dict[UUID, Link]:
        mine = selectors.sessions(user).filter(pk__in=session_ids).values_list("pk", "title")
        return {session: Link(title, reverse("chat:session-detail", args=[session])) for session, title in mine}
