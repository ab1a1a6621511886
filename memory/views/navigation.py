"""Where views of the panel send the browser next: the page itself, or the panel's fragment, which htmx follows."""

from django.http import HttpResponseRedirect

from memory.places import Place


class SeeOther(HttpResponseRedirect):
    """After a POST: read the result there."""

    status_code = 303


def see(address: str, place: Place | None) -> SeeOther:
    return SeeOther(f"{address}?session={place.session_id}" if place else address)
