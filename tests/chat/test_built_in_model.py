"""What a page says while the built-in model isn't ready (OPS-2, OPS-4). What the model answers: tests/browser."""

from collections.abc import Callable

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from chat.models import Turn
from tests.browsers import Browser, ReplyPage
from tests.factories import ChatModelFactory, ConnectionFactory, SessionFactory
from tests.fakes.replies import Reply
from tests.fakes.serve import FakeServer
from tests.servers import Site

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
