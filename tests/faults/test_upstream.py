"""What a model endpoint can do to a turn: each ends with a plain sentence, keeps what came, and leaves nothing open (REL-5)."""

import time

import pytest

from chat.failures import FAILURES
from chat.models import Turn
from tests.browsers import shown
from tests.factories import ConnectionFactory
from tests.scenes import Scene, said
from tests.servers import eventually, free_port

LIMIT = 6.0  # seconds that any of these may take here

FAULTS = {
    "fault-401": ("refused_key", ""),
    "fault-404": ("unknown_model", ""),
    "fault-500": ("server_error", ""),
    "fault-html": ("malformed", ""),
    "fault-malformed": ("malformed", ""),
    "fault-broken": ("broken_stream", "This breaks "),
    "fault-cut": ("broken_stream", "This ends "),
    "fault-error": ("server_error", "This fails "),
    "fault-silent": ("timeout", ""),
    "fault-silent-after": ("timeout", "Some words "),
}


@pytest.mark.parametrize(("model", "code", "partial"), [(model, *rest) for model, rest in FAULTS.items()])
def test_fault_ends_the_turn_with_a_sentence_and_keeps_the_partial_reply(  # REL-5, CHAT-9
    scene: Scene, model: str, code: str, partial: str
) -> None:
    session = scene.session(model)
    begin = time.monotonic()
    turn = scene.browser(0).ask(session, "Please")
    page = scene.browser(1).watch(turn)
    assert time.monotonic() - begin < LIMIT
    kept = scene.ended(turn)
    assert (kept.state, kept.error_code, kept.reply.text) == (Turn.State.FAILED, code, partial)
    assert (page.name, page.state) == ("failed", "failed")
    assert shown(str(FAILURES[code].title)) in shown(page.outcome)
    assert 'data-testid="retry"' in page.outcome
    for internal in ("Traceback", "secret", "sk-", "Exception", "127.0.0.1"):
        assert internal not in page.outcome
    records = scene.requests(session)
    assert all(record["disconnected"] or record["finished_at"] for record in records), "a connection was left open"
    assert len(records) == 1


def test_retry_asks_again_with_the_same_message(scene: Scene) -> None:  # CHAT-9
    session = scene.session("fault-broken")
    turn = scene.browser(0).ask(session, "Please")
    scene.ended(turn)
    scene.script(session, ["Whole"])
    assert scene.browser(1).post(f"/turns/{turn}/regenerate/", {"version": 1}).status_code == 204
    again = session.turns.exclude(pk=turn).get()
    assert scene.ended(again.pk).reply.text == "Whole"
    assert [said(record) for record in scene.requests(session)] == [[("user", "Please")], [("user", "Please")]]
    assert session.messages.filter(role="user").count() == 1


@pytest.mark.parametrize("model", ["fault-429", "fault-529"])
def test_rate_limit_is_waited_for_within_a_bound(scene: Scene, model: str) -> None:  # CHAT-9
    session = scene.session(model)
    turn = scene.browser(0).ask(session, "Please")
    kept = scene.ended(turn, 15)
    assert (kept.state, kept.error_code) == (Turn.State.FAILED, "rate_limited")
    assert 1 < len(scene.requests(session)) <= 3


def test_rate_limit_that_passes_is_not_noticed(scene: Scene) -> None:  # CHAT-9
    session = scene.session("fault-429-once")
    kept = scene.ended(scene.browser(0).ask(session, "Please"))
    assert (kept.state, kept.reply.text) == (Turn.State.DONE, "You said: Please")


def test_huge_reply_is_cut_and_marked(scene: Scene) -> None:  # REL-5
    session = scene.session("fault-huge")
    before = scene.site.processes[0].memory
    turn = scene.browser(0).ask(session, "Please")
    kept = scene.ended(turn, 40)
    assert (kept.state, kept.cut_short) == (Turn.State.DONE, True)
    assert 3_500_000 < len(kept.reply.text) < 4_500_000
    assert scene.site.processes[0].memory - before < 250_000_000
    assert eventually(lambda: scene.requests(session)[0]["disconnected"])
    assert scene.browser(0).get("/healthz").elapsed.total_seconds() < 1


def test_server_that_is_not_there_is_a_plain_sentence(scene: Scene) -> None:  # REL-5
    scene.connection = ConnectionFactory.create(
        tenant=scene.user.tenant, base_url=f"http://127.0.0.1:{free_port()}/v1", api_key="good"
    )
    kept = scene.ended(scene.browser(0).ask(scene.session(), "Please"), LIMIT)
    assert (kept.state, kept.error_code) == (Turn.State.FAILED, "unreachable")


def test_wrong_key_is_a_plain_sentence(scene: Scene) -> None:  # CHAT-9
    scene.connection.api_key = "bad"
    scene.connection.save()
    kept = scene.ended(scene.browser(0).ask(scene.session(), "Please"), LIMIT)
    assert (kept.state, kept.error_code) == (Turn.State.FAILED, "refused_key")


STRANGE = ("a\0b", "a\rb", "a\u2028b\u2029c\x85d", "a\x1b[31mb", "\ufeffa", "👩\u200d🚀")


def test_strange_characters_break_neither_the_stream_nor_the_database(any_scene: Scene) -> None:  # REL-5
    session = any_scene.session()
    sent = any_scene.script(session, [f"before {piece} \n\n" for piece in STRANGE] + ["after"], interval=0.2)
    turn = any_scene.browser(0).ask(session, "Please")
    page = any_scene.browser(1).watch(turn)
    kept = any_scene.ended(turn)
    assert kept.state == Turn.State.DONE
    assert kept.reply.text == sent.replace("\0", "\ufffd")
    assert page.has_shown(kept.reply.text)
    assert page.text.endswith("after")


def test_turn_whose_model_was_taken_away_says_so(scene: Scene) -> None:  # CHAT-9
    session = scene.session()
    scene.connection.enabled = False
    scene.connection.save()
    kept = scene.ended(scene.browser(0).ask(session, "Please"))
    assert (kept.state, kept.error_code) == (Turn.State.FAILED, "no_model")
