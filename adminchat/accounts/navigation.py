"""Where somebody goes on after what they did."""

from django.utils.http import url_has_allowed_host_and_scheme

from adminchat.accounts.access import UserRequest


def wants_page(request: UserRequest) -> bool:
    """Whether a browser without scripts asks: it follows to a page, everybody else takes the fragment."""
    return not request.htmx and "text/html" in request.headers.get("Accept", "")


def came_from(request: UserRequest, otherwise: str) -> str:
    """The page of ours that the user acted on: ``next``, or what htmx says."""
    address = request.POST.get("next") or request.GET.get("next") or request.htmx.current_url_abs_path or ""
    local = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if local else otherwise
