"""Makes the pictures of the README from a running server: ``make screenshots``. Needs Chromium and a CJK font.

They are docs/images/{launcher,conversation,report,memory,connections}-{light,dark}-{en,zh}.png, 1440 px wide, and the same
with -390 for a phone.
"""

import os
import re
import tempfile
from contextlib import ExitStack
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.test")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's event loop runs in this thread
django.setup()

from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel, Connection
from chat.models import ChatPreferences, Session
from docs.screenshot_texts import CHINESE, ENGLISH, Texts
from memory import entries
from memory.entries import Content
from memory.models import Tier
from tests import needs
from tests.browser.person import Person
from tests.factories import (
    ChatModelFactory,
    ConnectionFactory,
    MembershipFactory,
    ProfileFactory,
    SessionFactory,
    WorkspaceFactory,
)
from tests.scenes import Scene
from tests.servers import FakeModels, start_site

IMAGES = Path(__file__).parent / "images"
WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WINDOWS: dict[str, Any] = {"": WIDE, "-390": PHONE}
THEMES = ("light", "dark")
SECONDS_PER_PIECE = 0.01
COLOURS = 256  # enough for an interface, and less than half of the bytes


def furnish(scene: Scene, texts: Texts) -> Session:
    """Give the scene's user an organisation with connections and a past; return the conversation to be had."""
    user = scene.user
    User.objects.filter(pk=user.pk).update(
        role=User.Role.SUPER_ADMIN,
        first_name=texts.first_name,
        last_name=texts.last_name,
        username=texts.first_name.lower(),
        language=texts.language,
    )
    scene.connection.delete()
    for number, (name, kind, models) in enumerate(texts.connections):
        connection = ConnectionFactory.create(
            tenant=user.tenant,
            name=name,
            kind=kind,
            origin=Connection.Origin.PRESET if number == 0 else Connection.Origin.BROWSER,
            base_url=scene.models.url.removesuffix("/v1") if kind == Connection.Kind.ANTHROPIC else scene.models.url,
            api_key="good",
        )
        for model in models:
            ChatModelFactory.create(
                connection=connection, name=model, display_name=model, is_default=model == texts.connections[0][2][0]
            )
    workspace = WorkspaceFactory.create(tenant=user.tenant, name=texts.workspace)
    MembershipFactory.create(user=user, workspace=workspace)
    for name, description in texts.profiles:
        profile = ProfileFactory.create(tenant=user.tenant, owner=user, name=name, description=description)
    now = timezone.now()
    for number, title in enumerate(texts.titles):
        SessionFactory.create(
            user=user,
            title=title,
            active_at=now - timedelta(hours=9 * number * number),
            pinned_at=None if number else now,
        )
    model = ChatModel.objects.get(connection__tenant=user.tenant, is_default=True)
    ChatPreferences.objects.create(user=user, last_model=model, last_profile=profile)
    for scope, kind, topic, text, pinned in texts.entries:
        tier = {"": Tier.CORE, "-": Tier.ARCHIVE}.get(topic, Tier.TOPIC)
        content = Content(text, tier, topic if tier == Tier.TOPIC else "", kind, pinned)
        entries.add(user, content, workspace=workspace if scope == "workspace" else None)
    return SessionFactory.create(
        user=user,
        title=texts.title,
        title_source=Session.TitleSource.USER,
        model=model,
        workspace=workspace,
        profile=profile,
        memory_mode="read_only",
    )


def talk(scene: Scene, chromium: Browser, session: Session, texts: Texts) -> None:
    """Have the conversation in a browser, with the replies as the model endpoint was told to give them, and photograph
    what the last turn loaded: only this page says so."""
    person = Person(scene, chromium, reduced_motion="reduce", **WIDE)
    person.open(f"/sessions/{session.pk}/")
    for question, answer in texts.exchanges:
        pieces = re.findall(r"(?s)\s*\S{1,4}", answer)
        scene.script(session, pieces, interval=SECONDS_PER_PIECE, usage=[len(answer) // 2, len(answer) // 4])
        person.ask(question)
    report = person.page.get_by_test_id("loaded-report").last
    report.locator("summary").click()
    for suffix, window in WINDOWS.items():
        person.page.set_viewport_size(window["viewport"])
        for theme in THEMES:
            person.page.emulate_media(color_scheme=theme)
            report.evaluate("report => report.scrollIntoView({ block: 'center' })")
            keep(person, f"report-{theme}-{texts.language[:2]}{suffix}")
    person.close()


def photograph(scene: Scene, chromium: Browser, session: Session, language: str) -> None:
    for suffix, window in WINDOWS.items():
        for theme in THEMES:
            person = Person(scene, chromium, color_scheme=theme, reduced_motion="reduce", **window)
            for name, path in (
                ("launcher", "/"),
                ("conversation", f"/sessions/{session.pk}/"),
                ("memory", f"/sessions/{session.pk}/?memory=entries"),
                ("connections", "/connections/"),
            ):
                person.open(path)
                if name in ("conversation", "memory"):
                    expect(person.replies).to_have_count(len(ENGLISH.exchanges))
                if name == "memory":
                    expect(person.page.get_by_test_id("entry")).to_have_count(len(ENGLISH.entries))
                person.page.mouse.move(0, 0)
                keep(person, f"{name}-{theme}-{language}{suffix}")
            assert not person.trouble, person.trouble
            person.close()


def keep(person: Person, name: str) -> None:
    picture = Image.open(BytesIO(person.page.screenshot()))
    picture.quantize(COLOURS).save(IMAGES / f"{name}.png", optimize=True)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    expect.set_options(timeout=30_000)  # milliseconds; a whole reply is written in between
    with ExitStack() as running:
        site = start_site("sqlite", Path(running.enter_context(tempfile.TemporaryDirectory())), running)
        models = running.enter_context(FakeModels())
        playwright = running.enter_context(sync_playwright())
        running.enter_context(site.database())  # only now: connections belong to the loop that runs
        chromium = playwright.chromium.launch(executable_path=needs.chromium(), args=["--no-sandbox", "--disable-gpu"])
        running.callback(chromium.close)
        for texts in (ENGLISH, CHINESE):
            scene = Scene(site, models)
            session = furnish(scene, texts)
            talk(scene, chromium, session, texts)
            photograph(scene, chromium, session, texts.language[:2])


if __name__ == "__main__":
    main()
