"""What "Test connection" says (CHAT-16)."""

import socket

import pytest

from adminchat.providers import probe as module
from adminchat.providers.errors import ErrorCode
from adminchat.providers.probe import OK, Probe, Result, State, probe
from tests.fakes.replies import Reply, failed
from tests.fakes.serve import FakeServer
from tests.providers.conftest import MakeEndpoint

SKIPPED = Result()


def bad(code: ErrorCode) -> Result:
    return Result(State.FAILED, code)


async def test_everything_works(endpoint: MakeEndpoint) -> None:  # CHAT-16
    assert await probe(endpoint(), "echo") == Probe(OK, OK, OK, OK, OK, OK)


async def test_without_a_model_only_reach_and_key_are_tried(
    endpoint: MakeEndpoint, fake: FakeServer
) -> None:  # CHAT-16
    assert await probe(endpoint(), "") == Probe(OK, OK)
    assert fake.requests() == []


async def test_wrong_key(endpoint: MakeEndpoint) -> None:  # CHAT-16
    assert await probe(endpoint(api_key="bad"), "echo") == Probe(OK, bad(ErrorCode.REFUSED_KEY))


async def test_nobody_there(endpoint: MakeEndpoint) -> None:  # CHAT-16
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        made = endpoint(base_url=f"http://127.0.0.1:{unused.getsockname()[1]}")
        assert await probe(made, "echo") == Probe(bad(ErrorCode.UNREACHABLE))


async def test_refused_address(endpoint: MakeEndpoint) -> None:  # CHAT-20
    assert await probe(endpoint(trusted=False), "echo") == Probe(bad(ErrorCode.ADDRESS_REFUSED))


async def test_unknown_model(endpoint: MakeEndpoint) -> None:  # CHAT-16
    assert await probe(endpoint(), "no-such") == Probe(OK, OK, bad(ErrorCode.UNKNOWN_MODEL))


async def test_broken_streaming(endpoint: MakeEndpoint) -> None:  # CHAT-16
    assert await probe(endpoint(), "fault-broken") == Probe(OK, OK, OK, bad(ErrorCode.BROKEN_STREAM))


async def test_tools_and_json_can_fail_alone(endpoint: MakeEndpoint, fake: FakeServer) -> None:  # CHAT-16
    refused = failed(400, "invalid_request_error", "does not support tools")
    fake.enqueue(Reply(chunks=["ok"]), refused, refused)
    result = await probe(endpoint(), "echo")
    assert (result.streaming, result.tools, result.json) == (
        OK,
        bad(ErrorCode.BAD_REQUEST),
        bad(ErrorCode.BAD_REQUEST),
    )


async def test_all_ends_within_the_bound(  # CHAT-16
    endpoint: MakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BOUND", 0.5)
    result = await probe(endpoint(), "fault-silent")
    assert result == Probe(OK, OK, bad(ErrorCode.TIMEOUT))
