"""Twenty tabs on one conversation (REL-6, CHAT-7)."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from chat.models import Turn
from chat.threads import thread
from tests.browsers import shown, turn_of
from tests.scenes import Scene, statuses

TABS = 20


def test_twenty_tabs_that_send_at_once_start_one_turn(any_scene: Scene) -> None:  # REL-6, CHAT-7
    session = any_scene.session("slow-20x400")
    tabs = [any_scene.browser(number % 2) for number in range(TABS)]
    with ThreadPoolExecutor(TABS) as pool:
        answers = list(pool.map(lambda tab: tab.send(session, "Go"), tabs))
    assert statuses(answers) == [200] + [409] * (TABS - 1)
    for answer in answers:
        if answer.status_code == 409:
            assert "The assistant is still answering." in shown(answer.text)
            assert answer.headers["HX-Retarget"] == "#composer-notice"
    assert session.turns.count() == 1
    assert session.messages.filter(role="user").count() == 1
    turn = session.turns.get().pk
    any_scene.running(turn)
    with ThreadPoolExecutor(TABS) as pool:
        pages = list(pool.map(lambda tab: tab.glance(turn), tabs))
    assert all(page.text.startswith("tok0") for page in pages)
    any_scene.browser(0).post(f"/turns/{turn}/stop/")
    any_scene.ended(turn)
    assert len(any_scene.requests(session)) == 1


def test_resent_request_starts_one_turn_and_gets_the_same_answer(any_scene: Scene) -> None:  # CHAT-7
    session, request_id = any_scene.session(), uuid4()
    tabs = [any_scene.browser(number % 2) for number in range(TABS)]
    with ThreadPoolExecutor(TABS) as pool:
        answers = list(pool.map(lambda tab: tab.send(session, "Go", request_id), tabs))
    assert statuses(answers) == [200] * TABS
    assert len({turn_of(answer) for answer in answers}) == 1
    any_scene.ended(turn_of(answers[0]))
    assert len(any_scene.requests(session)) == 1


def test_messages_that_are_taken_one_after_the_other_stay_on_one_path(any_scene: Scene) -> None:  # CHAT-7, REL-6
    session = any_scene.session()
    tabs = [any_scene.browser(number % 2) for number in range(TABS)]
    with ThreadPoolExecutor(TABS) as pool:
        answers = list(pool.map(lambda pair: pair[1].send(session, f"Number {pair[0]}"), enumerate(tabs)))
    assert set(statuses(answers)) <= {200, 409}
    taken = {turn_of(answer) for answer in answers if answer.status_code == 200}
    for turn in taken:
        assert any_scene.ended(turn).state == Turn.State.DONE
    session.refresh_from_db()
    assert {exchange.turn.pk for exchange in thread(session).exchanges} == taken, "a message has left the conversation"


def test_twenty_retries_at_once_start_one(any_scene: Scene) -> None:  # CHAT-9, REL-6
    session = any_scene.session("fault-broken")
    turn = any_scene.browser(0).ask(session, "Go")
    any_scene.ended(turn)
    any_scene.script(session, ["Whole"])
    tabs = [any_scene.browser(number % 2) for number in range(TABS)]
    with ThreadPoolExecutor(TABS) as pool:
        answers = list(pool.map(lambda tab: tab.post(f"/turns/{turn}/regenerate/", {"version": 1}), tabs))
    assert statuses(answers) == [204] * TABS
    assert session.turns.count() == 2
    assert session.messages.filter(role="user").count() == 1
