"""Structured logs: request and task ids, and what happened; never what was said (OPS-10, SEC-2)."""

import logging
import sys
import traceback
from pathlib import Path
from typing import Any

import structlog
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django_structlog.middlewares import RequestMiddleware
from structlog.types import EventDict, Processor, WrappedLogger


class RequestLogMiddleware(RequestMiddleware):
    """Gives each request an id and logs its end by the name of its view: addresses may carry words of a search."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        if request.resolver_match is None:
            try:
                request.resolver_match = resolve(request.path_info)
            except Resolver404:
                return f"{request.method} (no such page)"
        return f"{request.method} {request.resolver_match.view_name}"


def without_content(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and places in the code; its text may quote what somebody wrote."""
    error = _exception(event.pop("exc_info", None))
    if error is not None:
        event["exception"] = type(error).__qualname__
        frames = traceback.extract_tb(error.__traceback__)
        event["at"] = [f"{frame.name}:{frame.lineno}" for frame in frames[-8:]]
    for key in ("error", "exception_text", "result", "user_agent", "stack_info"):
        event.pop(key, None)
    return event


def first_line(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Keep the first line of a library's message; what follows are representations of objects."""
    event["event"] = str(event.get("event", "")).partition("\n")[0]
    return event


def _exception(given: Any) -> BaseException | None:
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        error: BaseException | None = given[1]
        return error
    return sys.exc_info()[1] if given else None


# What our own lines may say beside their message, with ``extra``: ids and names of types, never texts.
EXTRAS = ("turn", "session", "task", "error_type", "user", "version")

SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    without_content,
]

structlog.configure(
    processors=[structlog.stdlib.filter_by_level, *SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)


def configuration(level: str, form: str, *, errors_to_stderr: bool = False) -> dict[str, Any]:
    """Return Django's LOGGING: one line per event on standard output; of a command, whose output is its result, on
    standard error.

    ``form`` is ``json`` or ``text``. With ``errors_to_stderr`` errors are written to standard error as well.
    """
    stream = "stderr" if Path(sys.argv[0]).name == "manage.py" else "stdout"
    renderer: Processor = (
        structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    handlers: dict[str, Any] = {
        stream: {"class": "logging.StreamHandler", "stream": f"ext://sys.{stream}", "formatter": "line"}
    }
    if errors_to_stderr and stream == "stdout":
        handlers["stderr"] = {"class": "logging.StreamHandler", "level": logging.ERROR, "formatter": "line"}
    through: dict[str, Any] = {"handlers": [], "propagate": True, "level": level}
    silent = {"handlers": [], "propagate": False, "level": logging.CRITICAL}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
                "foreign_pre_chain": [structlog.stdlib.ExtraAdder(allow=EXTRAS), *SHARED, first_line],
            }
        },
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "uvicorn": through,
            "uvicorn.error": through,
            "django": through,
            # These print addresses and the texts of exceptions; the middleware and the task receivers report the same.
            "uvicorn.access": silent,
            "django.request": silent,
            "django.server": silent,
            "celery.app.trace": silent,
            # Clients of model servers print addresses at INFO.
            **{name: {**through, "level": "WARNING"} for name in ("httpx", "httpx2", "openai", "anthropic", "asyncio")},
        },
    }
