"""What the views of memory need of a request."""

from uuid import UUID

from django.http import Http404

from adminchat.accounts.access import UserRequest
from adminchat.connections.models import Connection
from adminchat.connections.selectors import default_model
from memory import loads, places
from memory.places import NoPlace, Place


def place_of(request: UserRequest) -> Place | None:
    """The session from which memory is looked at, from the form or the address; None without one, or with a wrong one."""
    given = request.POST.get("session") or request.GET.get("session") or ""
    if not given:
        return None
    try:
        return places.place(request.user, UUID(given))
    except (ValueError, NoPlace):
        raise Http404 from None


def target_of(request: UserRequest, place: Place | None) -> loads.Target:
    """The place's workspace and model; without a place the model that a new chat starts with."""
    if place:
        return loads.Target(place.workspace.pk if place.workspace else None, place.model_name, place.local)
    model = default_model(request.user)
    local = bool(model and model.connection.kind == Connection.Kind.LOCAL)
    return loads.Target(None, model.name if model else "", local)
