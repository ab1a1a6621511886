"""System checks: what would go wrong later is said at the start, with a hint (OPS-7).

E001 key check · E002 preset without a model · E003 signs of life · W001 TLS without its proxy · W002 no broker.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import DatabaseError
from django.utils.translation import gettext as _

from adminchat import keycheck


@register("adminchat")
def check_preset_model(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    given = settings.ADMINCHAT_MODEL_KIND in ("openai", "anthropic") or settings.ADMINCHAT_MODEL_BASE_URL
    if given and not settings.ADMINCHAT_MODEL_NAME:
        return [
            Error(
                _("A model connection is preset without a model."),
                hint=_("Set ADMINCHAT_MODEL_NAME to the model’s name at that endpoint."),
                id="adminchat.E002",
            )
        ]
    return []


@register("adminchat")
def check_signs_of_life(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if settings.ADMINCHAT_TURN_STALE_SECONDS < 2 * settings.ADMINCHAT_HEARTBEAT_SECONDS:
        return [
            Error(
                _("Turns would count as interrupted while they run."),
                hint=_("Set ADMINCHAT_TURN_STALE_SECONDS to at least twice ADMINCHAT_HEARTBEAT_SECONDS."),
                id="adminchat.E003",
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
        return [Error(_("The encryption keys don’t fit the database."), hint=str(error), id="adminchat.E001")]
    return []


@register(Tags.security, deploy=True)
def check_proxy(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if settings.SECURE and not settings.ADMINCHAT_TRUSTED_PROXIES:
        return [
            CheckWarning(
                _("ADMINCHAT_BASE_URL is https, but no proxy is trusted to say so of a request."),
                hint=_(
                    "Set ADMINCHAT_TRUSTED_PROXIES to the number of proxies in front; otherwise every request is "
                    "redirected again and again."
                ),
                id="adminchat.W001",
            )
        ]
    return []


@register(Tags.caches, deploy=True)
def check_broker(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.REDIS_URL:
        return [
            CheckWarning(
                _("REDIS_URL is not set."),
                hint=_(
                    "Without it, background work does not run, and pages see only the turns of their own web process."
                ),
                id="adminchat.W002",
            )
        ]
    return []
