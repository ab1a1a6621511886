"""The only reads of people, workspaces and memberships. Each takes the acting user, and with them their tenant.

What belongs to another tenant doesn't exist: the functions that return one object then raise its ``DoesNotExist``.
"""

from uuid import UUID

from django.conf import settings
from django.db.models import Count, QuerySet

from adminchat.accounts.models import Tenant, User, Workspace


def people(actor: User) -> QuerySet[User]:
    """Everybody in the tenant of ``actor``, active people first."""
    return User.objects.filter(tenant=actor.tenant_id).order_by("-is_active", "username")


def person(actor: User, person_id: UUID) -> User:
    return people(actor).get(pk=person_id)


def workspaces(actor: User) -> QuerySet[Workspace]:
    """Every workspace of the tenant, for those who manage them; ``member_count`` is the number of members."""
    return Workspace.objects.filter(tenant=actor.tenant_id).annotate(member_count=Count("memberships")).order_by("name")


def workspace(actor: User, workspace_id: UUID) -> Workspace:
    return workspaces(actor).get(pk=workspace_id)


def own_workspaces(user: User) -> QuerySet[Workspace]:
    """The workspaces that ``user`` is a member of (CHAT-21)."""
    return Workspace.objects.filter(tenant=user.tenant_id, memberships__user=user).order_by("name")


def members(actor: User, workspace: Workspace) -> QuerySet[User]:
    return people(actor).filter(memberships__workspace=workspace)


def candidates(actor: User, workspace: Workspace) -> QuerySet[User]:
    """The active people who could still be added to ``workspace``."""
    return people(actor).filter(is_active=True).exclude(memberships__workspace=workspace)


def shown_tenant(user: User) -> Tenant | None:
    """The tenant whose name a page may show: none in single-tenant mode."""
    return user.tenant if settings.ADMINCHAT_MULTI_TENANT else None
