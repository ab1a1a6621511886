"""Where views of the panel send the browser next: the page itself, or the panel's fragment, which htmx follows."""

from django.http import HttpResponseRedirect

from memory.places import Place


def see(address: str, place: Place | None) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{address}?session={place.session_id}" if place else address, status=303)
