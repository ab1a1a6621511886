"""The page of one session, which several views answer with."""

from typing import Any
from uuid import uuid4

from django import forms
from django.http import HttpResponse
from django.shortcuts import render

from adminchat.accounts.access import UserRequest
from adminchat.connections.selectors import default_model, usable_models
from chat import profiles, system_messages
from chat.models import Session
from chat.threads import running_elsewhere, thread
from chat.turns import effective_mode


def session_page(
    request: UserRequest, session: Session, *, form: forms.Form | None = None, status: int = 200
) -> HttpResponse:
    """The conversation with its composer; ``form`` brings back a message that could not be sent, and why."""
    context: dict[str, Any] = {
        "session": session,
        "thread": thread(session),
        "request_id": uuid4(),
        "mode": effective_mode(session),
        "elsewhere": running_elsewhere(session),
        "default_model": default_model(request.user, session.workspace) if session.model is None else None,
        "models": usable_models(request.user, session.workspace),
        "news": system_messages.news(request.user),
        "mode_cap": profiles.mode_cap(request.user, session.profile),
        "form": form,
        "draft": form.data.get("message", "") if form else "",
    }
    return render(request, "chat/session.html", context, status=status)


def refusal(request: UserRequest, session: Session, form: forms.Form, *, status: int) -> HttpResponse:
    """Why nothing was sent: beside the composer, which keeps what was typed."""
    if not request.htmx:
        return session_page(request, session, form=form, status=status)
    response = render(request, "chat/_composer_notice.html", {"form": form, "status": status}, status=status)
    response["HX-Retarget"] = "#composer-notice"
    response["HX-Reswap"] = "innerHTML"
    return response
