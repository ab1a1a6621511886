"""Anthropic's side of the fake endpoint: how a reply looks on the wire."""

from typing import Any

import orjson

from tests.fakes.replies import Reply, characters, sample

PATHS = ("/v1/messages",)
ENDS = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def _event(kind: str, **fields: Any) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + orjson.dumps({"type": kind, **fields}) + b"\n\n"


def opening(body: dict[str, Any], reply: Reply) -> bytes:
    read, _ = _counts(body, reply)
    message = _message(body, [], None, {"input_tokens": read, "output_tokens": 1})
    block = {"type": "text", "text": ""}
    return (
        _event("message_start", message=message)
        + _event("content_block_start", index=0, content_block=block)
        + _event("ping")
    )


def piece(body: dict[str, Any], text: str) -> bytes:
    return _event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


def closing(body: dict[str, Any], reply: Reply) -> bytes:
    if reply.end == "error":
        return _event("error", error={"type": "api_error", "message": "secret internals"})
    _, written = _counts(body, reply)
    delta = {"stop_reason": ENDS[reply.end], "stop_sequence": None}
    return (
        _event("content_block_stop", index=0)
        + _event("message_delta", delta=delta, usage={"output_tokens": written})
        + _event("message_stop")
    )


def whole(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    read, written = _counts(body, reply)
    usage = {"input_tokens": read, "output_tokens": written}
    if body.get("tools"):
        call = {"type": "tool_use", "id": "toolu_1", "name": body["tools"][0]["name"], "input": {}}
        return _message(body, [call], "tool_use", usage)
    shape = (body.get("output_config") or {}).get("format")
    text = orjson.dumps(sample(shape["schema"])).decode() if shape else reply.whole
    if shape and reply.shaped is not None:
        text = reply.shaped
    return _message(body, [{"type": "text", "text": text}], "end_turn", usage)


def error_body(error: dict[str, Any]) -> dict[str, Any]:
    return {"type": "error", "error": {"type": error.get("type"), "message": error.get("message")}}


def _message(body: dict[str, Any], content: list[Any], reason: str | None, usage: dict[str, int]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }


def _counts(body: dict[str, Any], reply: Reply) -> tuple[int, int]:
    return reply.usage or (characters(body) // 4, len(reply.chunks))
