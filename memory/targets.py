"""Where a question is asked that is no turn: by the panel, by a command."""

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.connections.selectors import default_model
from memory.loads import Target
from memory.places import Place


def target_of(user: User, place: Place | None) -> Target:
    """The place's workspace and model; without a place the model that a new chat of ``user`` starts with."""
    if place:
        return Target(place.workspace.pk if place.workspace else None, place.model_name, place.local)
    model = default_model(user)
    local = bool(model and model.connection.kind == Connection.Kind.LOCAL)
    return Target(None, model.name if model else "", local)
