"""What turns load: read the entries, choose among them, keep the content-free record (ENTRY-14 to ENTRY-25)."""

import time
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from adminchat.accounts.models import User
from adminchat.lib.encryption import DecryptionError
from adminchat.lib.tokens import count
from memory import selectors
from memory.block import block, line
from memory.budget import Limits
from memory.loading import Selection, select, standing_core
from memory.models import Activity, Entry, Learning
from memory.relevance import rank

LOADED_AGAIN = timedelta(hours=1)  # how exactly it is known when an entry was loaded last


@dataclass(frozen=True)
class Target:
    """Where a question is asked: the workspace of its session, and the model that reads it.

    ``local`` marks the built-in model, which is too small for more than a little memory (OPS-4).
    """

    workspace_id: UUID | None
    model_name: str
    local: bool = False

    @property
    def workspace(self) -> str | None:
        return str(self.workspace_id) if self.workspace_id else None

    @property
    def limits(self) -> Limits:
        total = settings.ADMINCHAT_MEMORY_TOKENS
        if self.local:
            total = min(total, settings.ADMINCHAT_LOCAL_MEMORY_TOKENS)
        return Limits(total=total, core=min(settings.ADMINCHAT_MEMORY_CORE_TOKENS, total))


@dataclass(frozen=True)
class Load:
    """What a question loads, as it was chosen; ``text`` is the block for the model, or ""."""

    target: Target
    selection: Selection
    tokenizer: str
    exact: bool
    text: str
    milliseconds: float


def load(user: User, question: str, target: Target) -> Load:
    """Choose what ``question`` loads of the entries of ``user``; nothing is written. Raises ``DecryptionError``."""
    began = time.perf_counter()
    selection = select(
        selectors.candidates(user, target.workspace_id),
        question,
        workspace=target.workspace,
        now=timezone.now(),
        limits=target.limits,
        count_tokens=partial(_tokens, target.model_name),
        short=target.local,
    )
    counted = count("", target.model_name)
    return Load(
        target=target,
        selection=selection,
        tokenizer=counted.tokenizer,
        exact=counted.exact,
        text=block([line(one.entry.text, one.entry.topic) for one in selection.loaded], short=target.local),
        milliseconds=(time.perf_counter() - began) * 1000,
    )


@dataclass(frozen=True)
class CoreCost:
    """Tokens of the core entries that are standing candidates in a place, and how many there is room for."""

    tokens: int
    limit: int


def core_cost(user: User, target: Target) -> CoreCost:
    """What the core entries take together, those without room included (ENTRY-13)."""
    try:
        entries = selectors.candidates(user, target.workspace_id)
    except DecryptionError:
        entries = []  # a turn would load none
    core = standing_core(entries, workspace=target.workspace, now=timezone.now())
    return CoreCost(sum(_tokens(target.model_name, line(entry.text, "") + "\n") for entry in core), target.limits.core)


@transaction.atomic
def record(user: User, made: Load, *, turn_id: UUID, session_id: UUID, mode: str) -> None:
    """Keep the record of a turn; a second one of the same turn replaces the first (ENTRY-25)."""
    selection, now = made.selection, timezone.now()
    activity = Activity(
        turn_id=turn_id,
        session_id=session_id,
        tenant_id=user.tenant_id,
        user=user,
        workspace_id=made.target.workspace_id,
        mode=mode,
        loaded=[
            {"id": one.entry.id, "revision": one.entry.revision, "reason": str(one.why), "tokens": one.tokens}
            for one in selection.loaded
        ],
        skipped=[
            {"id": one.entry.id, "revision": one.entry.revision, "reason": str(one.why)} for one in selection.not_loaded
        ],
        tokens=selection.tokens,
        core_tokens=selection.core_tokens,
        budget=made.target.limits.total,
        core_budget=made.target.limits.core,
        tokenizer=made.tokenizer,
        exact=made.exact,
        milliseconds=round(made.milliseconds, 2),
        created_at=now,
    )
    fields = [field.name for field in Activity._meta.concrete_fields if not field.primary_key]
    Activity.objects.bulk_create([activity], update_conflicts=True, unique_fields=["turn_id"], update_fields=fields)
    stale = Q(last_loaded_at=None) | Q(last_loaded_at__lt=now - LOADED_AGAIN)
    ids = [one.entry.id for one in selection.loaded]
    # Those that somebody changes at this moment are left out: to wait for them could be to wait for each other (REL-6).
    free = selectors.entries(user).select_for_update(skip_locked=True, of=("self",)).filter(stale, pk__in=ids)
    Entry.objects.filter(pk__in=free.values("pk")).update(last_loaded_at=now)


def record_failure(user: User, *, turn_id: UUID, session_id: UUID, mode: str) -> None:
    """Keep that a turn went on without memory, because it could not be read."""
    Activity.objects.update_or_create(
        turn_id=turn_id,
        defaults={"session_id": session_id, "tenant_id": user.tenant_id, "user": user, "mode": mode, "failed": True},
    )


def _tokens(model_name: str, text: str) -> int:
    return count(text, model_name).tokens


def warm_up() -> None:
    """Read the word lists where anybody has entries: the first question would wait for them for half a second."""
    if Entry.objects.exists():
        rank("warm up", [])


def forget_old(tenant_id: UUID, days: int) -> int:
    """Delete the records of a tenant that are older than ``days``; return how many those were."""
    over = timezone.now() - timedelta(days=days)
    Learning.objects.filter(tenant=tenant_id, created_at__lt=over).delete()
    return Activity.objects.filter(tenant=tenant_id, created_at__lt=over).delete()[0]
