"""The rules of the tenant, set by super administrators (CHAT-25)."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from adminchat.accounts import policies
from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.accounts.forms import PolicyForm


@require_http_methods(["GET", "POST"])
@super_admin_required
def policy(request: UserRequest) -> HttpResponse:
    form = PolicyForm(request.POST or None, instance=policies.policy_for(request.user))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounts:policy")
    return render(request, "accounts/policy.html", {"form": form}, status=422 if form.is_bound else 200)
