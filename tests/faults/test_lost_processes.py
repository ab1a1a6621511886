"""Web processes that are killed, or asked to stop, while they run turns (REL-2, CHAT-6)."""

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import httpx
import pytest
from django.core.management import call_command

from chat.models import Session, Turn
from tests.browsers import HTMX, Browser, Watching
from tests.scenes import Scene
from tests.servers import QUICK, Web, eventually

SLOW = "slow-20x400"


@pytest.fixture
def doomed(any_scene: Scene, settings: Any) -> Iterator[Web]:
    """A third web process of the site, for a test to end as it likes."""
    settings.ADMINCHAT_TURN_STALE_SECONDS = int(QUICK["ADMINCHAT_TURN_STALE_SECONDS"])
    with any_scene.site.web() as web:
        yield web


def test_killed_process_leaves_partial_replies_and_nothing_stuck(any_scene: Scene, doomed: Web) -> None:  # REL-2
    asking, other = any_scene.browser(doomed), any_scene.browser(1)
    watched, unwatched, talked_to = sessions = [any_scene.session(SLOW) for _ in range(3)]
    first, second, third = (asking.ask(session, "Write a lot") for session in sessions)
    watching = Watching(any_scene.browser(1), first)
    partial, *_ = [any_scene.running(turn).reply.text for turn in (first, second, third)]
    doomed.kill()

    page = watching.result(20)
    assert page.state == "interrupted", "the page that watches hears of it"
    assert 'data-testid="retry"' in page.outcome
    kept = any_scene.ended(first)
    assert kept.state == Turn.State.INTERRUPTED
    assert kept.reply.text.startswith(partial)
    assert kept.reply.text.split()[0] in kept.reply.html

    any_scene.script(watched, ["Whole"])
    assert other.post(f"/turns/{first}/regenerate/", {"version": 1}).status_code == 204
    again = watched.turns.exclude(pk=first).get()
    assert any_scene.ended(again.pk).reply.text == "Whole"
    assert watched.messages.filter(role="user").count() == 1, "Retry doubles no message"

    any_scene.script(talked_to, ["Fine"])
    assert other.send(talked_to, "Still there?").status_code == 200, "the next message waits for no sweep"
    assert any_scene.ended(third).state == Turn.State.INTERRUPTED

    call_command("sweep")
    assert any_scene.ended(second).state == Turn.State.INTERRUPTED
    assert not unwatched.turns.filter(state__in=Turn.OPEN).exists()


def test_process_that_is_asked_to_stop_lets_its_turns_finish_for_a_while(  # CHAT-6
    any_scene: Scene, doomed: Web
) -> None:
    quick, long, late = any_scene.session(), any_scene.session(SLOW), any_scene.session()
    sent = any_scene.script(quick, [f"word{number} " for number in range(60)], interval=0.03)
    asking, lingering = any_scene.browser(doomed), any_scene.browser(doomed)
    long_turn = asking.ask(long, "Go")
    quick_turn = asking.ask(quick, "Go")
    pages = [Watching(any_scene.browser(web), quick_turn) for web in (1, doomed)]
    long_page = Watching(any_scene.browser(1), long_turn)
    lingering.get("/healthz")
    any_scene.running(long_turn)

    taken = _send_across(lingering, late, lambda: doomed.signal(signal.SIGTERM))
    assert taken.status_code == 200
    late_turn = late.turns.get().pk
    late_page = Watching(any_scene.browser(1), late_turn)
    kept = any_scene.ended(quick_turn)
    assert (kept.state, kept.reply.text) == (Turn.State.DONE, sent), "what can finish in time is finished"
    assert all(page.result().has_shown(sent) for page in pages)

    kept = any_scene.ended(long_turn)
    assert kept.state == Turn.State.INTERRUPTED
    assert len(kept.reply.text.split()) > 30, "what came during the stop is kept, too"
    page = long_page.result()
    assert page.state == "interrupted"
    assert page.has_shown(kept.reply.text)
    assert eventually(lambda: any_scene.requests(long)[0]["disconnected"])
    doomed.wait(5)

    assert late_page.result().state == "done", "a turn that came too late is run by another process"
    assert any_scene.ended(late_turn).reply.text == "You said: Hello"


def _send_across(browser: Browser, session: Session, happens: Callable[[], None]) -> httpx.Response:
    """Send "Hello" over an open connection; in the middle of the request something ``happens``."""
    body = urlencode({"message": "Hello", "request_id": uuid4()}).encode()

    def parts() -> Iterator[bytes]:
        yield body[:5]
        happens()
        yield body[5:]

    form = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    return browser.http.post(f"/sessions/{session.pk}/turns/", content=parts(), headers=HTMX | form)


def test_pages_that_only_listen_do_not_hold_up_a_stop(scene: Scene) -> None:  # CHAT-6
    turn = scene.browser(0).ask(scene.session(SLOW), "Go")
    with scene.site.web() as web:
        browser = scene.browser(web)
        with browser.stream("/events/"), browser.stream(f"/turns/{turn}/stream/") as events:
            next(events)
            asked = time.monotonic()
            web.signal(signal.SIGTERM)
            assert not any(event.name == "end" for event in events), "the page must connect again"
            web.wait(10)
    assert time.monotonic() - asked < 3
    scene.browser(0).post(f"/turns/{turn}/stop/")
