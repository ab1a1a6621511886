"""How a request gets through Django under ASGI.

Django's own handler changes between the event loop and a thread at each middleware, twenty times per request, and gives
each request a new thread with a new database connection. All of that took longer than the pages themselves. Here a page
runs in one piece, from its first middleware to its last, in a thread of a small pool whose connections are kept.

So a view never waits for anything but the database: what waits for a model endpoint answers with a stream, which the
event loop reads (``chat.views.streams``, ``adminchat.connections.views.probes``).
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.signals import request_started
from django.db import close_old_connections, reset_queries
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from servestatic.middleware import ServeStaticMiddleware

from adminchat import health
from adminchat.lib.database import kept_connections

PAGE_THREADS = 4  # more would only take the interpreter from each other, and from the event loop
TOO_LARGE = "adminchat.too_large"  # a key of the scope

_pages = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="page")
_checks = ThreadPoolExecutor(1, thread_name_prefix="readyz")

# They would do in yet another thread what the pool's threads do for themselves.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)


class PageHandler(ASGIHandler):
    """Static files are served by the event loop, everything else by the pool. Streams are read by the event loop.

    Health checks come before all of that: they don't wait for pages, and whoever asks by an address instead of a name
    gets an answer too (OPS-10).
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)
        self._answer_static = ServeStaticMiddleware(self._answer_page)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request. A web socket is refused, since there are none here; raises ValueError for other types."""
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            raise ValueError("only HTTP is served")
        await self.handle(scope, _bounded(scope, receive), send)

    def create_request(
        self, scope: Mapping[str, Any], body_file: IO[bytes]
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        """The request, or the answer where its body was too large (SEC-7)."""
        made = super().create_request(scope, body_file)
        if TOO_LARGE in scope and made[0]:
            return None, _too_large(made[0])
        return made

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == "/healthz":
            return health.healthz(request)
        if request.path_info == "/readyz":
            return await _in_thread(_checks, health.readyz, request)
        response: HttpResponseBase = await self._answer_static(request)
        return response

    async def _answer_page(self, request: HttpRequest) -> HttpResponseBase:
        return await _in_thread(_pages, self.get_response, request)


async def _in_thread(
    pool: ThreadPoolExecutor, answer: Callable[[HttpRequest], HttpResponseBase], request: HttpRequest
) -> HttpResponseBase:
    def work() -> HttpResponseBase:
        with kept_connections():
            return answer(request)

    return await sync_to_async(work, thread_sensitive=False, executor=pool)()


def _bounded(scope: dict[str, Any], receive: Any) -> Any:
    """``receive`` that ends a body over the limit, and marks the scope; one announced as such is not read at all."""
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert limit is not None
    announced = dict(scope["headers"]).get(b"content-length", b"")
    received = int(announced) if announced.isdigit() and int(announced) > limit else 0

    async def bounded() -> Any:
        nonlocal received
        if received <= limit:
            message = await receive()
            received += len(message.get("body", b""))
            if received <= limit:
                return message
        scope[TOO_LARGE] = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return bounded


def _too_large(request: HttpRequest) -> HttpResponse:
    with translation.override(translation.get_language_from_request(request)):
        return HttpResponse(
            _("This is too much at once. Go back, and send less or in parts."),
            status=413,
            content_type="text/plain; charset=utf-8",
            headers={"Connection": "close", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"},
        )
