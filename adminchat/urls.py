"""All addresses. Of sign-in only what is offered: nobody signs up or asks for mail here."""

from allauth.account import views as account_views
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from adminchat import health

account_patterns: list[URLPattern | URLResolver] = [
    path("login/", account_views.login, name="account_login"),
    path("logout/", account_views.logout, name="account_logout"),
    path("inactive/", account_views.account_inactive, name="account_inactive"),
    path("reauthenticate/", account_views.reauthenticate, name="account_reauthenticate"),
    path("password/change/", account_views.password_change, name="account_change_password"),
    path("sessions/", include("allauth.usersessions.urls")),
]

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("accounts/", include(account_patterns)),
    path("admin/", admin.site.urls),
    path("", include("adminchat.accounts.urls")),
    path("connections/", include("adminchat.connections.urls")),
    path("", include("chat.urls")),
]
