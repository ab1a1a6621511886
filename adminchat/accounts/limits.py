"""How often one user may ask for what costs much (SEC-7)."""

import time

from django.core.cache import cache

from adminchat.accounts.models import User


def within(user: User, action: str, per_minute: int) -> bool:
    """Count one ``action`` of ``user``; False when there were more than ``per_minute`` in this minute.

    A cache that is down counts nothing and refuses nothing (REL-3).
    """
    key = f"limit:{action}:{user.pk}:{int(time.time()) // 60}"
    cache.add(key, 0, timeout=120)
    try:
        return (cache.incr(key) or 0) <= per_minute
    except ValueError:
        return True
