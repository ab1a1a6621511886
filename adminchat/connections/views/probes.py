"""Asking an endpoint itself: what works, which models it offers. Async, since they wait for it (CHAT-16)."""

from typing import cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.shortcuts import aget_object_or_404, render
from django.views.decorators.http import require_POST

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.accounts.models import User
from adminchat.connections import selectors
from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.forms import AddModelsForm
from adminchat.connections.models import Connection
from adminchat.connections.reports import checks_of, sentence_for
from adminchat.providers.errors import ProviderError
from adminchat.providers.probe import probe
from adminchat.providers.registry import provider_for

OFFERED_LIMIT = 500  # models


@require_POST
@super_admin_required
async def connection_test(request: UserRequest, connection_id: UUID) -> HttpResponse:
    """Say what works with one model: the one chosen, else the default, else the first."""
    connection = await _connection(request, connection_id)
    models = sorted(connection.models.all(), key=lambda model: (not model.is_default, model.name))
    chosen = request.POST.get("model")
    model = next((model for model in models if str(model.pk) == chosen), models[0] if models else None)
    result = await probe(endpoint_of(connection), model.name if model else "")
    context: dict[str, object] = {"connection": connection, "model": model, "checks": checks_of(result)}
    return await _page(request, "connections/_test.html", "connections/connection.html", context)


@require_POST
@super_admin_required
async def model_fetch(request: UserRequest, connection_id: UUID) -> HttpResponse:
    """List the models that the endpoint offers and the connection doesn't yet."""
    connection = await _connection(request, connection_id)
    known = {model.name for model in connection.models.all()}
    context: dict[str, object] = {"connection": connection}
    try:
        offered = await provider_for(endpoint_of(connection)).list_models()
    except ProviderError as error:
        context |= {"form": AddModelsForm(), "failure": sentence_for(error.code)}
    else:
        new = [info for info in offered if info.name not in known][:OFFERED_LIMIT]
        context |= {"form": AddModelsForm(offered=new), "fetched": True, "offered": new}
    return await _page(request, "connections/_add_models.html", "connections/connection.html", context)


async def _connection(request: UserRequest, connection_id: UUID) -> Connection:
    user = cast(User, await request.auser())
    return await aget_object_or_404(selectors.connections(user), pk=connection_id)


async def _page(request: UserRequest, fragment: str, page: str, context: dict[str, object]) -> HttpResponse:
    """The fragment for htmx, else the whole page with it; pages read the database, so they are made in a thread."""
    if request.htmx:
        return await sync_to_async(render)(request, fragment, context)
    connection = cast(Connection, context["connection"])
    whole = {"form": AddModelsForm(), "models": connection.models.all(), **context}
    return await sync_to_async(render)(request, page, whole)
