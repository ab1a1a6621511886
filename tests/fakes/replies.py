"""What the fake model endpoint answers: by the model's name, unless exact replies were enqueued.

Good: `echo`, `tokens-<n>` (at once), `slow-<tokens per second>x<n>`, `markdown-sample`. Faults: see FAULTS.
`picky-<field>` refuses requests that carry the field. A name may go on after `--`, so that a test has its own.
"""

import re
from dataclasses import dataclass, field
from typing import Any

TITLE = "A short title"
OVERFLOW_CHARACTERS = 1_000
FAULTS = (
    "fault-401",
    "fault-404",
    "fault-429",
    "fault-429-once",
    "fault-500",
    "fault-529",
    "fault-broken",
    "fault-cut",
    "fault-error",
    "fault-html",
    "fault-huge",
    "fault-malformed",
    "fault-overflow",
    "fault-refusal",
    "fault-silent",
    "fault-silent-after",
)
PICKY = ("stream_options", "max_tokens", "temperature", "top_p", "stop", "response_format", "output_config")
MODELS = (
    "echo",
    "tokens-100",
    "slow-20x200",
    "markdown-sample",
    *FAULTS,
    *(f"picky-{name}" for name in PICKY),
)

MARKDOWN = """# Sample

A *short* paragraph with **bold**, `code`, ~~struck~~ text and a [link](https://example.com).

- [x] done
- [ ] open

| Name | Size |
| --- | ---: |
| one | 1 |

```python
def add(a: int, b: int) -> int:
    return a + b
```

**重要：**价格是 $5 and $6。<script>alert(1)</script> ![pixel](https://example.com/p.png)
"""


@dataclass
class Reply:
    """One answer. Times in seconds; `end`: "stop", "length", "refusal", "drop", "cut", "hang", "error"."""

    chunks: list[str] = field(default_factory=list)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] | None = None  # the protocol's error object
    raw: str | None = None  # the body as it is
    content_type: str | None = None
    delay: float = 0.0  # before anything
    interval: float = 0.0  # between chunks
    hold_at: int | None = None  # the piece before which it waits for `/_release`, with events that bring no text
    end: str = "stop"
    endless: bool = False
    model: str | None = None  # only for requests to this model
    usage: tuple[int, int] | None = None
    whole: str = TITLE  # the answer to a request that asks for no stream
    shaped: str | None = None  # the answer to a request for JSON of a schema; it is kept for such a one


def failed(status: int, kind: str, message: str, **headers: str) -> Reply:
    error = {"message": message, "type": kind, "code": kind, "param": None}
    return Reply(status=status, error=error, headers={name.replace("_", "-"): value for name, value in headers.items()})


def words(text: str) -> list[str]:
    return re.findall(r"\s*\S+\s*$|\s*\S+|\s+", text)


def by_model(name: str, body: dict[str, Any], seen_before: bool) -> Reply:
    """Return the answer for a request to the model `name`; `seen_before`: whether it had a request already."""
    name = name.partition("--")[0]
    said = last_user(body)
    echo = Reply(chunks=words(f"You said: {said}"))
    if name == "echo":
        return echo
    if found := re.fullmatch(r"tokens-(\d+)", name):
        return Reply(chunks=tokens(int(found[1])))
    if found := re.fullmatch(r"slow-(\d+)x(\d+)", name):
        return Reply(chunks=tokens(int(found[2])), interval=1 / int(found[1]))
    if name == "markdown-sample":
        return Reply(chunks=re.findall(r"(?s).{1,7}", MARKDOWN))
    if name.startswith("picky-"):
        unwanted = name.removeprefix("picky-")
        if unwanted in body:
            hint = " Use 'max_completion_tokens' instead." if unwanted == "max_tokens" else ""
            return failed(400, "invalid_request_error", f"Unsupported parameter: '{unwanted}'.{hint}")
        return echo
    match name:
        case "fault-401":
            return failed(401, "invalid_api_key", "Incorrect API key provided: sk-secret.")
        case "fault-429":
            return failed(429, "rate_limit_error", "Too many requests.", retry_after="1")
        case "fault-429-once":
            return echo if seen_before else failed(429, "rate_limit_error", "Too many requests.", retry_after="1")
        case "fault-500":
            return failed(500, "server_error", "Traceback: secret internals")
        case "fault-529":
            return failed(529, "overloaded_error", "Overloaded")
        case "fault-broken":
            return Reply(chunks=["This ", "breaks "], end="drop")
        case "fault-cut":
            return Reply(chunks=["This ", "ends "], end="cut")
        case "fault-error":
            return Reply(chunks=["This ", "fails "], end="error")
        case "fault-html":
            page = "<!DOCTYPE html><html><body>Please sign in</body></html>"
            return Reply(raw=page, content_type="text/html; charset=utf-8")
        case "fault-huge":
            return Reply(chunks=["x" * 10_000 + " "], endless=True)
        case "fault-malformed":
            return Reply(raw='data: {"choices": [{"delta"\n\n')
        case "fault-overflow":
            if characters(body) < OVERFLOW_CHARACTERS:
                return echo
            message = "This model's maximum context length is 250 tokens. Please reduce the length."
            return failed(400, "context_length_exceeded", message)
        case "fault-refusal":
            return Reply(chunks=["I can't help."], end="refusal")
        case "fault-silent":
            return Reply(end="hang")
        case "fault-silent-after":
            return Reply(chunks=["Some ", "words "], end="hang")
    return failed(404, "model_not_found", f"The model `{name}` does not exist.")


def sample(schema: dict[str, Any]) -> Any:
    """Return the smallest value that a JSON schema allows, for the simple kinds."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: sample(inner) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return []
        case "boolean":
            return True
        case "integer" | "number":
            return 1
        case "null":
            return None
    return "text"


def tokens(count: int) -> list[str]:
    return [f"tok{index} " for index in range(count)]


def text_of(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


def last_user(body: dict[str, Any]) -> str:
    said = [text_of(message) for message in body.get("messages", []) if message.get("role") == "user"]
    return said[-1] if said else ""


def characters(body: dict[str, Any]) -> int:
    system = body.get("system")
    return sum(len(text_of(message)) for message in body.get("messages", [])) + len(system or "")
