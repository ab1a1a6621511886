"""A reply that grows on a page: attached early, late, twice and again, at the turn's own process and at another one."""

import time
from dataclasses import dataclass

import pytest
from django.contrib.sessions.models import Session as LoginSession
from django.utils import timezone

from adminchat.accounts.models import User
from adminchat.lib.markdown import render
from chat import turns
from chat.models import Turn
from tests.browsers import Browser, Event, ReplyPage, Watching
from tests.factories import MembershipFactory, UserFactory
from tests.scenes import Scene
from tests.servers import eventually

MARKDOWN = """Plan: **rotate** the keys — 轮换密钥，先备份。

1. Stop the *old* worker\r
2. `systemctl restart web`

```sh
echo "$HOME" && exit 0
```

| Host | State |
| --- | --- |
| a&b | <ok> |

Emoji 👩‍🚀, a line\u2028separator and a last line without an end"""

BYTES_PER_SECOND = 400_000  # to one page


def pieces(text: str, size: int = 11) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@dataclass
class Places:
    """Where the question is asked and where the reply is watched."""

    scene: Scene
    asking: Browser
    watching: Browser


@pytest.fixture(params=["one process", "two processes"])
def places(request: pytest.FixtureRequest, any_scene: Scene) -> Places:
    return Places(any_scene, any_scene.browser(0), any_scene.browser(0 if request.param == "one process" else 1))


def test_reply_is_shown_and_kept_as_the_endpoint_sent_it(places: Places) -> None:  # CHAT-6
    session = places.scene.session()
    sent = places.scene.script(session, pieces(MARKDOWN * 5), interval=0.03, hold_at=10)
    turn = places.asking.ask(session, "Go")
    watching = Watching(places.watching, turn).attached()
    places.scene.release(session)
    page = watching.result()
    kept = places.scene.ended(turn)
    assert kept.state == Turn.State.DONE
    assert kept.reply.text == sent
    assert kept.reply.html == render(sent)
    assert page.has_shown(sent)
    assert page.name == "done"
    assert page.state == "done"
    assert len([event for event in page.events if event.name == "delta"]) > 3, "it grew in one leap"


def test_page_that_attaches_late_gets_everything(places: Places) -> None:  # CHAT-6
    session = places.scene.session()
    sent = places.scene.script(session, pieces(MARKDOWN * 4), hold_at=60)
    turn = places.asking.ask(session, "Go")
    places.scene.running(turn)
    page = Watching(places.watching, turn).attached()
    places.scene.release(session)
    assert page.result().has_shown(sent)


def test_pages_that_watch_at_once_all_get_everything(places: Places) -> None:  # CHAT-6
    session = places.scene.session()
    sent = places.scene.script(session, pieces(MARKDOWN * 4), hold_at=20)
    turn = places.asking.ask(session, "Go")
    pages = [Watching(places.scene.browser(number % 2), turn) for number in range(4)]
    for page in pages:
        page.attached()
    places.scene.release(session)
    for page in pages:
        assert page.result().has_shown(sent)
        assert page.page.state == "done"


def test_page_that_reconnects_again_and_again_loses_and_doubles_nothing(places: Places) -> None:  # CHAT-6, REL-8
    session = places.scene.session()
    sent = places.scene.script(session, pieces(MARKDOWN * 8), interval=0.008, hold_at=150)
    turn = places.asking.ask(session, "Go")
    page = ReplyPage(turn)
    for _ in range(5):
        places.watching.glance(turn, page)
    assert not page.outcome
    places.scene.release(session)
    assert places.watching.watch(turn, page).has_shown(sent)


def test_page_that_changes_the_process_loses_and_doubles_nothing(any_scene: Scene) -> None:  # CHAT-6
    session = any_scene.session()
    sent = any_scene.script(session, pieces(MARKDOWN * 6), interval=0.005, hold_at=100)
    turn = any_scene.browser(0).ask(session, "Go")
    page = any_scene.browser(1).glance(turn)
    assert not page.outcome
    again = Watching(any_scene.browser(0), turn, page).attached()
    any_scene.release(session)
    assert again.result().has_shown(sent)


def test_nobody_watches_and_the_reply_is_kept_all_the_same(any_scene: Scene) -> None:  # CHAT-6
    session = any_scene.session()
    sent = any_scene.script(session, pieces(MARKDOWN), interval=0.005)
    turn = any_scene.browser(0).ask(session, "Go")
    assert any_scene.ended(turn).reply.text == sent


def test_ended_turn_streams_its_outcome_at_once(scene: Scene) -> None:  # CHAT-6
    session = scene.session()
    turn = scene.browser(0).ask(session, "Hello")
    scene.ended(turn)
    page = scene.browser(1).watch(turn)
    assert [event.name for event in page.events] == ["done", "end"]
    assert "You said: Hello" in page.outcome


def test_reload_in_the_middle_shows_a_page_that_goes_on_streaming(scene: Scene) -> None:  # CHAT-6
    session = scene.session()
    sent = scene.script(session, pieces(MARKDOWN * 4), hold_at=60)
    turn = scene.browser(0).ask(session, "Go")
    scene.running(turn)
    assert f'sse-connect="/turns/{turn}/stream/?report=1"' in scene.browser(1).get(f"/sessions/{session.pk}/").text
    page = Watching(scene.browser(1), turn).attached()
    scene.release(session)
    assert page.result().has_shown(sent)
    after = scene.browser(1).get(f"/sessions/{session.pk}/").text
    assert "sse-connect" not in after.partition('id="turns"')[2]


def test_first_piece_is_not_held_back(scene: Scene) -> None:  # CHAT-6
    session = scene.session()
    scene.script(session, ["First ", "second"], interval=1.5)
    turn = scene.browser(0).ask(session, "Go")
    page = scene.browser(0).glance(turn)
    assert page.text == "First"
    assert scene.ended(turn).reply.text == "First second"


def test_title_reaches_a_page_at_the_other_process(any_scene: Scene) -> None:  # CHAT-14
    session = any_scene.session()
    news: list[Event] = []
    with any_scene.browser(1).stream("/events/") as events:
        any_scene.browser(0).ask(session, "Hello")
        for event in events:
            news.append(event)
            if "A short title" in event.data:
                break
    assert news[-1].name == "session"
    assert str(session.pk) in news[-1].data
    session.refresh_from_db()
    assert session.title == "A short title"


def test_channel_of_one_person_is_silent_about_others(scene: Scene, stranger: Scene) -> None:  # SEC-1
    mine = scene.session()
    with scene.browser(1).stream("/events/") as events:
        stranger.ended(stranger.browser(0).ask(stranger.session(), "Secret"))
        scene.browser(0).ask(mine, "Hello")
        assert str(mine.pk) in next(events).data


def test_stream_is_neither_compressed_nor_cached_nor_buffered(scene: Scene) -> None:  # CHAT-6
    turn = scene.browser(0).ask(scene.session(), "Hello")
    answer = scene.browser(0).get(f"/turns/{turn}/stream/", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"


@pytest.mark.parametrize(("line", "lines"), [("word\n", 15_000), ("密钥轮换\n", 8_000)], ids=["English", "Chinese"])
def test_long_open_block_is_sent_no_faster_than_a_page_can_take(  # CHAT-6, REL-8
    places: Places, line: str, lines: int
) -> None:
    session = places.scene.session()
    sent = places.scene.script(session, ["```\n" + line * lines, *([line] * 100)], interval=0.02)
    turn = places.asking.ask(session, "Go")
    page, arrivals = ReplyPage(turn), list[tuple[float, int]]()
    with places.watching.stream(f"/turns/{turn}/stream/") as events:
        for event in events:
            page.take(event)
            if event.name == "delta":
                arrivals.append((time.monotonic(), len(event.data.encode())))
    *long, (last, _) = [(at, size) for at, size in arrivals if size > 50_000]
    assert len(long) > 5, "it grew in leaps"
    assert sum(size for _, size in long) < 1.1 * BYTES_PER_SECOND * (last - long[0][0])
    assert page.has_shown(sent)


def test_many_replies_at_once_stay_apart(scene: Scene) -> None:  # CHAT-6
    sessions = [scene.session() for _ in range(12)]
    sent = [
        scene.script(session, pieces(f"word{number} " * 400, 40), interval=0.01, hold_at=10)
        for number, session in enumerate(sessions)
    ]
    pages = [Watching(scene.browser(1), scene.browser(0).ask(session, "Go")) for session in sessions]
    for page, session in zip(pages, sessions, strict=True):
        page.attached()
        scene.release(session)
    assert all(page.result().has_shown(text) for page, text in zip(pages, sent, strict=True))


def test_streams_of_strangers_do_not_exist(scene: Scene, stranger: Scene) -> None:  # SEC-1
    turn = scene.browser(0).ask(scene.session(), "Hello")
    assert stranger.browser(0).get(f"/turns/{turn}/stream/").status_code == 404


@pytest.mark.parametrize("process", [0, 1], ids=["own process", "other process"])
def test_deleting_the_session_ends_stream_and_call(any_scene: Scene, process: int) -> None:  # CHAT-3
    session = any_scene.session("slow-20x400")
    turn = any_scene.browser(0).ask(session, "Go")
    watching = Watching(any_scene.browser(1), turn)
    any_scene.running(turn)
    assert any_scene.browser(process).post(f"/sessions/{session.pk}/delete/").status_code < 400
    page = watching.result()
    assert [event.name for event in page.events[-2:]] == ["failed", "end"]
    assert 'data-state="deleted"' in page.outcome
    assert not Turn.objects.filter(pk=turn).exists()
    assert eventually(lambda: any_scene.requests(session)[0]["disconnected"], 3)


@pytest.mark.parametrize("lost", ["account", "login", "password", "time", "workspace"])
def test_open_stream_ends_with_the_right_to_it(scene: Scene, lost: str) -> None:  # CHAT-21, SEC-9
    session = scene.session("slow-20x2000")
    if lost == "workspace":
        session.workspace = MembershipFactory.create(user=scene.user).workspace
        session.save()
    browser = scene.browser(0)
    turn = browser.ask(session, "Go")
    with browser.stream(f"/turns/{turn}/stream/") as events:
        next(events)
        if lost == "account":
            User.objects.filter(pk=scene.user.pk).update(is_active=False)
        elif lost == "login":
            LoginSession.objects.filter(pk=browser.http.cookies["sessionid"]).delete()
        elif lost == "password":  # changed at another browser
            scene.user.set_password("another correct horse")
            scene.user.save()
        elif lost == "time":
            LoginSession.objects.update(expire_date=timezone.now())
        else:
            scene.user.memberships.all().delete()
        names = [event.name for event in events]
        if lost == "workspace":
            assert names[-2:] == ["failed", "end"], "it is told that the chat is closed"
        else:
            assert "end" not in names, "the page must ask again, and is refused"
    assert Turn.objects.get(pk=turn).is_open, "it ended for its reader, not by itself"
    turns.stop(Turn.objects.get(pk=turn))


@pytest.mark.parametrize("lost", ["workspace", "account"])
def test_open_stream_ends_at_once_when_a_right_is_taken(any_scene: Scene, lost: str) -> None:  # CHAT-21, CHAT-24, SEC-9
    session = any_scene.session("slow-20x2000")
    membership = MembershipFactory.create(user=any_scene.user)
    session.workspace = membership.workspace
    session.save()
    root = UserFactory.create(tenant=any_scene.user.tenant, super_admin=True)
    turn = any_scene.browser(0).ask(session, "Go")
    any_scene.running(turn)
    administrator = Browser(any_scene.site.processes[0], root)
    if lost == "workspace":
        path = f"/workspaces/{membership.workspace_id}/members/{any_scene.user.pk}/remove/"
    else:
        path = f"/people/{any_scene.user.pk}/deactivate/"
    with any_scene.browser(1).stream(f"/turns/{turn}/stream/") as events:
        next(events)
        began = time.monotonic()
        assert administrator.post(path).status_code < 400
        names = [event.name for event in events]
    administrator.http.close()
    assert names[-1] == ("end" if lost == "workspace" else "delta"), "signed out, the page asks again and is refused"
    assert time.monotonic() - began < 5, "it was told, and need not have looked"
    turns.stop(Turn.objects.get(pk=turn))
