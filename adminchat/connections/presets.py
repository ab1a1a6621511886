"""Connections that the operator makes by the environment, so that an installation needs no click (CHAT-17, CHAT-18)."""

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from adminchat.accounts.models import Tenant
from adminchat.connections import catalogue
from adminchat.connections.models import BUILT_IN_LABEL, BUILT_IN_NAME, PRESET_NAME, ChatModel, Connection
from adminchat.providers.built_in import CONTEXT_TOKENS, MODEL_NAME


@dataclass(frozen=True)
class Preset:
    """A connection with its one model, as the environment asks for it."""

    origin: str
    name: str
    kind: str
    base_url: str
    api_key: str
    model: str
    display_name: str = ""
    context_tokens: int | None = None
    takes_tools: bool = True


@transaction.atomic
def sync_presets(tenant: Tenant) -> None:
    """Make the connections of ``tenant`` what the environment asks for; again and again with the same result.

    1. The preset model becomes the default when it is new, else the choice made in the browser stays.
    2. The built-in model becomes the default only where there is none.
    3. What is no longer asked for is switched off, not deleted: sessions still name it.
    """
    Tenant.objects.select_for_update().get(pk=tenant.pk)
    wanted = [preset for preset in (_preset(), _built_in()) if preset]
    for preset in wanted:
        _sync(tenant, preset)
    gone = Connection.objects.filter(tenant=tenant).exclude(origin=Connection.Origin.BROWSER)
    gone.exclude(origin__in=[preset.origin for preset in wanted]).update(enabled=False)


def _preset() -> Preset | None:
    local = settings.ADMINCHAT_MODEL_KIND == Connection.Kind.LOCAL
    if not settings.ADMINCHAT_MODEL_NAME or (local and not settings.ADMINCHAT_MODEL_BASE_URL):
        return None  # a local model without an address is the built-in one
    return Preset(
        origin=Connection.Origin.PRESET,
        name=PRESET_NAME,
        kind=settings.ADMINCHAT_MODEL_KIND or Connection.Kind.OPENAI,
        base_url=settings.ADMINCHAT_MODEL_BASE_URL,
        api_key=settings.ADMINCHAT_MODEL_API_KEY,
        model=settings.ADMINCHAT_MODEL_NAME,
    )


def _built_in() -> Preset | None:
    if not settings.ADMINCHAT_LOCAL_MODEL_URL:
        return None
    return Preset(
        origin=Connection.Origin.BUILT_IN,
        name=BUILT_IN_NAME,
        kind=Connection.Kind.LOCAL,
        base_url=settings.ADMINCHAT_LOCAL_MODEL_URL,
        api_key="",
        model=MODEL_NAME,
        display_name=BUILT_IN_LABEL,
        context_tokens=CONTEXT_TOKENS,
        takes_tools=False,
    )


def _sync(tenant: Tenant, preset: Preset) -> None:
    connection = Connection.objects.filter(tenant=tenant, origin=preset.origin).defer("api_key").first()
    if connection is None:
        connection = Connection(tenant=tenant, origin=preset.origin, name=_free_name(tenant, preset.name))
    is_new = not connection.enabled or connection._state.adding
    connection.kind, connection.base_url, connection.api_key = preset.kind, preset.base_url, preset.api_key
    connection.enabled = True
    connection.save()
    connection.models.exclude(name=preset.model).update(enabled=False)
    model, created = ChatModel.objects.get_or_create(
        connection=connection,
        name=preset.model,
        defaults={
            "display_name": preset.display_name,
            "context_tokens": preset.context_tokens,
            "takes_tools": preset.takes_tools,
        },
    )
    is_new = is_new or created or not model.enabled
    if not model.enabled:
        model.enabled = True
        model.save(update_fields=["enabled"])
    if (is_new and preset.origin == Connection.Origin.PRESET) or not _has_default(tenant):
        catalogue.make_default(model)


def _has_default(tenant: Tenant) -> bool:
    return ChatModel.objects.filter(
        connection__tenant=tenant, connection__enabled=True, enabled=True, is_default=True
    ).exists()


def _free_name(tenant: Tenant, name: str) -> str:
    taken = set(Connection.objects.filter(tenant=tenant).values_list("name", flat=True))
    candidates = [name, *(f"{name} {number}" for number in range(2, len(taken) + 3))]
    return next(candidate for candidate in candidates if candidate not in taken)
