"""What memory may know of a session (see ``memory.places``)."""

from uuid import UUID

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.connections.selectors import default_model
from chat import selectors, turns
from chat.models import Session
from memory.places import NoPlace, Place


def find(user: User, session_id: UUID) -> Place:
    """The session of ``user`` as a place. Raises ``NoPlace``."""
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
