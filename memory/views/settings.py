"""What a person sets for their memory, and a sentence to try learning's trigger with (LEARN-7, LEARN-23)."""

from collections.abc import Mapping

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from adminchat.accounts.access import UserRequest
from adminchat.accounts.models import Extractor
from adminchat.accounts.policies import policy_for
from memory import selectors, wishes
from memory.learning.eligibility import judge
from memory.learning.receipts import tried
from memory.views.access import place_of
from memory.views.navigation import see

TRIED_CHARACTERS = 100_000


class AskFirstForm(forms.Form):
    ask_first = forms.BooleanField(
        label=gettext_lazy("Ask me before anything is learned"),
        required=False,
        help_text=gettext_lazy("What would be learned then waits as a suggestion until you accept it."),
    )


class TryForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("A sentence to try"),
        max_length=TRIED_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": gettext_lazy("Type a sentence first.")},
    )


@require_http_methods(["GET", "POST"])
@login_required
def learning_settings(request: UserRequest) -> HttpResponse:
    """The tab."""
    policy = policy_for(request.user)
    form = AskFirstForm(request.POST or None, initial={"ask_first": wishes.asks_first(request.user)})
    if request.method == "POST" and form.is_valid():
        wishes.ask_first(request.user, form.cleaned_data["ask_first"])
        messages.success(request, _("Saved."))
        if not request.htmx:
            return see(reverse("memory:settings"), place_of(request))
    return _page(request, {"form": form, "policy": policy})


@require_POST
@login_required
def trigger_try(request: UserRequest) -> HttpResponse:
    """Whether a sentence would be learned from; no model is asked, and nothing is kept."""
    form = TryForm(request.POST)
    verdict = None
    if form.is_valid():
        verdict = tried(judge(form.cleaned_data["text"], languages=policy_for(request.user).learning_languages))
    context = {"try_form": form, "verdict": verdict}
    status = 200 if verdict else 422
    if request.htmx:
        return render(request, "memory/_tried.html", context, status=status)
    return _page(request, context, status)


def _page(request: UserRequest, given: Mapping[str, object], status: int = 200) -> HttpResponse:
    policy = policy_for(request.user)
    context = {
        "form": AskFirstForm(initial={"ask_first": wishes.asks_first(request.user)}),
        "try_form": TryForm(),
        "policy": policy,
        "by_rules": policy.extractor == Extractor.RULES,
        "waiting": selectors.suggestions(request.user).count(),
        "place": place_of(request),
        "tab": "settings",
        **given,
    }
    return render(request, "memory/settings.html", context, status=status)
