"""Titles that the model writes."""

from typing import Any
from uuid import uuid4

import pytest

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.prompts import versions
from adminchat.prompts.versions import Content
from chat import titles, turns
from chat.models import Session, Turn
from chat.turns import Outcome
from tests.factories import ChatModelFactory, ConnectionFactory, PromptVersionFactory, SessionFactory, UserFactory
from tests.scenes import Scene
from tests.servers import eventually


@pytest.fixture
def turn(alice: User) -> Turn:
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=alice.tenant))
    session = SessionFactory.create(user=alice, model=model, title="How do I")
    turn = turns.claim(turns.start(session=session, text="How do I rotate keys?", request_id=uuid4()).pk, uuid4())
    assert turn
    turns.finish(turn, Outcome(state=Turn.State.DONE, text="Like this."))
    return turn


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Key rotation", "Key rotation"),
        ('  "Rotating the keys."\n\nIt fits well.', "Rotating the keys"),
        ("《密钥轮换》", "密钥轮换"),
        ("**Key rotation**", "Key rotation"),
        ("", ""),
        ("\n\n", ""),
        ("word " * 40, "word word word word word word word word word word word word…"),
    ],
)
def test_answer_becomes_one_short_line(answer: str, title: str) -> None:  # CHAT-14
    assert titles.cleaned_title(answer) == title
    assert len(titles.cleaned_title(answer)) <= titles.TITLE_CHARACTERS


def test_title_request_carries_the_first_exchange_and_no_instructions_of_the_user(turn: Turn) -> None:  # CHAT-14, SYS-5
    asked = titles._request(turn)
    assert asked
    model, request = asked
    assert model == turn.model
    assert request.messages[0].content.startswith("Write a title"), "the prompt that comes along"
    assert "How do I rotate keys?" in request.messages[-1].content
    assert "Like this." in request.messages[-1].content
    assert [message.role for message in request.messages] == ["system", "user"]


def test_title_of_the_user_is_not_replaced(turn: Turn) -> None:  # CHAT-14
    Session.objects.filter(pk=turn.session_id).update(title="Mine", title_source=Session.TitleSource.USER)
    assert titles._request(turn) is None
    assert not titles._store(turn.session_id, "Generated")
    assert Session.objects.get(pk=turn.session_id).title == "Mine"


def test_later_turns_and_the_built_in_model_are_not_asked_for_titles(turn: Turn) -> None:  # CHAT-14, OPS-4
    Connection.objects.update(kind=Connection.Kind.LOCAL)
    turn = Turn.objects.select_related("session", "message", "model__connection").get(pk=turn.pk)
    assert titles._request(turn) is None


def test_title_is_asked_for_as_the_active_prompt_says(turn: Turn) -> None:  # PROMPT-2
    root = UserFactory.create(tenant=turn.session.tenant, super_admin=True)
    other = ChatModelFactory.create(connection=turn.model.connection, name="small") if turn.model else None
    content = Content("Name it.", other, temperature=0.1, top_p=0.9, max_tokens=50, stop=("\n",))
    version = PromptVersionFactory.create(tenant=root.tenant, **content.fields())
    versions.activate(root, version, seen="2026.12.01.2-T1-A1")
    asked = titles._request(turn)
    assert asked
    model, request = asked
    assert (model, request.model, request.messages[0].content) == (other, "small", "Name it.")
    assert (request.temperature, request.top_p, request.max_tokens, request.stop) == (0.1, 0.9, 50, ("\n",))
    version.refresh_from_db()
    assert version.used_at


def test_title_is_asked_of_the_sessions_model_where_the_prompts_own_is_off(turn: Turn) -> None:  # PROMPT-2
    root = UserFactory.create(tenant=turn.session.tenant, super_admin=True)
    other = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=root.tenant, enabled=False))
    version = PromptVersionFactory.create(tenant=root.tenant, **Content("Name it.", other).fields())
    versions.activate(root, version, seen="2026.12.01.2-T1-A1")
    asked = titles._request(turn)
    assert asked and asked[0] == turn.model


def test_title_comes_with_the_first_reply_that_has_text(alice: User) -> None:  # CHAT-14
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=alice.tenant))
    session = SessionFactory.create(user=alice, model=model)
    requests = []
    for text in ("", "The first reply.", "The second reply."):
        session.refresh_from_db()
        turn = turns.claim(turns.start(session=session, text="Question", request_id=uuid4()).pk, uuid4())
        assert turn
        turns.finish(turn, Outcome(state=Turn.State.DONE if text else Turn.State.FAILED, text=text))
        requests.append(titles._request(turn))
    assert [request is not None for request in requests] == [False, True, False]


@pytest.mark.parametrize("state", [Turn.State.STOPPED, Turn.State.FAILED, Turn.State.INTERRUPTED])
def test_reply_that_was_broken_off_asks_for_no_title_and_the_next_one_does(
    alice: User, state: Turn.State
) -> None:  # CHAT-7, CHAT-14
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=alice.tenant))
    session = SessionFactory.create(user=alice, model=model)
    requests = []
    for outcome in (state, Turn.State.DONE):
        session.refresh_from_db()
        turn = turns.claim(turns.start(session=session, text="Question", request_id=uuid4()).pk, uuid4())
        assert turn
        turns.finish(turn, Outcome(state=outcome, text="A part of the reply"))
        requests.append(titles._request(turn))
    assert [request is not None for request in requests] == [False, True]


def test_temporary_session_is_not_named(turn: Turn) -> None:  # CHAT-4
    Session.objects.filter(pk=turn.session_id).update(temporary=True)
    assert titles._request(turn) is None


@pytest.mark.parametrize(
    "answer", [{"status": 500, "error": {"message": "Broken"}}, {"whole": " "}], ids=["fault", "empty"]
)
def test_first_words_stay_when_no_title_comes(scene: Scene, answer: dict[str, Any]) -> None:  # CHAT-14
    session = scene.session()
    assert session.model
    scene.script(session, ["Like this."])
    scene.models.script(session.model.name, [], **answer)
    asked = scene.browser(0).ask(session, "How do I rotate keys?")
    assert scene.ended(asked).reply.text == "Like this."
    eventually(lambda: scene.models.title_requests(session.model.name))
    assert scene.ended(scene.browser(0).ask(session, "And then?")).state == Turn.State.DONE
    before = session.title
    session.refresh_from_db()
    assert (session.title, session.title_source) == (before, Session.TitleSource.FIRST_WORDS)
    assert len(scene.models.title_requests(session.model.name)) == 1, "it is not asked for again and again"
