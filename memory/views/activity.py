"""What one's own turns loaded: the Activity page, and what was not loaded of one turn (ENTRY-23, ENTRY-25)."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from adminchat.accounts.policies import policy_for
from memory import places, reports, selectors
from memory.learning import receipts
from memory.learning.receipts import Receipt
from memory.models import Activity
from memory.views.access import place_of

PAGE_TURNS = 30


@require_GET
@login_required
def activity_list(request: UserRequest) -> HttpResponse:
    """One's own turns that looked at memory, newest first."""
    page = Paginator(selectors.activities(request.user), PAGE_TURNS).get_page(request.GET.get("page"))
    days = policy_for(request.user).activity_days
    known = places.links(request.user, {activity.session_id for activity in page})
    ended = selectors.learnings(request.user).filter(pk__in=[activity.pk for activity in page]).exclude(outcome="")
    learned = {learning.pk: receipts.sentence(learning) for learning in ended}
    rows = [(activity, known.get(activity.session_id), learned.get(activity.pk)) for activity in page]
    context = {"page": page, "rows": rows, "days": days, "place": place_of(request), "tab": "activity"}
    return render(request, "memory/activity.html", context)


@require_GET
@login_required
def activity_detail(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """One turn: what it loaded and what not, with the entries as they are now."""
    activity = _found(request, turn_id)
    context = {
        "activity": activity,
        "chat": places.links(request.user, {activity.session_id}).get(activity.session_id),
        "report": reports.of_activity(request.user, activity),
        "receipt": _receipt(request, turn_id),
        "place": place_of(request),
        "tab": "activity",
    }
    return render(request, "memory/activity_detail.html", context)


def _receipt(request: UserRequest, turn_id: UUID) -> Receipt | None:
    """What was learned in the turn, if it was in Learn mode (LEARN-21)."""
    learning = selectors.learnings(request.user).filter(pk=turn_id).first()
    return receipts.of_learning(request.user, learning) if learning else None


@require_GET
@login_required
def skipped(request: UserRequest, turn_id: UUID) -> HttpResponse:
    """What the turn did not load, by reason: for the report on its page."""
    report = reports.of_activity(request.user, _found(request, turn_id))
    return render(request, "memory/_skipped.html", {"report": report})


def _found(request: UserRequest, turn_id: UUID) -> Activity:
    try:
        return selectors.activity(request.user, turn_id)
    except Activity.DoesNotExist:
        raise Http404 from None
