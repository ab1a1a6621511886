"""The receipt of a turn, and what can be done from it with one click (LEARN-20)."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from adminchat.accounts.access import UserRequest
from memory import entries, history, places, selectors
from memory.entries import EntryRefused, Outdated
from memory.learning import receipts
from memory.models import Change, Entry, Learning
from memory.places import NoPlace
from memory.views.access import place_of, workspace_of
from memory.views.navigation import see


@require_GET
@login_required
def receipt(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """The receipt as things are now: a fragment for the page that has it."""
    return _receipt(request, turn_id)


@require_POST
@login_required
def receipt_act(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """``do=undo``, ``pin`` or ``unpin`` with one ``change`` of the turn."""
    learning = _found(request, turn_id)
    done = {"undo": _undo, "pin": _pin, "unpin": _pin}.get(request.POST.get("do", ""))
    change = _change(request, learning)
    if done is None or change is None:
        return _receipt(request, turn_id, _("There is nothing to be done here."), 422)
    try:
        said, status = done(request, learning, change), 200
    except (Change.DoesNotExist, Entry.DoesNotExist):
        said, status = _("This can no longer be undone: the entry is gone, or was taken back already."), 409
    except Outdated:
        said, status = _("The entry was changed since. Look at it before you decide."), 409
    except EntryRefused as refused:
        said, status = str(refused.sentence), 409
    if request.htmx:
        return _receipt(request, turn_id, said, status)
    messages.add_message(request, messages.SUCCESS if status == 200 else messages.WARNING, said)
    recorded = selectors.has_activity(request.user, turn_id)
    address = reverse("memory:activity-detail", args=[turn_id]) if recorded else reverse("memory:activity-list")
    return see(address, place_of(request))


def _undo(request: UserRequest, learning: Learning, change: Change) -> str:
    history.undo(request.user, change.pk)
    return _("Undone.")


def _pin(request: UserRequest, learning: Learning, change: Change) -> str:
    pinned = request.POST.get("do") == "pin"
    entry = selectors.entry(request.user, change.entry_id)
    try:
        workspace = workspace_of(places.place(request.user, learning.session_id))
    except NoPlace:
        workspace = None
    entries.pin(request.user, entry.pk, pinned, revision=entry.revision, workspace=workspace)
    return _("Pinned.") if pinned else _("No longer pinned.")


def _receipt(request: UserRequest, turn_id: UUID, said: str = "", status: int = 200) -> HttpResponse:
    learning = _found(request, turn_id)
    context = {"receipt": receipts.of_learning(request.user, learning), "said": said, "is_refused": status != 200}
    return render(request, "memory/_receipt.html", context, status=status)


def _found(request: UserRequest, turn_id: UUID) -> Learning:
    try:
        return selectors.learning(request.user, turn_id)
    except Learning.DoesNotExist:
        raise Http404 from None


def _change(request: UserRequest, learning: Learning) -> Change | None:
    """The change that the form names, if it is one of the turn's and still kept."""
    given = request.POST.get("change", "")
    if given not in {item["change"] for item in learning.written}:
        return None
    return next(iter(selectors.changes(request.user, [UUID(given)])), None)
