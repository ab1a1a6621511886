"""What compatible servers do differently from OpenAI, and how the provider copes (CHAT-17)."""

from typing import Any

import orjson
import pytest

from adminchat.providers.base import Event, ModelInfo, Usage
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.openai import OpenAIProvider, normal_base_url
from adminchat.providers.registry import provider_for
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.providers.conftest import MakeEndpoint, ask, reason_of, text_of


@pytest.fixture
def kind() -> str:
    return "openai"


def chunk(content: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": None} | more]}


def body(*events: Any, done: bool = True) -> str:
    lines = [f"data: {orjson.dumps(event).decode()}\n\n" for event in events]
    return "".join(lines) + ("data: [DONE]\n\n" if done else "")


END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


async def stream(endpoint: MakeEndpoint, model: str = "echo", **more: Any) -> list[Event]:
    return [event async for event in provider_for(endpoint()).stream(ask(model, **more))]


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("stream_options", {}),
        ("max_tokens", {"max_tokens": 9}),
        ("temperature", {"temperature": 0.1}),
        ("top_p", {"top_p": 0.9}),
        ("stop", {"stop": ("END",)}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_field_that_a_server_rejects_is_left_out_from_then_on(  # CHAT-17
    endpoint: MakeEndpoint, fake: FakeServer, field: str, more: dict[str, Any]
) -> None:
    for _ in range(2):
        assert text_of(await stream(endpoint, f"picky-{field}", **more)) == "You said: hello there"
    assert [field in record.body for record in fake.requests()] == [True, False, False]
    if field == "max_tokens":
        assert fake.requests()[-1].body["max_completion_tokens"] == 9


async def test_json_shape_falls_back_step_by_step(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-17
    request = ask("picky-response_format", json_schema={"type": "object"})
    assert (await provider_for(endpoint()).complete(request)).text == "A short title"
    shapes = [record.body.get("response_format", {}).get("type") for record in fake.requests()]
    assert shapes == ["json_schema", "json_object", None]


async def test_rejection_of_something_else_is_no_endless_loop(endpoint: MakeEndpoint, fake: FakeServer) -> None:
    fake.enqueue(*[Reply(status=400, error={"message": "stream_options, temperature, max_completion_tokens"})] * 9)
    with pytest.raises(ProviderError) as caught:
        await stream(endpoint, temperature=0.1, max_tokens=5)
    assert caught.value.code is ErrorCode.BAD_REQUEST
    assert len(fake.requests()) == 4


@pytest.mark.parametrize(
    ("raw", "text", "reason"),
    [
        (body(chunk("a"), END, done=False), "a", "stop"),
        (body(chunk("a"), END, done=False).rstrip("\n"), "a", "stop"),
        (body(chunk("a")), "a", "stop"),
        (body({"choices": None}, {"choices": []}, {}, chunk("a"), END), "a", "stop"),
        (body(chunk("a", delta=None), chunk("b", delta={}), chunk("c"), END), "c", "stop"),
        (body(chunk("a", delta={"reasoning_content": "hm", "content": None}), chunk("b"), END), "b", "stop"),
        (body(chunk("a", delta={"content": [{"type": "text", "text": "x"}, {"type": "y"}]}), END), "x", "stop"),
        (body(chunk("a", finish_reason="length")), "a", "length"),
        (body(chunk("a", finish_reason="content_filter")), "a", "refusal"),
        (body(chunk(None, delta={"refusal": "No."}), END), "No.", "refusal"),
        (body(chunk("a", finish_reason="tool_calls")), "a", "other"),
        (body(chunk("a"), END, {"choices": [], "usage": None}), "a", "stop"),
        (": hello\r\n\r\n" + body(chunk("a"), END).replace("\n", "\r\n"), "a", "stop"),
        (body(chunk("a"), END, done=False) + "data: {broken", "a", "stop"),
    ],
    ids=[
        "no-done",
        "no-last-blank-line",
        "no-finish-reason",
        "empty-choices",
        "empty-deltas",
        "reasoning",
        "parts",
        "length",
        "filter",
        "refusal",
        "tool-call",
        "null-usage",
        "crlf-and-comment",
        "cut-after-the-end",
    ],
)
async def test_odd_streams_are_read(  # CHAT-17, REL-5
    endpoint: MakeEndpoint, fake: FakeServer, raw: str, text: str, reason: str
) -> None:
    fake.enqueue(Reply(raw=raw))
    events = await stream(endpoint)
    assert (text_of(events), reason_of(events)) == (text, reason)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (body({"error": {"message": "x", "code": "rate_limit_exceeded"}}, done=False), ErrorCode.RATE_LIMITED),
        (body({"error": "out of memory"}, done=False), ErrorCode.SERVER_ERROR),
        (body({"error": {"type": "exceed_context_size_error"}}, done=False), ErrorCode.CONTEXT_OVERFLOW),
        (body({"object": "error", "message": "no", "code": 400}, done=False), ErrorCode.BAD_REQUEST),
        (body(["list"], done=False), ErrorCode.MALFORMED),
        (body({"choices": "text"}, done=False), ErrorCode.MALFORMED),
        (body({"choices": [7]}, done=False), ErrorCode.MALFORMED),
        (body({"choices": {"a": 1}}, done=False), ErrorCode.MALFORMED),
        (body(chunk(delta="text"), done=False), ErrorCode.MALFORMED),
        ("data: {nothing\n\n", ErrorCode.MALFORMED),
        ("data: \xff\n\n", ErrorCode.MALFORMED),
        ("Hello, world", ErrorCode.MALFORMED),
        ("", ErrorCode.MALFORMED),
        (body(chunk("a"), done=False) + 'data: {"choi', ErrorCode.BROKEN_STREAM),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_bad_streams_get_a_code(  # REL-5
    endpoint: MakeEndpoint, fake: FakeServer, raw: str, code: ErrorCode
) -> None:
    fake.enqueue(*[Reply(raw=raw)] * 3)
    with pytest.raises(ProviderError) as caught:
        await stream(endpoint)
    assert caught.value.code is code


async def test_error_after_text_is_not_retried(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-9
    fake.enqueue(Reply(raw=body(chunk("a"), {"error": {"type": "overloaded_error"}}, done=False)))
    events: list[Event] = []
    with pytest.raises(ProviderError) as caught:
        async for event in provider_for(endpoint()).stream(ask("echo")):
            events.append(event)
    assert (text_of(events), caught.value.code) == ("a", ErrorCode.RATE_LIMITED)
    assert len(fake.requests()) == 1


async def test_whole_answer_to_a_stream_request_is_taken(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-17
    answer = {"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    fake.enqueue(Reply(raw=orjson.dumps(answer).decode(), content_type="application/json"))
    events = await stream(endpoint)
    assert (text_of(events), events[1], reason_of(events)) == ("whole", Usage(3, 0), "stop")


@pytest.mark.parametrize("usage", [{"prompt_tokens": "7", "completion_tokens": -1}, {"prompt_tokens": 1.5}, [], "x"])
async def test_nonsense_usage_is_none(endpoint: MakeEndpoint, fake: FakeServer, usage: Any) -> None:  # REL-5
    fake.enqueue(Reply(raw=body(chunk("a"), END, {"choices": [], "usage": usage})))
    assert [event for event in await stream(endpoint) if isinstance(event, Usage) and event != Usage(0, 0)] == []


@pytest.mark.parametrize(
    ("typed", "used"),
    [
        ("", "https://api.openai.com/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://localhost:11434/", "http://localhost:11434/v1"),
        ("https://api.deepseek.com/v1/", "https://api.deepseek.com/v1"),
        ("https://x.openai.azure.com", "https://x.openai.azure.com/openai/v1"),
        ("https://x.openai.azure.com/openai/v1/", "https://x.openai.azure.com/openai/v1"),
        (" https://dashscope.aliyuncs.com/compatible-mode/v1 ", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
        ("http://h/v1/chat/completions", "http://h/v1"),
    ],
)
def test_base_url_as_people_type_it(typed: str, used: str) -> None:  # CHAT-17
    assert normal_base_url(typed) == used


async def test_azure_gets_its_own_key_header(  # CHAT-17
    endpoint: MakeEndpoint, fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adminchat.providers.openai._AZURE", ("127.0.0.1",))
    provider = OpenAIProvider(endpoint(base_url=f"{fake.url}/openai/v1/"))
    assert text_of([event async for event in provider.stream(ask("echo"))])
    await provider.aclose()
    record = fake.requests()[0]
    assert record.path == "/openai/v1/chat/completions"
    assert record.headers["api-key"] == "sk-test"
    assert "authorization" not in record.headers


async def test_vendor_gets_the_modern_limit(endpoint: MakeEndpoint) -> None:  # CHAT-17
    provider = OpenAIProvider(endpoint(base_url=""))
    assert provider._body(ask("gpt-5", max_tokens=5), stream=True)["max_completion_tokens"] == 5
    await provider.aclose()


@pytest.mark.parametrize(
    ("entry", "info"),
    [
        ({"id": "a"}, ModelInfo("a")),
        ({"id": "a", "max_model_len": 8192}, ModelInfo("a", context_tokens=8192)),
        ({"id": "a", "meta": {"n_ctx": 4096}}, ModelInfo("a", context_tokens=4096)),
        ({"id": "a", "meta": None, "name": 7, "architecture": "x"}, ModelInfo("a")),
        (
            {
                "id": "a",
                "name": "A",
                "context_length": 9,
                "architecture": {"input_modalities": ["text", "image"]},
                "supported_parameters": ["temperature"],
            },
            ModelInfo("a", "A", 9, images=True, tools=False),
        ),
    ],
    ids=["plain", "vllm", "llama.cpp", "nonsense", "openrouter"],
)
async def test_model_lists_say_what_they_know(  # CHAT-16
    endpoint: MakeEndpoint, entry: dict[str, Any], info: ModelInfo
) -> None:
    provider = OpenAIProvider(endpoint())
    assert provider._model(entry) == info
    await provider.aclose()
