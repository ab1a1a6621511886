"""The HTTP client below the vendors' SDKs: aiohttp, guarded, without proxies, redirects or compression.

The SDKs ship an httpx2 transport over aiohttp; it is used with a session of our own, because only the session's
connector sees the address that is really connected (SEC-6).
"""

import logging
import ssl
from collections.abc import Callable
from functools import cache

import aiohttp
import httpx2

from adminchat.lib.netguard import guarded_socket
from adminchat.providers.base import Endpoint
from adminchat.providers.faults import HttpFault

MAX_ERROR_BODY = 65_536  # bytes; what tells the kinds of error apart comes first
KEEPALIVE = 15.0  # seconds

# At their finer levels these write addresses, headers and bodies.
for _name in ("httpx2", "openai", "anthropic", "aiohttp.client"):
    logging.getLogger(_name).setLevel(logging.WARNING)


def http_client(
    endpoint: Endpoint, base_url: str, transport: Callable[..., httpx2.AsyncBaseTransport]
) -> httpx2.AsyncClient:
    """Return a client for one endpoint. `transport` is the SDK's aiohttp transport class.

    Answers with a status of 300 or more raise HttpFault from within the SDK's call.
    """
    host = httpx2.URL(base_url).host
    guard = None if endpoint.trusted else guarded_socket(host, endpoint.allowed_private_hosts)

    def session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=0,  # how many turns run at once is decided elsewhere
            keepalive_timeout=KEEPALIVE,
            ssl=_ssl_context(),
            socket_factory=guard,
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False)

    timeout = httpx2.Timeout(connect=endpoint.connect_timeout, pool=endpoint.connect_timeout, read=None, write=None)
    return httpx2.AsyncClient(
        transport=transport(client=session, verify=_ssl_context()),
        trust_env=False,
        follow_redirects=False,
        timeout=timeout,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [_raise_for_status]},
    )


async def read_bounded(response: httpx2.Response, limit: int) -> bytes:
    """Read at most `limit` bytes of a body and a little more, then close the response."""
    parts, size = [], 0
    try:
        async for part in response.aiter_raw():
            parts.append(part)
            size += len(part)
            if size > limit:
                break
    finally:
        await response.aclose()
    return b"".join(parts)


async def _raise_for_status(response: httpx2.Response) -> None:
    if response.status_code >= 300:
        body = await read_bounded(response, MAX_ERROR_BODY)
        raise HttpFault(response.status_code, response.headers.get("retry-after"), body)


@cache
def _ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()
