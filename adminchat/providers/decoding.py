"""Reading what endpoints send: JSON that may be of any shape, one event at a time."""

from abc import ABC, abstractmethod
from typing import Any

import httpx2
import orjson

from adminchat.lib.sse import EventSplitter, EventTooLargeError
from adminchat.providers import faults
from adminchat.providers.base import ChatMessage, Endpoint, FinishReason, Usage
from adminchat.providers.errors import ErrorCode, ProviderError

MAX_EVENT = 1_000_000  # bytes
MAX_REPLY = 4_000_000  # bytes of text; an event without text counts as 4
AFTERMATH = 5.0  # seconds to wait for the usage once the reply is complete


class Decoder(ABC):
    """Reads the events of one stream."""

    def __init__(self) -> None:
        self.usage: Usage | None = None
        self.reason: FinishReason | None = None
        self.done = False  # nothing more will come

    @abstractmethod
    def read(self, data: bytes) -> str:
        """Return the text in one event, "" when it has none. Raises ProviderError."""


class Reading:
    """One stream as far as it has come: its text, its bounds, its end."""

    def __init__(self, decoder: Decoder, limits: Endpoint) -> None:
        self._decoder = decoder
        self._limits = limits
        self._splitter = EventSplitter(MAX_EVENT)
        self._size = 0
        self._any_text = False
        self._at_end = False
        self._failure: ProviderError | None = None
        self.events = 0  # how many came

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be read."""
        return self._at_end or self._decoder.done or self._failure is not None

    @property
    def patience(self) -> float:
        """Seconds that the next event may take."""
        if self._decoder.reason is not None:
            return AFTERMATH
        return self._limits.silence_timeout if self._any_text else self._limits.first_token_timeout

    @property
    def usage(self) -> Usage | None:
        """What the endpoint counted, so far."""
        return self._decoder.usage

    def take(self, chunk: bytes) -> str:
        """Return the text of the events that a chunk completes, up to a fault if there is one; b"" is the end."""
        self._at_end = not chunk
        texts: list[str] = []
        try:
            for data in self._splitter.feed(chunk) if chunk else self._splitter.flush():
                if data:
                    texts.append(self._read(data))
                if self._decoder.done:
                    break
        except EventTooLargeError:
            self.fail(ProviderError(ErrorCode.MALFORMED))
        except ProviderError as error:
            cut_inside = self._at_end and error.code is ErrorCode.MALFORMED
            self.fail(ProviderError(ErrorCode.BROKEN_STREAM) if cut_inside else error)
        text = "".join(texts)
        self._any_text = self._any_text or bool(text)
        return text

    def fail(self, error: ProviderError) -> None:
        """Take note that the stream broke; that is no failure when the reply was complete."""
        self._failure = error

    def outcome(self) -> FinishReason:
        """Return how the reply ended. Raises ProviderError when it did not."""
        if self._decoder.reason is not None:
            return self._decoder.reason
        if self._decoder.done:
            return "stop"
        raise self._failure or ProviderError(ErrorCode.BROKEN_STREAM if self.events else ErrorCode.MALFORMED)

    def _read(self, data: bytes) -> str:
        self.events += 1
        text = self._decoder.read(data)
        self._size += len(text.encode()) or 4
        if self._size > MAX_REPLY:
            self._decoder.reason, self._decoder.done = "length", True
        return text


def parsed(data: bytes) -> dict[str, Any]:
    """Return an event's JSON object. Raises ProviderError (malformed)."""
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


def refuse_unreadable(response: httpx2.Response) -> None:
    """Raise ProviderError for a page for people, and for a compression that was not asked for."""
    if "html" in response.headers.get("content-type", "") or response.headers.get("content-encoding"):
        raise ProviderError(ErrorCode.MALFORMED)


def json_of(response: httpx2.Response, body: bytes) -> Any:
    """Return a whole answer's JSON. Raises ProviderError: malformed, or what its `error` says."""
    refuse_unreadable(response)
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise ProviderError(ErrorCode.MALFORMED) from None
    if isinstance(answer, dict) and answer.get("error"):
        raise faults.from_event(answer["error"])
    return answer
