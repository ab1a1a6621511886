"""The page of one session, which several views answer with."""

from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from adminchat.accounts.access import UserRequest
from adminchat.connections.selectors import default_model, usable_models
from chat import profiles, system_messages
from chat.models import Session, Turn
from chat.reports import receipt_of, report_of
from chat.threads import Thread, running_elsewhere, thread
from chat.turns import effective_mode
from memory.rules import MemoryRule

JUST_STARTED = "just-started"


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
    response = render(request, "chat/session.html", context | _just_ended(request, context["thread"]), status=status)
    if JUST_STARTED in request.COOKIES:
        response.delete_cookie(JUST_STARTED, path=request.path)
    return response


def remember_start(response: HttpResponse, turn: Turn) -> None:
    """Let the page that ``response`` leads to know that it shows its first turn for the first time."""
    path = reverse("chat:session-detail", args=[turn.session_id])
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(JUST_STARTED, str(turn.pk), max_age=60, path=path, httponly=True, samesite="Lax", secure=secure)


def _just_ended(request: UserRequest, shown: Thread) -> dict[str, Any]:
    """Report and receipt of a turn that was started by the request before, and has ended already: what its stream would
    have brought (ENTRY-22)."""
    turn = shown.exchanges[-1].turn if shown.exchanges else None
    if turn is None or turn.is_open or request.COOKIES.get(JUST_STARTED) != str(turn.pk):
        return {}
    rule = {"rule": MemoryRule(turn.memory_rule)} if turn.memory_rule else report_of(request.user, turn)
    return {"just_ended": {"turn": turn.pk, "receipt": receipt_of(request.user, turn), **rule}}


def refusal(request: UserRequest, session: Session, form: forms.Form, *, status: int) -> HttpResponse:
    """Why nothing was sent: beside the composer, which keeps what was typed."""
    if not request.htmx:
        return session_page(request, session, form=form, status=status)
    response = render(request, "chat/_composer_notice.html", {"form": form, "status": status}, status=status)
    response["HX-Retarget"] = "#composer-notice"
    response["HX-Reswap"] = "innerHTML"
    return response
