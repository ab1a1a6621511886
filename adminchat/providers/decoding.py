"""Reading what endpoints send: JSON that may be of any shape, one event at a time."""

from abc import ABC, abstractmethod
from typing import Any

import orjson

from adminchat.providers.base import ChatMessage, FinishReason, Usage
from adminchat.providers.errors import ErrorCode, ProviderError


class Decoder(ABC):
    """Reads the events of one stream."""

    def __init__(self) -> None:
        self.usage: Usage | None = None
        self.reason: FinishReason | None = None
        self.done = False  # nothing more will come

    @abstractmethod
    def read(self, data: bytes) -> str:
        """Return the text in one event, "" when it has none. Raises ProviderError."""


def parsed(data: bytes) -> dict[str, Any]:
    """Return an event's JSON object. Raises ProviderError: malformed, or what its `error` says."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise ProviderError(ErrorCode.MALFORMED) from None
    if not isinstance(value, dict):
        raise ProviderError(ErrorCode.MALFORMED)
    return value


def tokens(value: Any) -> int:
    """Return a token count as the endpoint gave it; nonsense counts as none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else 0


def texts_of(messages: tuple[ChatMessage, ...]) -> list[dict[str, str]]:
    """Return messages in the shape that both protocols use."""
    return [{"role": message.role, "content": message.content} for message in messages]
