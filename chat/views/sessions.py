"""The pages of sessions: the conversation, the lists, and what can be done to a session."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adminchat.accounts.access import UserRequest
from adminchat.accounts.limits import within
from adminchat.accounts.navigation import came_from
from chat import limits, selectors, sessions, sidebar
from chat.forms import RenameForm
from chat.models import Session
from chat.search import QUERY_LIMIT, search
from chat.threads import changes, running_elsewhere, thread
from chat.views.access import found
from chat.views.conversation import session_page
from chat.views.launcher import session_create
from chat.views.navigation import cursor_or_404, go_to

RESULTS_TARGET = "more-results"  # the element of the list's page that its next rows replace


@require_GET
@login_required
def session_detail(request: UserRequest, session_id: UUID) -> HttpResponse:
    return session_page(request, found(selectors.session, request.user, session_id))


@require_GET
@login_required
def message_page(request: UserRequest, session_id: UUID) -> HttpResponse:
    """The exchanges before ``?before=<turn>``: a fragment for htmx, without it a page of its own."""
    session = found(selectors.session, request.user, session_id)
    earlier = thread(session, before=_uuid(request.GET.get("before")))
    context = {"session": session, "thread": earlier}
    return render(
        request,
        "chat/_messages.html" if request.htmx else "chat/messages.html",
        context,
    )


@require_GET
@login_required
def session_changes(request: UserRequest, session_id: UUID) -> HttpResponse:
    """What a page of the session lacks that ends with the turn ``?last=`` and knows of ``?elsewhere=``, the turn that
    runs in another version: pieces for htmx, 204 when there is nothing new, 404 with a notice when the session is gone."""
    try:
        session = selectors.session(request.user, session_id)
    except Session.DoesNotExist:
        return render(request, "chat/_session_gone.html", status=404)
    elsewhere = running_elsewhere(session)
    found_changes = changes(session, last=_uuid(request.GET.get("last")))
    is_known = request.GET.get("elsewhere", "") == (str(elsewhere.pk) if elsewhere else "")
    if found_changes is None and is_known:
        return HttpResponse(status=204)
    context = {"session": session, "changes": found_changes, "elsewhere": elsewhere}
    return render(request, "chat/_session_changes.html", context)


@require_GET
@login_required
def session_recent(request: UserRequest) -> HttpResponse:
    """The sidebar's list, at least ``?rows=`` long, for a page that knows it as ``?known=``; 204 when it is the same."""
    try:
        rows = int(request.GET.get("rows", ""))
    except ValueError:
        rows = 0
    page = sidebar.page(request.user, size=min(max(rows, sidebar.PAGE_SIZE), sidebar.LONGEST_PAGE))
    if request.GET.get("known") == page.state:
        return HttpResponse(status=204)
    return render(request, "chat/_sessions.html", {"page": page})


@require_http_methods(["GET", "POST"])
def session_collection(request: UserRequest) -> HttpResponse:
    """One address to list sessions and to create one."""
    return session_create(request) if request.method == "POST" else session_list(request)


@login_required
def session_list(request: UserRequest) -> HttpResponse:
    """All sessions, the archived ones, or what ``?q=`` finds; for htmx the next rows, of the page or the sidebar."""
    before = cursor_or_404(request)
    if request.htmx and request.htmx.target != RESULTS_TARGET:
        return render(
            request,
            "chat/_sidebar_rows.html",
            {"page": sidebar.page(request.user, before)},
        )
    query, archived = (
        request.GET.get("q", "")[:QUERY_LIMIT].strip(),
        request.GET.get("archived") == "1",
    )
    if query and not within(request.user, "search", limits.SEARCHES_PER_MINUTE):
        return render(request, "chat/limit.html", status=429)
    context = {
        "query": query,
        "archived": archived,
        "results": search(request.user, query, archived=archived, before=before),
        "continued": before is not None,
    }
    return render(
        request,
        "chat/_session_results.html" if request.htmx else "chat/session_list.html",
        context,
    )


@require_http_methods(["GET", "POST"])
@login_required
def session_rename(request: UserRequest, session_id: UUID) -> HttpResponse:
    session = found(selectors.session, request.user, session_id)
    form = RenameForm(request.POST or None, initial={"title": session.title})
    if request.method == "POST" and form.is_valid():
        sessions.rename(session, form.cleaned_data["title"])
        return _back(request, session)
    context = {"session": session, "form": form, "next": _next(request, session)}
    return render(
        request,
        "chat/session_rename.html",
        context,
        status=422 if form.is_bound else 200,
    )


@require_POST
@login_required
def session_pin(request: UserRequest, session_id: UUID) -> HttpResponse:
    """``pinned=on`` or ``off``; without it the other way round."""
    session = found(selectors.session, request.user, session_id)
    sessions.pin(session, _wanted(request, "pinned", otherwise=session.pinned_at is None))
    return _back(request, session)


@require_POST
@login_required
def session_archive(request: UserRequest, session_id: UUID) -> HttpResponse:
    """``archived=on`` or ``off``; without it the other way round."""
    session = found(selectors.session, request.user, session_id)
    archived = _wanted(request, "archived", otherwise=session.archived_at is None)
    sessions.archive(session, archived)
    messages.success(
        request,
        _("The chat is archived.") if archived else _("The chat is back in the list."),
    )
    return _back(request, session)


@require_http_methods(["GET", "POST"])
@login_required
def session_delete(request: UserRequest, session_id: UUID) -> HttpResponse:
    session = found(selectors.session, request.user, session_id)
    if request.method == "POST":
        back = _next(request, session)
        sessions.delete(session)
        messages.success(request, _("The chat is deleted."))
        return go_to(request, reverse("chat:launcher") if str(session_id) in back else back)
    return render(
        request,
        "chat/session_delete.html",
        {"session": session, "next": _next(request, session)},
    )


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise Http404 from None


def _wanted(request: UserRequest, name: str, *, otherwise: bool) -> bool:
    value = request.POST.get(name)
    return value == "on" if value in ("on", "off") else otherwise


def _next(request: UserRequest, session: Session) -> str:
    return came_from(request, reverse("chat:session-detail", args=[session.pk]))


def _back(request: UserRequest, session: Session) -> HttpResponse:
    return go_to(request, _next(request, session))
