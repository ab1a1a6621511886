"""What somebody sees who asks for too much: why, in their language, and nothing typed is lost (SEC-7)."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import redis
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from adminchat.accounts.models import User
from chat.limits import SEARCHES_PER_MINUTE
from chat.models import Message, Session, Turn
from tests.browser.person import Person
from tests.factories import PASSWORD, SessionFactory
from tests.scenes import Scene
from tests.servers import Site

TOO_MANY_TURNS = {
    "en": "You have sent many messages in a short time. Wait a minute, then send again.",
    "zh-hans": "你在短时间内发送了很多消息。请等一分钟再发送。",
}


@pytest.fixture(autouse=True)
def limits_end_with_the_test(site: Site) -> Iterator[None]:
    """All browsers of the tests have one address: what was counted of it would refuse the next who signs in."""
    yield
    assert site.broker
    with redis.Redis.from_url(site.broker.url) as counts:
        counts.flushdb()


def use_up_turns(person: Person) -> None:
    """As if they had sent as many messages in the last seconds as one may in a minute."""
    session = SessionFactory.create(user=person.scene.user)
    count = settings.ADMINCHAT_TURNS_PER_MINUTE
    messages = Message.objects.bulk_create(Message(session=session, role="user", text="Hi") for _ in range(count))
    replies = Message.objects.bulk_create(
        Message(session=session, role="assistant", text="Hi", parent=message) for message in messages
    )
    Turn.objects.bulk_create(
        Turn(session=session, message=message, reply=reply, state=Turn.State.DONE)
        for message, reply in zip(messages, replies, strict=True)
    )


def a_minute_later() -> None:
    Turn.objects.update(created_at=timezone.now() - timedelta(minutes=2))


@pytest.mark.parametrize("language", TOO_MANY_TURNS)
def test_too_many_messages_in_a_conversation(person: Person, language: str) -> None:  # SEC-7, CHAT-12
    User.objects.filter(pk=person.scene.user.pk).update(language=language)
    session = person.open_session()
    use_up_turns(person)
    person.send("One more")
    expect(person.page.get_by_role("alert")).to_contain_text(TOO_MANY_TURNS[language])
    expect(person.composer).to_have_value("One more")
    a_minute_later()
    person.composer.press("Enter")
    person.wait_for_end()
    expect(person.page.get_by_role("alert")).to_be_empty()
    assert session.turns.get().message.text == "One more"


@pytest.mark.parametrize("language", TOO_MANY_TURNS)
def test_too_many_new_conversations(person: Person, language: str) -> None:  # SEC-7, CHAT-1
    User.objects.filter(pk=person.scene.user.pk).update(language=language)
    model = person.scene.model("echo", display_name="Echo")
    person.open("/")
    use_up_turns(person)
    person.page.get_by_test_id("model-select").get_by_role("combobox").select_option("Echo")
    person.page.get_by_test_id("memory-mode").locator("[value=read_only]").check()
    person.send("One more")
    expect(person.page.get_by_role("alert")).to_contain_text(TOO_MANY_TURNS[language])
    expect(person.composer).to_have_value("One more")
    a_minute_later()
    person.composer.press("Enter")
    person.page.wait_for_url("**/sessions/*/")
    person.wait_for_end()
    started = Session.objects.get(user=person.scene.user, messages__text="One more", messages__role="user")
    assert (started.model, started.memory_mode) == (model, "read_only")


def test_too_many_edits_keep_the_other_words(person: Person) -> None:  # SEC-7, CHAT-8
    session = person.open_session()
    person.ask("First words")
    use_up_turns(person)
    person.messages.first.hover()
    person.messages.first.get_by_role("link", name="Edit and ask again").click()
    editor = person.page.locator(".message-edit textarea")
    editor.fill("Better words")
    editor.press("Enter")
    expect(person.page.locator(".message-edit")).to_contain_text(TOO_MANY_TURNS["en"])
    expect(editor).to_have_value("Better words")
    assert session.turns.count() == 1


def test_too_many_wrong_passwords(scene: Scene, meet: Callable[..., Person]) -> None:  # SEC-7, SEC-9
    person = meet(scene, signed_in=False, locale="zh-CN")
    page = person.open("/accounts/login/")
    name, password = page.locator("[name=login]"), page.locator("[name=password]")
    refused = page.get_by_text("失败次数过多，请等几分钟再试。")
    for _ in range(6):
        name.fill(person.scene.user.username)
        password.fill("wrong")
        password.press("Enter")
        page.wait_for_load_state()
        expect(page.get_by_role("alert")).to_be_visible()
    expect(refused).to_be_visible()
    expect(name).to_have_value(person.scene.user.username)
    password.fill(PASSWORD)
    password.press("Enter")
    expect(refused).to_be_visible()  # the right one, too early


def test_too_many_confirmations_lead_back(person: Person) -> None:  # SEC-7, SEC-9
    User.objects.filter(pk=person.scene.user.pk).update(language="zh-hans")
    page = person.open("/accounts/reauthenticate/")
    for _ in range(10):
        page.locator("[name=password]").fill("wrong")
        page.locator("[name=password]").press("Enter")
        expect(page.locator(".field-error")).to_be_visible()
    page.locator("[name=password]").fill("wrong")
    page.locator("[name=password]").press("Enter")
    expect(page.get_by_role("heading", name="尝试次数过多")).to_be_visible()
    page.get_by_role("link", name="回到首页").click()
    expect(person.composer).to_be_visible()


def test_too_many_searches_keep_what_was_found(person: Person) -> None:  # SEC-7, CHAT-2
    for _ in range(60):
        SessionFactory.create(user=person.scene.user, title="A plan")
    page = person.open("/sessions/?q=plan")
    rows = page.locator(".result")
    before = rows.count()
    for _ in range(2 * SEARCHES_PER_MINUTE):  # the minute may turn meanwhile
        page.request.get("/sessions/?q=plan")
    page.get_by_role("link", name="Show more").click()
    expect(page.locator("#toasts")).to_contain_text("That was a lot in a short time. Wait a minute, then try again.")
    expect(rows).to_have_count(before)
