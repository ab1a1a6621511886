"""Asking an endpoint itself: what works, which models it offers (CHAT-16).

An endpoint may take its time, and a page must not wait for it in a page thread. So these views end at once with a
stream: the event loop asks the endpoint, then the page is made in a database thread and sent.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.accounts.limits import within
from adminchat.connections import selectors
from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.forms import AddModelsForm
from adminchat.connections.models import Connection
from adminchat.connections.reports import checks_of, sentence_for
from adminchat.connections.views.connections import page_of
from adminchat.lib.database import in_database_thread
from adminchat.providers.base import Endpoint
from adminchat.providers.errors import ProviderError
from adminchat.providers.probe import offered_models, probe

OFFERED_LIMIT = 500  # models
PROBES_PER_MINUTE = 20
TOO_MANY = _("You have asked the service many times in a short time. Wait a minute, then try again.")

Context = dict[str, Any]


@require_POST
@super_admin_required
def connection_test(request: UserRequest, connection_id: UUID) -> HttpResponseBase:
    """Say what works with one model: the one chosen, else the default, else the first."""
    connection = get_object_or_404(selectors.connections(request.user), pk=connection_id)
    models = sorted(connection.models.all(), key=lambda model: (not model.is_default, model.name))
    chosen = request.POST.get("model")
    model = next((model for model in models if str(model.pk) == chosen), models[0] if models else None)
    page = partial(_page, request, connection, "connections/_test.html")
    if not within(request.user, "probe", PROBES_PER_MINUTE):
        return render(request, *page(refusal=TOO_MANY), status=429)
    try:
        endpoint = endpoint_of(connection)
    except ProviderError as error:
        return render(request, *page(refusal=sentence_for(error.code)))
    return _later(request, partial(page, model=model), partial(_tested, endpoint, model.name if model else ""))


@require_POST
@super_admin_required
def model_fetch(request: UserRequest, connection_id: UUID) -> HttpResponseBase:
    """List the models that the endpoint offers and the connection doesn't yet."""
    connection = get_object_or_404(selectors.connections(request.user), pk=connection_id)
    known = {model.name for model in connection.models.all()}
    page = partial(_page, request, connection, "connections/_add_models.html")
    if not within(request.user, "probe", PROBES_PER_MINUTE):
        return render(request, *page(failure=TOO_MANY), status=429)
    try:
        endpoint = endpoint_of(connection)
    except ProviderError as error:
        return render(request, *page(failure=sentence_for(error.code)))
    return _later(request, page, partial(_fetched, endpoint, known))


async def _tested(endpoint: Endpoint, model: str) -> Context:
    return {"checks": checks_of(await probe(endpoint, model))}


async def _fetched(endpoint: Endpoint, known: set[str]) -> Context:
    try:
        offered = await offered_models(endpoint)
    except ProviderError as error:
        return {"failure": sentence_for(error.code)}
    new = [info for info in offered if info.name not in known][:OFFERED_LIMIT]
    return {"form": AddModelsForm(offered=new), "fetched": True, "offered": new}


def _later(
    request: UserRequest, page: Callable[..., tuple[str, Context]], ask: Callable[[], Awaitable[Context]]
) -> StreamingHttpResponse:
    """The page, written when ``ask`` has come back with the rest of it: in the reader's language and time zone."""
    get_token(request)  # now, since it may set a cookie
    language, zone = translation.get_language() or "en", timezone.get_current_timezone()

    def written(found: Context) -> str:
        with translation.override(language), timezone.override(zone):
            return render_to_string(*page(**found), request)

    async def chunks() -> AsyncIterator[str]:
        yield await in_database_thread(written, await ask())

    return StreamingHttpResponse(chunks())


def _page(request: UserRequest, connection: Connection, fragment: str, **found: Any) -> tuple[str, Context]:
    """The fragment for htmx, else the whole page with it."""
    return fragment if request.htmx else "connections/connection.html", page_of(connection, **found)
