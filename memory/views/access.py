"""What the views of memory need of a request."""

from uuid import UUID

from django.http import Http404

from adminchat.accounts.access import UserRequest
from adminchat.accounts.models import Workspace
from memory import places
from memory.places import NoPlace, Place


def place_of(request: UserRequest) -> Place | None:
    """The session from which memory is looked at, from the form or the address; None without one. Raises ``Http404``
    for one that there is not, or not for this user."""
    given = request.POST.get("session") or request.GET.get("session") or ""
    if not given:
        return None
    try:
        return places.place(request.user, UUID(given))
    except (ValueError, NoPlace):
        raise Http404 from None


def workspace_of(place: Place | None) -> Workspace | None:
    return place.workspace if place else None
