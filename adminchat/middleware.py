"""Response headers of every page, and compression that leaves event streams alone."""

from collections.abc import Awaitable, Callable
from typing import cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.decorators import sync_and_async_middleware

UNUSED_FEATURES = (
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
)
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES)

GetResponse = Callable[[HttpRequest], HttpResponseBase]
AsyncGetResponse = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
    response.headers.setdefault("Cache-Control", "private, no-store")
    return response


@sync_and_async_middleware
def page_headers(get_response: GetResponse | AsyncGetResponse) -> GetResponse | AsyncGetResponse:
    """Refuse browser features that nothing here uses; keep shared caches away from people's pages (SEC-4)."""
    if iscoroutinefunction(get_response):
        answer_async = cast(AsyncGetResponse, get_response)

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            return _with_headers(await answer_async(request))

        return async_middleware

    answer = cast(GetResponse, get_response)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(answer(request))

    return middleware


class PageGZipMiddleware(GZipMiddleware):
    """Compresses pages; a compressed event stream would wait for its compressor."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.headers.get("Content-Type", "").startswith("text/event-stream"):
            return response
        return super().process_response(request, response)
