"""OpenAI's side of the fake endpoint: how a reply looks on the wire."""

import time
from typing import Any

import orjson

from tests.fakes.replies import Reply, characters, sample

PATHS = ("/v1/chat/completions", "/chat/completions", "/openai/v1/chat/completions")
ENDS = {"stop": "stop", "length": "length", "refusal": "content_filter"}


def _event(model: str, choices: list[dict[str, Any]], **more: Any) -> bytes:
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": None,
        "choices": choices,
        **more,
    }
    return b"data: " + orjson.dumps(chunk) + b"\n\n"


def opening(body: dict[str, Any], reply: Reply) -> bytes:
    delta = {"role": "assistant", "content": ""}
    return _event(body["model"], [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}])


def piece(body: dict[str, Any], text: str) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "logprobs": None, "finish_reason": None}
    return _event(body["model"], [choice])


def closing(body: dict[str, Any], reply: Reply) -> bytes:
    model = body["model"]
    if reply.end == "error":
        return b'data: {"error": {"message": "secret internals", "type": "server_error", "code": 500}}\n\n'
    end = _event(model, [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": ENDS[reply.end]}])
    if (body.get("stream_options") or {}).get("include_usage"):
        end += _event(model, [], usage=usage(body, reply))
    return end + b"data: [DONE]\n\n"


def whole(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.whole}
    reason = "stop"
    shape = body.get("response_format") or {}
    if shape and reply.shaped is not None:
        message["content"] = reply.shaped
    elif shape.get("type") == "json_schema":
        message["content"] = orjson.dumps(sample(shape["json_schema"]["schema"])).decode()
    elif shape.get("type") == "json_object":
        message["content"] = '{"ok": true}'
    elif body.get("tools"):
        name = body["tools"][0]["function"]["name"]
        message |= {"content": None, "tool_calls": [call(name)]}
        reason = "tool_calls"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": usage(body, reply),
    }


def call(name: str) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": "{}"}}


def usage(body: dict[str, Any], reply: Reply) -> dict[str, int]:
    read, written = reply.usage or (characters(body) // 4, len(reply.chunks))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def error_body(error: dict[str, Any]) -> dict[str, Any]:
    return {"error": error}
