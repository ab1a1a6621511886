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
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import reswap, retarget

from adminchat.accounts.access import UserRequest
from adminchat.accounts.navigation import wants_page
from memory import entries, loads, selectors
from memory.entries import BookFull, EntryRefused, OtherPlace, Outdated, Unreadable
from memory.forms import EntryForm, FilterForm
from memory.listing import elsewhere_count, listed, one_listed, stale_count
from memory.models import Entry
from memory.places import Place, message_addresses
from memory.targets import target_of
from memory.views.access import place_of, workspace_of
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
    chosen = FilterForm(request.POST, place=place)
    if not request.htmx:
        return entries_page(request, place, chosen=chosen)
    return render(request, "memory/_entries.html", list_context(request, place, chosen))


def entries_page(
    request: UserRequest,
    place: Place | None,
    *,
    form: EntryForm | None = None,
    chosen: FilterForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The tab. ``form`` is one to be filled in further, open on the page."""
    chosen = chosen or FilterForm(request.GET, place=place)
    context = {
        **list_context(request, place, chosen),
        "form": form or EntryForm(place=place),
        "is_adding": form is not None,
        "chosen": chosen,
        "is_narrowed": any(chosen.chosen()[name] for name in ("scope", "tier", "kind", "sort")),
        **figures(request, place),
        "topics": selectors.topics(request.user),
        "tab": "entries",
    }
    return render(request, "memory/entries.html", context, status=status)


def figures(request: UserRequest, place: Place | None) -> dict[str, Any]:
    """What the meters and the filter say of the whole."""
    return {
        "capacity": selectors.capacity(request.user),
        "core": loads.core_cost(request.user, target_of(request.user, place)),
        "stale": stale_count(request.user, place),
    }


def list_context(request: UserRequest, place: Place | None, chosen: FilterForm) -> dict[str, Any]:
    choices = chosen.chosen()
    return {
        "place": place,
        "entries": listed(request.user, place, choices),
        "is_stale_list": choices["show"] == "stale",
        "is_filtered": any(value for name, value in choices.items() if name != "sort"),
        "elsewhere": 0 if choices["scope"] == "all" else elsewhere_count(request.user, place),
    }


def _create(request: UserRequest) -> HttpResponse:
    place = place_of(request)
    form = EntryForm(request.POST, place=place)
    status = 422
    if form.is_valid():
        try:
            entry = _add(request, form, place)
        except Entry.DoesNotExist:
            form.add_error(None, _("The entry whose place it was to take is no longer there."))
        except EntryRefused as refused:
            form.add_error(None, str(refused.sentence))
            status = 409 if isinstance(refused, BookFull) else 422
        else:
            if request.htmx and request.htmx.target == "entries":
                return _added(request, place)
            if not wants_page(request):
                return _row(request, place, entry)
            messages.success(request, _("Added."))
            return see(reverse("memory:entry-list"), place)
    return _form_again(request, place, form, status)


def _form_again(
    request: UserRequest, place: Place | None, form: EntryForm, status: int, *, gone: UUID | None = None
) -> HttpResponse:
    """The form for a new entry with what was typed; ``gone`` is the entry for which it was, and whose row goes."""
    if not request.htmx:
        return entries_page(request, place, form=form, status=status)
    response = render(request, "memory/_entry_form.html", {"form": form, "place": place, "gone": gone}, status=status)
    return retarget(reswap(response, "outerHTML"), "#entry-add-form")


def _added(request: UserRequest, place: Place | None) -> HttpResponse:
    context = {
        **list_context(request, place, FilterForm({}, place=place)),
        "form": EntryForm(place=place),
        "chosen": FilterForm({}, place=place),
        **figures(request, place),
        "topics": selectors.topics(request.user),
        "sentence": _("Added."),
    }
    return render(request, "memory/_entry_added.html", context)


def _add(request: UserRequest, form: EntryForm, place: Place | None) -> Entry:
    workspace = place.workspace if place and form.cleaned_data["scope"] == "workspace" else None
    return entries.add(
        request.user,
        form.content,
        workspace=workspace,
        overrides=form.overridden,
        message_id=_own_message(request, form.cleaned_data["message"]),
    )


def _own_message(request: UserRequest, message_id: UUID | None) -> UUID | None:
    """The message that an entry is taken from, if it is one of the user's."""
    return message_id if message_id and message_addresses(request.user, {message_id}) else None


@require_http_methods(["GET", "POST"])
@login_required
def entry_detail(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """One entry: its row, or with POST its change."""
    place = place_of(request)
    try:
        entry = selectors.entry(request.user, entry_id)
    except Entry.DoesNotExist:
        if request.method == "GET":
            raise Http404 from None
        return _draft_of_gone(request, place, entry_id)
    if request.method == "GET":
        return _row(request, place, entry) if request.htmx else see(reverse("memory:entry-list"), place)
    if not entry.is_readable:
        return _done(request, place, entry, str(Unreadable.sentence), 422)
    form = EntryForm(request.POST, place=place, entry=entry)
    if not form.is_valid():
        return _edit_page(request, place, entry, form, status=422)
    try:
        changed = entries.change(
            request.user,
            entry_id,
            form.content,
            revision=form.cleaned_data["revision"] or 0,
            workspace=workspace_of(place),
        )
    except Outdated as outdated:
        return _edit_page(request, place, outdated.entry, form, status=409)
    except (OtherPlace, Unreadable) as refused:
        form.add_error(None, str(refused.sentence))
        return _edit_page(request, place, entry, form, status=422)
    except Entry.DoesNotExist:
        return _draft_of_gone(request, place, entry_id)
    return _done(request, place, changed, _("Saved."))


def _draft_of_gone(request: UserRequest, place: Place | None, entry_id: UUID) -> HttpResponse:
    """There is nothing to change any more; what was typed is kept for a new entry (ENTRY-30)."""
    form = EntryForm({**request.POST.dict(), "revision": "", "scope": "global"}, place=place)
    form.errors.clear()
    form.add_error(None, _("The entry that you changed is no longer there. Add your draft as a new one, or leave it."))
    return _form_again(request, place, form, 404, gone=entry_id)


@require_GET
@login_required
def entry_edit(request: UserRequest, entry_id: UUID) -> HttpResponse:
    place = place_of(request)
    entry = _found(request, entry_id)
    if not entry.is_readable:
        return _done(request, place, entry, str(Unreadable.sentence), 422)
    return _edit_page(request, place, entry, EntryForm(place=place, entry=entry))


@require_GET
@login_required
def entry_override(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """The form for a version of a global entry that holds in the place's workspace instead (ENTRY-16)."""
    place = place_of(request)
    entry = _found(request, entry_id)
    if not entry.is_readable:
        return _done(request, place, entry, str(Unreadable.sentence), 422)
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
    return _act(request, entry_id, _("Renewed."), entries.renew)


@require_http_methods(["GET", "POST"])
@login_required
def entry_delete(request: UserRequest, entry_id: UUID) -> HttpResponse:
    """Ask, then delete for good."""
    place = place_of(request)
    if request.method == "GET":
        context = {"entry": _found(request, entry_id), "place": place}
        return render(request, "memory/entry_delete.html", context)
    try:
        entries.delete(request.user, entry_id, revision=_revision(request))
    except Outdated as outdated:
        sentence = _("This entry was changed meanwhile. Look at it again before you delete it.")
        return _done(request, place, outdated.entry, sentence, 409)
    except Entry.DoesNotExist:
        return _gone(request, place, entry_id, status=404)
    return _gone(request, place, entry_id, status=200)


def _gone(request: UserRequest, place: Place | None, entry_id: UUID, *, status: int) -> HttpResponse:
    """What is left of a deleted entry's row: that it is deleted."""
    if status == 404 and not request.htmx:
        raise Http404
    sentence = _("Deleted for good. Chats were not touched.") if status == 200 else _("This entry is no longer there.")
    if not request.htmx:
        messages.success(request, sentence)
        return see(reverse("memory:entry-list"), place)
    context = {"entry_id": entry_id, "sentence": sentence, **figures(request, place)}
    return render(request, "memory/_entry_gone.html", context, status=status)


def _act(request: UserRequest, entry_id: UUID, done: str, act: Callable[..., Entry], *args: object) -> HttpResponse:
    """Do one thing to an entry from its row."""
    place = place_of(request)
    try:
        entry = act(request.user, entry_id, *args, revision=_revision(request), workspace=workspace_of(place))
    except Entry.DoesNotExist:
        return _gone(request, place, entry_id, status=404)
    except Outdated as outdated:
        return _done(request, place, outdated.entry, _("This entry was changed meanwhile. This is how it is now."), 409)
    except (OtherPlace, Unreadable) as refused:
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
    context: dict[str, Any] = {"item": one_listed(request.user, place, entry), "place": place, "sentence": sentence}
    if sentence:
        context |= {"with_meters": True, "is_refused": status != 200, **figures(request, place)}
    return render(request, "memory/_entry.html", context, status=status)


def _edit_page(
    request: UserRequest, place: Place | None, entry: Entry, form: EntryForm, status: int = 200
) -> HttpResponse:
    """The form in place of the row; with 409 beside the newer version, for which its author can decide (ENTRY-30)."""
    if status == 409:
        form.rebase(entry)
    context = {
        "form": form,
        "entry": entry,
        "place": place,
        "newer": entry if status == 409 else None,
        "topics": selectors.topics(request.user),
        "tab": "entries",
    }
    in_place = request.htmx and request.htmx.target != "memory"
    return render(request, "memory/_entry_edit.html" if in_place else "memory/entry_edit.html", context, status=status)


def _found(request: UserRequest, entry_id: UUID) -> Entry:
    try:
        return selectors.entry(request.user, entry_id)
    except Entry.DoesNotExist:
        raise Http404 from None


def _revision(request: UserRequest) -> int:
    try:
        return int(request.POST.get("revision", ""))
    except ValueError:
        return 0
