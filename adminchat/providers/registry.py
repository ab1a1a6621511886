"""Which provider serves an endpoint. The only module that knows the concrete ones; it imports them when needed,
since each vendor's SDK costs tens of megabytes and a good part of a second."""

import asyncio
import importlib
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from adminchat.providers.base import Endpoint
from adminchat.providers.errors import ErrorCode, ProviderError

if TYPE_CHECKING:
    from adminchat.providers.wire import HttpProvider

MAX_KEPT = 64

_Key = tuple[Endpoint, asyncio.AbstractEventLoop]
_kept: "OrderedDict[_Key, HttpProvider]" = OrderedDict()
_preloaded: set[str] = set()
_closing: set[asyncio.Task[None]] = set()


def provider_for(endpoint: Endpoint) -> "HttpProvider":
    """Return the provider of this endpoint, the same one each time within a running event loop, so that connections
    are kept. The least recently used idle ones beyond MAX_KEPT are closed. Must be called
    from within a loop. Raises ProviderError (address_refused) when the base URL is none."""
    loop = asyncio.get_running_loop()
    key = (endpoint, loop)
    provider = _kept.get(key)
    if provider is None:
        provider = _kept[key] = _make(endpoint)
    _kept.move_to_end(key)
    _evict(key)
    return provider


def preload(kinds: Iterable[str]) -> None:
    """Import what endpoints of these kinds need, so that the first message doesn't wait for it. For a thread."""
    for kind in kinds:
        importlib.import_module(f"adminchat.providers.{'anthropic' if kind == 'anthropic' else 'openai'}")
        _preloaded.add(kind)


def is_loaded(kind: str) -> bool:
    """Whether ``preload`` has nothing to do for an endpoint of this kind."""
    return kind in _preloaded


async def close_all() -> None:
    """Close every kept provider of the running loop, and forget those of loops that have ended."""
    loop = asyncio.get_running_loop()
    mine = [_kept.pop(key) for key in list(_kept) if key[1] is loop]
    _forget_ended()
    for provider in mine:
        await provider.aclose()
    await asyncio.gather(*_closing)


def _make(endpoint: Endpoint) -> "HttpProvider":
    import httpx2

    try:
        if endpoint.kind == "anthropic":
            from adminchat.providers.anthropic import AnthropicProvider

            return AnthropicProvider(endpoint)
        from adminchat.providers.openai import OpenAIProvider

        return OpenAIProvider(endpoint)
    except (ValueError, httpx2.InvalidURL):
        raise ProviderError(ErrorCode.ADDRESS_REFUSED) from None


def _evict(wanted: _Key) -> None:
    if len(_kept) <= MAX_KEPT:
        return
    _forget_ended()
    loop = wanted[1]
    idle = [key for key, provider in list(_kept.items()) if key[1] is loop and key != wanted and not provider.active]
    for key in idle[: max(len(_kept) - MAX_KEPT, 0)]:
        task = loop.create_task(_kept.pop(key).aclose())
        _closing.add(task)
        task.add_done_callback(_closing.discard)


def _forget_ended() -> None:
    for key in [key for key in _kept if key[1].is_closed()]:
        del _kept[key]
