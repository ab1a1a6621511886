"""The objects that tests need, each made with one line."""

import json
from typing import Any

import factory
from factory.django import DjangoModelFactory

from adminchat.accounts.models import Membership, Tenant, TenantPolicy, User, Workspace
from adminchat.connections.models import ChatModel, Connection
from adminchat.prompts.models import PromptVersion, Range
from chat.models import Message, Profile, Session, Turn
from memory.entries import hand_made_key
from memory.models import Book, Entry, Learning, Suggestion, Tier

PASSWORD = "correct horse battery staple"


class TenantFactory(DjangoModelFactory[Tenant]):
    class Meta:
        model = Tenant
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Tenant {n}")
    policy = factory.RelatedFactory("tests.factories.TenantPolicyFactory", factory_related_name="tenant")


class TenantPolicyFactory(DjangoModelFactory[TenantPolicy]):
    class Meta:
        model = TenantPolicy

    tenant = factory.SubFactory(TenantFactory, policy=None)


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    class Params:
        super_admin = factory.Trait(role=User.Role.SUPER_ADMIN)

    username = factory.Sequence(lambda n: f"user{n}")
    tenant = factory.SubFactory(TenantFactory)
    password = factory.django.Password(PASSWORD)


class WorkspaceFactory(DjangoModelFactory[Workspace]):
    class Meta:
        model = Workspace

    name = factory.Sequence(lambda n: f"Workspace {n}")
    tenant = factory.SubFactory(TenantFactory)


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    user = factory.SubFactory(UserFactory)
    workspace = factory.SubFactory(WorkspaceFactory, tenant=factory.SelfAttribute("..user.tenant"))


class ConnectionFactory(DjangoModelFactory[Connection]):
    class Meta:
        model = Connection

    name = factory.Sequence(lambda n: f"Connection {n}")
    tenant = factory.SubFactory(TenantFactory)
    kind = Connection.Kind.OPENAI
    origin = Connection.Origin.PRESET
    base_url = "http://127.0.0.1:9/v1"


class ChatModelFactory(DjangoModelFactory[ChatModel]):
    class Meta:
        model = ChatModel

    name = "echo"
    connection = factory.SubFactory(ConnectionFactory)


class PromptVersionFactory(DjangoModelFactory[PromptVersion]):
    """A version of the tenant's own, never used and not active."""

    class Meta:
        model = PromptVersion

    tenant = factory.SubFactory(TenantFactory)
    range = Range.SESSION_TITLE
    code = factory.Sequence(lambda n: f"2026.12.02.1-T1-A{n + 1}")
    text = factory.Sequence(lambda n: f"Name the chat, way {n}.")


class ProfileFactory(DjangoModelFactory[Profile]):
    class Meta:
        model = Profile

    name = factory.Sequence(lambda n: f"Profile {n}")
    tenant = factory.SubFactory(TenantFactory)


class SessionFactory(DjangoModelFactory[Session]):
    class Meta:
        model = Session

    user = factory.SubFactory(UserFactory)
    tenant = factory.SelfAttribute("user.tenant")
    title = factory.Sequence(lambda n: f"Session {n}")


class MessageFactory(DjangoModelFactory[Message]):
    class Meta:
        model = Message

    session = factory.SubFactory(SessionFactory)
    role = Message.Role.USER
    text = "Hello"


class TurnFactory(DjangoModelFactory[Turn]):
    """A turn with its two messages; finished unless told otherwise. Does not move the session's head."""

    class Meta:
        model = Turn

    session = factory.SubFactory(SessionFactory)
    message = factory.SubFactory(MessageFactory, session=factory.SelfAttribute("..session"))
    reply = factory.SubFactory(
        MessageFactory,
        session=factory.SelfAttribute("..session"),
        parent=factory.SelfAttribute("..message"),
        role=Message.Role.ASSISTANT,
        text="Hello to you",
    )
    state = Turn.State.DONE


class EntryFactory(DjangoModelFactory[Entry]):
    """An entry of ``user``, written past the limits; ``workspace`` makes it one of a workspace."""

    class Meta:
        model = Entry

    class Params:
        user = factory.SubFactory(UserFactory)
        about = factory.Trait(tier=Tier.TOPIC, topic=factory.Sequence(lambda n: f"Topic {n}"))

    book = factory.LazyAttribute(
        lambda made: Book.objects.get_or_create(tenant_id=made.user.tenant_id, user=made.user)[0]
    )
    tier = Tier.CORE
    text = factory.Sequence(lambda n: f"Fact {n}")
    topic = ""
    fact_key = factory.LazyAttribute(lambda made: hand_made_key(made.topic, made.text))


def suggestion_for(user: User, learning: Learning, **fields: Any) -> Suggestion:
    """What learning suggests to ``user``: an entry, with other ``fields`` of the operation."""
    operation = {
        "op": "add",
        "scope": "global",
        "tier": "core",
        "topic": "",
        "kind": "preference",
        "text": "Prefers metric units.",
        "fact_key": "units",
        "expires": None,
        "target": None,
        "evidence": "I prefer metric units",
    } | fields
    book, _ = Book.objects.get_or_create(user=user, tenant=user.tenant)
    return Suggestion.objects.create(
        book=book, turn_id=learning.turn_id, message_id=learning.message_id, operation=json.dumps(operation)
    )
