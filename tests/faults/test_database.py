"""The database is restarted under a site that runs: nothing is lost, and nothing else has to be restarted (REL-4)."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connection

from adminchat.lib.database import TRIED_AFTER_SECONDS
from chat.models import Turn
from tests.browsers import Watching
from tests.scenes import Scene
from tests.servers import FakeModels, PostgreSQL, Site, eventually

pytestmark = pytest.mark.needs("postgresql programs")


@pytest.fixture
def postgresql() -> Iterator[PostgreSQL]:
    server = PostgreSQL()
    try:
        with server:
            yield server
    finally:
        server.remove()


@pytest.fixture
def frail(
    postgresql: PostgreSQL, models_process: FakeModels, tmp_path: Path, django_db_blocker: Any
) -> Iterator[Scene]:
    """Somebody with a model to talk to, on a site with a database of its own."""
    site = Site(postgresql.url, None, tmp_path)
    with django_db_blocker.unblock():
        site.migrate()
        with site.web() as first, site.web() as second, site.database():
            site.processes = [first, second]
            with closing(Scene(site, models_process)) as scene:
                yield scene


def _readiness(site: Site) -> list[int]:
    return [httpx.get(f"{web.url}/readyz").status_code for web in site.processes]


def test_chat_outlasts_a_restart_of_the_database(frail: Scene, postgresql: PostgreSQL) -> None:  # REL-4
    site, session, other = frail.site, frail.session(), frail.session()
    asking, watching = frail.browser(0), frail.browser(1)
    sent = frail.script(session, [f"word{number} " for number in range(40)], hold_at=20)
    turn = asking.ask(session, "Go")
    pages = [Watching(browser, turn).attached() for browser in (asking, watching)]
    frail.running(turn)
    postgresql.stop()
    connection.close()  # the one of this test
    eventually(lambda: _readiness(site) == [503, 503])

    for browser in (asking, watching):
        for answer in (browser.get(f"/sessions/{session.pk}/"), browser.send(other, "Are you there?")):
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "5"
            assert "The database doesn’t answer at the moment" in answer.text

    frail.release(session)  # the reply ends while there is nowhere to keep it
    postgresql.start()
    eventually(lambda: _readiness(site) == [200, 200])
    kept = frail.ended(turn)
    assert (kept.state, kept.reply.text) == (Turn.State.DONE, sent)
    for page in pages:
        assert page.result().state == "done"
        assert page.page.has_shown(sent)
    assert frail.ended(asking.ask(other, "Are you there?")).reply.text == "You said: Are you there?"
    assert watching.get(f"/sessions/{session.pk}/").status_code == 200


def test_a_restart_while_nobody_asks_is_not_noticed(frail: Scene, postgresql: PostgreSQL) -> None:  # REL-4
    session, browser = frail.session(), frail.browser(0)
    for number in range(8):  # each of the threads has a connection by then
        assert frail.ended(browser.ask(session, f"Question {number}")).state == Turn.State.DONE
    rested = time.monotonic()
    postgresql.stop()
    connection.close()
    eventually(lambda: time.monotonic() - rested > TRIED_AFTER_SECONDS)  # no shorter than a real restart
    postgresql.start()
    for number in range(8):
        assert browser.get(f"/sessions/{session.pk}/").status_code == 200
        assert frail.ended(browser.ask(session, f"Again {number}")).state == Turn.State.DONE
