"""Where a view sends the browser next."""

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django_htmx.http import HttpResponseClientRedirect

from adminchat.accounts.access import UserRequest
from chat.sidebar import Cursor


def go_to(request: UserRequest, address: str) -> HttpResponse:
    """Send the browser to ``address``, whether it asked itself or htmx did for it."""
    return HttpResponseClientRedirect(address) if request.htmx else HttpResponseRedirect(address, status=303)


def cursor_or_404(request: UserRequest) -> Cursor | None:
    """Where ``?before=`` says that a list goes on."""
    text = request.GET.get("before")
    try:
        return Cursor.parse(text) if text else None
    except ValueError:
        raise Http404 from None
