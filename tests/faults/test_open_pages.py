"""Pages hear of what is done at another web process, with a broker and without one (REL-3, REL-6)."""

import threading
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

import httpx
import pytest

from chat.models import Turn
from tests.browsers import HTMX, Browser
from tests.scenes import Scene
from tests.servers import Site


def heard(browser: Browser, path: str, act: Callable[[], object], about: str) -> None:
    """Wait until the channel at ``path`` has told of ``about`` what ``act`` did."""
    with browser.stream(path) as events:
        act()
        assert any(event.name == "session" and about in event.data for event in events)


@pytest.mark.parametrize("action", ["rename", "pin", "archive", "turns"])
def test_what_is_done_at_one_process_is_heard_at_the_other(any_scene: Scene, action: str) -> None:  # CHAT-2, CHAT-6
    session = any_scene.session("slow-20x400")
    here, there = any_scene.browser(0), any_scene.browser(1)
    data = {"title": "Anew", "message": "Go", "pinned": "on", "archived": "on"}
    heard(there, "/events/", lambda: here.post(f"/sessions/{session.pk}/{action}/", data), str(session.pk))
    for turn in session.turns.all():
        here.post(f"/turns/{turn.pk}/stop/")


def test_stop_and_version_are_heard_at_the_other_process(any_scene: Scene) -> None:  # CHAT-7, CHAT-8
    session = any_scene.session("slow-20x400")
    here, there = any_scene.browser(0), any_scene.browser(1)
    turn = here.ask(session, "Go")
    any_scene.running(turn)
    heard(there, "/events/", lambda: here.post(f"/turns/{turn}/stop/"), str(session.pk))
    assert any_scene.ended(turn).state == Turn.State.STOPPED
    heard(there, "/events/", lambda: here.post(f"/turns/{turn}/select/"), str(session.pk))


def _changes(browser: Browser, session: UUID, last: UUID | str) -> httpx.Response:
    return browser.get(f"/sessions/{session}/changes/", params={"last": last}, headers=HTMX)


def test_without_a_broker_a_page_looks_again_by_itself(scene: Scene) -> None:  # REL-3
    lonely = Site(scene.site.database_url, None, scene.site.directory)
    with lonely.web() as first, lonely.web() as second:
        session = scene.session()
        here, there = scene.browser(first), scene.browser(second)
        with there.stream("/events/") as events:
            turn = here.ask(session, "Hello")
            scene.ended(turn)
            news = next(event for event in events if event.name == "session")
        assert news.data == "", "nobody said which one, so any may have changed"
        assert f'id="turn-{turn}"' in _changes(there, session.pk, "").text
        assert _changes(there, session.pk, turn).status_code == 204


def test_twenty_pages_that_look_while_another_asks_all_see_it(any_scene: Scene) -> None:  # REL-6
    session = any_scene.session()
    first = any_scene.browser(0).ask(session, "Hello")
    any_scene.ended(first)
    pages = [any_scene.browser(number % 2) for number in range(20)]
    seen: list[bool] = []

    def watch(page: Browser) -> None:
        with suppress(httpx.HTTPError), page.stream("/events/") as events:
            ready.release()
            for event in events:
                answer = _changes(page, session.pk, first)
                if event.name == "session" and "More" in answer.text:
                    seen.append(answer.status_code == 200)
                    return

    ready = threading.Semaphore(0)
    threads = [threading.Thread(target=watch, args=[page], daemon=True) for page in pages]
    for thread in threads:
        thread.start()
    for _thread in threads:
        assert ready.acquire(timeout=20)
    any_scene.ended(any_scene.browser(0).ask(session, "More"))
    for thread in threads:
        thread.join(20)
    assert seen == [True] * len(pages)
