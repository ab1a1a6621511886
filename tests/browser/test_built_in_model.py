"""The built-in model for real, from a person's first message to the text on the page."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from adminchat.connections.models import BUILT_IN_LABEL
from adminchat.connections.presets import sync_presets
from tests.browser.person import Person, prose
from tests.factories import SessionFactory
from tests.scenes import Scene
from tests.servers import Server

pytestmark = pytest.mark.needs("weights")


class LocalModel(Server):
    """The server that quickstart runs."""

    def command(self) -> list[str]:
        return [sys.executable, "-m", "adminchat.providers.local_server", "--port", str(self.port)]

    def _answers(self) -> bool:
        """Whether the weights are loaded, too."""
        return super()._answers() and httpx.get(f"http://127.0.0.1:{self.port}/health").is_success


@pytest.fixture
def local_model() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


def test_the_built_in_model_answers(  # CHAT-18, CHAT-6, OPS-2, OPS-3
    scene: Scene, local_model: LocalModel, meet: Callable[..., Person], settings: Any
) -> None:
    settings.ADMINCHAT_LOCAL_MODEL_URL = f"http://127.0.0.1:{local_model.port}/v1"
    sync_presets(scene.user.tenant)
    person = meet(scene)
    page = person.open("/")
    expect(page.locator(".first-run-way").first).to_contain_text("built-in model")
    session = SessionFactory.create(user=scene.user, max_tokens=40)
    person.open(f"/sessions/{session.pk}/")
    person.send("Name three fruits.")
    expect(person.replies.last).to_have_attribute("data-state", "done", timeout=60_000)
    assert len(prose(person.replies.last)) > 10
    expect(person.replies.last.get_by_role("heading", level=2)).to_have_text(BUILT_IN_LABEL)
    turn = session.turns.get()
    assert turn.output_tokens
    assert turn.first_token_at and turn.finished_at and turn.first_token_at < turn.finished_at
