"""Which clients are kept, and when they are closed."""

import asyncio
import subprocess
import sys

import pytest

from adminchat.providers import registry
from adminchat.providers.errors import ProviderError
from adminchat.providers.registry import close_all, provider_for
from tests.fakes.serve import FakeServer
from tests.providers.conftest import MakeEndpoint, ask, text_of


async def test_same_endpoint_has_one_provider(endpoint: MakeEndpoint) -> None:  # PERF-1
    assert provider_for(endpoint()) is provider_for(endpoint())
    assert provider_for(endpoint()) is not provider_for(endpoint(api_key="sk-new"))


def test_each_event_loop_has_its_own(fake: FakeServer) -> None:  # REL-5
    from adminchat.providers.base import Endpoint

    made = Endpoint("openai", fake.url, "sk-test", trusted=True)

    async def once() -> str:
        try:
            return text_of([event async for event in provider_for(made).stream(ask("echo"))])
        finally:
            await close_all()

    assert [asyncio.run(once()) for _ in range(3)] == ["You said: hello there"] * 3


async def test_idle_ones_beyond_the_bound_are_closed_and_busy_ones_stay(  # REL-8
    endpoint: MakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "MAX_KEPT", 2)
    busy = provider_for(endpoint(api_key="busy"))
    stream = busy.stream(ask("slow-50x20"))
    first = await anext(stream)
    idle = provider_for(endpoint(api_key="idle"))
    for number in range(4):
        provider_for(endpoint(api_key=f"sk-{number}"))
    rest = [event async for event in stream]
    assert text_of([first, *rest]).count("tok") == 20
    with pytest.raises(ProviderError):
        await idle.complete(ask("echo"))
    assert provider_for(endpoint(api_key="sk-3")) is provider_for(endpoint(api_key="sk-3"))


def test_vendors_are_imported_only_when_needed() -> None:  # PERF-8
    code = (
        "import sys, adminchat.providers.registry, adminchat.providers.probe;"
        "print([name for name in ('openai', 'anthropic', 'aiohttp', 'django') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
