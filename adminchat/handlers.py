"""How a request gets through Django under ASGI.

Django's own handler changes between the event loop and a thread at each middleware, twenty times per request, and gives
each request a new thread with a new database connection. All of that took longer than the pages themselves. Here a page
runs in one piece, from its first middleware to its last, in a thread of a small pool whose connections are kept.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

PAGE_THREADS = 4  # more would only take the interpreter from each other, and from the event loop

_pages = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="page")


class PageHandler(ASGIHandler):
    """Static files are served by the event loop, everything else by the pool. Streams are read by the event loop."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)
        self._answer_static = ServeStaticMiddleware(self._answer_page)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = await self._answer_static(request)
        return response

    async def _answer_page(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self._answer, thread_sensitive=False, executor=_pages)(request)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        close_old_connections()
        try:
            return self.get_response(request)
        finally:
            close_old_connections()
