"""Database work of running turns that breaks in the middle: it is tried again, and later work follows (REL-4)."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from chat.models import GlobalSystemMessage, Turn
from tests import needs
from tests.browsers import Watching
from tests.scenes import Scene
from tests.servers import eventually

TRIES = 6  # of what a turn needs before its model is asked

pytestmark = pytest.mark.parametrize(
    "any_site", [pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))], indirect=True
)


class Jam:
    """A table that nobody can use; who waits for it can be thrown out of the database."""

    def __init__(self, database: psycopg.Connection) -> None:
        self._database = database
        self._seen: set[int] = set()

    def waiting(self) -> set[int]:
        rows = self._database.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return {pid for (pid,) in rows} - self._seen

    def throw_out(self, count: int = 1) -> None:
        """Break the connections of those who wait, once there are ``count`` of them."""
        found = eventually(lambda: self.waiting() if len(self.waiting()) >= count else None)
        for pid in found:
            self._database.execute("SELECT pg_terminate_backend(%s)", [pid])
        self._seen |= found


@contextmanager
def jammed(scene: Scene, table: str) -> Iterator[Jam]:
    server = needs.postgresql()
    assert server
    address = urlsplit(server)._replace(path=urlsplit(scene.site.database_url).path).geturl()
    with psycopg.connect(address) as holding, psycopg.connect(address, autocommit=True) as looking:
        holding.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(Identifier(table)))
        yield Jam(looking)


def test_turn_goes_on_when_its_work_breaks(any_scene: Scene) -> None:  # REL-4
    session = any_scene.session()
    with jammed(any_scene, GlobalSystemMessage._meta.db_table) as jam:
        turn = any_scene.browser(0).ask(session, "Hello")
        for _ in range(2):
            jam.throw_out()
    kept = any_scene.ended(turn)
    assert (kept.state, kept.reply.text) == (Turn.State.DONE, "You said: Hello")
    assert len(any_scene.requests(session)) == 1


def test_turn_whose_work_breaks_again_and_again_says_so(any_scene: Scene) -> None:  # REL-4, CHAT-9
    session = any_scene.session()
    with jammed(any_scene, GlobalSystemMessage._meta.db_table) as jam:
        turn = any_scene.browser(0).ask(session, "Hello")
        watching = Watching(any_scene.browser(1), turn)
        for _ in range(TRIES):
            jam.throw_out()
        kept = any_scene.ended(turn)
    assert (kept.state, kept.error_code) == (Turn.State.FAILED, "internal")
    page = watching.result()
    assert "Your message is kept. You can retry." in page.outcome
    assert 'data-testid="retry"' in page.outcome
    assert any_scene.requests(session) == []


def test_texts_are_saved_and_stops_are_seen_after_an_error_of_either(any_scene: Scene) -> None:  # REL-4, CHAT-7
    turn = any_scene.browser(0).ask(any_scene.session("slow-20x400"), "Go")
    any_scene.running(turn)
    with jammed(any_scene, Turn._meta.db_table) as jam:
        jam.throw_out(2)  # the one that saves and the one that looks for stops
    before = any_scene.running(turn).reply.text
    eventually(lambda: any_scene.running(turn).reply.text != before)
    Turn.objects.filter(pk=turn).update(stop_requested=True)  # without a word to the process
    kept = any_scene.ended(turn, 3)
    assert kept.state == Turn.State.STOPPED
    assert kept.reply.text.startswith(before)
