"""What a page says while the built-in model isn't ready (OPS-2, OPS-4). What the model answers: tests/browser."""

from collections.abc import Callable

import httpx

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from chat.models import Turn
from tests.browsers import Browser, ReplyPage
from tests.factories import ChatModelFactory, ConnectionFactory, SessionFactory
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.servers import Site, eventually

LOADING = Reply(status=503, error={"message": "Loading model", "type": "unavailable_error", "code": 503})


def test_a_question_waits_while_the_model_starts_and_the_page_says_so(  # OPS-2, CHAT-18
    serve: Callable[..., Site], alice: User, fake_models: FakeServer
) -> None:
    site = serve(environment={"ADMINCHAT_FIRST_TOKEN_SECONDS": "60"})
    connection = ConnectionFactory.create(
        tenant=alice.tenant, kind=Connection.Kind.LOCAL, base_url=fake_models.url, api_key=""
    )
    session = SessionFactory.create(user=alice, model=ChatModelFactory.create(connection=connection, name="echo"))
    fake_models.enqueue(*[LOADING] * 1000)
    browser = Browser(site.processes[0], alice)
    page = ReplyPage(browser.ask(session, "Hello"))
    with browser.stream(f"/turns/{page.turn}/stream/") as events:
        for event in events:
            page.take(event)
            if "built-in model is still starting" in event.data:
                fake_models.app.script.clear()
    assert page.state == "done"
    names = [event.name for event in page.events]
    assert names[:2] == ["report", "status"]
    last_status = next(event for event in reversed(page.events) if event.name == "status")
    assert "starting" not in last_status.data, "the wait is over"
    turn = Turn.objects.get(pk=page.turn)
    assert (turn.state, turn.reply.text) == (Turn.State.DONE, "You said: Hello")


def test_it_answers_one_question_at_a_time_and_the_others_see_that_they_wait(  # OPS-4
    serve: Callable[..., Site], alice: User, fake_models: FakeServer
) -> None:
    site = serve()
    connection = ConnectionFactory.create(
        tenant=alice.tenant, kind=Connection.Kind.LOCAL, base_url=fake_models.url, api_key=""
    )
    model = ChatModelFactory.create(connection=connection, name="echo")
    first, second = (SessionFactory.create(user=alice, model=model) for _ in range(2))
    fake_models.enqueue(Reply(chunks=["One ", "moment"], hold_at=1))
    browser = Browser(site.processes[0], alice)
    asked_first = browser.ask(first, "First?")
    eventually(lambda: len(fake_models.app.records) == 1)
    page = ReplyPage(browser.ask(second, "Second?"))
    with browser.stream(f"/turns/{page.turn}/stream/") as events:
        for event in events:
            page.take(event)
            if "one question at a time" in event.data:
                assert len(fake_models.app.records) == 1
                assert Turn.objects.get(pk=asked_first).is_open
                httpx.post(f"{fake_models.url}/_release", json={"model": "echo"}).raise_for_status()
    assert [event.name for event in page.events].count("status") == 2, "it is said that it waits, and that no more"
    assert page.state == "done"
    assert Turn.objects.get(pk=asked_first).reply.text == "One moment"
    assert Turn.objects.get(pk=page.turn).reply.text == "You said: Second?"
