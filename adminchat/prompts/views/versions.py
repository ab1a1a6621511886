"""The versions of a prompt, for super administrators (PROMPT-1, PROMPT-5)."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.lib.changes import changes
from adminchat.prompts import selectors, versions
from adminchat.prompts.codes import Step
from adminchat.prompts.forms import VersionForm, escaped
from adminchat.prompts.models import PromptVersion
from adminchat.prompts.versions import InUse, TooMany
from adminchat.prompts.views.ranges import MOVED_ON, shelf_or_404

NO_ROOM = gettext_lazy("This range has as many versions as it can hold. Delete some that were never used.")
USED = gettext_lazy("This version has been used, so it stays as it is.")


@dataclass(frozen=True)
class Setting:
    """One of the values beside the text of a version, as the page shows it."""

    label: str
    value: str


@dataclass(frozen=True)
class Difference:
    """A setting that differs between two versions."""

    label: str
    old: str
    new: str


@require_GET
@super_admin_required
def version_detail(request: UserRequest, code: str) -> HttpResponse:
    version = version_or_404(request, code)
    context = {
        "version": version,
        "shelf": selectors.shelf(request.user.tenant_id, version.range),
        "settings": settings_of(version),
    }
    return render(request, "prompts/version.html", context)


@require_GET
@super_admin_required
def version_compare(request: UserRequest, range_name: str) -> HttpResponse:
    """What differs between the versions ``old`` and ``new`` of a range."""
    shelf_or_404(request, range_name)
    if "old" not in request.GET or "new" not in request.GET:
        return redirect("prompts:range-detail", range_name)
    old, new = (version_or_404(request, request.GET[name]) for name in ("old", "new"))
    if not old.range == new.range == range_name:
        raise Http404
    pairs = zip(settings_of(old), settings_of(new), strict=True)
    context = {
        "old": old,
        "new": new,
        "differences": [Difference(a.label, a.value, b.value) for a, b in pairs if a.value != b.value],
        "changes": changes(old.text, new.text) if old.text != new.text else [],
    }
    return render(request, "prompts/version_compare.html", context)


@require_http_methods(["GET", "POST"])
@super_admin_required
def version_create(request: UserRequest, code: str) -> HttpResponse:
    """Make a version from another one."""
    base = version_or_404(request, code)
    codes = versions.next_codes(request.user.tenant_id, base)
    form = _form(request, base, codes=codes, initial={"note": ""})
    if request.method == "POST" and form.is_valid():
        if made := _made(request, base, form.step_among(codes), form):
            return redirect("prompts:version-detail", made.code)
    context = {"form": form, "base": base, "range": base.get_range_display(), "code": next(iter(codes.values()))}
    return render(request, "prompts/version_create.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@super_admin_required
def version_edit(request: UserRequest, code: str) -> HttpResponse:
    """Change a version that was never used; what was typed for one that was becomes a version of its own."""
    version = version_or_404(request, code)
    if version.is_shipped or (request.method == "GET" and not version.may_change):
        return redirect("prompts:version-create", code)
    form = _form(request, version)
    if request.method == "POST" and form.is_valid():
        try:
            versions.change(request.user, version, form.content())
        except InUse:
            if made := _made(request, version, Step.AIMING, form):
                messages.info(request, USED)
                return redirect("prompts:version-detail", made.code)
        else:
            messages.success(request, _("Saved."))
            return redirect("prompts:version-detail", code)
    context = {"form": form, "version": version}
    return render(request, "prompts/version_edit.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@super_admin_required
def version_delete(request: UserRequest, code: str) -> HttpResponse:
    version = version_or_404(request, code)
    if request.method == "POST":
        try:
            versions.delete(request.user, version)
        except InUse:
            messages.error(request, _("Only a version that was never used and isn’t active can be deleted."))
            return redirect("prompts:version-detail", code)
        messages.success(request, _("%(code)s was deleted.") % {"code": code})
        return redirect("prompts:range-detail", version.range)
    return render(request, "prompts/version_delete.html", {"version": version})


@require_POST
@super_admin_required
def version_activate(request: UserRequest, code: str) -> HttpResponse:
    """Put a version in force. ``seen`` is the code that its sender took for the one in force."""
    version = version_or_404(request, code)
    try:
        versions.activate(request.user, version, seen=request.POST.get("seen", ""))
    except versions.Outdated:
        messages.warning(request, MOVED_ON)
    else:
        messages.success(request, _("%(code)s is active.") % {"code": code})
    return redirect("prompts:range-detail", version.range)


def version_or_404(request: UserRequest, code: str) -> PromptVersion:
    """The version of the tenant, or the shipped one, with this code. Raises ``Http404``."""
    if not selectors.is_code(code):
        raise Http404
    try:
        return selectors.version(request.user.tenant_id, code)
    except PromptVersion.DoesNotExist:
        raise Http404 from None


def settings_of(version: PromptVersion) -> list[Setting]:
    """The values of ``version`` beside its text, in the reader's language."""
    unset = _("as the model has it")
    model = f"{version.model.connection} · {version.model.label}" if version.model else version.chosen_model
    found = [Setting(_("Model"), model or _("the chat’s own"))]
    numbers = {
        _("Temperature"): version.temperature,
        _("Top-p"): version.top_p,
        _("Longest answer (tokens)"): version.max_tokens,
    }
    for label, value in numbers.items():
        found.append(Setting(label, unset if value is None else number_format(value, force_grouping=True)))
    stop = escaped(version.stop).replace("\n", " · ")
    return [*found, Setting(_("Stop sequences"), stop or _("none")), Setting(_("Note"), version.note or _("none"))]


def _form(request: UserRequest, version: PromptVersion, **options: Any) -> VersionForm:
    """The form filled with ``version``, whose copy it may write into."""
    instance = PromptVersion(**versions.Content.of(version).fields())
    return VersionForm(request.POST or None, instance=instance, actor=request.user, **options)


def _made(request: UserRequest, base: PromptVersion, step: Step, form: VersionForm) -> PromptVersion | None:
    """A new version with what was typed, or None when the range is full: then the form says so."""
    try:
        made = versions.create(request.user, base, step, form.content())
    except TooMany:
        form.add_error(None, NO_ROOM)
        return None
    messages.success(request, _("Saved as %(code)s. Activate it when it is to be used.") % {"code": made.code})
    return made
