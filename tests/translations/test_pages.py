"""Every page that a super administrator can reach, and what it says to an empty form, is Chinese (I18N-1, I18N-2)."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from adminchat.accounts.models import User
from adminchat.connections.models import Connection
from chat.models import Profile
from chat.profiles import ensure_profiles
from tests.factories import (
    PASSWORD,
    ChatModelFactory,
    ConnectionFactory,
    MembershipFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
    WorkspaceFactory,
)

pytestmark = pytest.mark.django_db

SILENT = {"script", "style", "code", "kbd", "pre", "option", "textarea"}  # options name zones and models
SPOKEN = {"aria-label", "title", "placeholder", "alt"}
NOT_PAGES = re.compile(r"^(?!/)|^/(static|admin|events|accounts/logout)|/export/|/stream/")
NOT_OF_THE_OPERATOR = re.compile(r"^(?!/admin/)|/admin/(jsi18n|logout|r|account|usersessions)/|\?")
OF_LIBRARIES = {
    "Add link",
    "Change or view list link",
    "User sessions",
    "After you’ve created a user, you’ll be able to edit more user options.",
}
ENGLISH = re.compile(r"\b[A-Za-z]+ [a-z]{2,}\b")


class Page(HTMLParser):
    """What a page says, where it leads, and the addresses of its forms that want something typed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.links: set[str] = set()
        self.forms: set[str] = set()
        self._open: list[str] = []
        self._action: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._open.append(tag)
        self.said += [value or "" for name, value in attrs if name in SPOKEN or given.get("id") == "words"]
        self.links |= {value for name in ("href", "hx-get") if (value := given.get(name))}
        if tag == "form" and given.get("method") == "post":
            self._action = given.get("action", "")
        elif tag in ("input", "textarea", "select") and "required" in given and self._action is not None:
            self.forms.add(self._action)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._action = None
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not SILENT & set(self._open):
            self.said.append(data)

    @property
    def english(self) -> list[str]:
        return [text.strip() for text in self.said if ENGLISH.search(text)]


@pytest.fixture
def reader(root: User) -> Client:
    """Root's browser, just signed in, with one of everything to look at."""
    cache.clear()
    User.objects.filter(pk=root.pk).update(language="zh-hans")
    tenant = root.tenant
    ensure_profiles(tenant)
    Profile.objects.update(instructions="")  # what is said to models is not translated
    place = MembershipFactory.create(
        user=root, workspace=WorkspaceFactory.create(tenant=tenant, name="财务部")
    ).workspace
    UserFactory.create(tenant=tenant, username="lihua", is_active=False)
    connection = ConnectionFactory.create(
        tenant=tenant, name="自建服务", origin=Connection.Origin.BROWSER, audience=Connection.Audience.WORKSPACES
    )
    connection.workspaces.add(place)
    model = ChatModelFactory.create(connection=connection, is_default=True)
    ChatModelFactory.create(connection=connection, name="tiny", enabled=False)
    for fields in ({}, {"archived_at": timezone.now()}, {"pinned_at": timezone.now(), "workspace": place}):
        session = SessionFactory.create(user=root, title="报销流程", model=model, **fields)
        for state in ("done", "failed", "interrupted"):
            message = {"message__text": "怎么报销？", "reply__text": "先填单。"}
            turn = TurnFactory.create(session=session, state=state, error_code="timeout", output_tokens=1234, **message)
            session.head = turn.reply
            session.save()
    client = Client()
    client.post("/accounts/login/", {"login": "root", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def pages(client: Client, *start: str, without: re.Pattern[str] = NOT_PAGES) -> Iterator[tuple[str, Page]]:
    """Follow every link from ``start`` on."""
    waiting, seen = list(start), set(start)
    while waiting:
        address = waiting.pop()
        response = client.get(address, follow=True)
        assert response.status_code == 200, address
        page = Page(response.content.decode())
        yield address, page
        found = {link.partition("#")[0] for link in page.links}
        new = {link for link in found if link and not without.search(link)} - seen
        seen |= new
        waiting += new


def test_every_page_is_chinese(reader: Client) -> None:  # I18N-1
    english, forms = {}, set()
    for address, page in pages(reader, "/", "/sessions/?q=没有这个"):
        english[address] = page.english
        forms |= {action or address for action in page.forms}
    assert len(english) > 30
    for action in sorted(forms):
        answer = reader.post(action, {})
        english["POST " + action] = Page(answer.content.decode()).english if answer.status_code < 500 else ["an error"]
    assert {address: texts for address, texts in english.items() if texts} == {}


def test_the_operator_s_pages_are_chinese(reader: Client) -> None:  # I18N-1
    User.objects.filter(username="root").update(is_staff=True, is_superuser=True)
    english = {address: page.english for address, page in pages(reader, "/admin/", without=NOT_OF_THE_OPERATOR)}
    assert len(english) > 15
    assert {text for texts in english.values() for text in texts} <= OF_LIBRARIES


def test_refusals_and_notices_of_sign_in_are_chinese(reader: Client) -> None:  # I18N-1
    wrong = Client(headers={"accept-language": "zh-CN"})
    assert (
        "用户名或密码不正确。" in wrong.post("/accounts/login/", {"login": "root", "password": "no"}).content.decode()
    )
    weak = {"username": "wang", "role": "admin", "password": "123"}
    assert "密码太短，至少需要 8 个字符。" in reader.post("/people/create/", weak).content.decode()
    reader.post("/accounts/logout/")
    assert "你已退出登录。" in reader.get("/accounts/login/", headers={"accept-language": "zh"}).content.decode()


@pytest.mark.parametrize("address", ["/nowhere/", f"/sessions/{'0' * 8}-0000-4000-8000-{'0' * 12}/"])
def test_error_pages_are_chinese(reader: Client, address: str) -> None:  # I18N-1
    answer = reader.get(address)
    assert answer.status_code == 404
    page = Page(answer.content.decode())
    assert "这里什么都没有" in page.said and page.english == []


def test_numbers_are_grouped_as_they_are_read(reader: Client) -> None:  # I18N-2
    session = SessionFactory.create(user=User.objects.get(username="root"))
    turn = TurnFactory.create(session=session, output_tokens=1234)
    session.head = turn.reply
    session.save()
    assert "1,234 个 token" in reader.get(f"/sessions/{session.pk}/").content.decode()


def test_the_family_name_is_asked_for_first(reader: Client) -> None:  # I18N-2
    html = reader.get("/settings/").content.decode()
    assert 0 < html.index("姓氏") < html.index("名字")
    User.objects.update(language="en")
    html = reader.get("/settings/").content.decode()
    assert 0 < html.index("First name") < html.index("Last name")
