"""The ranges of prompts, for super administrators (PROMPT-1, PROMPT-5)."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.prompts import selectors, versions
from adminchat.prompts.selectors import Shelf

CHANGES_SHOWN = 50
MOVED_ON = gettext_lazy("Another version was put in force meanwhile. Look at it, then choose again.")


@require_GET
@super_admin_required
def range_list(request: UserRequest) -> HttpResponse:
    return render(request, "prompts/ranges.html", {"shelves": selectors.shelves(request.user.tenant_id)})


@require_GET
@super_admin_required
def range_detail(request: UserRequest, range_name: str) -> HttpResponse:
    shelf = shelf_or_404(request, range_name)
    context = {"shelf": shelf, "changes": selectors.changes(request.user.tenant_id, range_name)[:CHANGES_SHOWN]}
    return render(request, "prompts/range.html", context)


@require_POST
@super_admin_required
def range_roll_back(request: UserRequest, range_name: str) -> HttpResponse:
    """Put the version in force that was before. ``seen`` is the code that its sender took for the one in force."""
    shelf_or_404(request, range_name)
    try:
        code = versions.roll_back(request.user, range_name, seen=request.POST.get("seen", ""))
    except versions.Outdated:
        messages.warning(request, MOVED_ON)
    else:
        messages.success(request, _("%(code)s is in force again.") % {"code": code})
    return redirect("prompts:range-detail", range_name)


def shelf_or_404(request: UserRequest, range_name: str) -> Shelf:
    """The range of this name. Raises ``Http404``."""
    try:
        return selectors.shelf(request.user.tenant_id, range_name)
    except ValueError:
        raise Http404 from None
