"""The pages of profiles (CHAT-23)."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from adminchat.accounts.access import UserRequest
from chat import profiles
from chat.forms import ProfileForm
from chat.views.access import found
from chat.views.navigation import go_to


@require_GET
@login_required
def profile_list(request: UserRequest) -> HttpResponse:
    context = {
        "profiles": profiles.available(request.user).select_related("model"),
        "editable": set(profiles.editable(request.user).values_list("pk", flat=True)),
        "mode_cap": profiles.mode_cap(request.user),
    }
    return render(request, "chat/profile_list.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def profile_create(request: UserRequest) -> HttpResponse:
    form = ProfileForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            profiles.create(request.user, form.instance, shared=form.is_shared)
        except IntegrityError:
            form.add_name_taken()
        else:
            return _saved(request)
    return _form_page(request, form)


@require_http_methods(["GET", "POST"])
@login_required
def profile_edit(request: UserRequest, profile_id: UUID) -> HttpResponse:
    profile = found(profiles.profile_to_edit, request.user, profile_id)
    form = ProfileForm(request.user, request.POST or None, instance=profile)
    if request.method == "POST" and form.is_valid():
        try:
            profiles.change(form.instance)
        except IntegrityError:
            form.add_name_taken()
        else:
            return _saved(request)
    return _form_page(request, form)


@require_http_methods(["GET", "POST"])
@login_required
def profile_delete(request: UserRequest, profile_id: UUID) -> HttpResponse:
    profile = found(profiles.profile_to_edit, request.user, profile_id)
    if request.method == "POST":
        profile.delete()
        messages.success(request, _("The profile is deleted."))
        return go_to(request, reverse("chat:profile-list"))
    return render(request, "chat/profile_delete.html", {"profile": profile})


def _saved(request: UserRequest) -> HttpResponse:
    sentence = _(
        "Saved. Instructions, temperature and the highest memory mode hold from the next turn of every chat with this"
        " profile, the rest for new chats."
    )
    messages.success(request, sentence)
    return go_to(request, reverse("chat:profile-list"))


def _form_page(request: UserRequest, form: ProfileForm) -> HttpResponse:
    context = {
        "form": form,
        "profile": form.instance,
        "mode_cap": profiles.mode_cap(request.user),
    }
    return render(request, "chat/profile_form.html", context, status=422 if form.is_bound else 200)
