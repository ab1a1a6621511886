"""The workspaces of the tenant and their members, managed by super administrators (CHAT-21)."""

from uuid import UUID

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adminchat.accounts import selectors, workspaces
from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.accounts.forms import MemberForm, WorkspaceCreateForm, WorkspaceDeleteForm, WorkspaceForm

NAME_TAKEN = gettext_lazy("There is a workspace with this name already.")


@require_GET
@super_admin_required
def workspace_list(request: UserRequest) -> HttpResponse:
    return render(request, "accounts/workspaces.html", {"workspaces": selectors.workspaces(request.user)})


@require_http_methods(["GET", "POST"])
@super_admin_required
def workspace_create(request: UserRequest) -> HttpResponse:
    form = WorkspaceCreateForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            workspace = workspaces.create(request.user, **form.cleaned_data)
        except IntegrityError:
            form.add_error("name", NAME_TAKEN)
        else:
            return redirect("accounts:workspace-detail", workspace.pk)
    return render(request, "accounts/workspace_create.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@super_admin_required
def workspace_detail(request: UserRequest, workspace_id: UUID) -> HttpResponse:
    workspace = get_object_or_404(selectors.workspaces(request.user), pk=workspace_id)
    form = WorkspaceForm(request.POST or None, instance=workspace)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                form.save()
        except IntegrityError:
            form.add_error("name", NAME_TAKEN)
        else:
            messages.success(request, _("Saved."))
            return redirect("accounts:workspace-detail", workspace_id)
    context = {
        "form": form,
        "workspace": selectors.workspace(request.user, workspace_id),
        "members": selectors.members(request.user, workspace),
        "member_form": MemberForm(candidates=selectors.candidates(request.user, workspace)),
    }
    return render(request, "accounts/workspace.html", context, status=422 if form.is_bound else 200)


@require_POST
@super_admin_required
def member_add(request: UserRequest, workspace_id: UUID) -> HttpResponse:
    workspace = get_object_or_404(selectors.workspaces(request.user), pk=workspace_id)
    form = MemberForm(request.POST, candidates=selectors.candidates(request.user, workspace))
    if form.is_valid():
        workspaces.add_member(workspace, form.cleaned_data["person"])
    else:
        messages.error(request, _("Choose a person who is not a member yet."))
    return redirect("accounts:workspace-detail", workspace_id)


@require_POST
@super_admin_required
def member_remove(request: UserRequest, workspace_id: UUID, person_id: UUID) -> HttpResponse:
    workspace = get_object_or_404(selectors.workspaces(request.user), pk=workspace_id)
    person = get_object_or_404(selectors.people(request.user), pk=person_id)
    workspaces.remove_member(workspace, person)
    return redirect("accounts:workspace-detail", workspace_id)


@require_http_methods(["GET", "POST"])
@super_admin_required
def workspace_delete(request: UserRequest, workspace_id: UUID) -> HttpResponse:
    workspace = get_object_or_404(selectors.workspaces(request.user), pk=workspace_id)
    form = WorkspaceDeleteForm(request.POST or None, workspace=workspace)
    if request.method == "POST" and form.is_valid():
        workspaces.delete(workspace)
        messages.success(request, _("The workspace “%(name)s” was deleted.") % {"name": workspace.name})
        return redirect("accounts:workspace-list")
    context = {"form": form, "workspace": workspace, "losses": workspaces.losses(workspace)}
    return render(request, "accounts/workspace_delete.html", context, status=422 if form.is_bound else 200)
