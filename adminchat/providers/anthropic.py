"""Anthropic's messages, as Anthropic and compatible servers speak them (CHAT-17)."""

from typing import Any
from urllib.parse import urlsplit

import anthropic
from anthropic._vendor.httpx_aiohttp import AiohttpTransport

from adminchat.providers import faults
from adminchat.providers.base import ChatMessage, ChatRequest, Completion, Endpoint, FinishReason, ModelInfo, Usage
from adminchat.providers.decoding import Decoder, parsed, texts_of, tokens
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.transport import http_client
from adminchat.providers.wire import HttpProvider

VENDOR_URL = "https://api.anthropic.com"
DEFAULT_MAX_TOKENS = 4096
_REASONS: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_TOOL = {
    "name": "current_time",
    "description": "Tell the current time.",
    "input_schema": {"type": "object", "properties": {}},
}


class AnthropicProvider(HttpProvider):
    """One endpoint of Anthropic's protocol."""

    CHAT_PATH = "/v1/messages"
    MODELS_PATH = "/v1/models?limit=1000"
    SDK_ERROR = anthropic.AnthropicError

    def __init__(self, endpoint: Endpoint) -> None:
        base_url = normal_base_url(endpoint.base_url)
        headers: dict[str, Any] = {}
        if not endpoint.api_key:
            headers["Authorization"] = anthropic.omit
        elif urlsplit(base_url).hostname != urlsplit(VENDOR_URL).hostname:
            headers["X-Api-Key"] = endpoint.api_key  # what compatible servers know
        client = anthropic.AsyncAnthropic(
            api_key=endpoint.api_key or "none",
            base_url=base_url,
            max_retries=0,
            open_telemetry=False,
            http_client=http_client(endpoint, base_url, AiohttpTransport),
        )
        super().__init__(endpoint, client, headers)

    def _body(self, request: ChatRequest, *, stream: bool) -> dict[str, Any]:
        model = request.model
        body: dict[str, Any] = {
            "model": model,
            "messages": texts_of(_merged(request.messages)),
            "max_tokens": request.max_tokens or DEFAULT_MAX_TOKENS,
            "stream": stream,
        }
        system = "\n\n".join(message.content for message in request.messages if message.role == "system")
        if system:
            body["system"] = system
        if request.temperature is not None and not self._lacks(model, "temperature"):
            body["temperature"] = request.temperature
        if request.top_p is not None and not self._lacks(model, "top_p"):
            body["top_p"] = request.top_p
        if request.stop and not self._lacks(model, "stop_sequences"):
            body["stop_sequences"] = list(request.stop)
        if request.json_schema is not None and not self._lacks(model, "output_config"):
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.json_schema}}
        return body

    def _tool_body(self, model: str) -> dict[str, Any]:
        messages = [{"role": "user", "content": "What time is it now? Use the tool."}]
        return {"model": model, "messages": messages, "tools": [_TOOL], "max_tokens": 512, "stream": False}

    def _quirk(self, body: dict[str, Any], text: str) -> str | None:
        if "temperature" in body and "temperature" in text:
            return "temperature"
        if "top_p" in body and "top_p" in text:
            return "top_p"
        if "stop_sequences" in body and "stop_sequences" in text:
            return "stop_sequences"
        if "output_config" in body and ("output_config" in text or "output format" in text or "json_schema" in text):
            return "output_config"
        return None

    def _decoder(self) -> Decoder:
        return _Decoder()

    def _completion(self, answer: Any) -> Completion:
        try:
            text = "".join(block["text"] for block in answer["content"] if block["type"] == "text")
            usage = answer.get("usage") or {}
            return Completion(
                text,
                Usage(_input_tokens(usage), tokens(usage.get("output_tokens"))) if usage else None,
                _REASONS.get(answer.get("stop_reason"), "other"),
            )
        except (AttributeError, KeyError, TypeError):  # any other shape than the protocol's
            raise ProviderError(ErrorCode.MALFORMED) from None

    def _has_tool_call(self, answer: Any) -> bool:
        try:
            return any(block["type"] == "tool_use" for block in answer["content"])
        except (KeyError, TypeError):  # as above
            raise ProviderError(ErrorCode.MALFORMED) from None

    def _model(self, entry: dict[str, Any]) -> ModelInfo:
        name, able = entry.get("display_name"), entry.get("capabilities")
        images = able.get("image_input") if isinstance(able, dict) else None
        return ModelInfo(
            name=entry["id"],
            display_name=name if isinstance(name, str) else "",
            context_tokens=tokens(entry.get("max_input_tokens")) or None,
            images=bool(images.get("supported")) if isinstance(images, dict) else None,
        )


class _Decoder(Decoder):
    def __init__(self) -> None:
        super().__init__()
        self._input_tokens = 0

    def read(self, data: bytes) -> str:
        event = parsed(data)
        try:
            kind = event.get("type")
            if kind == "content_block_delta":
                text = event["delta"].get("text")
                return text if isinstance(text, str) else ""
            if kind == "message_start":
                usage = event["message"].get("usage") or {}
                self._input_tokens = _input_tokens(usage)
                self.usage = Usage(self._input_tokens, tokens(usage.get("output_tokens")))
            elif kind == "message_delta":
                reason = event["delta"].get("stop_reason")
                if reason:
                    self.reason = _REASONS.get(reason, "other")
                usage = event.get("usage") or {}
                self._input_tokens = _input_tokens(usage) or self._input_tokens
                self.usage = Usage(self._input_tokens, tokens(usage.get("output_tokens")))
            elif kind == "content_block_start":
                text = event["content_block"].get("text")
                return text if isinstance(text, str) else ""
            elif kind == "message_stop":
                self.done = True
            elif kind == "error" or event.get("error"):
                raise faults.from_event(event.get("error") or event)
        except (AttributeError, KeyError, TypeError):  # any other shape than the protocol's
            raise ProviderError(ErrorCode.MALFORMED) from None
        return ""


def normal_base_url(base_url: str) -> str:
    """Return the URL that `/v1/...` is appended to, whichever of its longer forms was typed."""
    url = base_url.strip().rstrip("/").removesuffix("/messages").removesuffix("/v1")
    return url or VENDOR_URL


def _merged(messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """The conversation without system messages, neighbours of one role as one message."""
    merged: list[ChatMessage] = []
    for message in messages:
        if message.role == "system":
            continue
        if merged and merged[-1].role == message.role:
            message = ChatMessage(message.role, f"{merged.pop().content}\n\n{message.content}")
        merged.append(message)
    return tuple(merged)


def _input_tokens(usage: dict[str, Any]) -> int:
    """All that was read, from the cache or not."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(tokens(usage.get(name)) for name in names)
