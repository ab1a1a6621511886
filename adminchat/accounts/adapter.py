"""How sign-in by allauth behaves here."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """People are added by super administrators; nobody signs up by themselves (CHAT-24)."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
