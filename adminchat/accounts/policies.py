"""The rules of a tenant (CHAT-25)."""

from uuid import UUID

from adminchat.accounts.models import TenantPolicy, User


def policy_of(tenant_id: UUID) -> TenantPolicy:
    """Return the rules of a tenant; one without any gets the defaults."""
    policy, _ = TenantPolicy.objects.get_or_create(tenant_id=tenant_id)
    return policy


def policy_for(user: User) -> TenantPolicy:
    """Return the rules that hold for ``user``."""
    return policy_of(user.tenant_id)
