"""System checks: what would go wrong later is said at the start, with a hint (OPS-7).

E001 keys of the encrypted fields · E002 key check · W001 TLS without its proxy · W002 no broker.
"""

from collections.abc import Sequence
from typing import Any

from cryptography.fernet import Fernet
from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import DatabaseError

from adminchat import keycheck


@register(Tags.security)
def check_encryption_keys(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    keys = settings.FIELD_ENCRYPTION_KEY
    for position, key in enumerate(keys, start=1):
        try:
            Fernet(key)
        except ValueError:
            return [
                Error(
                    f"FIELD_ENCRYPTION_KEY: key {position} of {len(keys)} is not a Fernet key.",
                    hint="A key is 32 random bytes in URL-safe base64; `manage.py make_key` prints a new one.",
                    id="adminchat.E001",
                )
            ]
    if not keys:
        return [
            Error(
                "FIELD_ENCRYPTION_KEY holds no key.",
                hint="`manage.py make_key` prints a new one.",
                id="adminchat.E001",
            )
        ]
    return []


@register(Tags.database)
def check_stored_key(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Runs with ``check --database default`` and before every migration."""
    if "default" not in (databases or ()):
        return []
    try:
        keycheck.verify()
    except DatabaseError:
        return []  # an empty database, or none: migrate and /readyz report that
    except keycheck.WrongKey as error:
        return [Error("The encryption keys don't fit the database.", hint=error.advice, id="adminchat.E002")]
    return []


@register(Tags.security, deploy=True)
def check_proxy(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if settings.SECURE and not settings.ADMINCHAT_TRUSTED_PROXIES:
        return [
            CheckWarning(
                "ADMINCHAT_BASE_URL is https, but no proxy is trusted to say so of a request.",
                hint="Set ADMINCHAT_TRUSTED_PROXIES to the number of proxies in front; otherwise every request is "
                "redirected again and again.",
                id="adminchat.W001",
            )
        ]
    return []


@register(Tags.caches, deploy=True)
def check_broker(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.REDIS_URL:
        return [
            CheckWarning(
                "REDIS_URL is not set.",
                hint="Without it, background work does not run, and pages see only the turns of their own web process.",
                id="adminchat.W002",
            )
        ]
    return []
