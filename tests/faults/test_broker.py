"""The chat goes on while the broker is away, and nothing has to be restarted when it is back (REL-3)."""

import threading
from collections.abc import Iterator

import httpx
import pytest

from chat.models import Turn
from tests.browsers import Browser, Watching
from tests.scenes import Scene
from tests.servers import Broker, Site, eventually


@pytest.fixture
def fragile(site: Site) -> Iterator[Site]:
    """Two web processes of the site with a broker of their own, which is not there yet."""
    fragile = Site(site.database_url, Broker(), site.directory)
    with fragile.web() as first, fragile.web() as second:
        fragile.processes = [first, second]
        yield fragile
    assert fragile.broker
    fragile.broker.stop()


def _talks(scene: Scene, site: Site) -> None:
    """Ask at one process and watch at the other, from the beginning to the end."""
    session = scene.session()
    sent = scene.script(session, [f"word{number} " for number in range(40)], interval=0.05)
    turn = scene.browser(site.processes[0]).ask(session, "Go")
    page = scene.browser(site.processes[1]).watch(turn)
    assert page.has_shown(sent)
    assert page.state == "done"
    assert scene.ended(turn).reply.text == sent


def _state(site: Site) -> str:
    return str(httpx.get(f"{site.processes[1].url}/readyz").json()["broker"])


def test_chat_works_whatever_the_broker_does(scene: Scene, fragile: Site) -> None:  # REL-3, CHAT-6
    broker = fragile.broker
    assert broker
    assert _state(fragile) == "unavailable"
    _talks(scene, fragile)

    broker.start()
    eventually(lambda: _state(fragile) == "ok")
    _talks(scene, fragile)

    session = scene.session()
    sent = scene.script(session, [f"word{number} " for number in range(60)], interval=0.05)
    asking, watching = (scene.browser(web) for web in fragile.processes)
    turn = asking.ask(session, "Go")
    early = Watching(watching, turn)
    scene.running(turn)
    broker.kill()
    late = Watching(scene.browser(fragile.processes[1]), turn)
    assert early.result().has_shown(sent), "a page that was connected when the broker died"
    assert late.result().has_shown(sent), "a page that came after"
    kept = scene.ended(turn)
    assert (kept.state, kept.reply.text) == (Turn.State.DONE, sent)

    broker.start()
    eventually(lambda: _state(fragile) == "ok")
    with watching.stream("/events/") as events:
        first = threading.Thread(target=next, args=(events,), daemon=True)
        first.start()
        eventually(lambda: _hears(scene, asking, first), 60)
    _talks(scene, fragile)

    session = scene.session()
    sent = scene.script(session, [f"word{number} " for number in range(90)], interval=0.05)
    turn = asking.ask(session, "Go")
    early = Watching(watching, turn).attached()
    broker.kill()
    broker.start()
    assert early.result().has_shown(sent), "a broker that was away for a moment"


def _hears(scene: Scene, asking: Browser, first: threading.Thread) -> bool:
    """Whether the channel at the other process brings news again; the processes need a second to find their broker."""
    scene.ended(asking.ask(scene.session(), "Hello"))
    first.join(0.3)
    return not first.is_alive()
