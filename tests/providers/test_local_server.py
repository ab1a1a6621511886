"""The built-in model, for real (CHAT-18, OPS-2, OPS-4)."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from adminchat.providers import local_server
from adminchat.providers.base import ChatMessage, ChatRequest, Endpoint, Usage
from adminchat.providers.built_in import MODEL_NAME
from adminchat.providers.errors import ErrorCode, ProviderError
from adminchat.providers.local_server import WeightsError, find_weights, verify_weights
from adminchat.providers.registry import close_all, provider_for
from tests.providers.conftest import text_of

COMMAND = [sys.executable, "-m", "adminchat.providers.local_server", "--threads", "1", "--context", "2048", "--port"]
Start = Callable[[], tuple[subprocess.Popen[str], Endpoint]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest_asyncio.fixture
async def start() -> AsyncIterator[Start]:
    running: list[subprocess.Popen[str]] = []

    def run() -> tuple[subprocess.Popen[str], Endpoint]:
        port = free_port()
        process = subprocess.Popen([*COMMAND, str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        running.append(process)
        assert process.stdout is not None
        assert MODEL_NAME in process.stdout.readline()
        return process, Endpoint("local", f"http://127.0.0.1:{port}/v1", "", trusted=True)

    yield run
    await close_all()
    for process in running:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.needs("weights")
async def test_chat_with_the_built_in_model(start: Start) -> None:  # CHAT-18, OPS-2
    process, endpoint = start()
    provider = provider_for(endpoint)
    [model] = await provider.list_models()
    assert (model.name, model.context_tokens) == (MODEL_NAME, 2048)
    helpful = ChatMessage("system", "You are a helpful assistant.")
    question = (helpful, ChatMessage("user", "What is the capital of France?"))
    events = [event async for event in provider.stream(ChatRequest(MODEL_NAME, question, 0.0, 24))]
    assert "Paris" in text_of(events)
    assert any(isinstance(event, Usage) and event.output_tokens > 0 for event in events)
    with pytest.raises(ProviderError) as caught:
        await provider.complete(ChatRequest(MODEL_NAME, (ChatMessage("user", "zanzibarquest " * 2000),)))
    assert caught.value.code is ErrorCode.CONTEXT_OVERFLOW
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=10)
    assert process.returncode == 0
    assert "zanzibar" not in output  # SEC-2


@pytest.mark.needs("weights")
async def test_stopping_a_reply_frees_the_slot(start: Start) -> None:  # CHAT-7
    _, endpoint = start()
    provider = provider_for(endpoint)
    story = ChatRequest(MODEL_NAME, (ChatMessage("user", "Tell me a very long story."),), 1.0, 1500)
    stream = provider.stream(story)
    await anext(stream)
    begun = time.monotonic()
    for _ in range(20):
        await anext(stream)
    whole_story = (time.monotonic() - begun) / 20 * 1500
    await stream.aclose()
    begun = time.monotonic()
    await provider.complete(ChatRequest(MODEL_NAME, (ChatMessage("user", "Hi"),), 0.0, 2))
    assert time.monotonic() - begun < whole_story / 2


@pytest.mark.needs("weights")
def test_it_ends_with_the_process_that_started_it() -> None:  # OPS-2
    script = (
        "import os, subprocess, sys\n"
        f"child = subprocess.Popen({[*COMMAND, str(free_port())]!r}, stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    parent = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    child = int(parent.stdout)
    end = time.monotonic() + 15
    while _is_running(child) and time.monotonic() < end:
        threading.Event().wait(0.05)
    assert not _is_running(child)


@pytest.mark.needs("weights")
def test_installed_weights_are_the_known_ones() -> None:  # SEC-8
    verify_weights(find_weights())


def test_other_weights_are_refused(  # SEC-8, REL-7
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = tmp_path / "weights.gguf"
    fake.write_bytes(b"GGUF")
    with pytest.raises(WeightsError):
        verify_weights(fake)
    monkeypatch.setattr(local_server, "find_weights", lambda: fake)
    assert local_server.main(["--port", "1"]) == 1
    assert "checksum" in capsys.readouterr().err


def test_missing_weights_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:  # REL-7
    monkeypatch.setattr(local_server, "_PACKAGE", "no_such_package")
    with pytest.raises(WeightsError, match="not installed"):
        find_weights()


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
