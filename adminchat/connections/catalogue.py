"""The writes to the models that connections offer."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from adminchat.accounts.models import Tenant
from adminchat.connections.models import ChatModel, Connection
from adminchat.providers.base import ModelInfo


@transaction.atomic
def add_models(connection: Connection, found: Iterable[ModelInfo]) -> list[ChatModel]:
    """Offer models that ``connection`` doesn't offer yet; return the new ones.

    What the endpoint says about itself is taken over, the rest gets the defaults. The first model of a tenant becomes
    its default, and so does the first that replaces the built-in one, which is there only to start with.
    """
    known = set(connection.models.values_list("name", flat=True))
    added = []
    for info in found:
        if info.name in known:
            continue
        known.add(info.name)
        added.append(ChatModel.objects.create(connection=connection, name=info.name, **_abilities(info)))
    if added and _default_is_to_start_with(connection.tenant_id):
        make_default(added[0])
    return added


@transaction.atomic
def make_default(model: ChatModel) -> None:
    """Make ``model`` the one default of its tenant."""
    tenant_id = model.connection.tenant_id
    Tenant.objects.select_for_update().get(pk=tenant_id)
    ChatModel.objects.filter(connection__tenant=tenant_id, is_default=True).exclude(pk=model.pk).update(
        is_default=False
    )
    ChatModel.objects.filter(pk=model.pk).update(is_default=True)
    model.is_default = True


def _default_is_to_start_with(tenant_id: UUID) -> bool:
    default = (
        ChatModel.objects.filter(connection__tenant=tenant_id, is_default=True).select_related("connection").first()
    )
    return default is None or default.connection.origin == Connection.Origin.BUILT_IN


def _abilities(info: ModelInfo) -> dict[str, object]:
    said = {
        "display_name": info.display_name[:80],
        "context_tokens": info.context_tokens,
        "takes_images": info.images,
        "takes_tools": info.tools,
    }
    return {name: value for name, value in said.items() if value is not None}
