"""Asking a model what of a message is to be remembered: one call, with one repair (LEARN-9, LEARN-10)."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from django.conf import settings

from adminchat.prompts.resolution import Prompt
from adminchat.providers.base import ChatMessage, ChatRequest, Completion, Endpoint
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.registry import close_all, provider_for
from memory.learning.operations import OPERATIONS_SCHEMA, InvalidOutput, Operation, parse_text
from memory.loading import Candidate

ANSWER_TOKENS = 1500  # room for five operations, and for models that think before they write
RETRY_PAUSE = 0.5  # seconds before the one further attempt after a fault on the way
REPAIR = "That was not the JSON object that was asked for. Answer again with that object alone, and nothing else."


@dataclass
class Call:
    """What extraction asked and what it cost; ``seconds`` of all calls together. Without token counts the endpoint told none."""

    operations: list[Operation] = field(default_factory=list)
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0

    def count(self, completion: Completion) -> None:
        if completion.usage:
            self.input_tokens = (self.input_tokens or 0) + completion.usage.input_tokens
            self.output_tokens = (self.output_tokens or 0) + completion.usage.output_tokens


def question(message: str, entries: Sequence[Candidate], *, workspace: str | None, today: date) -> str:
    """What the model is given, as JSON, so that nothing in it can pass for something else."""
    shown = [
        {
            "id": entry.id,
            "scope": entry.scope,
            "tier": entry.tier,
            "topic": entry.topic,
            "text": entry.text,
            "fact_key": "" if ":" in entry.fact_key else entry.fact_key,
        }
        for entry in entries
    ]
    given = {"today": today.isoformat(), "workspace": workspace, "entries": shown, "message": message}
    return json.dumps(given, ensure_ascii=False)


def extract(endpoint: Endpoint, model: str, prompt: Prompt, question: str, call: Call) -> None:
    """Ask the model for operations, for ``ADMINCHAT_LEARNING_SECONDS`` at most; ``call`` is filled in, also of one that fails.

    Raises ``TimeoutError``, ``ProviderError`` and ``InvalidOutput``.
    """
    began = time.monotonic()
    try:
        request = prompt.request(model, question, json_schema=OPERATIONS_SCHEMA)
        asyncio.run(_bounded(endpoint, replace(request, max_tokens=request.max_tokens or ANSWER_TOKENS), call))
    finally:
        call.seconds = time.monotonic() - began


async def _bounded(endpoint: Endpoint, request: ChatRequest, call: Call) -> None:
    try:
        async with asyncio.timeout(settings.ADMINCHAT_LEARNING_SECONDS):
            await _ask(endpoint, request, call)
    finally:
        await close_all()


async def _ask(endpoint: Endpoint, request: ChatRequest, call: Call) -> None:
    answer = await _complete(endpoint, request, call)
    try:
        call.operations = parse_text(answer)
    except InvalidOutput:
        repair = (*request.messages, ChatMessage("assistant", answer or "…"), ChatMessage("user", REPAIR))
        call.operations = parse_text(await _complete(endpoint, replace(request, messages=repair), call))


async def _complete(endpoint: Endpoint, request: ChatRequest, call: Call) -> str:
    try:
        completion = await provider_for(endpoint).complete(request)
    except ProviderError as error:
        if not error.retryable or error.code == ErrorCode.TIMEOUT:
            raise
        await asyncio.sleep(max(error.retry_after or 0, RETRY_PAUSE))
        completion = await provider_for(endpoint).complete(request)
    call.count(completion)
    if completion.reason == "refusal":
        raise ProviderError(ErrorCode.REFUSED)
    return completion.text
