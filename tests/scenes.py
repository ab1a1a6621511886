"""Somebody with a model to talk to, on a site whose web processes really run."""

from typing import Any
from uuid import UUID, uuid4

import httpx

from adminchat.connections.models import ChatModel
from chat.models import Session, Turn
from tests.browsers import Browser
from tests.factories import ChatModelFactory, ConnectionFactory, SessionFactory, UserFactory
from tests.servers import FakeModels, Site, Web, eventually


class Scene:
    """A user of a tenant of their own. Every session gets a model of its own, so that its requests can be told apart."""

    def __init__(self, site: Site, models: FakeModels) -> None:
        self.site, self.models = site, models
        self.user = UserFactory.create()
        self.connection = ConnectionFactory.create(tenant=self.user.tenant, base_url=models.url, api_key="good")
        self._browsers: list[Browser] = []

    def model(self, name: str, **fields: Any) -> ChatModel:
        """A model that answers as ``name`` says; see ``tests.fakes.replies``."""
        return ChatModelFactory.create(connection=self.connection, name=f"{name}--{uuid4().hex}", **fields)

    def session(self, model: str = "echo", **fields: Any) -> Session:
        return SessionFactory.create(user=self.user, model=self.model(model, **fields))

    def browser(self, web: Web | int = 0) -> Browser:
        """The user's browser at a web process, by default the first of the site's."""
        browser = Browser(self.site.processes[web] if isinstance(web, int) else web, self.user)
        self._browsers.append(browser)
        return browser

    def close(self) -> None:
        for browser in self._browsers:
            browser.http.close()

    def requests(self, session: Session) -> list[dict[str, Any]]:
        """What reached the endpoint for the session's model, oldest first."""
        assert session.model
        return self.models.requests(session.model.name)

    def script(self, session: Session, chunks: list[str], **reply: Any) -> str:
        """Let the session's model answer with exactly these pieces; return them as one text."""
        assert session.model
        assert reply.get("hold_at", 0) < len(chunks), "it would never be held"
        self.models.script(session.model.name, chunks, **reply)
        return "".join(chunks)

    def script_extraction(self, session: Session, answer: str, **reply: Any) -> None:
        """Let the next extraction by the session's model be answered with ``answer``."""
        assert session.model
        self.models.script(session.model.name, [], shaped=answer, **reply)

    def release(self, session: Session) -> None:
        """Let the reply go on that a script holds."""
        assert session.model
        self.models.release(session.model.name)

    def ended(self, turn: UUID, seconds: float = 20.0) -> Turn:
        """The turn after its end."""
        return eventually(lambda: Turn.objects.exclude(state__in=Turn.OPEN).filter(pk=turn).first(), seconds)

    def running(self, turn: UUID, text: bool = True) -> Turn:
        """The turn once it runs, by default with text saved."""
        running = Turn.objects.filter(pk=turn, state=Turn.State.RUNNING).select_related("reply")
        return eventually(lambda: (running.exclude(reply__text="") if text else running).first())


def said(record: dict[str, Any]) -> list[tuple[str, str]]:
    """Roles and texts of a recorded request, its rules aside."""
    return [(part["role"], part["content"]) for part in record["body"]["messages"] if part["role"] != "system"]


def statuses(answers: list[httpx.Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)
