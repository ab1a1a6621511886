"""The SystemMessage tab of the Memory panel (chapter 05)."""

import logging
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.accounts.navigation import came_from
from adminchat.connections.models import ChatModel
from adminchat.connections.selectors import default_model
from adminchat.lib.changes import changes
from adminchat.lib.encryption import read
from adminchat.lib.tokens import TokenCount, count
from chat import selectors, system_messages
from chat.context import EVERYBODYS, MINE, part
from chat.forms import GlobalSystemMessageForm, RevisionForm, SystemMessageForm
from chat.models import GlobalSystemMessage, Session
from chat.system_messages import Outdated, Standing
from chat.views.navigation import go_to
from memory.views.access import place_of
from memory.views.navigation import see

logger = logging.getLogger(__name__)

VERSIONS_SHOWN = 50


@dataclass
class Part:
    """One of the two texts as the page shows it; without a ``form`` it can only be read.

    ``newer`` is what was saved since the author of the draft saw it, ``done`` what to say after saving.
    """

    text: str
    cost: TokenCount
    is_readable: bool
    form: SystemMessageForm | None = None
    newer: Standing | None = None
    done: str = ""


@dataclass(frozen=True)
class Version:
    """A version of the Global SystemMessage, and what it changed: lines, each with "+", "-" or " " before it."""

    version: GlobalSystemMessage
    changes: list[tuple[str, str]]


@require_GET
@login_required
def system_message_list(request: UserRequest) -> HttpResponse:
    """Both texts. Whoever opens them has been told of a change."""
    if news := system_messages.news(request.user):
        system_messages.acknowledge(request.user, news.number)
    model = _model(request)
    return _page(request, model, _my_part(request, model), _global_part(request, model))


@require_POST
@login_required
def system_message_my(request: UserRequest) -> HttpResponse:
    form = SystemMessageForm(request.POST)
    part = _my_part(request, _model(request), form)
    if not form.is_valid():
        return _answer(request, "my", part, 422)
    try:
        system_messages.save_my(request.user, form.cleaned_data["text"], revision=form.cleaned_data["revision"])
    except Outdated as outdated:
        part.newer = outdated.current
        return _answer(request, "my", part, 409)
    return _saved(request, "my", _("Saved. It holds from the next turn in all your chats."))


@require_POST
@super_admin_required
def system_message_global(request: UserRequest) -> HttpResponse:
    form = GlobalSystemMessageForm(request.POST)
    part = _global_part(request, _model(request), form)
    if not form.is_valid():
        return _answer(request, "global", part, 422)
    try:
        saved = system_messages.save_global(
            request.user,
            form.cleaned_data["text"],
            revision=form.cleaned_data["revision"],
            announce=form.cleaned_data["announce"],
        )
    except Outdated as outdated:
        part.newer = outdated.current
        return _answer(request, "global", part, 409)
    return _global_saved(request, saved, before=form.cleaned_data["revision"])


@require_GET
@super_admin_required
def system_message_versions(request: UserRequest) -> HttpResponse:
    return _versions_page(request)


def _versions_page(request: UserRequest, status: int = 200) -> HttpResponse:
    """The latest versions, each with what it changed (SYS-8)."""
    versions = read(system_messages.versions(request.user)[: VERSIONS_SHOWN + 1])
    earlier: list[GlobalSystemMessage | None] = [*versions[1:], None]
    rows = [Version(version, _changes(before, version)) for version, before in zip(versions, earlier, strict=False)][
        :VERSIONS_SHOWN
    ]
    context = {"versions": rows, "place": place_of(request), "tab": "system-messages"}
    return render(request, "memory/system_message_versions.html", context, status=status)


@require_POST
@super_admin_required
def system_message_restore(request: UserRequest, number: int) -> HttpResponse:
    """Bring an earlier version back. ``revision`` is the number of the version that its author took for the newest."""
    form = RevisionForm(request.POST)
    form.is_valid()
    try:
        saved = system_messages.roll_back(request.user, number, revision=form.cleaned_data.get("revision") or 0)
    except GlobalSystemMessage.DoesNotExist:
        raise Http404 from None
    except Outdated:
        messages.warning(request, _("Somebody saved another version meanwhile. Look at it, then choose again."))
        if _is_in_panel(request):
            return _versions_page(request, status=409)
        return see(reverse("chat:system-message-versions"), place_of(request))
    return _global_saved(request, saved, before=form.cleaned_data.get("revision") or 0)


@require_POST
@login_required
def system_message_seen(request: UserRequest) -> HttpResponse:
    """Put the notice of a change away."""
    if news := system_messages.news(request.user):
        system_messages.acknowledge(request.user, news.number)
    if request.htmx:
        return HttpResponse()
    return go_to(request, came_from(request, reverse("chat:launcher")))


def _my_part(request: UserRequest, model: ChatModel | None, form: SystemMessageForm | None = None) -> Part:
    saved = system_messages.my(request.user)
    form = form or SystemMessageForm(initial={"text": saved.text, "revision": saved.revision})
    return Part(saved.text, _cost(MINE, saved.text, model), saved.is_readable, form)


def _global_part(request: UserRequest, model: ChatModel | None, form: SystemMessageForm | None = None) -> Part:
    saved = system_messages.current_global(request.user)
    if request.user.is_super_admin and form is None:
        form = GlobalSystemMessageForm(initial={"text": saved.text, "revision": saved.revision})
    return Part(saved.text, _cost(EVERYBODYS, saved.text, model), saved.is_readable, form)


def _cost(name: str, text: str, model: ChatModel | None) -> TokenCount:
    """What the part takes of a turn, its marks included (SYS-9)."""
    return count(part(name, text) if text else "", model.name if model else "")


def _model(request: UserRequest) -> ChatModel | None:
    """The model whose tokens are counted: that of the session from which the panel was opened, or the default."""
    session = _session(request)
    if session is None:
        return default_model(request.user)
    return session.model or default_model(request.user, session.workspace)


def _session(request: UserRequest) -> Session | None:
    try:
        return selectors.session(request.user, UUID(request.GET["session"]))
    except (KeyError, ValueError, Session.DoesNotExist):
        return None


def _global_saved(request: UserRequest, saved: Standing, *, before: int) -> HttpResponse:
    if saved.revision == before:
        return _saved(request, "global", _("The text is the same as before: no new version was made."))
    logger.info("The Global SystemMessage was saved", extra={"version": saved.revision, "user": str(request.user.pk)})
    reach = system_messages.reach(request.user)
    sentence = ngettext(
        "Saved as version %(version)d. It reaches %(count)d person from their next turn.",
        "Saved as version %(version)d. It reaches %(count)d people from their next turn.",
        reach,
    )
    return _saved(request, "global", sentence % {"version": saved.revision, "count": reach})


def _saved(request: UserRequest, which: str, sentence: str) -> HttpResponse:
    model = _model(request)
    if request.htmx and request.htmx.target == f"system-message-{which}":
        part = _my_part(request, model) if which == "my" else _global_part(request, model)
        part.done = sentence
        return _answer(request, which, part, 200)
    messages.success(request, sentence)
    if _is_in_panel(request):
        return _page(request, model, _my_part(request, model), _global_part(request, model))
    return see(reverse("chat:system-message-list"), place_of(request))


def _is_in_panel(request: UserRequest) -> bool:
    """Whether the panel beside a conversation asks, where a redirect would lead away from that."""
    return bool(request.htmx) and not request.htmx.boosted


def _answer(request: UserRequest, which: str, part: Part, status: int) -> HttpResponse:
    """The part alone for htmx, so that what was typed into the other stays (SYS-7); else the page."""
    model = _model(request)
    if request.htmx:
        context = {"part": part, "model": model, "reach": system_messages.reach(request.user)}
        return render(request, f"memory/_system_message_{which}.html", context, status=status)
    if which == "my":
        return _page(request, model, part, _global_part(request, model), status)
    return _page(request, model, _my_part(request, model), part, status)


def _page(request: UserRequest, model: ChatModel | None, my: Part, shared: Part, status: int = 200) -> HttpResponse:
    context = {
        "my": my,
        "shared": shared if system_messages.may_read_global(request.user) else None,
        "model": model,
        "reach": system_messages.reach(request.user),
        "place": place_of(request),
        "tab": "system-messages",
    }
    return render(request, "memory/system_messages.html", context, status=status)


def _changes(before: GlobalSystemMessage | None, after: GlobalSystemMessage) -> list[tuple[str, str]]:
    """The lines of ``after``, those marked that are not in ``before``, and those that are only there."""
    if not after.is_readable:
        return []
    if before and not before.is_readable:
        return [(" ", line) for line in after.text.splitlines()]
    return changes(before.text if before else "", after.text)
