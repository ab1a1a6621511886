"""The writes to workspaces and their members (CHAT-21)."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import CASCADE

from adminchat.accounts.models import Membership, User, Workspace
from adminchat.lib.events import announce_lost_rights


@dataclass(frozen=True)
class Loss:
    """Rows that go with a workspace: what they are called, and how many there are."""

    name: str
    count: int


@transaction.atomic
def create(actor: User, *, name: str, description: str = "", join: bool = True) -> Workspace:
    """Make a workspace in the tenant of ``actor``, who becomes its first member with ``join``."""
    workspace = Workspace.objects.create(tenant_id=actor.tenant_id, name=name, description=description)
    if join:
        add_member(workspace, actor)
    return workspace


def add_member(workspace: Workspace, person: User) -> None:
    """Let ``person`` into ``workspace``; who is in already stays in."""
    Membership.objects.get_or_create(workspace=workspace, user=person)


def remove_member(workspace: Workspace, person: User) -> None:
    """Take ``person`` out; what they did in the workspace is closed to them at once, and kept."""
    Membership.objects.filter(workspace=workspace, user=person).delete()
    announce_lost_rights(person.pk)


def losses(workspace: Workspace) -> list[Loss]:
    """Count what deleting ``workspace`` deletes with it, whichever app it belongs to; memberships are not listed."""
    found = []
    for relation in Workspace._meta.related_objects:
        model = relation.related_model
        if relation.on_delete is not CASCADE or model is Membership or model._meta.auto_created:
            continue
        count = model._base_manager.filter(**{relation.field.name: workspace}).count()
        if count:
            found.append(Loss(str(model._meta.verbose_name_plural), count))
    return found


def delete(workspace: Workspace) -> None:
    """Delete ``workspace`` for good, with everything that ``losses`` counts."""
    workspace.delete()
