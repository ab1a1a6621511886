"""OpenAI's chat completions, as OpenAI, Azure and the compatible servers speak them (CHAT-17)."""

from typing import Any
from urllib.parse import urlsplit

import openai
from openai._vendor.httpx_aiohttp import AiohttpTransport

from adminchat.providers import faults
from adminchat.providers.base import ChatRequest, Completion, Endpoint, FinishReason, ModelInfo, Usage
from adminchat.providers.decoding import Decoder, parsed, texts_of, tokens
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.transport import http_client
from adminchat.providers.wire import HttpProvider

VENDOR_URL = "https://api.openai.com/v1"
_AZURE = (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com")
_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
}
_TOOL = {
    "type": "function",
    "function": {
        "name": "current_time",
        "description": "Tell the current time.",
        "parameters": {"type": "object", "properties": {}},
    },
}


class OpenAIProvider(HttpProvider):
    """One endpoint of OpenAI's protocol."""

    CHAT_PATH = "/chat/completions"
    MODELS_PATH = "/models"
    SDK_ERROR = openai.OpenAIError

    def __init__(self, endpoint: Endpoint) -> None:
        if endpoint.kind == "local" and not endpoint.base_url:
            raise ValueError("the built-in model has no address")  # never the vendor's
        base_url = normal_base_url(endpoint.base_url)
        host = urlsplit(base_url).hostname or ""
        self._is_vendor = host == "api.openai.com"
        key = endpoint.api_key or "none"
        headers: dict[str, Any] = {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit}
        if host.endswith(_AZURE):
            headers |= {"api-key": key, "Authorization": openai.omit}
        elif not endpoint.api_key:
            headers["Authorization"] = openai.omit
        client = openai.AsyncOpenAI(
            api_key=key,
            base_url=base_url,
            max_retries=0,
            http_client=http_client(endpoint, base_url, AiohttpTransport),
        )
        super().__init__(endpoint, client, headers)

    def _body(self, request: ChatRequest, *, stream: bool) -> dict[str, Any]:
        model = request.model
        body: dict[str, Any] = {"model": model, "messages": texts_of(request.messages), "stream": stream}
        if stream and not self._lacks(model, "stream_options"):
            body["stream_options"] = {"include_usage": True}
        if request.temperature is not None and not self._lacks(model, "temperature"):
            body["temperature"] = request.temperature
        if request.top_p is not None and not self._lacks(model, "top_p"):
            body["top_p"] = request.top_p
        if request.stop and not self._lacks(model, "stop"):
            body["stop"] = list(request.stop)
        if request.max_tokens is not None:
            body[self._limit_name(model)] = request.max_tokens
        if request.json_schema is not None and not self._lacks(model, "json_schema"):
            shape = {"name": "reply", "schema": request.json_schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif request.json_schema is not None and not self._lacks(model, "response_format"):
            body["response_format"] = {"type": "json_object"}
        return body

    def _tool_body(self, model: str) -> dict[str, Any]:
        messages = [{"role": "user", "content": "What time is it now? Use the tool."}]
        return {"model": model, "messages": messages, "tools": [_TOOL], self._limit_name(model): 512, "stream": False}

    def _limit_name(self, model: str) -> str:
        modern = self._is_vendor or self._lacks(model, "max_tokens")
        return "max_completion_tokens" if modern else "max_tokens"

    def _quirk(self, body: dict[str, Any], text: str) -> str | None:
        if "stream_options" in body and ("stream_options" in text or "include_usage" in text):
            return "stream_options"
        if "max_tokens" in body and "max_completion_tokens" in text:
            return "max_tokens"
        if "temperature" in body and "temperature" in text:
            return "temperature"
        if "top_p" in body and "top_p" in text:
            return "top_p"
        if "stop" in body and "'stop'" in text:
            return "stop"
        if "response_format" in body and ("response_format" in text or "json_schema" in text):
            return "json_schema" if body["response_format"]["type"] == "json_schema" else "response_format"
        return None

    def _decoder(self) -> Decoder:
        return _Decoder()

    def _completion(self, answer: Any) -> Completion:
        try:
            choice = answer["choices"][0]
            message = choice["message"]
            text = _text(message.get("content")) or _text(message.get("refusal"))
            reason: FinishReason = "refusal" if message.get("refusal") else _reason(choice.get("finish_reason"))
            return Completion(text, _usage(answer.get("usage")), reason)
        except (AttributeError, IndexError, KeyError, TypeError):  # any other shape than the protocol's
            raise ProviderError(ErrorCode.MALFORMED) from None

    def _has_tool_call(self, answer: Any) -> bool:
        try:
            return bool(answer["choices"][0]["message"].get("tool_calls"))
        except (AttributeError, IndexError, KeyError, TypeError):  # as above
            raise ProviderError(ErrorCode.MALFORMED) from None

    def _model(self, entry: dict[str, Any]) -> ModelInfo:
        meta = entry.get("meta") if isinstance(entry.get("meta"), dict) else {}
        sizes = (entry.get("max_model_len"), entry.get("context_length"), entry.get("max_context_length"))
        context = next((tokens(size) for size in (*sizes, (meta or {}).get("n_ctx")) if tokens(size)), None)
        shape = entry.get("architecture")
        inputs = shape.get("input_modalities") if isinstance(shape, dict) else None
        parameters = entry.get("supported_parameters")
        name = entry.get("name")
        return ModelInfo(
            name=entry["id"],
            display_name=name if isinstance(name, str) else "",
            context_tokens=context,
            images="image" in inputs if isinstance(inputs, list) else None,
            tools="tools" in parameters if isinstance(parameters, list) else None,
        )


class _Decoder(Decoder):
    def read(self, data: bytes) -> str:
        if data == b"[DONE]":
            self.done = True
            return ""
        event = parsed(data)
        if event.get("error") or event.get("object") == "error":
            raise faults.from_event(event.get("error") or event)
        try:
            usage = event.get("usage")
            if usage:
                self.usage = _usage(usage)
            choices = event.get("choices")
            if not choices:
                return ""
            choice = choices[0]
            reason = choice.get("finish_reason")
            if reason and self.reason is None:
                self.reason = _reason(reason)
            delta = choice.get("delta")
            if not delta:
                return ""
            content = delta.get("content")
            if isinstance(content, str) and content:
                return content
            if refusal := _text(delta.get("refusal")):
                self.reason = "refusal"
                return refusal
            return _text(content)
        except (AttributeError, IndexError, KeyError, TypeError):  # any other shape than the protocol's
            raise ProviderError(ErrorCode.MALFORMED) from None


def normal_base_url(base_url: str) -> str:
    """Return the URL that paths are appended to: people leave out `/v1`, or paste the whole address of a call."""
    url = base_url.strip().rstrip("/").removesuffix("/chat/completions")
    if not url:
        return VENDOR_URL
    parts = urlsplit(url)
    if parts.path in ("", "/") and not parts.query:
        return url + ("/openai/v1" if (parts.hostname or "").endswith(_AZURE) else "/v1")
    return url


def _text(content: Any) -> str:
    """The text of a content that is a string, or a list of parts as some servers send it."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def _reason(reason: Any) -> FinishReason:
    return _REASONS.get(reason, "other") if isinstance(reason, str) else "stop"


def _usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    return Usage(tokens(usage.get("prompt_tokens")), tokens(usage.get("completion_tokens")))
