"""What people set for themselves: the settings page, and the quick switches of the account menu."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, override
from django.views.decorators.http import require_http_methods, require_POST

from adminchat.accounts.access import UserRequest
from adminchat.accounts.forms import LanguageForm, SettingsForm, ThemeForm
from adminchat.accounts.models import User
from adminchat.accounts.navigation import came_from


@require_http_methods(["GET", "POST"])
@login_required
def own_settings(request: UserRequest) -> HttpResponse:
    # The form writes into its instance while it checks; the page around it needs the person as they are.
    form = SettingsForm(request.POST or None, instance=User.objects.get(pk=request.user.pk))
    if request.method == "POST" and form.is_valid():
        person = form.save()
        with override(person.language or None):
            messages.success(request, gettext("Saved."))
        return _with_language(redirect("accounts:settings"), person.language)
    return render(request, "accounts/settings.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@login_required
def theme(request: UserRequest) -> HttpResponse:
    """Store the theme; a script has already shown it, a plain form gets its page again."""
    form = ThemeForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest()
    request.user.theme = form.cleaned_data["theme"]
    request.user.save(update_fields=["theme"])
    return HttpResponse(status=204) if request.htmx else redirect(_next_page(request))


@require_POST
@login_required
def language(request: UserRequest) -> HttpResponse:
    """Store the language in the account and the cookie, and show the same page in it (I18N-2)."""
    form = LanguageForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest()
    request.user.language = form.cleaned_data["language"]
    request.user.save(update_fields=["language"])
    response = (
        HttpResponse(status=204, headers={"HX-Refresh": "true"}) if request.htmx else redirect(_next_page(request))
    )
    return _with_language(response, request.user.language)


def _next_page(request: UserRequest) -> str:
    return came_from(request, reverse("accounts:settings"))


def _with_language(response: HttpResponse, code: str) -> HttpResponse:
    """Keep the language for when nobody is signed in; without one the browser decides again."""
    if code:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            domain=settings.LANGUAGE_COOKIE_DOMAIN,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=cast(Any, settings.LANGUAGE_COOKIE_SAMESITE),
        )
    else:
        response.delete_cookie(
            settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_COOKIE_PATH, settings.LANGUAGE_COOKIE_DOMAIN
        )
    return response
