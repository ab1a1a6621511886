"""Messages between web processes, and what they survive (REL-3)."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import redis.asyncio

from adminchat.lib import events
from adminchat.lib.events import Hub
from tests.servers import Broker


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker() as running:
        yield running


async def _connected(hub: Hub) -> None:
    async with asyncio.timeout(20):
        while not hub.is_connected:  # noqa: ASYNC110 (it is another task's)
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("error", [RuntimeError, redis.ConnectionError])
async def test_a_process_hears_the_others_again_whatever_went_wrong(  # REL-3
    broker: Broker, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    monkeypatch.setattr(events, "RETRY_SECONDS", 0.05)
    listen, execute = redis.asyncio.client.PubSub.listen, redis.asyncio.client.Pipeline.execute
    faults = {"listen": 1, "execute": 1}

    async def failing_listen(self: Any) -> Any:
        if faults["listen"]:
            faults["listen"] -= 1
            raise error
        async for message in listen(self):
            yield message

    async def failing_execute(self: Any) -> Any:
        if faults["execute"]:
            faults["execute"] -= 1
            raise error
        return await execute(self)

    monkeypatch.setattr(redis.asyncio.client.PubSub, "listen", failing_listen)
    monkeypatch.setattr(redis.asyncio.client.Pipeline, "execute", failing_execute)
    first, second = Hub(broker.url), Hub(broker.url)
    first.start()
    second.start()
    try:
        with first.listen("user:1") as inbox:
            async with asyncio.timeout(20):
                heard = None
                while heard is None or faults["listen"] or faults["execute"]:
                    await _connected(first)
                    await _connected(second)
                    second.publish("user:1", {"session": "x"})
                    try:
                        heard = await asyncio.wait_for(inbox.get(), 0.2) or heard
                    except TimeoutError:
                        continue
        assert heard == {"session": "x"}
    finally:
        await first.stop()
        await second.stop()
