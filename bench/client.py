"""A browser reduced to what a measurement needs: one person's requests, and a turn's stream with the times in it."""

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import aiohttp

from bench.installation import Installation

TOKEN = re.compile(rb"tok(\d+)")
TURN = re.compile(r'id="turn-([0-9a-f-]{36})"')
CSRF = "b" * 32


@dataclass
class Watched:
    """What came through one stream. ``tokens`` has (number of the newest token, monotonic seconds) of each delta."""

    tokens: list[tuple[int, float]] = field(default_factory=list)
    end: str = ""


class Person:
    """One signed-in user."""

    def __init__(self, http: aiohttp.ClientSession, installation: Installation, number: int) -> None:
        self._http = http
        self._url = installation.url
        cookie = installation.cookies[number % len(installation.cookies)]
        self._headers = {"Cookie": f"sessionid={cookie}; csrftoken={CSRF}", "X-CSRFToken": CSRF}

    async def get(self, path: str) -> str:
        async with self._http.get(self._url + path, headers=self._headers) as answer:
            answer.raise_for_status()
            return await answer.text()

    async def start_session(self, message: str, **choices: str) -> str:
        """Start a session; return its path."""
        data = {"message": message, "request_id": str(uuid4()), **choices}
        async with self._http.post(
            f"{self._url}/sessions/", data=data, headers=self._headers, allow_redirects=False
        ) as answer:
            await answer.read()
            if answer.status != 303:
                raise RuntimeError(f"POST /sessions/ answered {answer.status}")
            return str(answer.headers["Location"])

    async def first_turn(self, session: str) -> str:
        """Open the page of a session and return the turn on it."""
        return str(TURN.findall(await self.get(session))[-1])

    async def ask(self, session: str, message: str) -> str:
        """Send a message within a session; return the turn."""
        data = {"message": message, "request_id": str(uuid4())}
        headers = {**self._headers, "HX-Request": "true"}
        async with self._http.post(f"{self._url}{session}turns/", data=data, headers=headers) as answer:
            html = await answer.text()
            if answer.status != 200:
                raise RuntimeError(f"POST turns/ answered {answer.status}")
            return str(TURN.findall(html)[-1])

    async def watch(self, turn: str) -> Watched:
        """Read a turn's stream to its end."""
        watched, rest = Watched(), b""
        async with self._http.get(f"{self._url}/turns/{turn}/stream/", headers=self._headers) as answer:
            answer.raise_for_status()
            async for chunk in answer.content.iter_any():
                now = time.monotonic()
                *events, rest = (rest + chunk).split(b"\n\n")
                for event in events:
                    if event.startswith(b"event: delta"):
                        at = event.rfind(b"tok")
                        if at >= 0 and (found := TOKEN.match(event, at)):
                            watched.tokens.append((int(found[1]), now))
                    elif event.startswith((b"event: done", b"event: failed")):
                        watched.end = event.split(b"\n", 1)[0].removeprefix(b"event: ").decode()
        return watched


class FakeRecords:
    """What the fake endpoint got."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http, self._url = http, url

    async def clear(self) -> None:
        async with self._http.delete(f"{self._url}/_requests") as answer:
            await answer.read()

    async def enqueue(self, **reply: Any) -> None:
        async with self._http.post(f"{self._url}/_script", json={"replies": [reply]}) as answer:
            await answer.read()

    async def turns(self) -> dict[str, dict[str, Any]]:
        """The requests for replies, not for titles, by the user's last words."""
        async with self._http.get(f"{self._url}/_requests") as answer:
            records = await answer.json()
        return {record["body"]["messages"][-1]["content"]: record for record in records if record["body"]["stream"]}


@asynccontextmanager
async def http_session() -> AsyncIterator[aiohttp.ClientSession]:
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=4)
    timeout = aiohttp.ClientTimeout(total=120)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as http:
        yield http
