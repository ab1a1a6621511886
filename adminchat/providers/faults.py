"""From what an endpoint or the network did to one of our few error codes (CHAT-9, REL-5).

Servers agree on little: the status, an `error` object with some of `code`, `type` and `message`, or plain text. The
phrases below are what OpenAI, Azure, Anthropic, llama.cpp, vLLM, Ollama, LM Studio, LiteLLM, DeepSeek and Qwen use.
"""

import ssl
from collections.abc import Iterator
from math import isfinite
from typing import Any

import aiohttp
import httpx2
import orjson

from adminchat.lib.netguard import AddressRefused
from adminchat.providers.errors import ErrorCode, ProviderError

_OVERFLOW = (
    "context_length_exceeded",
    "exceed_context_size_error",
    "exceeds the available context size",
    "maximum context length",
    "max_model_len",
    "maximum model length",
    "longer than the maximum",
    "prompt is too long",
    "input is too long",
    "range of input length",
    "context window",
    "greater than the context length",
    "contextwindowexceedederror",
    "request_too_large",
)
_UNKNOWN_MODEL = ("model_not_found", "deploymentnotfound", "model not found", "unknown model", "no such model")
_MODEL_MISSING = ("does not exist", "not found", "not exist", "invalid model")
_REFUSED_KEY = ("invalid_api_key", "authentication_error", "permission_error", "incorrect api key", "invalidapikey")
_OVERLOADED = ("overloaded_error", "rate_limit", "too many requests", "server_overloaded", "serveroverloaded")
_FILTERED = ("content_filter", "content_policy", "data_inspection_failed", "datainspectionfailed")
_LOADING = ("loading model", "model is loading")  # llama.cpp's answer while it starts
_NO_CREDIT = ("insufficient_quota", "insufficient balance", "billing", "exceeded your current quota", "arrearage")
_TYPES = {
    "timeout_error": ErrorCode.TIMEOUT,
    "api_error": ErrorCode.SERVER_ERROR,
    "server_error": ErrorCode.SERVER_ERROR,
    "internal_error": ErrorCode.SERVER_ERROR,
    "internal_server_error": ErrorCode.SERVER_ERROR,
    "internalservererror": ErrorCode.SERVER_ERROR,
    "not_found_error": ErrorCode.UNKNOWN_MODEL,
    "rate_limit_error": ErrorCode.RATE_LIMITED,
}
MAX_TEXT = 8_192  # characters of a message that are looked at


class HttpFault(Exception):
    """An answer with a status of 300 or more, its body cut. Stays inside this package: it holds upstream text."""

    def __init__(self, status: int, retry_after: str | None, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after
        self.text = body[: MAX_TEXT * 4].decode("utf-8", "replace")[:MAX_TEXT].lower()
        self.is_html = self.text.lstrip().startswith(("<!doctype", "<html"))


# What the transport and the loop raise for a call that did not work out; each SDK adds a class of its own.
CAUGHT: tuple[type[Exception], ...] = (
    HttpFault,
    ProviderError,
    aiohttp.ClientError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    OSError,  # with TimeoutError and AddressRefused
    RuntimeError,  # uvloop, and clients closed in the middle of a call
    ValueError,
)


def from_http(fault: HttpFault) -> ProviderError:
    """Return the error for an answer that was not a success."""
    status, text = fault.status, fault.text
    wait = _seconds(fault.retry_after)
    if status in (401, 403):
        return ProviderError(ErrorCode.REFUSED_KEY)
    if status == 503 and _has(text, _LOADING):
        return ProviderError(ErrorCode.LOADING)
    if status in (402, 429, 529) or (status == 503 and wait is not None):
        # An empty account is not cured by waiting.
        if status == 402 or _has(text, _NO_CREDIT):
            return ProviderError(ErrorCode.RATE_LIMITED)
        return ProviderError(ErrorCode.RATE_LIMITED, 1.0 if wait is None else wait)
    if status in (408, 504):
        return ProviderError(ErrorCode.TIMEOUT)
    if status >= 500:
        known = _by_text(text)
        return ProviderError(known if known is ErrorCode.CONTEXT_OVERFLOW else ErrorCode.SERVER_ERROR)
    if fault.is_html or status < 400:
        return ProviderError(ErrorCode.MALFORMED)
    if status == 413:
        return ProviderError(ErrorCode.CONTEXT_OVERFLOW)
    known = _by_text(text)
    if known is not None:
        return ProviderError(known)
    return ProviderError(ErrorCode.UNKNOWN_MODEL if status == 404 else ErrorCode.BAD_REQUEST)


def from_event(error: Any) -> ProviderError:
    """Return the error for an error object that came inside a stream or a successful answer."""
    text = orjson.dumps(error, default=str)[:MAX_TEXT].decode("utf-8", "replace").lower()
    known = _by_text(text)
    if known is not None:
        return ProviderError(known, 1.0 if known is ErrorCode.RATE_LIMITED else None)
    fields = error if isinstance(error, dict) else {}
    code = fields.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return from_http(HttpFault(code, None, text.encode()))
    return ProviderError(_TYPES.get(str(fields.get("type")).lower(), ErrorCode.SERVER_ERROR))


def from_exception(error: BaseException, *, started: bool) -> ProviderError:
    """Return the error for what the SDK or the network raised; `started`: whether an answer had begun to arrive."""
    causes = list(_chain(error))
    for cause in causes:
        if isinstance(cause, ProviderError):
            return cause
        if isinstance(cause, HttpFault):
            return from_http(cause)
        if isinstance(cause, UnicodeEncodeError):
            return ProviderError(ErrorCode.REFUSED_KEY)  # the key is all of a header that a person types
        if isinstance(cause, (AddressRefused, aiohttp.InvalidURL, httpx2.InvalidURL)):
            return ProviderError(ErrorCode.ADDRESS_REFUSED)
    for cause in causes:
        if isinstance(cause, TimeoutError):
            return ProviderError(ErrorCode.TIMEOUT)
        if isinstance(cause, (aiohttp.ClientConnectorError, ssl.SSLError)):
            return ProviderError(ErrorCode.UNREACHABLE)
        if isinstance(cause, (aiohttp.ClientPayloadError, aiohttp.ServerDisconnectedError, OSError)):
            return ProviderError(ErrorCode.BROKEN_STREAM if started else ErrorCode.UNREACHABLE)
        if isinstance(cause, (aiohttp.ClientResponseError, aiohttp.http.HttpProcessingError)):
            return ProviderError(ErrorCode.MALFORMED)
    return ProviderError(ErrorCode.BROKEN_STREAM if started else ErrorCode.BAD_REQUEST)


def http_fault(error: BaseException) -> HttpFault | None:
    """Return the HTTP answer behind what an SDK raised, if there was one."""
    return next((cause for cause in _chain(error) if isinstance(cause, HttpFault)), None)


def is_stale_connection(error: BaseException) -> bool:
    """Whether a connection ended before any answer, as a kept one does that the server has just closed."""
    stale = (aiohttp.ServerDisconnectedError, ConnectionResetError, BrokenPipeError)
    return any(isinstance(cause, stale) for cause in _chain(error))


def _by_text(text: str) -> ErrorCode | None:
    if _has(text, _OVERFLOW):
        return ErrorCode.CONTEXT_OVERFLOW
    if _has(text, _UNKNOWN_MODEL) or ("model" in text and _has(text, _MODEL_MISSING)):
        return ErrorCode.UNKNOWN_MODEL
    if _has(text, _REFUSED_KEY):
        return ErrorCode.REFUSED_KEY
    if _has(text, _OVERLOADED):
        return ErrorCode.RATE_LIMITED
    if _has(text, _FILTERED):
        return ErrorCode.REFUSED
    return None


def _has(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(20):
        if current is None:
            return
        yield current
        current = current.__cause__ or current.__context__


def _seconds(header: str | None) -> float | None:
    """Seconds from a Retry-After header; its rare form with a date counts as unknown."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return min(max(seconds, 0.0), 86_400.0) if isfinite(seconds) else None
