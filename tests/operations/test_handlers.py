"""How requests reach Django: what is answered before it, and what never takes a page thread from others."""

import asyncio
import threading
from typing import Any

import httpx
import pytest
from django.db import connections
from django.http import HttpRequest, HttpResponse
from pytest_django import Settings

from adminchat import handlers
from adminchat.handlers import PAGE_THREADS, PageHandler

Messages = list[dict[str, Any]]


def scope_of(path: str, method: str = "GET", **headers: str) -> dict[str, Any]:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }


async def exchange(scope: dict[str, Any], *incoming: dict[str, Any]) -> tuple[Messages, Messages]:
    """Send ``incoming`` to the application; return what it answered and what it left unread."""
    answered: Messages = []
    waiting = list(incoming)

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        answered.append(message)

    await PageHandler()(scope, receive, send)
    return answered, waiting


def body(size: int, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": b"x" * size, "more_body": more}


async def test_body_announced_as_too_large_is_not_read(settings: Settings) -> None:  # SEC-7
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    scope = scope_of("/accounts/login/", "POST", host="localhost", content_length="1001", accept_language="en")
    answered, unread = await exchange(scope, body(1001))
    assert answered[0]["status"] == 413
    assert b"send less" in answered[1]["body"]
    assert unread


async def test_body_that_turns_out_too_large_is_not_read_further(settings: Settings) -> None:  # SEC-7
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    scope = scope_of("/accounts/login/", "POST", host="localhost")
    answered, unread = await exchange(scope, body(600, more=True), body(600, more=True), body(600))
    assert answered[0]["status"] == 413
    assert len(unread) == 1


@pytest.mark.parametrize("announced", ["1000", "many"])
@pytest.mark.django_db(transaction=True)
async def test_body_within_the_limit_is_served(settings: Settings, announced: str) -> None:  # SEC-7
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    scope = scope_of("/healthz", "POST", host="localhost", content_length=announced)
    answered, _unread = await exchange(scope, body(1000))
    assert answered[0]["status"] == 405


async def test_web_socket_is_refused() -> None:
    scope = scope_of("/", host="localhost") | {"type": "websocket"}
    answered, _unread = await exchange(scope, {"type": "websocket.connect"})
    assert answered == [{"type": "websocket.close"}]


async def test_static_file_is_taken_for_what_it_says_it_is() -> None:  # SEC-4
    transport = httpx.ASGITransport(PageHandler())
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/static/css/tokens.css")
    assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (200, "nosniff")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.django_db(transaction=True)
async def test_health_checks_do_not_wait_for_pages(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:  # OPS-10
    release, started = threading.Event(), threading.Semaphore(0)

    def stuck(handler: PageHandler, request: HttpRequest) -> HttpResponse:
        started.release()
        release.wait(30)
        return HttpResponse()

    monkeypatch.setattr(PageHandler, "get_response", stuck)
    transport = httpx.ASGITransport(PageHandler())
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        pages = [asyncio.create_task(client.get("/")) for _ in range(2 * PAGE_THREADS)]
        try:
            for _ in range(PAGE_THREADS):
                await asyncio.to_thread(started.acquire, timeout=10)
            answer = await asyncio.wait_for(client.get(path), 10)
            assert answer.status_code == 200
        finally:
            release.set()
            await asyncio.gather(*pages)
            await asyncio.to_thread(handlers._checks.submit(connections.close_all).result)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.django_db(transaction=True)
async def test_health_checks_answer_to_an_address(path: str, settings: Settings) -> None:  # OPS-10
    settings.ALLOWED_HOSTS = ["chat.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    transport = httpx.ASGITransport(PageHandler())
    async with httpx.AsyncClient(transport=transport, base_url="http://10.1.2.3:8000") as client:
        assert (await client.get(path)).status_code == 200
        assert (await client.get("/accounts/login/")).status_code == 400
    await asyncio.to_thread(handlers._checks.submit(connections.close_all).result)
