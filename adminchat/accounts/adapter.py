"""How sign-in by allauth behaves here."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """People are added by super administrators; nobody signs up by themselves (CHAT-24)."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is not active."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_password": _("This is not your password."),
        "too_many_login_attempts": _("Too many failed attempts. Wait a few minutes, then try again."),
        "username_password_mismatch": _("The username or the password is wrong."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
