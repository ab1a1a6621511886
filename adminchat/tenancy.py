"""What a tenant needs from every app before its people can work."""

from typing import Any

from adminchat.accounts.models import Tenant
from adminchat.accounts.policies import policy_of
from adminchat.connections.presets import sync_presets
from chat.profiles import ensure_profiles


def set_up(tenant: Tenant, **_signal: Any) -> None:
    """Give ``tenant`` its rules, the shipped profiles and the operator's connections. Safe to repeat."""
    policy_of(tenant.pk)
    ensure_profiles(tenant)
    sync_presets(tenant)
