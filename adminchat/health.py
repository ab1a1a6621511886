"""Whether this process lives, and whether it can serve people (OPS-10)."""

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from adminchat import keycheck

BROKER_SECONDS = 1


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 as long as the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when people can be served, else 503; the body says which part is the matter.

    Without its broker AdminChat goes on, only slower to tell (REL-3), so that alone answers 200 with ``degraded``.
    """
    parts = {"database": "ok", "migrations": "ok", "keys": "ok", "broker": broker_state()}
    try:
        if pending_migrations():
            parts["migrations"] = "pending"
        else:
            keycheck.verify()
    except DatabaseError:
        parts.update(database="unavailable", migrations="unknown", keys="unknown")
    except keycheck.WrongKey:
        parts["keys"] = "wrong"
    failed = any(parts[part] != "ok" for part in ("database", "migrations", "keys"))
    status = "failed" if failed else "degraded" if parts["broker"] == "unavailable" else "ok"
    return JsonResponse({"status": status, **parts}, status=503 if failed else 200)


def pending_migrations() -> bool:
    """Whether the database lacks a migration of this version. Raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def broker_state() -> str:
    """Return ``ok``, ``unavailable``, or ``none`` where none is configured."""
    if not settings.REDIS_URL:
        return "none"
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=BROKER_SECONDS, socket_timeout=BROKER_SECONDS
        ) as client:
            client.ping()
    except (redis.RedisError, OSError):
        return "unavailable"
    return "ok"
