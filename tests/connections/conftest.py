from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.http import HttpResponse
from django.test import AsyncClient, Client
from pytest_django import Settings

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from adminchat.providers.registry import close_all
from tests.factories import PASSWORD, ConnectionFactory, UserFactory
from tests.fakes.serve import FakeServer


@pytest.fixture
def as_root(root: User) -> Client:
    """The browser of a super administrator who has typed the password a moment ago."""
    client = Client()
    client.force_login(root)
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


@pytest.fixture
def dave(db: None) -> User:
    """A super administrator of another tenant."""
    return UserFactory.create(username="dave", tenant__name="Other", super_admin=True)


@pytest.fixture
def stored(root: User) -> Connection:
    """A connection as somebody added it in the browser."""
    return ConnectionFactory.create(
        tenant=root.tenant,
        name="Mine",
        origin=Connection.Origin.BROWSER,
        base_url="https://93.184.215.14/v1",
        api_key="sk-stored",
    )


@pytest.fixture
def service(settings: Settings) -> Iterator[FakeServer]:
    """A model service on this machine, which connections may reach."""
    settings.ADMINCHAT_ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    with FakeServer() as server:
        yield server


def ask(client: Client, path: str, *, htmx: bool = True, **form: Any) -> HttpResponse:
    """Post to a view that talks to a model service, in one event loop that leaves no connection open."""

    async def post() -> HttpResponse:
        browser = AsyncClient(headers={"HX-Request": "true"} if htmx else None)
        browser.cookies = client.cookies
        try:
            answer = await browser.post(path, form)
            if not answer.streaming:
                return answer  # type: ignore[return-value]  # a test client's response is one
            return HttpResponse(b"".join([part async for part in answer.streaming_content]), status=answer.status_code)  # type: ignore[attr-defined]
        finally:
            await close_all()

    return async_to_sync(post)()
