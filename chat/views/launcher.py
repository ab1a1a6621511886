"""The launcher: the page where a session begins (CHAT-1)."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from adminchat.accounts.models import MemoryMode
from adminchat.accounts.policies import policy_for
from adminchat.accounts.selectors import own_workspaces
from adminchat.connections.models import Connection
from adminchat.connections.selectors import default_model, usable_models
from chat import profiles, selectors, sessions, system_messages, turns
from chat.forms import LauncherForm
from chat.models import ChatPreferences, Session
from chat.views.conversation import remember_start
from chat.views.navigation import go_to


@require_GET
@login_required
def launcher(request: UserRequest) -> HttpResponse:
    profile = profiles.preferred(request.user)
    remembered = ChatPreferences.objects.filter(user=request.user).values_list("last_model", flat=True).first()
    model = usable_models(request.user).filter(pk=remembered).first() if remembered else None
    cap = profiles.mode_cap(request.user, profile)
    form = LauncherForm(
        request.user,
        initial={
            "memory_mode": MemoryMode.capped(profile.memory_default, cap) if profile else MemoryMode.OFF,
            "notes": profile.notes if profile else True,
            "model": model,
            "profile": profile,
        },
    )
    return _page(request, form)


@login_required
def session_create(request: UserRequest) -> HttpResponse:
    form = LauncherForm(request.user, request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        started = sessions.start(
            request.user,
            text=form.cleaned_data["message"],
            request_id=form.cleaned_data["request_id"],
            choices=form.choices(),
        )
    except turns.TurnRefused as refused:
        form.add_error(None, str(refused.sentence))
        return _page(request, form, status=refused.status)
    except Session.DoesNotExist:
        raise Http404 from None
    for notice in started.notices:
        messages.warning(request, str(notice))
    response = go_to(request, reverse("chat:session-detail", args=[started.session.pk]))
    if started.turn:
        remember_start(response, started.turn)
    return response


def _page(request: UserRequest, form: LauncherForm, status: int = 200) -> HttpResponse:
    models = list(usable_models(request.user))
    built_in_only = all(model.connection.origin == Connection.Origin.BUILT_IN for model in models)
    context = {
        "form": form,
        "request_id": uuid4(),
        "models": models,
        "profiles": profiles.available(request.user).select_related("model"),
        "default_model": default_model(request.user),
        "workspaces": own_workspaces(request.user),
        "first_run": built_in_only and not selectors.sessions(request.user).exists(),
        "mode_cap": profiles.mode_cap(request.user),
        "temporary_hours": policy_for(request.user).temporary_hours,
        "news": system_messages.news(request.user),
    }
    return render(request, "chat/launcher.html", context, status=status)
