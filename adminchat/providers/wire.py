"""What both protocols share: one call over HTTP with its time limits, bounds, retries and clean end (REL-5).

The SDK prepares and sends the request; its raw answer is split and decoded here, because that costs a quarter of the
SDK's typed events per chunk.
"""

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, ClassVar, Protocol

import httpx2

from adminchat.providers import faults
from adminchat.providers.base import (
    ChatRequest,
    Completion,
    Endpoint,
    Event,
    Finish,
    Loading,
    ModelInfo,
    TextDelta,
)
from adminchat.providers.decoding import Decoder, Reading, json_of, refuse_unreadable
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.transport import read_bounded

MAX_ANSWER = 4_000_000  # bytes of an answer that comes in one piece
MAX_MODELS = 2_000
LONGEST_NAME = 200  # characters
TRIES = 3
MAX_WAIT = 20.0  # seconds spent waiting for a rate limit, over all tries of one call
LOADING_WAIT = 30.0  # seconds that the built-in model gets to load, and to start again after it died
LOADING_POLL = 0.2  # seconds

MakeBody = Callable[[], dict[str, Any]]


def _is_name(value: Any) -> bool:
    """Whether an endpoint's ``value`` can be the name of a model; others couldn't be kept."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable()


class Client(Protocol):
    """The part of both SDK clients that is used: requests to a path with the SDK's own headers."""

    async def post(self, path: str, *, cast_to: Any, body: Any, options: Any, stream: bool) -> Any: ...
    async def get(self, path: str, *, cast_to: Any, options: Any, stream: bool) -> Any: ...
    async def close(self) -> None: ...


class HttpProvider(ABC):
    """A provider over one SDK client; subclasses know the protocol's paths and shapes."""

    CHAT_PATH: ClassVar[str]
    MODELS_PATH: ClassVar[str]
    SDK_ERROR: ClassVar[type[Exception]]

    def __init__(self, endpoint: Endpoint, client: Client, headers: dict[str, Any]) -> None:
        """`headers` are added to each request, or taken from it where the SDK's `omit` stands for the value."""
        self._endpoint = endpoint
        self._options = {"headers": headers}
        self._client = client
        self._caught = (*faults.CAUGHT, self.SDK_ERROR)
        self._quirks: dict[str, set[str]] = {}
        self.active = 0  # calls that run now

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Event, None]:
        """See Provider.stream. Rate limits and the built-in model are waited for only before any text (CHAT-9, OPS-2)."""
        patience = _Patience(self._endpoint)
        self.active += 1
        try:
            while True:
                started = False
                try:
                    async with aclosing(self._attempt(request)) as events:
                        async for event in events:
                            started = True
                            yield event
                    return
                except ProviderError as error:
                    if started:
                        raise
                    known = error
                if patience.begins_to_await_loading(known):
                    yield Loading()
                if not await patience.wait_after(known):
                    raise known
        finally:
            self.active -= 1

    async def complete(self, request: ChatRequest) -> Completion:
        """See Provider.complete."""
        answer = await self._ask(request.model, lambda: self._body(request, stream=False))
        return self._completion(answer)

    async def calls_tools(self, model: str) -> bool:
        """Return whether the model uses a tool when it is told to. Raises ProviderError."""
        return self._has_tool_call(await self._ask(model, lambda: self._tool_body(model)))

    async def list_models(self) -> list[ModelInfo]:
        """See Provider.list_models."""
        answer = await self._answer(self._get_models, started=False)
        entries = answer.get("data") if isinstance(answer, dict) else answer
        if not isinstance(entries, list | None):
            raise ProviderError(ErrorCode.MALFORMED)
        named = (entry for entry in entries or () if isinstance(entry, dict) and _is_name(entry.get("id")))
        return [self._model(entry) for entry, _ in zip(named, range(MAX_MODELS), strict=False)]

    async def aclose(self) -> None:
        """See Provider.aclose."""
        await self._client.close()

    @abstractmethod
    def _body(self, request: ChatRequest, *, stream: bool) -> dict[str, Any]:
        """The request's JSON, as far as this server is known to accept it."""

    @abstractmethod
    def _tool_body(self, model: str) -> dict[str, Any]:
        """A request that a model with tools answers with a call."""

    @abstractmethod
    def _quirk(self, body: dict[str, Any], text: str) -> str | None:
        """What to do without, when the server's complaint names something that it does not know."""

    @abstractmethod
    def _decoder(self) -> Decoder: ...

    @abstractmethod
    def _completion(self, answer: Any) -> Completion:
        """A whole answer's meaning. Raises ProviderError."""

    @abstractmethod
    def _has_tool_call(self, answer: Any) -> bool: ...

    @abstractmethod
    def _model(self, entry: dict[str, Any]) -> ModelInfo: ...

    def _lacks(self, model: str, quirk: str) -> bool:
        return quirk in self._quirks.get(model, ())

    async def _attempt(self, request: ChatRequest) -> AsyncGenerator[Event, None]:
        loop, limits = asyncio.get_running_loop(), self._endpoint
        deadline = loop.time() + limits.first_token_timeout
        try:
            async with asyncio.timeout_at(deadline):
                response = await self._open(request.model, lambda: self._body(request, stream=True))
        except TimeoutError:
            raise ProviderError(ErrorCode.TIMEOUT) from None
        if "json" in response.headers.get("content-type", ""):
            async for event in self._unstreamed(response, deadline):
                yield event
            return
        reading, chunks = Reading(self._decoder(), limits), response.aiter_raw()
        try:
            refuse_unreadable(response)
            while not reading.ended:
                try:
                    async with asyncio.timeout_at(deadline):
                        chunk = await anext(chunks, b"")
                except self._caught as error:
                    reading.fail(faults.from_exception(error, started=True))
                    break
                events = reading.events
                if text := reading.take(chunk):
                    yield TextDelta(text)
                if reading.events > events:  # a slow reader's time counts for nobody
                    deadline = loop.time() + reading.patience
        finally:
            await chunks.aclose()
            await response.aclose()
        reason = reading.outcome()
        if reading.usage is not None:
            yield reading.usage
        yield Finish(reason)

    async def _unstreamed(self, response: httpx2.Response, deadline: float) -> AsyncIterator[Event]:
        """A server that answers in one piece although a stream was asked for."""
        try:
            async with asyncio.timeout_at(deadline):
                answer = json_of(response, await read_bounded(response, MAX_ANSWER))
        except self._caught as error:
            raise faults.from_exception(error, started=True) from None
        completion = self._completion(answer)
        if completion.text:
            yield TextDelta(completion.text)
        if completion.usage is not None:
            yield completion.usage
        yield Finish(completion.reason)

    async def _get_models(self) -> httpx2.Response:
        response: httpx2.Response = await self._client.get(
            self.MODELS_PATH, cast_to=httpx2.Response, options=self._options, stream=True
        )
        return response

    async def _ask(self, model: str, body: MakeBody) -> Any:
        return await self._answer(lambda: self._open(model, body), started=True)

    async def _answer(self, send: Callable[[], Awaitable[httpx2.Response]], *, started: bool) -> Any:
        """Return the JSON that a request brings; `started`: whether a broken connection counts as a broken answer."""
        patience = _Patience(self._endpoint)
        self.active += 1
        try:
            while True:
                try:
                    async with asyncio.timeout(self._endpoint.first_token_timeout):
                        response = await send()
                        return json_of(response, await read_bounded(response, MAX_ANSWER))
                except self._caught as error:
                    known = faults.from_exception(error, started=started)
                if not await patience.wait_after(known):
                    raise known
        finally:
            self.active -= 1

    async def _open(self, model: str, make_body: MakeBody) -> httpx2.Response:
        """Send the request and return the unread answer, learning on the way what this server does not accept."""
        fresh = False
        while True:
            body = make_body()
            try:
                response: httpx2.Response = await self._client.post(
                    self.CHAT_PATH, cast_to=httpx2.Response, body=body, options=self._options, stream=True
                )
                return response
            except self._caught as error:
                fault = faults.http_fault(error)
                if fault is not None and fault.status in (400, 404, 422, 500, 501):
                    quirk = self._quirk(body, fault.text)
                    if quirk is not None and not self._lacks(model, quirk):
                        self._quirks.setdefault(model, set()).add(quirk)
                        continue
                if faults.is_stale_connection(error) and not fresh:
                    fresh = True
                    continue
                raise faults.from_exception(error, started=False) from None


class _Patience:
    """How long one call waits for a rate limit to pass, and for the built-in model to load."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._tries = 1
        self._waited = 0.0
        self._is_built_in = endpoint.kind == "local"
        self._loading_wait = min(LOADING_WAIT, endpoint.first_token_timeout)
        self._loading_until: float | None = None  # by the loop's clock; None before it was found loading

    def begins_to_await_loading(self, error: ProviderError) -> bool:
        return self._loading_until is None and self._is_about_loading(error)

    async def wait_after(self, error: ProviderError) -> bool:
        """Sleep as the endpoint asked and return True, or return False when that is not worth it."""
        if self._is_about_loading(error):
            return await self._await_loading()
        if error.code is not ErrorCode.RATE_LIMITED or error.retry_after is None or self._tries >= TRIES:
            return False
        delay = max(error.retry_after, 0.5 * 2**self._tries) + random.uniform(0.0, 0.25)
        if self._waited + delay > MAX_WAIT:
            return False
        self._tries += 1
        self._waited += delay
        await asyncio.sleep(delay)
        return True

    def _is_about_loading(self, error: ProviderError) -> bool:
        """Whether the built-in model says that it loads; before that, nothing listens at its address."""
        return self._is_built_in and error.code in (ErrorCode.LOADING, ErrorCode.UNREACHABLE)

    async def _await_loading(self) -> bool:
        now = asyncio.get_running_loop().time()
        if self._loading_until is None:
            self._loading_until = now + self._loading_wait
        if now >= self._loading_until:
            return False
        await asyncio.sleep(LOADING_POLL)
        return True
