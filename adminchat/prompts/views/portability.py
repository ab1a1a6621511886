"""Prompts as a file and back, for super administrators (PROMPT-5)."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.prompts import portability, versions
from adminchat.prompts.forms import ImportForm
from adminchat.prompts.models import Range


@never_cache
@require_GET
@super_admin_required
def prompt_export(request: UserRequest) -> HttpResponse:
    name = f"adminchat-prompts-{timezone.localdate():%Y-%m-%d}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    document = portability.export(request.user.tenant_id)
    return HttpResponse(document, content_type="application/json", headers=headers)


@never_cache
@require_http_methods(["GET", "POST"])
@super_admin_required
def prompt_import(request: UserRequest) -> HttpResponse:
    """Say what a file would add; with the consent to that, add it."""
    if request.method == "GET":
        return render(request, "prompts/prompt_import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "prompts/prompt_import.html", {"form": form}, status=422)
    file = form.cleaned_data["file"]
    document = file.read(portability.FILE_LIMIT + 1) if file else form.cleaned_data["document"].encode()
    plan = portability.plan(request.user, document)
    if plan.errors:
        context = {"form": ImportForm(), "errors": plan.errors}
        return render(request, "prompts/prompt_import.html", context, status=422)
    if form.cleaned_data["confirm"]:
        return _import(request, plan)
    rows = [(Range(range_name).label, code, content.note) for code, (range_name, content) in plan.added.items()]
    context = {"plan": plan, "rows": rows, "document": document.decode()}
    return render(request, "prompts/prompt_import_plan.html", context)


def _import(request: UserRequest, plan: portability.Plan) -> HttpResponse:
    try:
        versions.add_all(request.user, plan.added)
    except (versions.InUse, versions.TooMany):
        messages.warning(request, _("The prompts have changed meanwhile, so nothing was added. Choose the file again."))
        return redirect("prompts:prompt-import")
    count = len(plan.added)
    text = ngettext("%(count)d version was added.", "%(count)d versions were added.", count) % {"count": count}
    messages.success(request, text)
    return redirect("prompts:range-list")
