"""Streams of both protocols from a real HTTP server: what arrives, how it ends, what is left behind."""

import asyncio
import gc
import time
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from adminchat.providers import decoding
from adminchat.providers.base import ChatMessage, ChatRequest, Event, TextDelta, Usage
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import provider_for
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.providers.conftest import MakeEndpoint, ask, reason_of, text_of


async def collect(endpoint: MakeEndpoint, request: ChatRequest, **more: float) -> list[Event]:
    return [event async for event in provider_for(endpoint(**more)).stream(request)]


async def failure(endpoint: MakeEndpoint, request: ChatRequest, **more: float) -> tuple[str, ProviderError]:
    """The text that came before the failure, and the failure."""
    events: list[Event] = []
    with pytest.raises(ProviderError) as caught:
        async for event in provider_for(endpoint(**more)).stream(request):
            events.append(event)
    return text_of(events), caught.value


def open_sockets() -> int:
    """Connections of this process that are open, whoever holds them."""
    count = 0
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            count += str(link.readlink()).startswith("socket:")
    return count


async def until(condition: object, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.01)
    return True


async def test_text_arrives_then_usage_then_finish(endpoint: MakeEndpoint) -> None:  # CHAT-6, CHAT-17
    events = await collect(endpoint, ask("echo", "你好 world 🙂"))
    assert text_of(events) == "You said: 你好 world 🙂"
    assert events[-2] == Usage(input_tokens=2, output_tokens=5)
    assert reason_of(events) == "stop"


async def test_text_is_handed_on_as_it_arrives(endpoint: MakeEndpoint) -> None:  # CHAT-6
    arrivals = []
    async for event in provider_for(endpoint()).stream(ask("slow-50x10")):
        if isinstance(event, TextDelta):
            arrivals.append((event.text, time.monotonic()))
    assert len(arrivals) >= 8
    assert arrivals[-1][1] - arrivals[0][1] > 0.1


async def test_roles_are_real_and_parameters_arrive(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-5
    said = (ChatMessage("system", "be brief"), ChatMessage("user", "a"), ChatMessage("assistant", "b"))
    messages = (*said, ChatMessage("user", "c"))
    await collect(endpoint, ChatRequest("echo", messages, temperature=0.5, top_p=0.9, stop=("END",), max_tokens=77))
    body = fake.requests()[0].body
    assert [(m["role"], m["content"]) for m in body["messages"] if m["role"] != "system"] == [
        ("user", "a"),
        ("assistant", "b"),
        ("user", "c"),
    ]
    assert "be brief" in (body.get("system"), body["messages"][0]["content"])
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.5, 0.9, 77)
    assert body.get("stop_sequences", body.get("stop")) == ["END"]


@pytest.mark.parametrize(
    ("model", "before", "code"),
    [
        ("fault-401", "", ErrorCode.REFUSED_KEY),
        ("fault-404", "", ErrorCode.UNKNOWN_MODEL),
        ("fault-500", "", ErrorCode.SERVER_ERROR),
        ("fault-broken", "This breaks ", ErrorCode.BROKEN_STREAM),
        ("fault-cut", "This ends ", ErrorCode.BROKEN_STREAM),
        ("fault-error", "This fails ", ErrorCode.SERVER_ERROR),
        ("fault-html", "", ErrorCode.MALFORMED),
        ("fault-malformed", "", ErrorCode.MALFORMED),
    ],
    ids=lambda value: str(value).strip(),
)
async def test_fault_keeps_the_partial_text_and_gives_its_code(  # CHAT-9, REL-5
    endpoint: MakeEndpoint, fake: FakeServer, model: str, before: str, code: ErrorCode
) -> None:
    text, error = await failure(endpoint, ask(model))
    assert (text, error.code) == (before, code)
    assert "secret" not in f"{error} {error!r} {error.__cause__!r}"
    assert len(fake.requests()) == 1


async def test_long_request_is_told_from_other_bad_ones(endpoint: MakeEndpoint) -> None:  # CHAT-9
    _, error = await failure(endpoint, ask("fault-overflow", "word " * 400))
    assert (error.code, error.retryable) == (ErrorCode.CONTEXT_OVERFLOW, False)
    assert text_of(await collect(endpoint, ask("fault-overflow", "word")))


async def test_refusal_is_a_way_to_finish(endpoint: MakeEndpoint) -> None:  # CHAT-9
    events = await collect(endpoint, ask("fault-refusal"))
    assert (text_of(events), reason_of(events)) == ("I can't help.", "refusal")


async def test_length_is_told(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-9
    fake.enqueue(Reply(chunks=["cut off"], end="length"))
    assert reason_of(await collect(endpoint, ask("echo"))) == "length"


@pytest.mark.parametrize(("model", "before"), [("fault-silent", ""), ("fault-silent-after", "Some words ")])
async def test_silence_ends_in_time_and_ends_the_call(  # REL-5
    endpoint: MakeEndpoint, fake: FakeServer, model: str, before: str
) -> None:
    start = time.monotonic()
    text, error = await failure(endpoint, ask(model), first_token_timeout=0.4, silence_timeout=0.2)
    assert (text, error.code, error.retryable) == (before, ErrorCode.TIMEOUT, True)
    assert time.monotonic() - start < 2
    assert await until(lambda: fake.requests()[0].disconnected)


async def test_keepalive_comments_do_not_count_as_an_answer(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # REL-5
    fake.enqueue(Reply(raw=": keep-alive\n\n" * 3, end="hang"))
    _, error = await failure(endpoint, ask("echo"), first_token_timeout=0.4)
    assert error.code is ErrorCode.TIMEOUT


async def test_slow_reader_is_not_a_silent_server(endpoint: MakeEndpoint) -> None:  # REL-8
    events: list[Event] = []
    async for event in provider_for(endpoint(silence_timeout=0.2)).stream(ask("slow-20x6")):
        events.append(event)
        await asyncio.sleep(0.25)
    assert reason_of(events) == "stop"


async def test_endless_reply_stops_at_the_bound(  # REL-5
    endpoint: MakeEndpoint, fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "MAX_REPLY", 200_000)
    events = await collect(endpoint, ask("fault-huge"))
    assert reason_of(events) == "length"
    assert 200_000 <= len(text_of(events)) < 400_000
    assert await until(lambda: fake.requests()[0].disconnected)


async def test_endless_event_is_malformed(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # REL-5
    fake.enqueue(Reply(raw="data: " + "x" * (decoding.MAX_EVENT + 10), end="hang"))
    _, error = await failure(endpoint, ask("echo"))
    assert error.code is ErrorCode.MALFORMED


async def test_rate_limit_is_waited_for(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-9
    fake.enqueue(Reply(status=429, error={"type": "rate_limit_error"}, headers={"retry-after": "0"}))
    assert text_of(await collect(endpoint, ask("echo"))) == "You said: hello there"
    first, second = fake.requests()
    assert 0.9 < second.at - first.at < 3


@pytest.mark.parametrize(
    ("status", "wait"), [(429, "3600"), (503, "21"), (529, "21")], ids=["rate", "unavailable", "overloaded"]
)
async def test_too_long_a_wait_is_given_back(  # CHAT-9
    endpoint: MakeEndpoint, fake: FakeServer, status: int, wait: str
) -> None:
    fake.enqueue(Reply(status=status, error={"type": "rate_limit_error"}, headers={"retry-after": wait}))
    _, error = await failure(endpoint, ask("echo"))
    assert (error.code, error.retry_after, error.retryable) == (ErrorCode.RATE_LIMITED, float(wait), True)
    assert len(fake.requests()) == 1


async def test_rate_limit_gives_up_after_three_tries(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-9
    _, error = await failure(endpoint, ask("fault-429"))
    assert error.code is ErrorCode.RATE_LIMITED
    assert len(fake.requests()) == 3


async def test_empty_account_is_not_waited_for(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-9
    fake.enqueue(Reply(status=429, error={"type": "insufficient_quota", "message": "insufficient_quota"}))
    _, error = await failure(endpoint, ask("echo"))
    assert (error.code, len(fake.requests())) == (ErrorCode.RATE_LIMITED, 1)


@pytest.mark.parametrize("way", ["close", "cancel"])
async def test_stop_ends_the_upstream_call(endpoint: MakeEndpoint, fake: FakeServer, way: str) -> None:  # CHAT-7
    begun = asyncio.Event()

    async def read() -> None:
        async with aclosing(provider_for(endpoint()).stream(ask("slow-20x200"))) as events:
            async for _ in events:
                begun.set()
                if way == "close":
                    break

    task = asyncio.create_task(read())
    await begun.wait()
    stopped = time.time()
    if way == "cancel":
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await until(lambda: fake.requests()[0].disconnected)
    at = fake.requests()[0].disconnected_at
    assert at is not None and at - stopped < 1


async def test_cancelled_before_the_first_byte(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-7
    task = asyncio.create_task(collect(endpoint, ask("fault-silent")))
    assert await until(lambda: bool(fake.requests()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await until(lambda: fake.requests()[0].disconnected)


async def test_no_connection_is_left_behind(endpoint: MakeEndpoint) -> None:  # REL-5
    provider = provider_for(endpoint(first_token_timeout=0.3, silence_timeout=0.2))

    async def once(model: str) -> None:
        with suppress(ProviderError):
            async for _ in provider.stream(ask(model)):
                pass

    models = ("echo", "fault-401", "fault-broken", "fault-cut", "fault-error", "fault-malformed", "fault-silent-after")
    await asyncio.gather(*(once(model) for model in models))
    gc.collect()
    before = open_sockets()
    for _ in range(3):
        await asyncio.gather(*(once(model) for model in models for _ in range(5)))
    await provider.aclose()
    gc.collect()
    assert provider.active == 0
    assert await until(lambda: open_sockets() <= before)


async def test_connection_is_kept_between_calls(endpoint: MakeEndpoint) -> None:  # PERF-1
    await collect(endpoint, ask("echo"))
    before = open_sockets()
    for _ in range(5):
        await collect(endpoint, ask("echo"))
    assert open_sockets() <= before


async def test_two_hundred_streams_run_at_once(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # PERF-4
    replies = await asyncio.gather(*(collect(endpoint, ask("slow-20x20")) for _ in range(200)))
    assert {text_of(events).count("tok") for events in replies} == {20}
    arrived = [record.at for record in fake.requests()]
    ended = [record.finished_at or 0 for record in fake.requests()]
    assert max(arrived) < min(ended)


async def test_short_whole_answer(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-14
    completion = await provider_for(endpoint()).complete(ask("echo", max_tokens=20))
    assert (completion.text, completion.reason) == ("A short title", "stop")
    assert completion.usage is not None
    assert fake.requests()[0].body["stream"] is False


async def test_whole_answer_of_a_given_shape(endpoint: MakeEndpoint) -> None:  # CHAT-16
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert (await provider_for(endpoint()).complete(ask("echo", json_schema=schema))).text == '{"n":1}'


@pytest.mark.parametrize(
    ("model", "code"),
    [("fault-401", ErrorCode.REFUSED_KEY), ("fault-silent", ErrorCode.TIMEOUT), ("fault-html", ErrorCode.MALFORMED)],
)
async def test_failed_whole_answer(endpoint: MakeEndpoint, model: str, code: ErrorCode) -> None:  # REL-5
    with pytest.raises(ProviderError) as caught:
        await provider_for(endpoint(first_token_timeout=0.4)).complete(ask(model))
    assert caught.value.code is code


async def test_models_are_listed(endpoint: MakeEndpoint) -> None:  # CHAT-16
    names = [model.name for model in await provider_for(endpoint()).list_models()]
    assert names[:2] == ["echo", "tokens-100"]


async def test_wrong_key_is_refused(endpoint: MakeEndpoint) -> None:  # CHAT-9
    with pytest.raises(ProviderError) as caught:
        await provider_for(endpoint(api_key="bad")).list_models()
    assert caught.value.code is ErrorCode.REFUSED_KEY


async def test_no_key_sends_none(  # CHAT-17
    endpoint: MakeEndpoint, fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "leaked")
    await collect(endpoint, ask("echo"), api_key="")  # type: ignore[arg-type]
    headers = fake.requests()[0].headers
    assert not {"authorization", "x-api-key", "api-key"} & set(headers)
    assert "leaked" not in headers.values()
