"""What a person's browser does, over HTTP: forms, event streams, and a reply that grows on the page."""

import html
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import httpx

from adminchat.accounts.models import User
from adminchat.lib.markdown import localised, render
from chat.models import Session
from tests.servers import CSRF, Web, eventually, login_session

HTMX = {"HX-Request": "true"}
SECONDS = 20.0


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    name: str
    data: str


def events_of(lines: Iterator[str]) -> Iterator[Event]:
    """Split a stream as a browser does; comments and ``retry`` give nothing."""
    name, data = "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield Event(name, "\n".join(data))
            name, data = "message", []
        elif line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))


def lines_of(parts: Iterator[bytes], seconds: float = 3 * SECONDS) -> Iterator[str]:
    """Lines of a stream; it may use CR, LF or CRLF, and nothing else ends a line. Raises AssertionError after a while."""
    rest, deadline = b"", time.monotonic() + seconds
    for part in parts:
        assert time.monotonic() < deadline, f"the stream did not end within {seconds} s"
        *lines, rest = re.split(rb"\r\n|\n|\r", rest + part)
        yield from (line.decode() for line in lines)


def shown(markup: str) -> str:
    """The text that a person sees of ``markup``, white space aside."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())


@dataclass
class ReplyPage:
    """One reply on a page, as htmx would keep it up to date from the events of its stream."""

    turn: UUID
    frozen: str = ""
    tail: str = ""
    outcome: str = ""
    name: str = ""
    events: list[Event] = field(default_factory=list)

    def take(self, event: Event) -> None:
        self.events.append(event)
        if event.name == "delta":
            frozen, _, tail = event.data.partition(f'<div id="tail-{self.turn}" hx-swap-oob="innerHTML">')
            self.tail = tail.removesuffix("</div>")
            if frozen:
                opening, how, blocks = frozen.partition(">")
                blocks = blocks.removesuffix("</div>")
                assert f'id="frozen-{self.turn}"' in opening
                self.frozen = blocks if 'hx-swap-oob="innerHTML"' in opening + how else self.frozen + blocks
        elif event.name in ("done", "failed"):
            self.outcome, self.name = event.data, event.name

    @property
    def text(self) -> str:
        """What the page showed before the finished reply replaced it."""
        return shown(self.frozen + self.tail)

    @property
    def state(self) -> str:
        found = re.search(r'data-state="(\w+)"', self.outcome)
        return found[1] if found else ""

    def has_shown(self, text: str) -> bool:
        """Whether the growing reply ended as exactly ``text``, nothing lost or doubled."""
        return self.text == shown(localised(render(text)))


_opened: list["Browser"] = []


def close_all() -> None:
    """Close every browser; what they leave open would be a warning in whichever test comes next."""
    while _opened:
        _opened.pop().http.close()


class Browser:
    """A person's browser at one web process, open to the end of the test."""

    def __init__(self, web: Web, user: User) -> None:
        cookies = {"sessionid": login_session(user), "csrftoken": CSRF}
        self.http = httpx.Client(base_url=web.url, cookies=cookies, headers={"X-CSRFToken": CSRF}, timeout=SECONDS)
        _opened.append(self)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def post(self, path: str, data: dict[str, Any] | None = None, **options: Any) -> httpx.Response:
        """Send a form as htmx does."""
        options.setdefault("headers", HTMX)
        return self.http.post(path, data=data or {}, **options)

    def ask(self, session: Session, text: str, request_id: UUID | None = None) -> UUID:
        """Send a message and return its turn."""
        answer = self.send(session, text, request_id)
        assert answer.status_code == 200, answer.text
        return turn_of(answer)

    def send(self, session: Session, text: str, request_id: UUID | None = None) -> httpx.Response:
        return self.post(f"/sessions/{session.pk}/turns/", {"message": text, "request_id": request_id or uuid4()})

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[Event]]:
        with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200, answer.status_code
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield events_of(lines_of(answer.iter_raw()))

    def watch(self, turn: UUID, page: ReplyPage | None = None) -> ReplyPage:
        """Follow a reply to its end on a page, a new one or one that had a part of it already."""
        page = page or ReplyPage(turn)
        with self.stream(f"/turns/{turn}/stream/") as events:
            for event in events:
                page.take(event)
        assert page.events[-1].name == "end", "the stream broke off"
        return page

    def glance(self, turn: UUID, page: ReplyPage | None = None, until: str = "") -> ReplyPage:
        """Follow a reply until the first of its text has come, or ``until``, then break the connection."""
        page = page or ReplyPage(turn)
        with self.stream(f"/turns/{turn}/stream/") as events:
            for event in events:
                page.take(event)
                if event.name == "delta" and until in page.text:
                    return page
        return page


class Watching(threading.Thread):
    """A page that watches in the background."""

    def __init__(self, browser: Browser, turn: UUID, page: ReplyPage | None = None) -> None:
        super().__init__(daemon=True)
        self.browser, self.page = browser, page or ReplyPage(turn)
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self.browser.watch(self.page.turn, self.page)
        except BaseException as error:  # kept for the thread that asks
            self.error = error

    def attached(self) -> "Watching":
        """The same once the page shows a part of the reply."""
        eventually(lambda: self.page.text or self.error)
        return self

    def result(self, seconds: float = SECONDS) -> ReplyPage:
        """The page after the end of the reply."""
        self.join(seconds)
        assert not self.is_alive(), f"still watching after {seconds} s"
        if self.error:
            raise self.error
        return self.page


def turn_of(answer: httpx.Response) -> UUID:
    """The turn whose fragment a page was given."""
    found = re.search(r'id="turn-([0-9a-f-]{36})"', answer.text)
    assert found, answer.text
    return UUID(found[1])
