"""The model connections of the tenant, managed by super administrators (CHAT-16)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from adminchat.accounts import selectors as accounts
from adminchat.accounts.access import UserRequest, confirmation_before_form, is_confirmed, super_admin_required
from adminchat.connections import catalogue, selectors
from adminchat.connections.forms import AddModelsForm, ConnectionCreateForm, ConnectionForm
from adminchat.connections.models import Connection
from adminchat.connections.views.defaults import change_of_default_told
from adminchat.providers.base import ModelInfo

NAME_TAKEN = gettext_lazy("There is a connection with this name already.")


@require_GET
@super_admin_required
def connection_list(request: UserRequest) -> HttpResponse:
    context = {
        "connections": selectors.connections(request.user),
        "default_model": selectors.default_model(request.user),
    }
    return render(request, "connections/connections.html", context)


@require_GET
@super_admin_required
def connection_detail(request: UserRequest, connection_id: UUID) -> HttpResponse:
    connection = get_object_or_404(selectors.connections(request.user), pk=connection_id)
    return render(request, "connections/connection.html", page_of(connection))


@never_cache
@require_http_methods(["GET", "POST"])
@super_admin_required
@confirmation_before_form
def connection_create(request: UserRequest) -> HttpResponse:
    form = ConnectionCreateForm(
        request.POST or None,
        instance=Connection(tenant_id=request.user.tenant_id, kind=Connection.Kind.OPENAI),
        workspaces=accounts.workspaces(request.user),
    )
    unconfirmed = request.method == "POST" and not is_confirmed(request)
    if request.method == "POST" and form.is_valid() and not unconfirmed:
        connection = _saved(form)
        if connection:
            messages.success(request, _("The connection is saved. Test it to see what works."))
            if form.cleaned_data["model"]:
                with change_of_default_told(request):
                    catalogue.add_models(connection, [ModelInfo(name=form.cleaned_data["model"])])
            return redirect("connections:connection-detail", connection.pk)
    context = {"form": form, "unconfirmed": unconfirmed}
    return render(request, "connections/connection_create.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@super_admin_required
@confirmation_before_form
def connection_edit(request: UserRequest, connection_id: UUID) -> HttpResponse:
    connection = get_object_or_404(selectors.connections(request.user), pk=connection_id)
    form = ConnectionForm(request.POST or None, instance=connection, workspaces=accounts.workspaces(request.user))
    unconfirmed = request.method == "POST" and not is_confirmed(request)
    if request.method == "POST" and form.is_valid() and not unconfirmed:
        with change_of_default_told(request):
            saved = _saved(form)
            if saved:
                messages.success(request, _("Saved."))
        if saved:
            return redirect("connections:connection-detail", connection_id)
    context = {
        "form": form,
        "unconfirmed": unconfirmed,
        "connection": selectors.connection(request.user, connection_id),
    }
    return render(request, "connections/connection_edit.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@super_admin_required
@confirmation_before_form
def connection_delete(request: UserRequest, connection_id: UUID) -> HttpResponse:
    connection = get_object_or_404(selectors.connections(request.user), pk=connection_id)
    if connection.origin != Connection.Origin.BROWSER:
        raise PermissionDenied
    unconfirmed = request.method == "POST" and not is_confirmed(request)
    if request.method == "POST" and not unconfirmed:
        with change_of_default_told(request):
            connection.delete()
            messages.success(request, _("The connection “%(name)s” was deleted.") % {"name": connection.name})
        return redirect("connections:connection-list")
    context = {"connection": connection, "unconfirmed": unconfirmed}
    return render(request, "connections/connection_delete.html", context, status=422 if unconfirmed else 200)


def page_of(connection: Connection, **more: Any) -> dict[str, Any]:
    """What the page of ``connection`` shows, and ``more``."""
    return {
        "connection": connection,
        "models": connection.models.all(),
        "key_state": connection.key_state,
        "form": AddModelsForm(),
        **more,
    }


def _saved(form: ConnectionForm) -> Connection | None:
    try:
        with transaction.atomic():
            return form.save()
    except IntegrityError:
        form.add_error("name", NAME_TAKEN)
        return None
