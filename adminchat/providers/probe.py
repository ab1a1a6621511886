"""What works at an endpoint, for "Test connection" (CHAT-16)."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum

import orjson

from adminchat.providers.base import ChatMessage, ChatRequest, Endpoint, ModelInfo, TextDelta
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import preload, provider_for

BOUND = 30.0  # seconds for everything
LIST_BOUND = 15.0  # seconds for the list of models alone
_REACHED = frozenset(ErrorCode) - {ErrorCode.UNREACHABLE, ErrorCode.ADDRESS_REFUSED, ErrorCode.TIMEOUT}
_SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}


class State(StrEnum):
    """What came of one check."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """One check's outcome; `code` says why it failed."""

    state: State = State.SKIPPED
    code: ErrorCode | None = None


OK = Result(State.OK)


@dataclass(frozen=True, slots=True)
class Probe:
    """The outcome of each check, in the order in which they build on each other."""

    reach: Result = Result()
    key: Result = Result()
    model: Result = Result()
    streaming: Result = Result()
    tools: Result = Result()
    json: Result = Result()


async def probe(endpoint: Endpoint, model: str) -> Probe:
    """Try an endpoint step by step within BOUND seconds; what comes after a failed step is skipped.

    Without a model only reach and key are tried. Costs a few dozen tokens. Raises nothing of its own.
    """
    await asyncio.to_thread(preload, [endpoint.kind])
    result = Probe()
    deadline = asyncio.get_running_loop().time() + BOUND
    result = await _probe_list(endpoint, result, deadline)
    if not model or State.FAILED in (result.reach.state, result.key.state):
        return result
    result = await _probe_stream(endpoint, model, result, deadline)
    if result.streaming.state is not State.OK:
        return result
    tools, json = await asyncio.gather(_probe_tools(endpoint, model, deadline), _probe_json(endpoint, model, deadline))
    return replace(result, tools=tools, json=json)


async def offered_models(endpoint: Endpoint) -> list[ModelInfo]:
    """The models that an endpoint offers, within LIST_BOUND seconds. Raises ProviderError."""
    await asyncio.to_thread(preload, [endpoint.kind])
    try:
        async with asyncio.timeout(LIST_BOUND):
            return await provider_for(endpoint).list_models()
    except TimeoutError:
        raise ProviderError(ErrorCode.TIMEOUT) from None


async def _probe_list(endpoint: Endpoint, result: Probe, deadline: float) -> Probe:
    """Whoever answers anything is reached; some servers have no list, so only a refusal speaks against the key."""
    try:
        async with asyncio.timeout_at(deadline):
            await provider_for(endpoint).list_models()
    except (ProviderError, TimeoutError) as error:
        code = _code(error)
        if code not in _REACHED:
            return replace(result, reach=_failed(error))
        if code is ErrorCode.REFUSED_KEY:
            return replace(result, reach=OK, key=_failed(error))
        return replace(result, reach=OK)
    return replace(result, reach=OK, key=OK)


async def _probe_stream(endpoint: Endpoint, model: str, result: Probe, deadline: float) -> Probe:
    pieces = 0
    request = ChatRequest(model, (ChatMessage("user", "Reply with one short sentence."),), max_tokens=64)
    try:
        async with asyncio.timeout_at(deadline), aclosing(provider_for(endpoint).stream(request)) as events:
            async for event in events:
                pieces += isinstance(event, TextDelta)
    except (ProviderError, TimeoutError) as error:
        failed = _failed(error)
        if failed.code is ErrorCode.REFUSED_KEY:
            return replace(result, key=failed)
        if pieces:
            return replace(result, key=OK, model=OK, streaming=failed)
        return replace(result, key=OK if failed.code is ErrorCode.UNKNOWN_MODEL else result.key, model=failed)
    return replace(result, key=OK, model=OK, streaming=OK)


async def _probe_tools(endpoint: Endpoint, model: str, deadline: float) -> Result:
    try:
        async with asyncio.timeout_at(deadline):
            called = await provider_for(endpoint).calls_tools(model)
    except (ProviderError, TimeoutError) as error:
        return _failed(error)
    return OK if called else Result(State.FAILED, ErrorCode.BAD_REQUEST)


async def _probe_json(endpoint: Endpoint, model: str, deadline: float) -> Result:
    ask = ChatMessage("user", 'Answer with this JSON object and nothing else: {"ok": true}')
    request = ChatRequest(model, (ask,), max_tokens=512, json_schema=_SCHEMA)
    try:
        async with asyncio.timeout_at(deadline):
            answer = orjson.loads((await provider_for(endpoint).complete(request)).text)
    except orjson.JSONDecodeError:
        return Result(State.FAILED, ErrorCode.MALFORMED)
    except (ProviderError, TimeoutError) as error:
        return _failed(error)
    fits = isinstance(answer, dict) and isinstance(answer.get("ok"), bool)
    return OK if fits else Result(State.FAILED, ErrorCode.MALFORMED)


def _failed(error: ProviderError | TimeoutError) -> Result:
    return Result(State.FAILED, _code(error))


def _code(error: ProviderError | TimeoutError) -> ErrorCode:
    return error.code if isinstance(error, ProviderError) else ErrorCode.TIMEOUT
