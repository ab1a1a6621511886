"""The path through the tree of turns that a page shows."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from adminchat.accounts.models import User
from chat import selectors, turns
from chat.models import Session, Turn
from chat.threads import Tree, ancestors, exchange, texts, thread
from chat.turns import Outcome
from tests.factories import SessionFactory


def _exchange(session: Session, question: str, answer: str) -> Turn:
    turn = turns.claim(turns.start(session=session, text=question, request_id=uuid4()).pk, uuid4())
    assert turn
    turns.finish(turn, Outcome(state=Turn.State.DONE, text=answer))
    session.refresh_from_db()
    return turn


def _regenerate(turn: Turn, answer: str) -> Turn:
    again = turns.claim(turns.regenerate(turn=turn).pk, uuid4())
    assert again
    turns.finish(again, Outcome(state=Turn.State.DONE, text=answer))
    turn.session.refresh_from_db()
    return again


@pytest.fixture
def session(alice: User) -> Session:
    return SessionFactory.create(user=alice)


def _shown(session: Session) -> list[tuple[str, str]]:
    return [(item.message.text, item.reply.text) for item in thread(session).exchanges]


def test_linear_conversation_is_shown_in_order(session: Session) -> None:  # CHAT-5
    _exchange(session, "1?", "1!")
    _exchange(session, "2?", "2!")
    assert _shown(session) == [("1?", "1!"), ("2?", "2!")]


def test_versions_are_counted_and_can_be_chosen(session: Session) -> None:  # CHAT-8
    first = _exchange(session, "1?", "1!")
    after_first = _exchange(session, "2?", "2!")
    session.head = first.reply
    session.save()
    again = _regenerate(first, "one!")
    session.refresh_from_db()
    assert _shown(session) == [("1?", "one!")]
    shown = thread(session).exchanges[0]
    assert (shown.reply_siblings.index, shown.reply_siblings.count) == (2, 2)
    assert shown.reply_siblings.previous == first.pk
    assert shown.reply_siblings.next is None
    session.head_id = Tree(session).newest_leaf(first.pk)
    assert _shown(session) == [("1?", "1!"), ("2?", "2!")], "choosing a version shows what followed it"
    assert session.head_id == after_first.reply_id
    assert Tree(session).newest_leaf(again.pk) == again.reply_id


def test_edited_message_is_a_sibling_with_its_own_branch(session: Session) -> None:  # CHAT-8
    _exchange(session, "1?", "1!")
    second = _exchange(session, "2?", "2!")
    edited = turns.claim(turns.edit(message=second.message, text="two?", request_id=uuid4()).pk, uuid4())
    assert edited
    turns.finish(edited, Outcome(state=Turn.State.DONE, text="two!"))
    session.refresh_from_db()
    assert _shown(session) == [("1?", "1!"), ("two?", "two!")]
    shown = exchange(Turn.objects.select_related("session").get(pk=edited.pk))
    assert (shown.message_siblings.index, shown.message_siblings.count) == (2, 2)
    assert shown.message_siblings.previous == second.pk


def test_earlier_texts_are_those_of_the_branch_newest_first(session: Session) -> None:  # CHAT-5
    _exchange(session, "1?", "1!")
    second = _exchange(session, "2?", "2!")
    _exchange(session, "3?", "3!")
    assert list(texts(ancestors(second))) == [("1?", "1!")]


def test_queries_do_not_grow_with_the_conversation(session: Session) -> None:  # PERF-10
    _exchange(session, "1?", "1!")
    shown = selectors.session(session.user, session.pk)
    with CaptureQueriesContext(connection) as few:
        thread(shown)
    for number in range(8):
        _exchange(session, f"{number}?", f"{number}!")
    shown = selectors.session(session.user, session.pk)
    with CaptureQueriesContext(connection) as many:
        thread(shown)
    assert len(few) == len(many) == 2


def test_long_conversation_is_shown_in_pages(session: Session) -> None:  # PERF-10
    for number in range(5):
        _exchange(session, f"{number}?", f"{number}!")
    last = thread(session, limit=2)
    assert [item.message.text for item in last.exchanges] == ["3?", "4?"]
    assert last.earlier == last.exchanges[0].turn.pk
    before = thread(session, before=last.earlier, limit=3)
    assert [item.message.text for item in before.exchanges] == ["0?", "1?", "2?"]
    assert before.earlier is None


def test_empty_session_has_an_empty_thread(session: Session) -> None:  # CHAT-5
    assert thread(session).exchanges == []
