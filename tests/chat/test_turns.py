"""The state machine of a turn."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from adminchat.accounts.models import MemoryMode, User
from chat import turns
from chat.models import Message, Session, Turn
from chat.turns import Outcome, Progress
from tests.factories import ChatModelFactory, ConnectionFactory, ProfileFactory, SessionFactory


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice)


def _ask(session: Session, text: str = "Hello") -> Turn:
    return turns.start(session=session, text=text, request_id=uuid4())


def _answer(turn: Turn, text: str = "Hi") -> None:
    owner = uuid4()
    claimed = turns.claim(turn.pk, owner)
    assert claimed
    assert turns.finish(claimed, Outcome(state=Turn.State.DONE, text=text))
    turn.session.refresh_from_db()


def test_message_is_stored_once_with_its_pending_turn(session: Session) -> None:  # CHAT-5
    turn = _ask(session, "How do I **rotate** keys?")
    assert [message.text for message in session.messages.filter(role="user")] == ["How do I **rotate** keys?"]
    assert turn.state == Turn.State.PENDING
    assert "<strong>rotate</strong>" in turn.message.html
    session.refresh_from_db()
    assert session.head == turn.reply


def test_message_follows_the_newest_reply_however_old_the_page_is(session: Session) -> None:  # CHAT-7
    seen_before = Session.objects.get(pk=session.pk)
    _answer(_ask(session, "One"))
    second = _ask(seen_before, "Two")
    assert second.message.parent == session.turns.exclude(pk=second.pk).get().reply


def test_second_turn_is_refused_while_one_is_open(session: Session) -> None:  # CHAT-7
    _ask(session)
    with pytest.raises(turns.TurnRunning):
        _ask(session, "And another thing")
    assert session.messages.filter(role="user").count() == 1


def test_same_request_starts_one_turn(session: Session) -> None:  # CHAT-7
    request_id = uuid4()
    first = turns.start(session=session, text="Hello", request_id=request_id)
    again = turns.start(session=session, text="Hello", request_id=request_id)
    assert again == first
    assert session.turns.count() == 1


def test_other_words_under_a_used_request_id_are_not_lost(session: Session) -> None:  # CHAT-7
    request_id = uuid4()
    first = turns.start(session=session, text="Hello", request_id=request_id)
    _answer(first)
    second = turns.start(session=session, text="Something else", request_id=request_id)
    assert second != first
    assert second.message.text == "Something else"


def test_only_one_process_can_claim_a_turn(session: Session) -> None:  # CHAT-6
    turn = _ask(session)
    assert turns.claim(turn.pk, uuid4())
    assert turns.claim(turn.pk, uuid4()) is None


def test_process_that_stores_a_turn_has_it_from_the_start(session: Session) -> None:  # CHAT-6, REL-2
    owner = uuid4()
    with patch("chat.streaming.owner", return_value=owner):
        turn = _ask(session)
    assert (turn.state, turn.owner) == (Turn.State.RUNNING, owner)
    assert turn.started_at is not None
    assert turns.claim(turn.pk, uuid4()) is None
    Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert turns.sweep() == 1, "a process that was killed before it began leaves nothing open"


def test_turn_that_comes_too_late_for_its_process_is_left_to_another(session: Session) -> None:  # CHAT-6
    with patch("chat.streaming.owner", return_value=uuid4()):
        turn = _ask(session)
    turns.hand_back(turn)
    other = uuid4()
    claimed = turns.claim(turn.pk, other)
    assert claimed and claimed.owner == other
    turns.hand_back(turn)
    claimed.refresh_from_db()
    assert claimed.owner == other, "only one's own is handed back"


def test_regenerating_adds_a_sibling_reply_to_the_same_message(session: Session) -> None:  # CHAT-8
    turn = _ask(session)
    _answer(turn, "First")
    again = turns.regenerate(turn=turn, version=1)
    assert again.message == turn.message
    assert session.messages.filter(role="user").count() == 1
    assert turns.regenerate(turn=turn, version=1) == again, "a double click is the same request"


def test_editing_adds_a_sibling_message_with_the_same_parent(session: Session) -> None:  # CHAT-8
    first = _ask(session)
    _answer(first)
    second = _ask(session, "Second qeustion")
    _answer(second)
    edited = turns.edit(message=second.message, text="Second question", request_id=uuid4())
    assert edited.message.parent == second.message.parent == first.reply
    assert Message.objects.get(pk=second.message_id).text == "Second qeustion"


def test_save_reports_what_was_lost_and_stop_orders_are_found(session: Session, alice: User) -> None:  # CHAT-7
    owner = uuid4()
    mine = turns.claim(_ask(session).pk, owner)
    other = turns.claim(_ask(SessionFactory.create(user=alice)).pk, uuid4())
    assert mine and other
    turns.stop(mine)
    lost = turns.save(owner, [Progress(mine.pk, mine.reply_id, "Par"), Progress(other.pk, other.reply_id, "stolen")])
    assert lost == {other.pk}
    assert turns.stop_orders([mine.pk, other.pk]) == [mine.pk]
    assert Message.objects.get(pk=mine.reply_id).text == "Par"
    assert Message.objects.get(pk=other.reply_id).text == ""


def test_stopping_an_unclaimed_turn_ends_it(session: Session) -> None:  # CHAT-7
    turn = _ask(session)
    turns.stop(turn)
    turn.refresh_from_db()
    assert turn.state == Turn.State.STOPPED
    assert turns.claim(turn.pk, uuid4()) is None


def test_sweep_keeps_the_partial_reply_of_a_dead_process(session: Session) -> None:  # REL-2
    turn = turns.claim(_ask(session).pk, uuid4())
    assert turn and turn.owner
    turns.save(turn.owner, [Progress(turn.pk, turn.reply_id, "Half a *reply*")])
    assert turns.sweep() == 0, "a living turn is left alone"
    Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert turns.sweep() == 1
    turn.refresh_from_db()
    assert turn.state == Turn.State.INTERRUPTED
    assert turn.reply.text == "Half a *reply*"
    assert "<em>reply</em>" in turn.reply.html
    assert not turns.finish(turn, Outcome(state=Turn.State.DONE, text="other words")), "a swept turn can't be finished"
    assert Message.objects.get(pk=turn.reply_id).text == "Half a *reply*"


def test_turn_that_was_taken_for_dead_still_gets_the_rest_of_its_text(session: Session) -> None:  # REL-4
    turn = turns.claim(_ask(session).pk, uuid4())
    assert turn and turn.owner
    turns.save(turn.owner, [Progress(turn.pk, turn.reply_id, "Half a *reply*")])
    Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    turns.sweep()
    assert not turns.finish(turn, Outcome(state=Turn.State.DONE, text="Half a *reply* and the **rest**"))
    turn.refresh_from_db()
    assert turn.state == Turn.State.INTERRUPTED
    assert turn.reply.text == "Half a *reply* and the **rest**"
    assert "<strong>rest</strong>" in turn.reply.html


def test_deleted_session_is_not_said_to_be_busy(session: Session) -> None:  # CHAT-7
    gone = Session.objects.get(pk=session.pk)
    session.delete()
    with pytest.raises(Session.DoesNotExist):
        _ask(gone)


def test_turns_are_limited_however_they_are_started(session: Session, settings: Any) -> None:  # SEC-7
    first = _ask(session)
    _answer(first)
    settings.ADMINCHAT_TURNS_PER_MINUTE = 1
    for start in (
        lambda: _ask(session),
        lambda: turns.regenerate(turn=first),
        lambda: turns.edit(message=first.message, text="Again", request_id=uuid4()),
    ):
        with pytest.raises(turns.TooManyTurns):
            start()


@pytest.mark.django_db(transaction=True)
def test_message_that_is_slow_to_render_does_not_lock_the_database(session: Session) -> None:  # REL-6
    def look(text: str) -> str:
        assert not connection.in_atomic_block
        return text

    with patch("chat.turns.render_user", side_effect=look), patch("chat.turns.render", side_effect=look):
        turn = _ask(session)
        Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
        assert turns.sweep() == 1


def test_next_message_does_not_wait_for_the_sweep_of_a_dead_turn(session: Session) -> None:  # REL-2
    turn = turns.claim(_ask(session).pk, uuid4())
    assert turn
    Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert _ask(session, "Still there?").state == Turn.State.PENDING


def test_unusable_model_is_not_replaced_by_another(session: Session, alice: User) -> None:  # CHAT-16
    usable = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=alice.tenant), is_default=True)
    assert _ask(SessionFactory.create(user=alice)).model == usable
    session.model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=alice.tenant, enabled=False))
    session.save()
    assert _ask(session).model is None


@pytest.mark.parametrize(
    ("wanted", "tenant_cap", "profile_cap", "effective"),
    [
        ("learn", "learn", "learn", "learn"),
        ("learn", "read_only", "learn", "read_only"),
        ("learn", "learn", "off", "off"),
        ("off", "learn", "learn", "off"),
    ],
)
def test_mode_of_a_turn_is_held_to_the_caps(  # ENTRY-5
    session: Session, wanted: str, tenant_cap: str, profile_cap: str, effective: str
) -> None:
    session.tenant.policy.mode_cap = tenant_cap
    session.tenant.policy.save()
    session.memory_mode = wanted
    session.profile = ProfileFactory.create(tenant=session.tenant, memory_cap=profile_cap)
    assert turns.effective_mode(session) == effective


def test_temporary_session_has_no_memory(session: Session) -> None:  # CHAT-4
    session.temporary, session.memory_mode = True, MemoryMode.LEARN
    assert turns.effective_mode(session) == MemoryMode.OFF


STEPS = st.lists(
    st.sampled_from(["ask", "own", "claim", "back", "save", "stop", "finish", "sweep", "age", "regenerate"]),
    min_size=1,
    max_size=25,
)


class StateMachineTest(TestCase):
    """Whatever happens in whatever order, a session has one open turn at most and no ended turn changes."""

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(STEPS)
    def test_any_order_of_steps_keeps_the_invariants(self, steps: list[str]) -> None:  # CHAT-7
        session = SessionFactory.create()
        owner, ended = uuid4(), dict[object, tuple[str, str]]()
        for step in steps:
            latest = session.turns.select_related("session", "message", "reply").order_by("-created_at").first()
            self._take(step, session, latest, owner)
            assert session.turns.filter(state__in=Turn.OPEN).count() <= 1
            for turn in session.turns.exclude(state__in=Turn.OPEN).select_related("reply"):
                state, text = ended.get(turn.pk, (turn.state, turn.reply.text))
                assert turn.state == state
                assert turn.reply.text.startswith(text), "what was kept is never lost"
                ended[turn.pk] = (turn.state, turn.reply.text)
                assert turn.finished_at is not None
        assert session.messages.filter(role="assistant").count() == session.turns.count()

    def _take(self, step: str, session: Session, latest: Turn | None, owner: object) -> None:
        try:
            if step == "ask":
                turns.start(session=session, text="x", request_id=uuid4())
            elif step == "own":
                with patch("chat.streaming.owner", return_value=owner):
                    turns.start(session=session, text="x", request_id=uuid4())
            elif latest is None:
                return
            elif step == "back":
                turns.hand_back(latest)
            elif step == "claim":
                turns.claim(latest.pk, owner)  # type: ignore[arg-type]
            elif step == "save":
                turns.save(owner, [Progress(latest.pk, latest.reply_id, "partial")])  # type: ignore[arg-type]
            elif step == "stop":
                turns.stop(latest)
            elif step == "finish":
                turns.finish(latest, Outcome(state=Turn.State.DONE, text="whole"))
            elif step == "sweep":
                turns.sweep()
            elif step == "age":
                Turn.objects.filter(pk=latest.pk).update(heartbeat_at=timezone.now() - timedelta(hours=1))
            elif step == "regenerate":
                turns.regenerate(turn=latest)
        except turns.TurnRunning:
            pass
