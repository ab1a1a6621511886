"""Where a call may go, and what becomes of it when nobody answers (SEC-6, CHAT-20, REL-5)."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from adminchat.providers.base import Endpoint, Kind
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import provider_for
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.providers.conftest import MakeEndpoint, ask, text_of


async def code_of(endpoint: Endpoint) -> ErrorCode | None:
    try:
        async for _ in provider_for(endpoint).stream(ask("echo")):
            pass
    except ProviderError as error:
        return error.code
    return None


@asynccontextmanager
async def listening(answer: bytes | None) -> AsyncIterator[str]:
    """A server that says one thing to every connection and closes it, or says nothing at all."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if answer is None:
            await reader.read()
        else:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_loopback_is_refused_unless_allowed_or_trusted(endpoint: MakeEndpoint, fake: FakeServer) -> None:
    # CHAT-20, SEC-6
    assert await code_of(endpoint(trusted=False)) is ErrorCode.ADDRESS_REFUSED
    assert fake.requests() == []
    assert await code_of(endpoint(trusted=False, allowed_private_hosts=("10.0.0.0/8", "localhost"))) is not None
    assert await code_of(endpoint(trusted=False, allowed_private_hosts=("127.0.0.1",))) is None
    assert await code_of(endpoint()) is None


@pytest.mark.parametrize(
    "host",
    ["localhost", "[::ffff:127.0.0.1]", "127.1", "0x7f.0.0.1", "2130706433", "localhost.", "0.0.0.0", "１２７.0.0.1"],
)
async def test_other_ways_to_write_this_machine_gain_nothing(  # SEC-6
    endpoint: MakeEndpoint, fake: FakeServer, host: str
) -> None:
    url = f"http://{host}:{fake.port}"
    assert await code_of(endpoint(trusted=False, base_url=url)) in (ErrorCode.ADDRESS_REFUSED, ErrorCode.UNREACHABLE)
    assert fake.requests() == []


async def test_listing_models_is_guarded_too(endpoint: MakeEndpoint) -> None:  # SEC-6
    with pytest.raises(ProviderError) as caught:
        await provider_for(endpoint(trusted=False)).list_models()
    assert caught.value.code is ErrorCode.ADDRESS_REFUSED


async def test_redirects_are_not_followed(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # SEC-6
    fake.enqueue(Reply(status=307, error={}, headers={"location": f"{fake.url}/v1/chat/completions"}))
    assert await code_of(endpoint()) is ErrorCode.MALFORMED
    assert len(fake.requests()) == 1


async def test_proxies_of_the_environment_are_not_used(  # SEC-6
    endpoint: MakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n") as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy)
        assert await code_of(endpoint()) is None


async def test_nobody_listens(endpoint: MakeEndpoint) -> None:  # CHAT-9, REL-5
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        assert await code_of(endpoint(base_url=url)) is ErrorCode.UNREACHABLE


async def test_name_does_not_resolve(endpoint: MakeEndpoint) -> None:  # CHAT-9
    assert await code_of(endpoint(base_url="http://nowhere.invalid")) is ErrorCode.UNREACHABLE


async def test_connection_that_closes_without_a_word(endpoint: MakeEndpoint) -> None:  # REL-5
    async with listening(b"") as url:
        assert await code_of(endpoint(base_url=url)) is ErrorCode.UNREACHABLE


async def test_server_that_speaks_something_else(endpoint: MakeEndpoint) -> None:  # REL-5
    async with listening(b"SSH-2.0-OpenSSH_9.6\r\n\r\n") as url:
        assert await code_of(endpoint(base_url=url)) is ErrorCode.MALFORMED


async def test_encryption_where_none_is_spoken(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # REL-5
    url = fake.url.replace("http:", "https:")
    assert await code_of(endpoint(base_url=url)) is ErrorCode.UNREACHABLE


async def test_handshake_that_never_ends(endpoint: MakeEndpoint) -> None:  # REL-5
    start = time.monotonic()
    async with listening(None) as url:
        secure = endpoint(base_url=url.replace("http:", "https:"), connect_timeout=0.3)
        assert await code_of(secure) is ErrorCode.TIMEOUT
    assert time.monotonic() - start < 5


async def test_endless_error_page_is_cut(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # REL-5
    head = b"HTTP/1.1 400 Bad\r\ncontent-length: 90000000\r\n\r\n"
    async with listening(head + b"x" * 200_000) as url:
        assert await code_of(endpoint(base_url=url)) is ErrorCode.BAD_REQUEST


async def test_compression_that_was_not_asked_for_is_refused(  # REL-5
    endpoint: MakeEndpoint, fake: FakeServer
) -> None:
    fake.enqueue(Reply(raw="x", headers={"content-encoding": "gzip"}))
    assert await code_of(endpoint()) is ErrorCode.MALFORMED
    assert fake.requests()[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("url", ["http://[", "nonsense", "http://exa mple/", "http://x:99999999/"])
async def test_what_is_no_address_fails_plainly(endpoint: MakeEndpoint, url: str) -> None:  # CHAT-20
    assert await code_of(endpoint(base_url=url, trusted=False)) in (
        ErrorCode.ADDRESS_REFUSED,
        ErrorCode.UNREACHABLE,
    )


REPLIES = {
    "openai": b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    "anthropic": b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n'
    b'data: {"type":"message_stop"}\n\n',
}


async def test_kept_connection_that_the_server_closed_is_replaced(endpoint: MakeEndpoint, kind: Kind) -> None:  # REL-5
    calls = 0
    reply = REPLIES[kind]
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" % len(reply)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        with suppress(asyncio.IncompleteReadError):
            for is_kept in (False, True):
                asked = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(asked.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
                calls += 1
                if not is_kept:
                    writer.write(head + reply)
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        made = endpoint(base_url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        assert await code_of(made) is None
        assert await code_of(made) is None
    assert calls == 3


async def test_key_is_in_no_text_of_an_endpoint(endpoint: MakeEndpoint) -> None:  # SEC-2
    made = endpoint(api_key="sk-very-secret")
    assert "very-secret" not in f"{made!r} {made!s} {provider_for(made)!r}"
    assert text_of([event async for event in provider_for(made).stream(ask("echo"))])
