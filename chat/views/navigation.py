"""Where a view sends the browser next."""

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from chat.sidebar import Cursor
from chat.views.access import HtmxRequest


class SeeOther(HttpResponseRedirect):
    """After a POST: read the result there."""

    status_code = 303


def go_to(request: HtmxRequest, address: str) -> HttpResponse:
    """Send the browser to ``address``, whether it asked itself or htmx did for it."""
    return HttpResponseClientRedirect(address) if request.htmx else SeeOther(address)


def came_from(request: HtmxRequest, otherwise: str) -> str:
    """The page of ours that the user acted on: ``next``, or what htmx says."""
    address = request.POST.get("next") or request.GET.get("next") or request.htmx.current_url_abs_path or ""
    local = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if local else otherwise


def cursor_or_404(request: HtmxRequest) -> Cursor | None:
    """Where ``?before=`` says that a list goes on."""
    text = request.GET.get("before")
    try:
        return Cursor.parse(text) if text else None
    except ValueError:
        raise Http404 from None
