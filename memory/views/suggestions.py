"""The queue of what learning suggests (LEARN-23)."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adminchat.accounts.access import UserRequest
from memory import selectors, suggestions
from memory.entries import Content, EntryRefused
from memory.expiry import day_and_time
from memory.forms import EntryForm
from memory.learning.apply import content_of
from memory.models import Entry, Suggestion
from memory.views.access import place_of
from memory.views.navigation import see

ACCEPTED = gettext_lazy("Accepted. It holds from the next turn.")


@require_GET
@login_required
def suggestion_list(request: UserRequest) -> HttpResponse:
    return _list(request)


@require_POST
@login_required
def suggestion_accept(request: UserRequest, suggestion_id: UUID) -> HttpResponse:
    return _accept(request, suggestion_id)


@require_http_methods(["GET", "POST"])
@login_required
def suggestion_edit(request: UserRequest, suggestion_id: UUID) -> HttpResponse:
    """A suggestion in its owner's words; saving accepts it."""
    try:
        suggestion = suggestions.get(request.user, suggestion_id)
    except Suggestion.DoesNotExist:
        raise Http404 from None
    operation = suggestions.operation_of(suggestion)
    if operation.op == "forget":
        raise Http404
    place = place_of(request)
    initial = {**vars_of(content_of(operation)), "scope": operation.scope}
    form = EntryForm(request.POST or None, place=place, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            suggestions.accept(request.user, suggestion_id, form.content)
        except EntryRefused as refused:  # what was typed stays
            form.add_error(None, str(refused.sentence))
        except (Suggestion.DoesNotExist, Entry.DoesNotExist):
            form.add_error(None, _("The entry that it was about is gone. Add your draft as a new one, or leave it."))
        else:
            return _answer(request, ACCEPTED, 200)
    context = {
        "form": form,
        "suggestion": suggestion,
        "place": place,
        "topics": selectors.topics(request.user),
        "tab": "entries",
    }
    return render(request, "memory/suggestion_edit.html", context, status=422 if form.is_bound else 200)


def vars_of(content: Content) -> dict[str, object]:
    """What the form shows of a content."""
    fields: dict[str, object] = {
        "text": content.text,
        "tier": content.tier,
        "topic": content.topic,
        "kind": content.kind,
        "pinned": content.pinned,
    }
    if content.expires_at:
        fields["expires_at"], fields["expires_time"] = day_and_time(content.expires_at)
    return fields


@require_POST
@login_required
def suggestion_reject(request: UserRequest, suggestion_id: UUID) -> HttpResponse:
    if not suggestions.reject(request.user, suggestion_id):
        return _answer(request, _("This suggestion is no longer there."), 404)
    return _answer(request, _("Rejected. Nothing was stored."), 200)


def _accept(request: UserRequest, suggestion_id: UUID) -> HttpResponse:
    try:
        suggestions.accept(request.user, suggestion_id)
    except Suggestion.DoesNotExist:
        return _answer(request, _("This suggestion is no longer there."), 404)
    except Entry.DoesNotExist:
        suggestions.reject(request.user, suggestion_id)
        return _answer(request, _("The entry that it was about is gone, and so is the suggestion."), 409)
    except EntryRefused as refused:
        return _answer(request, str(refused.sentence), 409)
    except ValidationError as error:
        return _answer(request, " ".join(error.messages), 422)
    return _answer(request, ACCEPTED, 200)


def _answer(request: UserRequest, sentence: str | Promise, status: int) -> HttpResponse:
    if request.htmx:
        return _list(request, sentence, status)
    if status == 404:
        raise Http404
    messages.add_message(request, messages.SUCCESS if status == 200 else messages.WARNING, str(sentence))
    return see(reverse("memory:suggestion-list"), place_of(request))


def _list(request: UserRequest, sentence: str | Promise = "", status: int = 200) -> HttpResponse:
    context = {
        "suggestions": suggestions.listed(request.user),
        "place": place_of(request),
        "sentence": sentence,
        "is_refused": status != 200,
        "tab": "entries",
    }
    return render(request, "memory/suggestions.html", context, status=status)
