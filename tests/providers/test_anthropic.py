"""What is particular to Anthropic's messages (CHAT-17)."""

from typing import Any

import orjson
import pytest

from adminchat.providers.anthropic import DEFAULT_MAX_TOKENS, normal_base_url
from adminchat.providers.base import ChatMessage, ChatRequest, Event, ModelInfo, Usage
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import provider_for
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.providers.conftest import MakeEndpoint, ask, reason_of, text_of


@pytest.fixture
def kind() -> str:
    return "anthropic"


def body(*events: dict[str, Any]) -> str:
    return "".join(f"event: {event['type']}\ndata: {orjson.dumps(event).decode()}\n\n" for event in events)


def text(piece: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}


def end(reason: str, **usage: int) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


START = {"type": "message_start", "message": {"usage": {"input_tokens": 5, "cache_read_input_tokens": 10}}}
STOP = {"type": "message_stop"}


async def stream(endpoint: MakeEndpoint, request: ChatRequest) -> list[Event]:
    return [event async for event in provider_for(endpoint()).stream(request)]


async def test_system_is_apart_and_neighbours_of_one_role_are_merged(  # CHAT-5, CHAT-17
    endpoint: MakeEndpoint, fake: FakeServer
) -> None:
    roles = [("system", "one"), ("user", "a"), ("user", "b"), ("assistant", "c"), ("system", "two"), ("user", "d")]
    messages = tuple(ChatMessage(role, content) for role, content in roles)  # type: ignore[arg-type]
    await stream(endpoint, ChatRequest("echo", messages))
    sent = fake.requests()[0].body
    assert sent["system"] == "one\n\ntwo"
    assert [(m["role"], m["content"]) for m in sent["messages"]] == [
        ("user", "a\n\nb"),
        ("assistant", "c"),
        ("user", "d"),
    ]
    assert sent["max_tokens"] == DEFAULT_MAX_TOKENS


async def test_usage_counts_what_came_from_the_cache(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-11
    fake.enqueue(Reply(raw=body(START, text("a"), end("end_turn", output_tokens=7), STOP)))
    events = await stream(endpoint, ask("echo"))
    assert events[-2] == Usage(15, 7)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("tool_use", "other"),
        ("something_new", "other"),
    ],
)
async def test_stop_reasons(endpoint: MakeEndpoint, fake: FakeServer, said: str, meant: str) -> None:  # CHAT-17
    fake.enqueue(Reply(raw=body(START, text("a"), end(said), STOP)))
    assert reason_of(await stream(endpoint, ask("echo"))) == meant


@pytest.mark.parametrize(
    ("kind_of_error", "code"),
    [
        ("overloaded_error", ErrorCode.RATE_LIMITED),
        ("rate_limit_error", ErrorCode.RATE_LIMITED),
        ("authentication_error", ErrorCode.REFUSED_KEY),
        ("api_error", ErrorCode.SERVER_ERROR),
        ("timeout_error", ErrorCode.TIMEOUT),
        ("something_new", ErrorCode.SERVER_ERROR),
    ],
)
async def test_error_in_the_middle(  # CHAT-9
    endpoint: MakeEndpoint, fake: FakeServer, kind_of_error: str, code: ErrorCode
) -> None:
    error = {"type": "error", "error": {"type": kind_of_error, "message": "secret"}}
    fake.enqueue(Reply(raw=body(START, text("part"), error)))
    events: list[Event] = []
    with pytest.raises(ProviderError) as caught:
        async for event in provider_for(endpoint()).stream(ask("echo")):
            events.append(event)
    assert (text_of(events), caught.value.code, str(caught.value)) == ("part", code, code.value)


async def test_overload_before_the_first_token_is_waited_for(  # CHAT-9
    endpoint: MakeEndpoint, fake: FakeServer
) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    fake.enqueue(Reply(raw=body(START, error)))
    assert text_of(await stream(endpoint, ask("echo"))) == "You said: hello there"


async def test_thinking_and_unknown_events_are_ignored(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-17
    thinking = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}
    fake.enqueue(Reply(raw=body(START, {"type": "ping"}, thinking, {"type": "new"}, text("a"), end("end_turn"), STOP)))
    assert text_of(await stream(endpoint, ask("echo"))) == "a"


@pytest.mark.parametrize(
    "event",
    [
        {"type": "content_block_delta"},
        {"type": "content_block_delta", "delta": 7},
        {"type": "message_start", "message": None},
        {"type": "message_delta", "delta": []},
        {"type": "content_block_start", "content_block": "x"},
    ],
    ids=str,
)
async def test_wrong_shapes_are_malformed(  # REL-5
    endpoint: MakeEndpoint, fake: FakeServer, event: dict[str, Any]
) -> None:
    fake.enqueue(Reply(raw=body(event)))
    with pytest.raises(ProviderError) as caught:
        await stream(endpoint, ask("echo"))
    assert caught.value.code is ErrorCode.MALFORMED


async def test_shape_that_a_server_does_not_know_is_left_out(  # CHAT-17
    endpoint: MakeEndpoint, fake: FakeServer
) -> None:
    request = ask("picky-output_config", json_schema={"type": "object"})
    assert (await provider_for(endpoint()).complete(request)).text == "A short title"
    assert ["output_config" in record.body for record in fake.requests()] == [True, False]


@pytest.mark.parametrize("typed", ["http://h", "http://h/", "http://h/v1", "http://h/v1/messages"])
def test_base_url_as_people_type_it(typed: str) -> None:  # CHAT-17
    assert normal_base_url(typed) == "http://h"


async def test_compatible_servers_get_the_key_they_know(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-17
    await stream(endpoint, ask("echo"))
    assert fake.requests()[0].headers["x-api-key"] == "sk-test"


async def test_model_list_says_what_it_knows(endpoint: MakeEndpoint) -> None:  # CHAT-16
    entry = {
        "id": "a",
        "display_name": "A",
        "max_input_tokens": 200_000,
        "capabilities": {"image_input": {"supported": True}},
    }
    provider = provider_for(endpoint())
    assert provider._model(entry) == ModelInfo("a", "A", 200_000, images=True)
    assert provider._model({"id": "a", "capabilities": 7}) == ModelInfo("a")
