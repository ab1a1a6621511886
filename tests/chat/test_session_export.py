"""A session as a file."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from adminchat.accounts.models import User
from chat import exports
from chat.models import Session
from tests.factories import SessionFactory, TurnFactory


@pytest.fixture
def session(alice: User) -> Session:
    """A question with two replies, of which the first is shown, and a second question after it."""
    session = SessionFactory.create(user=alice, title="报销 流程/2026")
    now = timezone.now()
    first = TurnFactory.create(session=session, message__text="Question one", reply__text="Shown reply")
    TurnFactory.create(
        session=session, message=first.message, reply__text="Other reply", created_at=now + timedelta(seconds=1)
    )
    second = TurnFactory.create(
        session=session,
        message__parent=first.reply,
        message__text="Question two",
        reply__text="# Heading\n\n```\ncode\n```",
        model_label="Echo",
        input_tokens=12,
        output_tokens=7,
        started_at=now,
        finished_at=now + timedelta(seconds=2),
        created_at=now + timedelta(seconds=2),
    )
    session.head = second.reply
    session.save()
    return session


def test_markdown_has_the_shown_branch_in_order(page: Client, session: Session) -> None:  # CHAT-11
    response = page.get(f"/sessions/{session.pk}/export/", {"format": "markdown"})
    text = response.content.decode()
    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    assert text.startswith(
        "# 报销 流程/2026\n\n## You\n\nQuestion one\n\n## Assistant\n\nShown reply\n\n## You\n\nQuestion two"
    )
    assert "```\ncode\n```" in text
    assert "Other reply" not in text


def test_json_has_every_branch_and_says_which_is_shown(page: Client, session: Session) -> None:  # CHAT-11
    response = page.get(f"/sessions/{session.pk}/export/", {"format": "json"})
    document = json.loads(response.content)
    assert (document["format"], document["version"]) == ("adminchat.session", 1)
    assert document["title"] == "报销 流程/2026"
    shown = {message["text"]: message["shown"] for message in document["messages"]}
    assert shown["Shown reply"]
    assert not shown["Other reply"]
    by_id = {message["id"]: message for message in document["messages"]}
    last = next(message for message in document["messages"] if message["text"].startswith("# Heading"))
    assert by_id[last["parent"]]["text"] == "Question two"
    assert by_id[by_id[last["parent"]]["parent"]]["text"] == "Shown reply"
    assert (last["model"], last["input_tokens"], last["output_tokens"], last["seconds"]) == ("Echo", 12, 7, 2.0)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("报销 流程/2026", "报销-流程2026.md"),
        ("../../etc/passwd", "etcpasswd.md"),
        ("***", "chat.md"),
        ('a"; x="\r\n', "a-x.md"),
        ("x" * 120, "x" * 60 + ".md"),
    ],
)
def test_file_name_is_safe(title: str, name: str) -> None:  # CHAT-11
    assert exports.file_name(Session(title=title), "md") == name


def test_chinese_file_name_reaches_the_browser(page: Client, session: Session) -> None:  # CHAT-11
    disposition = page.get(f"/sessions/{session.pk}/export/")["Content-Disposition"]
    assert disposition.startswith("attachment; filename*=utf-8''%E6%8A%A5%E9%94%80")


def test_session_without_messages_can_be_exported(page: Client, alice: User) -> None:
    session = SessionFactory.create(user=alice, title="Empty")
    assert page.get(f"/sessions/{session.pk}/export/").content == b"# Empty\n"
    assert json.loads(page.get(f"/sessions/{session.pk}/export/", {"format": "json"}).content)["messages"] == []


def test_unknown_format_is_not_found(page: Client, session: Session) -> None:
    assert page.get(f"/sessions/{session.pk}/export/", {"format": "pdf"}).status_code == 404


def test_export_of_another_is_not_found(strangers: list[Client], session: Session, client: Client) -> None:  # SEC-1
    for stranger in strangers:
        assert stranger.get(f"/sessions/{session.pk}/export/").status_code == 404
    assert client.get(f"/sessions/{session.pk}/export/").status_code == 302


def test_queries_do_not_grow_with_messages(
    session: Session, django_assert_num_queries: DjangoAssertNumQueries
) -> None:  # PERF-10
    with django_assert_num_queries(3):
        exports.as_json(session)
    with django_assert_num_queries(2):
        exports.as_markdown(session)
