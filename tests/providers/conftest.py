"""One fake endpoint for all of these tests, and providers that end with each test."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio

from adminchat.providers.base import ChatMessage, ChatRequest, Endpoint, Event, Finish, Kind, TextDelta
from adminchat.providers.registry import close_all
from tests.fakes.serve import FakeServer

MakeEndpoint = Callable[..., Endpoint]


@pytest.fixture(scope="session")
def running_fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture
def fake(running_fake: FakeServer) -> FakeServer:
    running_fake.clear()
    return running_fake


@pytest.fixture(params=["openai", "anthropic"])
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param  # type: ignore[no-any-return]


@pytest_asyncio.fixture
async def endpoint(fake: FakeServer, kind: Kind) -> AsyncIterator[MakeEndpoint]:
    """Make an endpoint of the fake's, with limits that a test can wait for."""

    def make(**more: Any) -> Endpoint:
        values: dict[str, Any] = {
            "kind": kind,
            "base_url": fake.url,
            "api_key": "sk-test",
            "trusted": True,
            "connect_timeout": 10.0,
            "first_token_timeout": 20.0,
            "silence_timeout": 20.0,
        }
        return Endpoint(**(values | more))

    yield make
    await close_all()


def ask(model: str, text: str = "hello there", **more: Any) -> ChatRequest:
    return ChatRequest(model, (ChatMessage("user", text),), **more)


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def reason_of(events: list[Event]) -> str:
    assert isinstance(events[-1], Finish)
    return events[-1].reason
