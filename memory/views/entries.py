"""The Entries tab of the Memory panel (ENTRY-28 to ENTRY-30)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adminchat.accounts.access import UserRequest
from adminchat.accounts.models import Workspace
from memory import entries, loads, selectors
from memory.entries import BookFull, EntryRefused, OtherPlace, Outdated
from memory.forms import EntryForm, FilterForm
from memory.listing import Listed, listed
from memory.models import Entry
from memory.places import Place
from memory.targets import target_of
from memory.views.access import place_of
from memory.views.navigation import see

Change = Callable[[Entry], object]


@require_GET
@login_required
def panel(request: UserRequest) -> HttpResponse:
    """The panel's first tab."""
    return see(reverse("memory:entry-list"), place_of(request))


@require_http_methods(["GET", "POST"])
@login_required
def entry_list(request: UserRequest) -> HttpResponse:
    """One address to list entries and to add one."""
    if request.method == "POST":
        return _create(request)
    return entries_page(request, place_of(request))


@require_POST
@login_required
def entry_filter(request: UserRequest) -> HttpResponse:
    """The entries that a person looks for: what they type must not get into an address, which is logged."""
    place = place_of(request)
    chosen = FilterForm(request.POST)
    if not request.htmx:
        return entries_page(request, place, chosen=chosen)
    return render(request, "memory/_entries.html", _list_context(request, place, chosen))


def entries_page(
    request: UserRequest,
    place: Place | None,
    *,
    form: EntryForm | None = None,
    chosen: FilterForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The tab. ``form`` is one to be filled in further, open on the page."""
    chosen = chosen or FilterForm(request.GET)
    context = {
        **_list_context(request, place, chosen),
        "form": form or EntryForm(place=place),
        "is_adding": form is not None,
        "chosen": chosen,
        "capacity": selectors.capacity(request.user),
        "core": loads.core_cost(request.user, target_of(request.user, place)),
        "topics": selectors.topics(request.user),
        "tab": "entries",
    }
    return render(request, "memory/entries.html", context, status=status)


def _list_context(request: UserRequest, place: Place | None, chosen: FilterForm) -> dict[str, Any]:
    choices = chosen.chosen()
    return {
        "place": place,
        "entries": listed(request.user, place, choices),
        "is_filtered": any(value for name, value in choices.items() if name != "sort"),
    }


def _create(request: UserRequest) -> HttpResponse:
    place = place_of(request)
    form = EntryForm(request.POST, place=place)
    status = 422
    if form.is_valid():
        try:
            _add(request, form, place)
        except EntryRefused as refused:
            form.add_error(None, str(refused.sentence))
            status = 409 if isinstance(refused, BookFull) else 422
        else:
            if request.htmx and request.htmx.target == "entries":
                return _added(request, place)
            messages.success(request, _("Added."))
            return see(reverse("memory:entry-list"), place)
    if request.htmx:
        context = {"form": form, "place": place, "topics": selectors.topics(request.user)}
        response = render(request, "memory/_entry_form.html", context, status=status)
        response["HX-Retarget"] = "#entry-add-form"
        response["HX-Reswap"] = "outerHTML"
        return response
    return entries_page(request, place, form=form, status=status)


def _added(request: UserRequest, place: Place | None) -> HttpResponse:
    context = {
        **_list_context(request, place, FilterForm({})),
        "form": EntryForm(place=place),
        "capacity": selectors.capacity(request.user),
        "core": loads.core_cost(request.user, target_of(request.user, place)),
        "topics": selectors.topics(request.user),
    }
    return render(request, "memory/_entry_added.html", context)


def _add(request: UserRequest, form: EntryForm, place: Place | None) -> Entry:
    workspace = place.workspace if place and form.cleaned_data["scope"] == "workspace" else None
    fact_key = ""
    if form.overridden and workspace:
        try:
            fact_key = selectors.entry(request.user, form.overridden).fact_key
        except Entry.DoesNotExist:
            fact_key = ""
    return entries.add(
        request.user,
        form.content,
        workspace=workspace,
        fact_key=fact_key,
        message_id=form.cleaned_data["message"],
    )


@require_http_methods(["GET", "POST"])
@login_required
def entry_detail(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """One entry: its row, or with POST its change."""
    place = place_of(request)
    entry = _found(request, entry_id)
    if request.method == "GET":
        return _row(request, place, entry)
    form = EntryForm(request.POST, place=place, entry=entry)
    if not form.is_valid():
        return _edit_page(request, place, entry, form, status=422)
    try:
        changed = entries.change(
            request.user,
            entry_id,
            form.content,
            revision=form.cleaned_data["revision"] or 0,
            workspace=_workspace(place),
        )
    except Outdated as outdated:
        return _edit_page(request, place, outdated.entry, form, status=409)
    except OtherPlace as refused:
        form.add_error(None, str(refused.sentence))
        return _edit_page(request, place, entry, form, status=422)
    except Entry.DoesNotExist:
        raise Http404 from None
    return _done(request, place, changed, _("Saved."))


@require_GET
@login_required
def entry_edit(request: UserRequest, entry_id: UUID) -> HttpResponse:
    place = place_of(request)
    entry = _found(request, entry_id)
    return _edit_page(request, place, entry, EntryForm(place=place, entry=entry))


@require_GET
@login_required
def entry_override(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """The form for a version of a global entry that holds in the place's workspace instead (ENTRY-16)."""
    place = place_of(request)
    entry = _found(request, entry_id)
    if not (place and place.workspace) or entry.workspace_id:
        messages.info(request, _("Open memory from a chat in the workspace, then choose the entry again."))
        return see(reverse("memory:entry-list"), place)
    initial = {"scope": "workspace", "overrides": entry.pk, "revision": None}
    return entries_page(request, place, form=EntryForm(place=place, entry=entry, initial=initial))


@require_POST
@login_required
def entry_pin(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """``pinned=on`` or ``off``."""
    pinned = request.POST.get("pinned") == "on"
    return _act(request, entry_id, _("Pinned.") if pinned else _("No longer pinned."), entries.pin, pinned)


@require_POST
@login_required
def entry_archive(request: UserRequest, entry_id: UUID) -> HttpResponse:
    return _act(request, entry_id, _("Archived. It is kept, and no longer loaded."), entries.archive)


@require_POST
@login_required
def entry_restore(request: UserRequest, entry_id: UUID) -> HttpResponse:
    return _act(request, entry_id, _("Restored."), entries.restore)


@require_POST
@login_required
def entry_renew(request: UserRequest, entry_id: UUID) -> HttpResponse:
    return _act(request, entry_id, _("Renewed: it holds until you change it."), entries.renew)


@require_http_methods(["GET", "POST"])
@login_required
def entry_delete(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """Ask, then delete for good."""
    place = place_of(request)
    entry = _found(request, entry_id)
    if request.method == "GET":
        return render(request, "memory/entry_delete.html", {"entry": entry, "place": place})
    try:
        entries.delete(request.user, entry_id, revision=_revision(request))
    except Outdated:
        messages.warning(request, _("This entry was changed meanwhile. Look at it again before you delete it."))
    except Entry.DoesNotExist:
        raise Http404 from None
    else:
        messages.success(request, _("The entry is deleted for good. Chats were not touched."))
    return see(reverse("memory:entry-list"), place)


@require_POST
@login_required
def entries_bulk(request: UserRequest) -> HttpResponse:
    """``do`` with all of ``entry=<id>:<revision>``: ``archive``, or ``delete``, which asks first (``confirm=on``)."""
    place = place_of(request)
    do, revisions = request.POST.get("do"), _chosen(request)
    if not revisions or do not in ("archive", "delete"):
        messages.info(request, _("Choose entries first."))
        return see(reverse("memory:entry-list"), place)
    if do == "delete" and request.POST.get("confirm") != "on":
        context = {"count": len(revisions), "chosen": request.POST.getlist("entry"), "place": place}
        return render(request, "memory/entries_delete.html", context)
    try:
        if do == "archive":
            count = entries.archive_many(request.user, revisions, workspace=_workspace(place))
            done = ngettext("%(count)d entry is archived.", "%(count)d entries are archived.", count)
        else:
            count = entries.delete_many(request.user, revisions)
            done = ngettext("%(count)d entry is deleted for good.", "%(count)d entries are deleted for good.", count)
    except Outdated:
        messages.warning(
            request, _("One of these entries was changed meanwhile. Nothing was done. Look at them again.")
        )
    except OtherPlace as refused:
        messages.warning(request, str(refused.sentence))
    except Entry.DoesNotExist:
        messages.warning(request, _("One of these entries is gone. Nothing was done. Look at them again."))
    else:
        messages.success(request, done % {"count": count})
    return see(reverse("memory:entry-list"), place)


def _act(request: UserRequest, entry_id: UUID, done: str, act: Callable[..., Entry], *args: object) -> HttpResponse:
    """Do one thing to an entry from its row."""
    place = place_of(request)
    try:
        entry = act(request.user, entry_id, *args, revision=_revision(request), workspace=_workspace(place))
    except Entry.DoesNotExist:
        raise Http404 from None
    except Outdated as outdated:
        return _done(request, place, outdated.entry, _("This entry was changed meanwhile. This is how it is now."), 409)
    except OtherPlace as refused:
        return _done(request, place, _found(request, entry_id), str(refused.sentence), 422)
    return _done(request, place, entry, done)


def _done(request: UserRequest, place: Place | None, entry: Entry, sentence: str, status: int = 200) -> HttpResponse:
    if request.htmx:
        return _row(request, place, entry, sentence, status)
    messages.add_message(request, messages.SUCCESS if status == 200 else messages.WARNING, sentence)
    return see(reverse("memory:entry-list"), place)


def _row(
    request: UserRequest, place: Place | None, entry: Entry, sentence: str = "", status: int = 200
) -> HttpResponse:
    context = _row_context(request, place, entry) | {"sentence": sentence, "with_meters": bool(sentence)}
    return render(request, "memory/_entry.html", context, status=status)


def _row_context(request: UserRequest, place: Place | None, entry: Entry) -> dict[str, Any]:
    workspace = _workspace(place)
    can_edit = entry.workspace_id is None or bool(workspace and workspace.pk == entry.workspace_id)
    return {
        "item": Listed(entry, can_edit=can_edit),
        "place": place,
        "capacity": selectors.capacity(request.user),
        "core": loads.core_cost(request.user, target_of(request.user, place)),
    }


def _edit_page(
    request: UserRequest, place: Place | None, entry: Entry, form: EntryForm, status: int = 200
) -> HttpResponse:
    """The form in place of the row; with 409 beside the newer version, for which its author can decide (ENTRY-30)."""
    context = {
        "form": form,
        "entry": entry,
        "place": place,
        "newer": entry if status == 409 else None,
        "topics": selectors.topics(request.user),
        "tab": "entries",
    }
    return render(
        request, "memory/_entry_edit.html" if request.htmx else "memory/entry_edit.html", context, status=status
    )


def _found(request: UserRequest, entry_id: UUID) -> Entry:
    try:
        return selectors.entry(request.user, entry_id)
    except Entry.DoesNotExist:
        raise Http404 from None


def _workspace(place: Place | None) -> Workspace | None:
    return place.workspace if place else None


def _revision(request: UserRequest) -> int:
    try:
        return int(request.POST.get("revision", ""))
    except ValueError:
        return 0


def _chosen(request: UserRequest) -> dict[UUID, int]:
    chosen = {}
    for item in request.POST.getlist("entry"):
        key, _colon, revision = item.partition(":")
        try:
            chosen[UUID(key)] = int(revision)
        except ValueError:
            raise Http404 from None
    return chosen
