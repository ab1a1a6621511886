"""Every address of the site, who is let in, and one object of each kind to fill the addresses with."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from adminchat.accounts.models import Membership, MemoryMode, User
from adminchat.connections.models import Connection
from chat.models import GlobalSystemMessage
from memory.models import Activity, Learning
from tests.factories import (
    ChatModelFactory,
    ConnectionFactory,
    EntryFactory,
    MembershipFactory,
    ProfileFactory,
    PromptVersionFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
    WorkspaceFactory,
    suggestion_for,
)


class Access(Enum):
    """Who is let in; everybody else is refused as the comment says."""

    PUBLIC = auto()
    SIGNED_IN = auto()  # strangers: to the sign-in page
    OWNER = auto()  # Alice alone; for others it doesn't exist
    SUPER_ADMIN = auto()  # of any tenant, each for their own; others of the tenant: 403
    OWN_SUPER_ADMIN = auto()  # of Alice's tenant; for those of another one it doesn't exist


GET, POST = ("GET",), ("POST",)
BOTH = ("GET", "POST")

ROWS: dict[str, tuple[Access, tuple[str, ...]]] = {
    "healthz": (Access.PUBLIC, GET),
    "readyz": (Access.PUBLIC, GET),
    "account_login": (Access.PUBLIC, BOTH),
    "account_logout": (Access.PUBLIC, BOTH),
    "account_inactive": (Access.PUBLIC, GET),
    "account_reauthenticate": (Access.SIGNED_IN, BOTH),
    "account_change_password": (Access.SIGNED_IN, BOTH),
    "usersessions_list": (Access.SIGNED_IN, BOTH),
    "accounts:settings": (Access.SIGNED_IN, BOTH),
    "accounts:theme": (Access.SIGNED_IN, POST),
    "accounts:language": (Access.SIGNED_IN, POST),
    "accounts:person-list": (Access.SUPER_ADMIN, GET),
    "accounts:person-create": (Access.SUPER_ADMIN, BOTH),
    "accounts:person-detail": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:person-password": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:person-deactivate": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:person-reactivate": (Access.OWN_SUPER_ADMIN, POST),
    "accounts:workspace-list": (Access.SUPER_ADMIN, GET),
    "accounts:workspace-create": (Access.SUPER_ADMIN, BOTH),
    "accounts:workspace-detail": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:workspace-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "accounts:member-add": (Access.OWN_SUPER_ADMIN, POST),
    "accounts:member-remove": (Access.OWN_SUPER_ADMIN, POST),
    "accounts:policy": (Access.SUPER_ADMIN, BOTH),
    "connections:connection-list": (Access.SUPER_ADMIN, GET),
    "connections:connection-create": (Access.SUPER_ADMIN, BOTH),
    "connections:connection-detail": (Access.OWN_SUPER_ADMIN, GET),
    "connections:connection-edit": (Access.OWN_SUPER_ADMIN, BOTH),
    "connections:connection-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "connections:connection-test": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-add": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-fetch": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-edit": (Access.OWN_SUPER_ADMIN, BOTH),
    "connections:model-default": (Access.OWN_SUPER_ADMIN, POST),
    "connections:model-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "prompts:range-list": (Access.SUPER_ADMIN, GET),
    "prompts:range-detail": (Access.SUPER_ADMIN, GET),
    "prompts:range-roll-back": (Access.SUPER_ADMIN, POST),
    "prompts:prompt-export": (Access.SUPER_ADMIN, GET),
    "prompts:prompt-import": (Access.SUPER_ADMIN, BOTH),
    "prompts:version-compare": (Access.SUPER_ADMIN, GET),
    "prompts:version-detail": (Access.OWN_SUPER_ADMIN, GET),
    "prompts:version-create": (Access.OWN_SUPER_ADMIN, BOTH),
    "prompts:version-edit": (Access.OWN_SUPER_ADMIN, BOTH),
    "prompts:version-delete": (Access.OWN_SUPER_ADMIN, BOTH),
    "prompts:version-activate": (Access.OWN_SUPER_ADMIN, POST),
    "chat:launcher": (Access.SIGNED_IN, GET),
    "chat:session-list": (Access.SIGNED_IN, BOTH),
    "chat:session-create": (Access.SIGNED_IN, BOTH),
    "chat:session-recent": (Access.SIGNED_IN, GET),
    "chat:session-changes": (Access.OWNER, GET),
    "chat:session-detail": (Access.OWNER, GET),
    "chat:message-page": (Access.OWNER, GET),
    "chat:session-rename": (Access.OWNER, BOTH),
    "chat:session-pin": (Access.OWNER, POST),
    "chat:session-archive": (Access.OWNER, POST),
    "chat:session-delete": (Access.OWNER, BOTH),
    "chat:session-settings": (Access.OWNER, BOTH),
    "chat:session-export": (Access.OWNER, GET),
    "chat:turn-create": (Access.OWNER, POST),
    "chat:turn-stream": (Access.OWNER, GET),
    "chat:turn-stop": (Access.OWNER, POST),
    "chat:turn-regenerate": (Access.OWNER, POST),
    "chat:turn-select": (Access.OWNER, POST),
    "chat:message-edit": (Access.OWNER, BOTH),
    "chat:events": (Access.SIGNED_IN, GET),
    "chat:message-remember": (Access.OWNER, GET),
    "chat:system-message-list": (Access.SIGNED_IN, GET),
    "chat:system-message-my": (Access.SIGNED_IN, POST),
    "chat:system-message-global": (Access.SUPER_ADMIN, POST),
    "chat:system-message-seen": (Access.SIGNED_IN, POST),
    "chat:system-message-versions": (Access.SUPER_ADMIN, GET),
    "chat:system-message-restore": (Access.OWN_SUPER_ADMIN, POST),
    "memory:panel": (Access.SIGNED_IN, GET),
    "memory:entry-list": (Access.SIGNED_IN, BOTH),
    "memory:entry-filter": (Access.SIGNED_IN, POST),
    "memory:entries-bulk": (Access.SIGNED_IN, POST),
    "memory:entry-detail": (Access.OWNER, BOTH),
    "memory:entry-edit": (Access.OWNER, GET),
    "memory:entry-override": (Access.OWNER, GET),
    "memory:entry-pin": (Access.OWNER, POST),
    "memory:entry-archive": (Access.OWNER, POST),
    "memory:entry-restore": (Access.OWNER, POST),
    "memory:entry-renew": (Access.OWNER, POST),
    "memory:entry-delete": (Access.OWNER, BOTH),
    "memory:receipt": (Access.OWNER, GET),
    "memory:receipt-act": (Access.OWNER, POST),
    "memory:suggestion-list": (Access.SIGNED_IN, GET),
    "memory:suggestion-accept": (Access.OWNER, POST),
    "memory:suggestion-edit": (Access.OWNER, BOTH),
    "memory:suggestion-reject": (Access.OWNER, POST),
    "memory:settings": (Access.SIGNED_IN, BOTH),
    "memory:trigger-try": (Access.SIGNED_IN, POST),
    "memory:loaded": (Access.SIGNED_IN, GET),
    "memory:preview": (Access.SIGNED_IN, BOTH),
    "memory:activity-list": (Access.SIGNED_IN, GET),
    "memory:activity-detail": (Access.OWNER, GET),
    "memory:skipped": (Access.OWNER, GET),
    "chat:profile-list": (Access.SIGNED_IN, GET),
    "chat:profile-create": (Access.SIGNED_IN, BOTH),
    "chat:profile-edit": (Access.OWNER, BOTH),
    "chat:profile-delete": (Access.OWNER, BOTH),
}
ASK_AN_ENDPOINT = {"connections:connection-test", "connections:model-fetch"}  # what they answer: tests/connections
CONFIRMED = {"connections:connection-edit", "connections:connection-delete"}  # ask for the password before anything
OF_A_SESSION = [
    name for name, row in ROWS.items() if row[0] is Access.OWNER and name.startswith("chat:") and "profile" not in name
]


def _names(patterns: list[Any], namespace: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(
                pattern.url_patterns, f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            )
        elif isinstance(pattern, URLPattern):
            yield namespace + (pattern.name or str(pattern.pattern))


NAMES = sorted(set(_names(get_resolver().url_patterns)))


@dataclass
class Scenery:
    """One object of each kind, Alice's or of her tenant, and everybody who may come along."""

    ids: dict[str, Any]
    actors: dict[str, User | None]
    membership: Membership

    @property
    def uuids(self) -> list[str]:
        return [str(value) for value in self.ids.values() if isinstance(value, UUID)]

    def address(self, name: str) -> str:
        patterns = get_resolver().reverse_dict
        if ":" in name:
            namespace, _, name_in_it = name.partition(":")
            patterns = get_resolver().namespace_dict[namespace][1].reverse_dict
            wanted = patterns.getlist(name_in_it)[0][0][0][1]
        else:
            wanted = patterns.getlist(name)[0][0][0][1]
        return reverse(name, kwargs={key: self.ids[key] for key in wanted})


def make_scenery(alice: User, bob: User, carol: User, root: User) -> Scenery:
    membership = MembershipFactory.create(user=alice)
    model = ChatModelFactory.create(
        connection=ConnectionFactory.create(tenant=alice.tenant, origin=Connection.Origin.BROWSER)
    )
    session = SessionFactory.create(user=alice, workspace=membership.workspace, model=model)
    turn = TurnFactory.create(session=session)
    Activity.objects.create(
        turn_id=turn.pk, session_id=session.pk, tenant=alice.tenant, user=alice, mode=MemoryMode.READ_ONLY
    )
    learning = Learning.objects.create(
        turn_id=turn.pk,
        session_id=session.pk,
        message_id=turn.message_id,
        tenant=alice.tenant,
        user=alice,
        outcome="off",
    )
    entry = EntryFactory.create(user=alice)
    version = GlobalSystemMessage.objects.create(tenant=alice.tenant, number=1, text="Be kind.")
    ids = {
        "session_id": session.pk,
        "turn_id": turn.pk,
        "message_id": turn.message_id,
        "entry_id": entry.pk,
        "suggestion_id": suggestion_for(alice, learning).pk,
        "number": version.number,
        "code": PromptVersionFactory.create(tenant=alice.tenant).code,
        "range_name": "session-title",
        "profile_id": ProfileFactory.create(tenant=alice.tenant, owner=alice).pk,
        "person_id": alice.pk,
        "workspace_id": membership.workspace_id,
        "connection_id": model.connection_id,
        "model_id": model.pk,
    }
    actors = {
        "anonymous": None,
        "stranger in the tenant": bob,
        "member of the workspace": MembershipFactory.create(
            user=UserFactory.create(tenant=alice.tenant), workspace=membership.workspace
        ).user,
        "other tenant": carol,
        "super admin of another tenant": UserFactory.create(super_admin=True),
        "super admin": root,
        "owner": alice,
    }
    WorkspaceFactory.create(tenant=carol.tenant)
    return Scenery(ids, actors, membership)
