"""The settings of one session (CHAT-15)."""

from copy import copy
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from adminchat.accounts.access import UserRequest
from chat import profiles, selectors, sessions
from chat.forms import SessionSettingsForm
from chat.views.access import found
from chat.views.navigation import go_to


@require_http_methods(["GET", "POST"])
@login_required
def session_settings(request: UserRequest, session_id: UUID) -> HttpResponse:
    session = found(selectors.session, request.user, session_id)
    # The form writes into its instance while it checks; the page around it needs the session as it is.
    form = SessionSettingsForm(request.user, request.POST or None, instance=copy(session))
    if request.method == "POST" and form.is_valid():
        for notice in sessions.configure(form.instance, form.changed_data):
            messages.warning(request, str(notice))
        messages.success(request, _("Saved. It holds from the next turn."))
        return go_to(request, reverse("chat:session-detail", args=[session.pk]))
    context = {
        "session": session,
        "form": form,
        "mode_cap": profiles.mode_cap(request.user, session.profile),
    }
    return render(
        request,
        "chat/session_settings.html",
        context,
        status=422 if form.is_bound else 200,
    )
