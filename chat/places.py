"""What memory may know of sessions (see ``memory.places``)."""

from collections.abc import Collection
from uuid import UUID

from django.urls import reverse

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.connections.selectors import default_model
from chat import selectors, turns
from chat.models import Message, Session, Turn
from memory.places import Link, NoPlace, Place, Subject


class ChatSessions:
    def place(self, user: User, session_id: UUID) -> Place:
        try:
            session = selectors.session(user, session_id)
        except Session.DoesNotExist:
            raise NoPlace from None
        model = session.model or default_model(user, session.workspace)
        mode, rule = turns.memory_of(session, model)
        return Place(
            session_id=session.pk,
            title=session.title,
            workspace=session.workspace,
            mode=mode,
            rule=rule,
            model_name=model.name if model else "",
            local=bool(model and model.connection.kind == Connection.Kind.LOCAL),
        )

    def message_addresses(self, user: User, message_ids: Collection[UUID]) -> dict[UUID, str]:
        mine = Message.objects.filter(pk__in=message_ids, session__in=selectors.sessions(user))
        return {
            message: f"{reverse('chat:session-detail', args=[session])}#message-{message}"
            for message, session in mine.values_list("pk", "session")
        }

    def subject(self, user_id: UUID, turn_id: UUID) -> Subject:
        try:
            user = User.objects.get(pk=user_id, is_active=True)
            turn = selectors.learned_turn(user, turn_id)
        except (User.DoesNotExist, Turn.DoesNotExist):
            raise NoPlace from None
        session = turn.session
        mode = turns.effective_mode(session)
        return Subject(
            user=user,
            session_id=session.pk,
            message_id=turn.message_id,
            text=turn.message.text,
            asked_at=turn.created_at,
            workspace=session.workspace,
            mode=mode,
            is_capped=mode != session.memory_mode,
            model=turn.model,
        )

    def links(self, user: User, session_ids: Collection[UUID]) -> dict[UUID, Link]:
        mine = selectors.sessions(user).filter(pk__in=session_ids).values_list("pk", "title")
        return {session: Link(title, reverse("chat:session-detail", args=[session])) for session, title in mine}
