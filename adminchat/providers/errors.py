"""The one error of this package. It carries a code and never a word of what the endpoint said (CHAT-9)."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """Why a call failed, in the few kinds that a person can act on."""

    REFUSED_KEY = "refused_key"
    KEY_UNREADABLE = "key_unreadable"  # here, before anything was asked
    UNKNOWN_MODEL = "unknown_model"
    RATE_LIMITED = "rate_limited"
    CONTEXT_OVERFLOW = "context_overflow"
    TIMEOUT = "timeout"
    BROKEN_STREAM = "broken_stream"
    UNREACHABLE = "unreachable"
    ADDRESS_REFUSED = "address_refused"
    SERVER_ERROR = "server_error"
    LOADING = "loading"  # the server runs, its model doesn't yet
    BAD_REQUEST = "bad_request"
    MALFORMED = "malformed"
    REFUSED = "refused"  # the content, by the provider's own policy


_RETRYABLE = frozenset(
    {
        ErrorCode.RATE_LIMITED,
        ErrorCode.TIMEOUT,
        ErrorCode.BROKEN_STREAM,
        ErrorCode.UNREACHABLE,
        ErrorCode.SERVER_ERROR,
        ErrorCode.LOADING,
    }
)


class ProviderError(Exception):
    """A failed call. `str()` is the code alone, so it is safe to log; `retry_after` is in seconds."""

    def __init__(self, code: ErrorCode, retry_after: float | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.retry_after = retry_after

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later without anybody changing anything."""
        return self.code in _RETRYABLE
