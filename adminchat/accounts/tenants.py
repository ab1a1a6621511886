"""Tenants: the one of single-tenant mode, and the word that another was made."""

from django.db import transaction
from django.dispatch import Signal

from adminchat.accounts.models import Tenant, TenantPolicy

tenant_created = Signal()  # tenant: one that the site operator has made, once it is committed


@transaction.atomic
def default_tenant() -> Tenant:
    """Return the tenant of single-tenant mode, made with its policy when it isn't there yet."""
    tenant = Tenant.objects.order_by("created_at").first() or Tenant.objects.create(name="AdminChat")
    TenantPolicy.objects.get_or_create(tenant=tenant)
    return tenant
