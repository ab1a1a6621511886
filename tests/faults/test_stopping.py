"""Stopping a reply from anywhere ends the model's call within a second (CHAT-7)."""

import time
from collections.abc import Iterator

import pytest

from chat.models import Session, Turn
from tests.browsers import Watching
from tests.scenes import Scene
from tests.servers import Broker, Site, eventually

SLOW = "slow-20x400"


def _reached(scene: Scene, session: Session) -> None:
    eventually(lambda: scene.requests(session))


def _hung_up(scene: Scene, session: Session) -> float:
    """When the call to the endpoint was broken off, in seconds since the epoch."""
    broken = eventually(lambda: [record for record in scene.requests(session) if record["disconnected"]])
    return float(broken[0]["disconnected_at"])


@pytest.mark.parametrize("process", [0, 1], ids=["own process", "other process"])
def test_stop_ends_the_call_upstream_and_keeps_what_was_written(any_scene: Scene, process: int) -> None:  # CHAT-7
    session = any_scene.session(SLOW)
    turn = any_scene.browser(0).ask(session, "Go")
    watching = Watching(any_scene.browser(1), turn)
    any_scene.running(turn)
    asked = time.time()
    assert any_scene.browser(process).post(f"/turns/{turn}/stop/").status_code == 204
    assert _hung_up(any_scene, session) - asked < 1
    kept = any_scene.ended(turn)
    assert kept.state == Turn.State.STOPPED
    assert kept.reply.text.startswith("tok0 tok1 ")
    page = watching.result()
    assert page.state == "stopped"
    assert page.has_shown(kept.reply.text)


def test_stop_before_the_first_word_ends_the_call(scene: Scene) -> None:  # CHAT-7
    session = scene.session("fault-silent")
    turn = scene.browser(0).ask(session, "Go")
    _reached(scene, session)
    asked = time.time()
    scene.browser(1).post(f"/turns/{turn}/stop/")
    assert _hung_up(scene, session) - asked < 1
    assert scene.ended(turn).state == Turn.State.STOPPED


def test_stop_during_the_wait_for_a_rate_limit_ends_the_turn(scene: Scene) -> None:  # CHAT-7, CHAT-9
    session = scene.session("fault-429")
    turn = scene.browser(0).ask(session, "Go")
    _reached(scene, session)
    scene.browser(1).post(f"/turns/{turn}/stop/")
    assert scene.ended(turn, 1.5).state == Turn.State.STOPPED


def test_stop_again_and_too_late_changes_nothing(scene: Scene) -> None:  # CHAT-7
    turn = scene.browser(0).ask(scene.session(), "Hello")
    assert scene.ended(turn).state == Turn.State.DONE
    for process in (0, 1):
        assert scene.browser(process).post(f"/turns/{turn}/stop/").status_code == 204
    assert Turn.objects.get(pk=turn).state == Turn.State.DONE


def test_next_message_can_be_sent_after_a_stop(scene: Scene) -> None:  # CHAT-7
    session = scene.session(SLOW)
    turn = scene.browser(0).ask(session, "Go")
    scene.running(turn)
    scene.browser(1).post(f"/turns/{turn}/stop/")
    scene.ended(turn)
    scene.script(session, ["Fine"])
    assert scene.ended(scene.browser(1).ask(session, "Again")).reply.text == "Fine"


@pytest.fixture
def without_broker(site: Site) -> Iterator[Site]:
    """Two web processes of the same site whose broker is away from the start."""
    lonely = Site(site.database_url, Broker(), site.directory)
    with lonely.web() as first, lonely.web() as second:
        lonely.processes = [first, second]
        yield lonely


def test_stop_at_the_other_process_works_without_the_broker(  # CHAT-7, REL-3
    scene: Scene, without_broker: Site
) -> None:
    first, second = (scene.browser(web) for web in without_broker.processes)
    for model in (SLOW, "fault-silent"):
        session = scene.session(model)
        turn = first.ask(session, "Go")
        _reached(scene, session)
        scene.running(turn, text=model == SLOW)
        asked = time.time()
        second.post(f"/turns/{turn}/stop/")
        assert _hung_up(scene, session) - asked < 1, model
        assert scene.ended(turn).state == Turn.State.STOPPED
