"""From a stored connection to where and how it is reached, and what moving it would mean."""

from typing import cast
from urllib.parse import urlsplit

from django.conf import settings

from adminchat.connections.models import Connection
from adminchat.lib.encryption import DecryptionError
from adminchat.providers.base import Endpoint, Kind
from adminchat.providers.errors import ErrorCode, ProviderError

VENDORS = {Connection.Kind.OPENAI: "https://api.openai.com", Connection.Kind.ANTHROPIC: "https://api.anthropic.com"}


def allowed_private_hosts() -> tuple[str, ...]:
    """The private hosts, addresses and networks that connections may reach (CHAT-20)."""
    return tuple(settings.ADMINCHAT_ALLOWED_PRIVATE_HOSTS)


def endpoint_of(connection: Connection) -> Endpoint:
    """Return the endpoint of ``connection``. What the operator made is trusted, all else checked.

    The one place where a key is decrypted to be used; raises ProviderError (key_unreadable) when that isn't possible.
    """
    try:
        api_key = connection.api_key
    except DecryptionError:
        raise ProviderError(ErrorCode.KEY_UNREADABLE) from None
    return Endpoint(
        kind=cast(Kind, connection.kind),
        base_url=connection.base_url,
        api_key=api_key,
        trusted=connection.origin != Connection.Origin.BROWSER,
        allowed_private_hosts=allowed_private_hosts(),
        connect_timeout=settings.ADMINCHAT_CONNECT_SECONDS,
        first_token_timeout=settings.ADMINCHAT_FIRST_TOKEN_SECONDS,
        silence_timeout=settings.ADMINCHAT_SILENCE_SECONDS,
    )


def kinds_in_use() -> set[str]:
    """The kinds of all enabled connections of the site."""
    return set(Connection.objects.filter(enabled=True).values_list("kind", flat=True))


def receiver(kind: str, base_url: str) -> tuple[str, str, int | None]:
    """Return who would get the key: scheme, host and port, the vendor's own where ``base_url`` is empty."""
    parts = urlsplit(base_url or VENDORS.get(Connection.Kind(kind), ""))
    return parts.scheme, (parts.hostname or ""), parts.port or {"http": 80, "https": 443}.get(parts.scheme)
