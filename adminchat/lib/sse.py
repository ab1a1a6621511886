"""Splitting a byte stream into server-sent events, as the HTML standard frames them.

https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6; only the `data` field is kept, since
both model protocols repeat the event's name inside their JSON.
"""

import re

_LINE_BREAK = re.compile("\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"


class EventTooLargeError(Exception):
    """One event is longer than the splitter's bound."""


class EventSplitter:
    """Turn chunks cut anywhere (inside a line end or a UTF-8 character too) into the data of whole events.

    `max_event` bounds one event in bytes. The work is linear in the number of bytes fed.
    """

    def __init__(self, max_event: int = 1_000_000) -> None:
        self._max_event = max_event
        self._buffer = bytearray()
        self._after_cr = False
        self._at_start = True

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the data of the events that this chunk completes, in order; comments give nothing.

        Raises EventTooLargeError.
        """
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk[0] == 0x0A:
                chunk = chunk[1:]
        if b"\r" in chunk:
            self._after_cr = chunk[-1] == 0x0D
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        buffer = self._buffer
        seen = len(buffer)
        buffer += chunk
        end = buffer.rfind(b"\n\n", max(seen - 1, 0))
        if end < 0:
            if len(buffer) > self._max_event:
                raise EventTooLargeError
            return []
        blocks = bytes(buffer[:end]).split(b"\n\n")
        del buffer[: end + 2]
        return [data for block in blocks if (data := self._data(block)) is not None]

    def flush(self) -> list[bytes]:
        """Return the event that the end of the stream cut short, as far as it came; some servers omit the last
        blank line. Raises EventTooLargeError."""
        block = bytes(self._buffer)
        self._buffer.clear()
        data = self._data(block)
        return [] if data is None else [data]

    def _data(self, block: bytes) -> bytes | None:
        if len(block) > self._max_event:
            raise EventTooLargeError
        if self._at_start:
            self._at_start = False
            block = block.removeprefix(_BOM)
        if block.startswith(b"data: ") and b"\n" not in block:
            return block[6:]
        lines = []
        for line in block.split(b"\n"):
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif line == b"data":
                lines.append(b"")
        return b"\n".join(lines) if lines else None


def encode(event: str, data: str, *, id: str = "") -> str:  # noqa: A002 (the field's name)
    """One event of a stream that we send. Any line break in ``data``, a bare carriage return too, arrives as a line feed.

    With an ``id`` a browser that reconnects says that this was the last one it got.
    """
    lines = "".join(f"data: {line}\n" for line in _LINE_BREAK.split(data))
    named = f"id: {id}\n" if id else ""
    return f"{named}event: {event}\n{lines}\n"
