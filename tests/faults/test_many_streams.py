"""Pages that vanish, read slowly, or are many (REL-8)."""

import asyncio
import socket
from contextlib import ExitStack
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import psycopg
import pytest

from adminchat.handlers import PAGE_THREADS
from adminchat.lib.database import POOL_THREADS
from tests import needs
from tests.browsers import Browser, Watching
from tests.scenes import Scene
from tests.servers import Site, eventually

LIMIT = 50  # streams per user and web process, as shipped
KEPT_CONNECTIONS = PAGE_THREADS + POOL_THREADS


def _open(browser: Browser, path: str, running: ExitStack) -> int:
    answer = running.enter_context(browser.http.stream("GET", path))
    return answer.status_code


def test_streams_of_one_user_are_limited_and_freed_again(scene: Scene) -> None:  # REL-8
    turn = scene.browser(0).ask(scene.session("slow-20x400"), "Go")
    browser = scene.browser(1)
    with ExitStack() as running:
        paths = ["/events/", f"/turns/{turn}/stream/"] * (LIMIT // 2)
        assert {_open(browser, path, running) for path in paths} == {200}
        refused = browser.get("/events/")
        assert refused.status_code == 429
        assert "pages open at once" in refused.text
        assert int(refused.headers["Retry-After"]) > 0
        assert browser.get("/").status_code == 200, "pages still open"
    eventually(lambda: _status(browser, "/events/") == 200)
    scene.browser(0).post(f"/turns/{turn}/stop/")


def test_streams_opened_at_once_keep_to_the_limit(scene: Scene) -> None:  # REL-8
    assert asyncio.run(_that_stay_open(scene.browser(1), LIMIT + 30)) <= LIMIT


async def _that_stay_open(browser: Browser, count: int) -> int:
    """Open so many event streams at the same moment; return how many of them were not ended by the server."""
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=browser.http.base_url, cookies=browser.http.cookies, limits=limits) as client:
        answered = asyncio.Barrier(count)

        async def stays_open() -> bool:
            async with client.stream("GET", "/events/", timeout=20) as answer:
                await answered.wait()
                try:
                    async with asyncio.timeout(1):
                        await answer.aread()
                except TimeoutError:
                    return True
                return False

        return sum(await asyncio.gather(*(stays_open() for _ in range(count))))


def _status(browser: Browser, path: str) -> int:
    with browser.http.stream("GET", path) as answer:
        return answer.status_code


def _database_connections(site: Site) -> int:
    """What the site's web processes have open, this test's own connection aside."""
    server = needs.postgresql()
    assert server
    name = urlsplit(site.database_url).path.removeprefix("/")
    with psycopg.connect(server) as connection:
        row = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [name]).fetchone()
    assert row
    return int(row[0]) - 1


def test_waiting_streams_hold_no_database_connection(any_scene: Scene) -> None:  # REL-8
    site = any_scene.site
    turn = any_scene.browser(0).ask(any_scene.session("slow-20x400"), "Go")
    any_scene.running(turn)
    with ExitStack() as running:
        for web in site.processes:
            browser = any_scene.browser(web)
            for _ in range(20):
                assert _open(browser, "/events/", running) == 200
                assert _open(browser, f"/turns/{turn}/stream/", running) == 200
        if site.on_postgresql:
            assert _database_connections(site) <= KEPT_CONNECTIONS * len(site.processes)
        else:
            path = site.directory / "site.sqlite3"
            assert all(web.open_files(path) <= KEPT_CONNECTIONS for web in site.processes)
    any_scene.browser(0).post(f"/turns/{turn}/stop/")


def test_page_that_vanishes_disturbs_nobody(scene: Scene) -> None:  # REL-8
    session = scene.session()
    sent = scene.script(session, [f"word{number} " for number in range(60)], hold_at=30)
    turn = scene.browser(0).ask(session, "Go")
    staying = Watching(scene.browser(1), turn).attached()
    for process in (0, 1, 0, 1):
        scene.browser(process).glance(turn)
    scene.release(session)
    assert staying.result().has_shown(sent)
    assert scene.ended(turn).reply.text == sent


@pytest.mark.parametrize("process", [0, 1], ids=["own process", "other process"])
def test_pages_that_do_not_read_cost_no_memory_and_delay_nobody(scene: Scene, process: int) -> None:  # REL-8
    session = scene.session()
    paragraph = "Lorem ipsum dolor sit amet, consetetur sadipscing elitr. " * 20
    sent = scene.script(session, [f"{number} {paragraph}\n\n" for number in range(400)], interval=0.005, hold_at=3)
    web, browser = scene.site.processes[process], scene.browser(process)
    first = scene.browser(process)
    first.watch(first.ask(scene.session(), "Hello"))  # what a process loads at its first turn isn't meant here
    turn = scene.browser(0).ask(session, "Go")
    before = web.memory
    with ExitStack() as running:
        for _ in range(20):
            running.enter_context(_page_that_does_not_read(browser, turn))
        watching = Watching(browser, turn).attached()
        scene.release(session)
        page = watching.result()
        assert page.state == "done"
        assert page.has_shown(sent)
        assert web.memory - before < 100_000_000
    assert scene.ended(turn).reply.text == sent


def _page_that_does_not_read(browser: Browser, turn: UUID) -> socket.socket:
    url = urlsplit(str(browser.http.base_url))
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((url.hostname, url.port))
    cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    head = f"GET /turns/{turn}/stream/ HTTP/1.1\r\nHost: {url.netloc}\r\nCookie: {cookies}\r\n\r\n"
    connection.sendall(head.encode())
    return connection
