"""The writes to the models that connections offer."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from adminchat.accounts.models import Tenant
from adminchat.connections.models import ChatModel, Connection
from adminchat.providers.base import ModelInfo


class SwitchedOff(Exception):
    """A model that nobody can use can't be the one that new chats start with."""


@transaction.atomic
def add_models(connection: Connection, found: Iterable[ModelInfo]) -> list[ChatModel]:
    """Offer models that ``connection`` doesn't offer yet; return the new ones.

    What the endpoint says about itself is taken over, the rest gets the defaults. The first model of a tenant becomes
    its default, and so does the first that replaces the built-in one, which is there only to start with; not of a
    connection that is switched off.
    """
    _lock(connection.tenant_id)
    known = set(connection.models.values_list("name", flat=True))
    added = []
    for info in found:
        if info.name in known:
            continue
        known.add(info.name)
        added.append(ChatModel.objects.create(connection=connection, name=info.name, **_abilities(info)))
    if added and connection.enabled and _default_is_to_start_with(connection.tenant_id):
        make_default(added[0])
    return added


@transaction.atomic
def make_default(model: ChatModel) -> None:
    """Make ``model`` the one default of its tenant. Raises SwitchedOff when it, or its connection, is off."""
    tenant_id = Connection.objects.values_list("tenant", flat=True).get(pk=model.connection_id)
    _lock(tenant_id)
    if not ChatModel.objects.filter(pk=model.pk, enabled=True, connection__enabled=True).exists():
        raise SwitchedOff
    ChatModel.objects.filter(connection__tenant=tenant_id, is_default=True).exclude(pk=model.pk).update(
        is_default=False
    )
    ChatModel.objects.filter(pk=model.pk).update(is_default=True)
    model.is_default = True


def _lock(tenant_id: UUID) -> None:
    """Let changes to the models of a tenant come one after another until the transaction's end."""
    Tenant.objects.select_for_update().get(pk=tenant_id)


def _default_is_to_start_with(tenant_id: UUID) -> bool:
    defaults = ChatModel.objects.filter(connection__tenant=tenant_id, is_default=True)
    return not defaults.exclude(connection__origin=Connection.Origin.BUILT_IN).exists()


def _abilities(info: ModelInfo) -> dict[str, object]:
    said = {
        "display_name": info.display_name[:80],
        "context_tokens": info.context_tokens,
        "takes_images": info.images,
        "takes_tools": info.tools,
    }
    return {name: value for name, value in said.items() if value is not None}
