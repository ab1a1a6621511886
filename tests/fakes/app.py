"""A fake model endpoint: a plain ASGI application that speaks both protocols on one port and records what it gets.

`POST /_script` with {"replies": [{...}]} enqueues exact replies (the fields of `replies.Reply`), `GET /_requests`
returns what arrived, `DELETE /_requests` forgets both. `POST /_release` with {"model": …} lets a held reply go on.
Any key is right but "bad".
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from tests.fakes import fake_anthropic, fake_openai
from tests.fakes.replies import MODELS, Reply, by_model, failed

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MAX_RECORDS = 20_000


@dataclass
class Record:
    """One request to a model. Times: `at_ns` is monotonic, the others seconds since the epoch."""

    path: str
    model: str
    body: dict[str, Any]
    headers: dict[str, str]
    at_ns: int
    at: float
    status: int = 0
    first_token_at: float | None = None
    finished_at: float | None = None
    disconnected: bool = False
    disconnected_at: float | None = None


class DroppedError(Exception):
    """Raised to make the server cut the connection."""


class FakeEndpoint:
    """The application and its memory."""

    def __init__(self) -> None:
        self.records: deque[Record] = deque(maxlen=MAX_RECORDS)
        self.script: deque[Reply] = deque()
        self.seen: set[str] = set()
        self.released: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    def clear(self) -> None:
        self.records.clear()
        self.script.clear()
        self.seen.clear()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        at_ns, at = time.monotonic_ns(), time.time()
        path, method = scope["path"], scope["method"]
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if path == "/_requests":
            if method == "DELETE":
                self.clear()
            return await _answer(send, 200, [asdict(record) for record in self.records])
        if path == "/_script":
            replies = orjson.loads(await _read(receive))["replies"]
            self.script.extend(Reply(**reply) for reply in replies)
            return await _answer(send, 200, {"queued": len(self.script)})
        if path == "/_release":
            self.released[orjson.loads(await _read(receive))["model"]].set()
            return await _answer(send, 200, {})
        protocol = fake_anthropic if path in fake_anthropic.PATHS else fake_openai
        if _key(headers) == "bad":
            refused = failed(401, "invalid_api_key", "Incorrect API key provided.")
            return await _answer(send, 401, protocol.error_body(refused.error or {}))
        if path.endswith("/models"):
            return await _answer(send, 200, _models())
        if path not in (*fake_openai.PATHS, *fake_anthropic.PATHS):
            return await _answer(send, 404, {"detail": "Not Found"})
        body = orjson.loads(await _read(receive))
        record = Record(path, body["model"], body, headers, at_ns, at)
        self.records.append(record)
        reply = self._choose(body)
        record.status = reply.status
        watcher = asyncio.ensure_future(_disconnected(receive))
        talker = asyncio.ensure_future(self._talk(protocol, body, reply, record, send))
        try:
            await asyncio.wait({watcher, talker}, return_when=asyncio.FIRST_COMPLETED)
            if not talker.done():
                record.disconnected, record.disconnected_at = True, time.time()
                talker.cancel()
            await asyncio.wait({talker})
            if not talker.cancelled() and isinstance(talker.exception(), DroppedError):
                raise DroppedError
        finally:
            watcher.cancel()
            record.finished_at = time.time()

    def _choose(self, body: dict[str, Any]) -> Reply:
        model = body["model"]
        shaped = "response_format" in body or "output_config" in body
        for reply in self.script:
            if reply.model in (None, model) and (shaped or reply.shaped is None):
                self.script.remove(reply)
                return reply
        seen_before = model in self.seen
        self.seen.add(model)
        return by_model(model, body, seen_before)

    async def _hold(self, protocol: Any, body: dict[str, Any], send: Send) -> None:
        released = self.released[body["model"]]
        while not released.is_set():
            await _more(send, protocol.piece(body, ""))
            with suppress(TimeoutError):
                await asyncio.wait_for(released.wait(), 0.2)

    async def _talk(self, protocol: Any, body: dict[str, Any], reply: Reply, record: Record, send: Send) -> None:
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.error is not None:
            return await _answer(send, reply.status, protocol.error_body(reply.error), reply.headers)
        if reply.end == "hang" and not reply.chunks and reply.raw is None:
            await asyncio.Event().wait()
        if not body.get("stream") and reply.raw is None:
            answer = protocol.whole(body, reply)
            return await _answer(send, reply.status, answer, reply.headers)
        await _start(send, reply.status, reply.content_type or "text/event-stream; charset=utf-8", reply.headers)
        if reply.raw is not None:
            await _more(send, reply.raw.encode())
            if reply.end == "hang":
                await asyncio.Event().wait()
            if reply.end == "drop":
                raise DroppedError
            return await _more(send, b"", last=True)
        start = time.monotonic()
        await _more(send, protocol.opening(body, reply))
        record.first_token_at = time.time()
        for index, chunk in enumerate(reply.chunks):
            if index == reply.hold_at:
                await self._hold(protocol, body, send)
            if reply.interval and (wait := start + index * reply.interval - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            await _more(send, protocol.piece(body, chunk))
        while reply.endless:
            await _more(send, protocol.piece(body, reply.chunks[0]))
            await asyncio.sleep(0)
        if reply.end == "hang":
            await asyncio.Event().wait()
        if reply.end == "drop":
            await asyncio.sleep(0.05)  # let what was written leave first
            raise DroppedError
        await _more(send, b"" if reply.end == "cut" else protocol.closing(body, reply), last=True)


def _models() -> dict[str, Any]:
    models = [
        {"id": name, "object": "model", "type": "model", "display_name": name, "created": 0, "owned_by": "fake"}
        for name in MODELS
    ]
    return {"object": "list", "data": models, "has_more": False, "first_id": MODELS[0], "last_id": MODELS[-1]}


def _key(headers: dict[str, str]) -> str:
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return bearer or headers.get("x-api-key") or headers.get("api-key") or ""


async def _read(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _start(send: Send, status: int, content_type: str, headers: dict[str, str]) -> None:
    pairs = [(b"content-type", content_type.encode())]
    pairs += [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})


async def _more(send: Send, data: bytes, *, last: bool = False) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": not last})


async def _answer(send: Send, status: int, answer: Any, headers: dict[str, str] | None = None) -> None:
    await _start(send, status, "application/json", headers or {})
    await _more(send, orjson.dumps(answer), last=True)
