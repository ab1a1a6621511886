"""Turns: start, stop, regenerate, edit, choose a version."""

from uuid import UUID, uuid4

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from adminchat.accounts.access import UserRequest
from adminchat.accounts.navigation import wants_page
from adminchat.connections.selectors import usable_models
from chat import selectors, sessions, threads, turns
from chat.forms import MessageForm, RegenerateForm
from chat.models import Session, Turn
from chat.views.access import found
from chat.views.conversation import refusal


@require_POST
@login_required
def turn_create(request: UserRequest, session_id: UUID) -> HttpResponse:
    """Ask; the answer is the turn's fragment, or what was wrong with the message typed, which stays in the form."""
    session = found(selectors.session, request.user, session_id)
    form = MessageForm(request.POST)
    if not form.is_valid():
        return refusal(request, session, form, status=422)
    try:
        turn = turns.start(
            session=session, text=form.cleaned_data["message"], request_id=form.cleaned_data["request_id"]
        )
    except turns.TurnRefused as refused:
        form.add_error(None, str(refused.sentence))
        return refusal(request, session, form, status=refused.status)
    except Session.DoesNotExist:
        raise Http404 from None
    return _show(request, turn)


@require_POST
@login_required
def turn_stop(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """Stop; the page hears of the end through the turn's stream."""
    turn = found(selectors.turn, request.user, turn_id)
    turns.stop(turn)
    return HttpResponse(status=204) if request.htmx else _to_session(turn)


@require_POST
@login_required
def turn_regenerate(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """Another reply to the same message, perhaps by another model."""
    turn = found(selectors.turn, request.user, turn_id)
    form = RegenerateForm(request.POST, models=usable_models(request.user, turn.session.workspace))
    if not form.is_valid():
        return refusal(request, turn.session, form, status=422)
    try:
        turns.regenerate(turn=turn, version=form.cleaned_data["version"], model=form.cleaned_data["model"])
    except turns.TurnRefused as refused:
        form.add_error(None, str(refused.sentence))
        return refusal(request, turn.session, form, status=refused.status)
    except Session.DoesNotExist:
        raise Http404 from None
    return _to_session(turn, request)


@require_POST
@login_required
def turn_select(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """Show the branch that goes through this turn."""
    turn = found(selectors.turn, request.user, turn_id)
    sessions.show(turn)
    return _to_session(turn, request)


@require_http_methods(["GET", "POST"])
@login_required
def message_edit(request: UserRequest, message_id: UUID) -> HttpResponse:
    """Ask again in other words; the earlier version stays as a sibling."""
    message = found(selectors.user_message, request.user, message_id)
    form = MessageForm(request.POST or None, initial={"message": message.text, "request_id": uuid4()})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                turn = turns.edit(
                    message=message, text=form.cleaned_data["message"], request_id=form.cleaned_data["request_id"]
                )
                return _to_session(turn, request)
            except turns.TurnRefused as refused:
                status = refused.status
                form.add_error(None, str(refused.sentence))
            except Session.DoesNotExist:
                raise Http404 from None
    template = "chat/_message_edit.html" if request.htmx else "chat/message_edit.html"
    return render(request, template, {"form": form, "message": message, "session": message.session}, status=status)


def _show(request: UserRequest, turn: Turn) -> HttpResponse:
    if wants_page(request):
        return _to_session(turn)
    context = {"exchange": threads.new_exchange(turn), "session": turn.session, "request_id": uuid4(), "fresh": True}
    return render(request, "chat/_turn.html", context)


def _to_session(turn: Turn, request: UserRequest | None = None) -> HttpResponse:
    address = reverse("chat:session-detail", args=[turn.session_id])
    if request and request.htmx:
        return HttpResponse(status=204, headers={"HX-Location": address})
    return HttpResponseRedirect(f"{address}#turn-{turn.pk}", status=303)
