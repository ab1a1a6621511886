"""What a conversation with a model endpoint is made of, whatever protocol it speaks (CHAT-17)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Kind = Literal["openai", "anthropic", "local"]  # "local" speaks the OpenAI protocol
Role = Literal["system", "user", "assistant"]
FinishReason = Literal["stop", "length", "refusal", "other"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how a model is reached. Hashable, so that a client can be kept per endpoint.

    Times are in seconds. `first_token_timeout` bounds the wait for the next piece of the answer until text has
    arrived, `silence_timeout` the wait for each piece after that; keep-alive comments count as silence.
    """

    kind: Kind
    base_url: str  # "" = the vendor's own
    api_key: str = field(repr=False)  # "" = none
    trusted: bool = False  # the operator's own (preset, built-in): no address check
    allowed_private_hosts: tuple[str, ...] = ()  # host names, addresses or networks (CHAT-20)
    connect_timeout: float = 10.0
    first_token_timeout: float = 120.0
    silence_timeout: float = 60.0


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message with its real role."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked of a model. `max_tokens` in tokens; `json_schema` asks for an answer of that shape; `stop` are the
    texts before which it ends."""

    model: str
    messages: tuple[ChatMessage, ...]
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None
    json_schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Loading:
    """The built-in model isn't ready yet, and is waited for. Comes before all else, at most once."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply's text, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What the whole call cost, in tokens, as the endpoint counted it."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The last event of every stream that ended without an error."""

    reason: FinishReason


Event = Loading | TextDelta | Usage | Finish


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole reply. `usage` is None when the endpoint did not say."""

    text: str
    usage: Usage | None
    reason: FinishReason


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as its endpoint lists it; None where the endpoint does not say. `context_tokens` in tokens."""

    name: str
    display_name: str = ""
    context_tokens: int | None = None
    images: bool | None = None
    tools: bool | None = None


class Provider(Protocol):
    """One endpoint. Every method raises `ProviderError` and nothing else of its own."""

    def stream(self, request: ChatRequest) -> AsyncIterator[Event]:
        """Yield text as it arrives, then at most one Usage, then one Finish; before that perhaps Loading.

        Closing the iterator, or cancelling the task that waits for it, ends the upstream call at once (CHAT-7).
        """
        ...

    async def complete(self, request: ChatRequest) -> Completion:
        """Return a whole short reply, for internal prompts (titles, extraction)."""
        ...

    async def list_models(self) -> list[ModelInfo]:
        """Return what the endpoint offers, in its order."""
        ...

    async def aclose(self) -> None:
        """Close every connection; calls that still run fail."""
        ...
