"""PERF-9 and PERF-10: what pages weigh, and what growth costs."""

import gzip
import re
import time
from collections.abc import Callable
from pathlib import PurePosixPath
from urllib.parse import urljoin, urlsplit

import aiohttp
import brotli

from bench.client import Person
from bench.installation import Installation
from bench.report import Row, median, percentile, shares, spread

REPEATS = 30
EXPANDERS: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
# What a browser loads for a page: of its own elements, of style sheets, of modules; favicon and sprites too.
REFERENCES = (
    re.compile(r'<(?:link|script|img|use)\b[^>]*?\b(?:href|src)="([^"#]+)'),
    re.compile(r'url\(["\']?([^"\')]+)'),
    re.compile(r'^(?:import\s*|(?:import|export)\b[^"\n]*\bfrom\s*)"([^"\n]+)"', re.MULTILINE),
)


async def first_load(installation: Installation) -> list[Row]:
    """PERF-9: the bytes of the launcher and all that it refers to, as a browser gets them."""
    async with aiohttp.ClientSession(auto_decompress=False) as http:
        sizes = await _sizes(http, installation)
    total = sum(sizes.values()) / 1000
    scripts = sum(size for path, size in sizes.items() if PurePosixPath(path).suffix == ".js") / 1000
    return [
        Row("PERF-9", f"first load, {len(sizes)} files", f"{total:.1f} KB compressed", "≤ 120 KB", total <= 120),
        Row("PERF-9", "of it JavaScript", f"{scripts:.1f} KB compressed", "≤ 40 KB", scripts <= 40),
    ]


async def _sizes(http: aiohttp.ClientSession, installation: Installation) -> dict[str, int]:
    sizes: dict[str, int] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in sizes:
            continue
        size, text, kind = await _fetch(http, installation, path)
        sizes[path] = size
        if "html" in kind or "css" in kind or "javascript" in kind:
            pattern = REFERENCES[0] if "html" in kind else REFERENCES[1] if "css" in kind else REFERENCES[2]
            for found in pattern.findall(text):
                target = urlsplit(urljoin(f"{installation.url}{path}", found))
                if target.path.startswith("/static/"):
                    waiting.append(target.path)
    return sizes


async def _fetch(http: aiohttp.ClientSession, installation: Installation, path: str) -> tuple[int, str, str]:
    """Bytes of the body on the wire, its text and its kind."""
    headers = {"Cookie": f"sessionid={installation.cookies[0]}", "Accept-Encoding": "br, gzip"}
    async with http.get(installation.url + path, headers=headers) as answer:
        answer.raise_for_status()
        body = await answer.read()
        expand = EXPANDERS[answer.headers.get("Content-Encoding", "")]
        return len(body), expand(body).decode(), answer.headers.get("Content-Type", "")


async def growth(http: aiohttp.ClientSession, installation: Installation) -> list[Row]:
    """PERF-9's page of a hundred messages, and PERF-10: the same pages with little and with very much in them."""
    hundred = installation.prepare("conversation", "user1", "50")["session"]
    short = installation.prepare("conversation", "user1", "20")["session"]
    long = installation.prepare("conversation", "user2", "2500")["session"]
    installation.prepare("sessions", "user2", "10000")
    little, much = Person(http, installation, 1), Person(http, installation, 2)
    counts_before = installation.prepare("queries", installation.cookies[1], "/", "/sessions/", f"/sessions/{short}/")
    counts_after = installation.prepare("queries", installation.cookies[2], "/", "/sessions/", f"/sessions/{long}/")
    few, many = list(counts_before.values()), list(counts_after.values())
    names = ("launcher", "list", "session")
    figure = ", ".join(f"{name} {a} / {b}" for name, a, b in zip(names, few, many, strict=True))
    with shares(web=installation.web.pid) as used:
        page = await _times(little, f"/sessions/{hundred}/")
    own = 1000 * used.used["web"] / REPEATS
    rows = [
        Row(
            "PERF-9",
            "page with 100 messages",
            f"{spread(page)}; {own:.0f} ms of the server's time",
            "≤ 100 ms",
            median(page) <= 100,
        ),
        Row("PERF-10", "queries with little / very much", figure, "the same", few == many),
    ]
    for what, path in (
        ("launcher with 10,000 sessions", "/"),
        ("list of 10,000 sessions", "/sessions/"),
        ("search in 10,000 sessions", "/sessions/?q=Session+77"),
        ("page of a session of 5,000 messages", f"/sessions/{long}/"),
    ):
        took = await _times(much, path)
        rows.append(Row("PERF-10", what, spread(took), "usable", percentile(took, 0.95) <= 1000))
    return rows


async def _times(person: Person, path: str) -> list[float]:
    """How long a page takes, in milliseconds, one after the other."""
    await person.get(path)
    took = []
    for _ in range(REPEATS):
        began = time.monotonic()
        await person.get(path)
        took.append((time.monotonic() - began) * 1000)
    return took
