"""What servers say when they refuse, and the code that a person gets (CHAT-9)."""

import pytest

from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.faults import HttpFault, from_exception, from_http

HTML = "<!DOCTYPE html><html><head><title>404</title></head></html>"


@pytest.mark.parametrize(
    ("status", "text", "code"),
    [
        (401, '{"error":{"code":"invalid_api_key"}}', ErrorCode.REFUSED_KEY),
        (403, "", ErrorCode.REFUSED_KEY),
        (400, '{"error":{"code":"InvalidApiKey","message":"Invalid API-key provided."}}', ErrorCode.REFUSED_KEY),
        (404, '{"error":{"code":"model_not_found"}}', ErrorCode.UNKNOWN_MODEL),
        (404, '{"error":{"code":"DeploymentNotFound"}}', ErrorCode.UNKNOWN_MODEL),
        (404, '{"error":"model \\"x\\" not found, try pulling it first"}', ErrorCode.UNKNOWN_MODEL),
        (404, '{"detail":"Not Found"}', ErrorCode.UNKNOWN_MODEL),
        (400, '{"error":{"message":"Model Not Exist"}}', ErrorCode.UNKNOWN_MODEL),
        (404, HTML, ErrorCode.MALFORMED),
        (400, HTML, ErrorCode.MALFORMED),
        (302, "", ErrorCode.MALFORMED),
        (400, '{"error":{"code":"context_length_exceeded"}}', ErrorCode.CONTEXT_OVERFLOW),
        (400, '{"error":{"type":"exceed_context_size_error"}}', ErrorCode.CONTEXT_OVERFLOW),
        (500, '{"error":{"type":"exceed_context_size_error"}}', ErrorCode.CONTEXT_OVERFLOW),
        (400, "This model's maximum context length is 8192 tokens.", ErrorCode.CONTEXT_OVERFLOW),
        (400, '{"error":{"message":"prompt is too long: 210000 tokens > 200000"}}', ErrorCode.CONTEXT_OVERFLOW),
        (400, "Range of input length should be [1, 30720]", ErrorCode.CONTEXT_OVERFLOW),
        (413, '{"error":{"type":"request_too_large"}}', ErrorCode.CONTEXT_OVERFLOW),
        (400, '{"error":{"code":"content_filter"}}', ErrorCode.REFUSED),
        (400, '{"error":{"code":"data_inspection_failed"}}', ErrorCode.REFUSED),
        (400, "{}", ErrorCode.BAD_REQUEST),
        (422, '{"detail":[{"loc":["body","temperature"]}]}', ErrorCode.BAD_REQUEST),
        (402, '{"error":{"message":"Insufficient Balance"}}', ErrorCode.RATE_LIMITED),
        (429, "", ErrorCode.RATE_LIMITED),
        (529, '{"error":{"type":"overloaded_error"}}', ErrorCode.RATE_LIMITED),
        (408, "", ErrorCode.TIMEOUT),
        (504, HTML, ErrorCode.TIMEOUT),
        (500, '{"error":{"message":"The model does not exist in memory"}}', ErrorCode.SERVER_ERROR),
        (503, "no healthy upstream", ErrorCode.SERVER_ERROR),
        (503, '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}', ErrorCode.LOADING),
        (502, HTML, ErrorCode.SERVER_ERROR),
    ],
)
def test_refusals_of_the_known_servers(status: int, text: str, code: ErrorCode) -> None:  # CHAT-9, CHAT-17
    assert from_http(HttpFault(status, None, text.encode())).code is code


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("0.5", 0.5), (None, 1.0), ("soon", 1.0), ("Wed, 21 Oct 2026 07:28:00 GMT", 1.0), ("-3", 0.0)],
)
def test_wait_that_a_server_asks_for(header: str | None, seconds: float) -> None:  # CHAT-9
    assert from_http(HttpFault(429, header, b"")).retry_after == seconds


def test_unavailable_is_a_rate_limit_only_with_a_time() -> None:  # CHAT-9
    assert from_http(HttpFault(503, "3", b"")).code is ErrorCode.RATE_LIMITED


@pytest.mark.parametrize("code", list(ErrorCode))
def test_error_shows_its_code_and_nothing_else(code: ErrorCode) -> None:  # SEC-2
    error = ProviderError(code, 3.0)
    assert (str(error), repr(error)) == (code.value, f"ProviderError('{code.value}')")


def test_causes_are_found_through_wrappers() -> None:  # REL-5
    wrapped = RuntimeError("wrapper")
    wrapped.__cause__ = ValueError("another")
    wrapped.__cause__.__context__ = HttpFault(401, None, b"")
    assert from_exception(wrapped, started=False).code is ErrorCode.REFUSED_KEY


def test_nan_and_infinity_are_no_waits() -> None:  # REL-5
    for header in ("nan", "inf", "-inf", "1e999"):
        wait = from_http(HttpFault(429, header, b"")).retry_after
        assert wait is not None and 0 <= wait <= 86_400
