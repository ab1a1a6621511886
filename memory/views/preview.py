"""What a question would load, without sending it to a model (ENTRY-26)."""

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from adminchat.accounts.access import UserRequest
from adminchat.lib.encryption import DecryptionError
from memory import loads, reports
from memory.rules import MemoryRule
from memory.targets import target_of
from memory.views.access import place_of

UNREADABLE = _(
    "One of your entries cannot be decrypted with the keys of this installation, so a turn would go on without memory. "
    "The list of entries shows which."
)


class PreviewForm(forms.Form):
    question = forms.CharField(
        label=_("Your question"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Type a question first.")},
    )

    def clean_question(self) -> str:
        question: str = self.cleaned_data["question"]
        limit = settings.ADMINCHAT_MESSAGE_LIMIT
        if len(question) > limit:
            raise forms.ValidationError(
                _("That is %(length)d characters; at most %(limit)d are allowed."),
                params={"length": len(question), "limit": limit},
            )
        return question


@require_http_methods(["GET", "POST"])
@login_required
def preview(request: UserRequest) -> HttpResponse:
    place = place_of(request)
    form = PreviewForm(request.POST or None)
    report = None
    if form.is_bound and form.is_valid():
        try:
            made = loads.load(request.user, form.cleaned_data["question"], target_of(request.user, place))
            report = reports.of_preview(request.user, made)
        except DecryptionError:
            form.add_error("question", UNREADABLE)
    rule = MemoryRule(place.rule) if place and place.rule else None
    context = {"form": form, "report": report, "place": place, "rule": rule, "tab": "preview"}
    status = 422 if form.is_bound and report is None else 200
    template = "memory/_preview.html" if request.htmx and form.is_bound else "memory/preview.html"
    return render(request, template, context, status=status)
