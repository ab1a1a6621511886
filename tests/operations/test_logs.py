"""What a line of the log says, and what it never says (OPS-10, SEC-2)."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest

from adminchat.logs import configuration


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What is written to standard output from now on."""
    written = StringIO()
    logger = logging.getLogger("chat.example")
    settings = configuration("INFO", "json")
    (formatter,) = settings["formatters"].values()
    make = formatter.pop("()")
    handler = logging.StreamHandler(written)
    handler.setFormatter(make(**formatter))
    logger.addHandler(handler)
    yield written
    logger.removeHandler(handler)


def line(log: StringIO) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(log.getvalue())
    return found


def test_line_says_which_turn_and_what_kind_of_error(log: StringIO) -> None:  # OPS-10
    extra = {"turn": "T", "session": "S", "task": "K", "error_type": "ProviderError"}
    logging.getLogger("chat.example").error("A turn failed", extra=extra)
    assert line(log).items() >= {"event": "A turn failed", "level": "error", **extra}.items()


def test_line_leaves_out_other_extras_and_the_words_of_exceptions(log: StringIO) -> None:  # SEC-2
    try:
        raise ValueError("what Alice wrote")
    except ValueError as error:
        logging.getLogger("chat.example").exception(
            "It failed", extra={"text": "what Alice wrote", "error": str(error)}
        )
    assert line(log)["exception"] == "ValueError"
    assert "Alice" not in log.getvalue()
