"""Counting tokens without a network."""

import hashlib
import inspect
import socket
import time

import pytest
import tiktoken_ext.openai_public
from hypothesis import given
from hypothesis import strategies as st

from adminchat.lib import tokens
from adminchat.lib.tokens import FILES, VOCABULARIES, count, estimate

CORPUS = [
    "The quick brown fox jumps over the lazy dog near the river bank on a sunny afternoon.",
    "Please rotate the staging credentials before Friday, and tell the on-call engineer about it.",
    "请把预发布环境的数据库密码在周五之前轮换一次，并通知值班工程师。",
    "報銷流程怎麼走？需要先找主管簽字，然後把發票寄給財務。",
    "def rotate(keys: list[str]) -> str:\n    return keys[0] if keys else raise_error('no key', code=42)\n",
    "SELECT id, name FROM users WHERE created_at > '2026-01-01' ORDER BY name LIMIT 100;",
    "Deploy finished 🚀🎉 — all 12 pods are healthy ✅, thanks 🙏🏽!",
    "部署 v2.3.1 到 k8s 集群后，用 `kubectl get pods -n prod` 检查状态。",
    "https://example.com/path/to/some-resource?id=1234567890&lang=zh_Hans",
]


def test_shipped_vocabularies_are_those_the_library_expects() -> None:  # OPS-12, SEC-8
    source = inspect.getsource(tiktoken_ext.openai_public)
    for file in FILES.values():
        assert hashlib.sha256((VOCABULARIES / file).read_bytes()).hexdigest() in source


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:  # OPS-12
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    tokens._encoding.cache_clear()
    assert count("hello world", "gpt-4o").tokens == 2
    assert count("hello world", "gpt-4").tokens == 2


@pytest.mark.parametrize(
    ("model", "tokenizer"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("openai/gpt-5.2", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("claude-sonnet-4-5", "estimate"),
        ("qwen3:8b", "estimate"),
        ("gpt-oss-like-unknown", "estimate"),
    ],
)
def test_tokenizer_follows_the_model(model: str, tokenizer: str) -> None:  # ENTRY-19
    counted = count("hello", model)
    assert counted.tokenizer == tokenizer
    assert counted.exact == (tokenizer != "estimate")


@pytest.mark.parametrize("sample", CORPUS)
def test_estimate_is_never_below_a_real_count(sample: str) -> None:  # ENTRY-19
    assert estimate(sample) >= max(count(sample, "gpt-4o").tokens, count(sample, "gpt-4").tokens)


def test_estimate_does_not_starve_unknown_models() -> None:  # ENTRY-19
    ratios = [estimate(s) / max(count(s, "gpt-4o").tokens, count(s, "gpt-4").tokens) for s in CORPUS]
    assert sum(ratios) / len(ratios) <= 1.6


@given(st.text(max_size=300))
def test_any_text_can_be_estimated(text: str) -> None:  # ENTRY-19
    assert estimate(text) >= (1 if text else 0)


def test_long_run_of_one_kind_is_counted_in_linear_time() -> None:  # SEC-7
    count("warm up", "gpt-4o")

    def seconds(length: int) -> float:
        start = time.perf_counter()
        count("x" * length, "gpt-4o")
        return time.perf_counter() - start

    assert min(seconds(80_000) for _ in range(3)) < 6 * max(min(seconds(20_000) for _ in range(3)), 0.001)
