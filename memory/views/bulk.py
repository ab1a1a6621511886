"""What is done to many entries at once (ENTRY-28)."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django_htmx.http import reswap, retarget

from adminchat.accounts.access import UserRequest
from memory import entries
from memory.entries import OtherPlace, Outdated, Unreadable
from memory.forms import FilterForm
from memory.models import Entry
from memory.places import Place
from memory.views.access import place_of, workspace_of
from memory.views.entries import figures, list_context
from memory.views.navigation import see


@require_POST
@login_required
def entries_bulk(request: UserRequest) -> HttpResponse:
    """``do`` with all of ``entry=<id>:<revision>``: ``archive``, ``renew``, or ``delete``, which asks first
    (``confirm=on``)."""
    place = place_of(request)
    do, revisions = request.POST.get("do"), _chosen(request)
    if not revisions or do not in ("archive", "renew", "delete"):
        return _bulk_done(request, place, _("Choose entries first."), 422)
    if do == "delete" and request.POST.get("confirm") != "on":
        context = {"count": len(revisions), "chosen": request.POST.getlist("entry"), "place": place}
        asked = render(request, "memory/entries_delete.html", context)
        return retarget(reswap(asked, "innerHTML"), "#dialog") if request.htmx else asked
    try:
        if do == "archive":
            count = entries.archive_many(request.user, revisions, workspace=workspace_of(place))
            done = ngettext("%(count)d entry is archived.", "%(count)d entries are archived.", count)
        elif do == "renew":
            count = entries.renew_many(request.user, revisions, workspace=workspace_of(place))
            done = ngettext("%(count)d entry is renewed.", "%(count)d entries are renewed.", count)
        else:
            count = entries.delete_many(request.user, revisions)
            done = ngettext("%(count)d entry is deleted for good.", "%(count)d entries are deleted for good.", count)
    except Outdated:
        sentence = _("One of these entries was changed meanwhile. Nothing was done. Look at them again.")
        return _bulk_done(request, place, sentence, 409)
    except (OtherPlace, Unreadable) as refused:
        return _bulk_done(request, place, str(refused.sentence), 422)
    except Entry.DoesNotExist:
        sentence = _("One of these entries is gone. Nothing was done. Look at them again.")
        return _bulk_done(request, place, sentence, 409)
    return _bulk_done(request, place, done % {"count": count}, 200)


def _bulk_done(request: UserRequest, place: Place | None, sentence: str, status: int) -> HttpResponse:
    """The list anew, as it was filtered, with what was done or why nothing was."""
    if not request.htmx:
        messages.add_message(request, messages.SUCCESS if status == 200 else messages.WARNING, sentence)
        return see(reverse("memory:entry-list"), place)
    context = {
        **list_context(request, place, FilterForm(request.POST, place=place)),
        **figures(request, place),
        "sentence": sentence,
        "is_refused": status != 200,
    }
    return render(request, "memory/_entries_done.html", context, status=status)


def _chosen(request: UserRequest) -> dict[UUID, int]:
    chosen = {}
    for item in request.POST.getlist("entry"):
        key, _colon, revision = item.partition(":")
        try:
            chosen[UUID(key)] = int(revision)
        except ValueError:
            raise Http404 from None
    return chosen
