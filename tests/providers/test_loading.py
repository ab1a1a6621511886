"""The built-in model is waited for while it starts (OPS-2): nothing listens at first, then it says that it loads."""

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from adminchat.providers.base import Endpoint, Loading
from adminchat.providers.built_in import MODEL_NAME
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import close_all, provider_for
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.providers.conftest import ask, text_of
from tests.servers import free_port

LOADING = Reply(status=503, error={"message": "Loading model", "type": "unavailable_error", "code": 503})


@pytest_asyncio.fixture
async def asleep() -> AsyncIterator[FakeServer]:
    """A server that has an address, and isn't started yet."""
    server = FakeServer()
    yield server
    await close_all()
    server.close()


def built_in(server: FakeServer, seconds: float = 20.0) -> Endpoint:
    return Endpoint("local", server.url, "", trusted=True, first_token_timeout=seconds)


async def test_a_question_waits_while_the_model_loads(fake: FakeServer) -> None:  # OPS-2, CHAT-18
    fake.enqueue(LOADING, LOADING, LOADING, Reply(chunks=["Paris"]))
    try:
        events = [event async for event in provider_for(built_in(fake)).stream(ask("echo"))]
    finally:
        await close_all()
    assert events[0] == Loading()
    assert events.count(Loading()) == 1
    assert text_of(events) == "Paris"


async def test_a_question_waits_while_nothing_listens_yet(asleep: FakeServer) -> None:  # OPS-2, CHAT-18
    stream = provider_for(built_in(asleep)).stream(ask("echo", "hello"))
    assert await anext(stream) == Loading()
    with asleep:
        assert "hello" in text_of([event async for event in stream])


async def test_a_request_without_a_stream_waits_too(fake: FakeServer) -> None:  # OPS-2
    fake.enqueue(LOADING, LOADING, Reply(whole="Paris"))
    try:
        assert (await provider_for(built_in(fake)).complete(ask("echo"))).text == "Paris"
    finally:
        await close_all()


async def test_waiting_for_the_model_has_an_end(asleep: FakeServer, fake: FakeServer) -> None:  # OPS-2, CHAT-9
    fake.enqueue(*[LOADING] * 100)
    for server, code in ((asleep, ErrorCode.UNREACHABLE), (fake, ErrorCode.LOADING)):
        with pytest.raises(ProviderError) as caught:
            await provider_for(built_in(server, seconds=0.5)).complete(ask("echo"))
        assert caught.value.code is code
    assert 1 < len(fake.requests()) < 10


async def test_other_servers_are_not_waited_for(fake: FakeServer) -> None:  # CHAT-9
    fake.enqueue(LOADING, LOADING)
    try:
        with pytest.raises(ProviderError) as caught:
            await provider_for(replace(built_in(fake), kind="openai")).complete(ask("echo"))
    finally:
        await close_all()
    assert caught.value.code is ErrorCode.LOADING
    assert len(fake.requests()) == 1


@pytest.mark.needs("weights")
async def test_the_real_one_is_asked_as_soon_as_it_is_started() -> None:  # OPS-2, CHAT-18
    port = free_port()
    provider = provider_for(Endpoint("local", f"http://127.0.0.1:{port}/v1", "", trusted=True))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adminchat.providers.local_server", "--port", str(port)),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        stream = provider.stream(ask(MODEL_NAME, "What is the capital of France?", max_tokens=24, temperature=0.0))
        listed, first = await asyncio.gather(provider.list_models(), anext(stream))
        assert first == Loading()
        assert [model.name for model in listed] == [MODEL_NAME]
        assert text_of([event async for event in stream])
    finally:
        await close_all()
        process.kill()
        await process.wait()
