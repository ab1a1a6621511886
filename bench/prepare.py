"""Fills a fresh database for the measurements. Runs in a process of its own: ``python -m bench.prepare WHAT …``.

The last line of its output is a JSON object.
"""

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import django

SAMPLE = (
    "The **router** answers on port `443`; see the [notes](https://example.com/notes).\n\n"
    "- check the certificate\n- restart the service\n\n```sh\nsystemctl restart nginx\n```\n"
)


def installation(users: str) -> dict[str, Any]:
    """Migrate, make tenant and preset connection as quickstart does, and ``users`` people, signed in."""
    from django.core.management import call_command
    from django.core.management.base import OutputWrapper

    from adminchat import programs
    from adminchat.accounts.models import Tenant, User
    from adminchat.connections.models import ChatModel
    from adminchat.management.commands import quickstart

    call_command("migrate", interactive=False, verbosity=0)
    command = quickstart.Command()
    command.stdout = OutputWrapper(sys.stderr)
    command.prepare_tenants()
    tenant = Tenant.objects.get()
    preset = ChatModel.objects.get(is_default=True)
    slow = ChatModel.objects.create(connection=preset.connection, name="slow-20x200")
    cookies = []
    for number in range(int(users)):
        user = User(username=f"user{number}", tenant=tenant)
        user.set_unusable_password()
        user.save()
        cookies.append(_sign_in(user))
    return {"cookies": cookies, "slow_model": str(slow.pk), "web": programs.web().command}


def _sign_in(user: Any) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.save()
    return str(store.session_key)


def conversation(username: str, exchanges: str) -> dict[str, Any]:
    """One session of ``username`` with so many exchanges."""
    from django.utils import timezone

    from adminchat.accounts.models import User
    from adminchat.lib.markdown import render, render_user
    from chat.models import Message, Session, Turn

    user = User.objects.get(username=username)
    session = Session.objects.create(user=user, tenant=user.tenant, title="Long", title_source="user")
    question, answer = "How do I renew the certificate?", render(SAMPLE)
    messages, turns, parent, moment = [], [], None, timezone.now() - timedelta(days=30)
    for _ in range(int(exchanges)):
        moment += timedelta(seconds=1)
        asked = Message(
            session=session, parent=parent, role="user", text=question, html=render_user(question), created_at=moment
        )
        reply = Message(session=session, parent=asked, role="assistant", text=SAMPLE, html=answer, created_at=moment)
        turns.append(Turn(session=session, message=asked, reply=reply, state=Turn.State.DONE, created_at=moment))
        messages += [asked, reply]
        parent = reply
    Message.objects.bulk_create(messages, batch_size=500)
    Turn.objects.bulk_create(turns, batch_size=500)
    session.head = parent
    session.save()
    return {"session": str(session.pk)}


def slow_sessions(count: str, model: str) -> dict[str, Any]:
    """So many sessions with the model, shared out among the users; returns their ids in the users' order."""
    from adminchat.accounts.models import User
    from chat.models import Session

    users = sorted(User.objects.filter(username__startswith="user"), key=lambda user: int(user.username[4:]))
    owners = [users[number % len(users)] for number in range(int(count))]
    made = Session.objects.bulk_create(
        Session(user=owner, tenant_id=owner.tenant_id, title="Slow", title_source="user", model_id=model)
        for owner in owners
    )
    return {"sessions": [str(session.pk) for session in made]}


def sessions(username: str, count: str) -> dict[str, Any]:
    """So many sessions of ``username``, without messages."""
    from django.utils import timezone

    from adminchat.accounts.models import User
    from chat.models import Session

    user, now = User.objects.get(username=username), timezone.now()
    Session.objects.bulk_create(
        [
            Session(user=user, tenant=user.tenant, title=f"Session {number}", active_at=now - timedelta(minutes=number))
            for number in range(int(count))
        ],
        batch_size=500,
    )
    return {}


def queries(cookie: str, *paths: str) -> dict[str, Any]:
    """How many queries the page at each path needs, for the owner of the session cookie."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = cookie
    counts = {}
    for path in paths:
        client.get(path, headers={"host": "localhost"})
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(path, headers={"host": "localhost"})
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        counts[path] = len(captured)
    return counts


def entries(username: str, book: str) -> dict[str, Any]:
    """The entries of an example book, see bench/data, for ``username``; those of its workspace become global."""
    from adminchat.accounts.models import User
    from memory import entries as writes
    from memory.entries import Content

    user = User.objects.get(username=username)
    rows = json.loads(Path(book).read_text())
    for row in rows["entries"]:
        writes.add(user, Content(row["text"], row["tier"], row["topic"], row["kind"]))
    return {"questions": [question["text"] for question in rows["questions"]]}


COMMANDS: dict[str, Callable[..., dict[str, Any]]] = {
    command.__name__: command for command in (installation, conversation, sessions, slow_sessions, entries, queries)
}


def main() -> None:
    django.setup()
    print(json.dumps(COMMANDS[sys.argv[1]](*sys.argv[2:])))


if __name__ == "__main__":
    main()
