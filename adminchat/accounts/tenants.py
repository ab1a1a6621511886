"""The one tenant of single-tenant mode."""

from django.db import transaction

from adminchat.accounts.models import Tenant, TenantPolicy


@transaction.atomic
def default_tenant() -> Tenant:
    """Return the tenant of single-tenant mode, made with its policy when it isn't there yet."""
    tenant = Tenant.objects.order_by("created_at").first() or Tenant.objects.create(name="AdminChat")
    TenantPolicy.objects.get_or_create(tenant=tenant)
    return tenant
