"""The models that a connection offers, managed by super administrators (CHAT-16)."""

from copy import copy
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.connections import catalogue, selectors
from adminchat.connections.forms import AddModelsForm, ModelForm
from adminchat.connections.models import ChatModel, Connection
from adminchat.connections.views.connections import page_of
from adminchat.connections.views.defaults import change_of_default_told


@require_POST
@super_admin_required
def model_add(request: UserRequest, connection_id: UUID) -> HttpResponse:
    connection = get_object_or_404(selectors.connections(request.user), pk=connection_id)
    if connection.origin != Connection.Origin.BROWSER:
        raise PermissionDenied
    form = AddModelsForm(request.POST)
    if not form.is_valid():
        return render(request, "connections/connection.html", page_of(connection, form=form), status=422)
    with change_of_default_told(request):
        count = len(catalogue.add_models(connection, form.models()))
        if count:
            text = ngettext("%(count)d model added.", "%(count)d models added.", count)
            messages.success(request, text % {"count": count})
        else:
            messages.info(request, _("These models are there already."))
    return redirect("connections:connection-detail", connection_id)


@require_http_methods(["GET", "POST"])
@super_admin_required
def model_edit(request: UserRequest, model_id: UUID) -> HttpResponse:
    model = get_object_or_404(selectors.models(request.user), pk=model_id)
    # The form writes into its instance while it checks; the page around it needs the model as it is.
    form = ModelForm(request.POST or None, instance=copy(model))
    if request.method == "POST" and form.is_valid():
        with change_of_default_told(request):
            form.save()
            messages.success(request, _("Saved."))
        return redirect("connections:connection-detail", model.connection_id)
    context = {"form": form, "model": model}
    return render(request, "connections/model.html", context, status=422 if form.is_bound else 200)


@require_POST
@super_admin_required
def model_default(request: UserRequest, model_id: UUID) -> HttpResponse:
    model = get_object_or_404(selectors.models(request.user), pk=model_id)
    try:
        catalogue.make_default(model)
    except catalogue.SwitchedOff:
        messages.error(request, _("%(model)s is switched off. Switch it on first.") % {"model": model.label})
    else:
        messages.success(request, _("New chats start with %(model)s.") % {"model": model.label})
    return redirect("connections:connection-detail", model.connection_id)


@require_http_methods(["GET", "POST"])
@super_admin_required
def model_delete(request: UserRequest, model_id: UUID) -> HttpResponse:
    model: ChatModel = get_object_or_404(selectors.models(request.user), pk=model_id)
    if model.connection.origin != Connection.Origin.BROWSER:
        raise PermissionDenied
    if request.method == "POST":
        with change_of_default_told(request):
            model.delete()
            messages.success(request, _("%(model)s is no longer offered.") % {"model": model.label})
        return redirect("connections:connection-detail", model.connection_id)
    return render(request, "connections/model_delete.html", {"model": model})
