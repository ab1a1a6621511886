"""All addresses. Of sign-in only what is offered: nobody signs up or asks for mail here."""

from typing import Any

from allauth.account import views as account_views
from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, include, path

from adminchat import health


def change_password(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """Send operators to the page where everybody changes their password, which limits guesses at the old one."""
    return redirect("account_change_password")


# One way to sign in, with its limits and its list of devices, for operators too (SEC-7, SEC-9).
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.password_change = change_password  # type: ignore[method-assign,assignment]

account_patterns: list[URLPattern | URLResolver] = [
    path("login/", account_views.login, name="account_login"),
    path("logout/", account_views.logout, name="account_logout"),
    path("inactive/", account_views.account_inactive, name="account_inactive"),
    path("reauthenticate/", account_views.reauthenticate, name="account_reauthenticate"),
    path("password/change/", account_views.password_change, name="account_change_password"),
    path("sessions/", include("allauth.usersessions.urls")),
]

handler500 = "adminchat.errors.server_error"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("accounts/", include(account_patterns)),
    path("admin/", admin.site.urls),
    path("", include("adminchat.accounts.urls")),
    path("connections/", include("adminchat.connections.urls")),
    path("prompts/", include("adminchat.prompts.urls")),
    path("memory/", include("memory.urls")),
    path("", include("chat.urls")),
]
