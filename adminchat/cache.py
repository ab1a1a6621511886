"""The cache that all processes share, which goes on in each one's memory while its server is away (REL-3)."""

import time
from typing import Any, ClassVar

from django.core.cache.backends.locmem import LocMemCache
from django_redis.cache import RedisCache
from redis.exceptions import RedisError

PAUSE_SECONDS = 5.0  # so that not every request waits for a server that doesn't answer


class SteadyCache(RedisCache):
    """Redis, or this process's memory in its place.

    Ignoring errors instead would answer every question with "not stored", which rate limits read as a refusal: nobody
    could sign in without the server. So limits hold per process meanwhile, and nothing else is lost that matters.
    """

    _away_until: ClassVar[float] = 0.0  # monotonic seconds

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._memory = LocMemCache("steady", {name: value for name, value in params.items() if name != "OPTIONS"})

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("touch", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("delete", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("incr", *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("has_key", *args, **kwargs)

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= SteadyCache._away_until:
            try:
                return getattr(super(), method)(*args, **kwargs)
            except (RedisError, OSError):
                SteadyCache._away_until = time.monotonic() + PAUSE_SECONDS
        return getattr(self._memory, method)(*args, **kwargs)
