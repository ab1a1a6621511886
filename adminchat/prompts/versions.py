"""The writes to prompts. Each locks the tenant, so that codes stay unique and one change follows another (PROMPT-1)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from adminchat.accounts.models import Tenant, User
from adminchat.connections.models import ChatModel
from adminchat.prompts import selectors
from adminchat.prompts.codes import Code, Step, following, opening, parse
from adminchat.prompts.models import ActivePrompt, PromptChange, PromptVersion, Range, Score

VERSIONS_LIMIT = 200  # stored versions of a range
EARLIER_LIMIT = 20  # steps that can be rolled back

Action = PromptChange.Action


class TooMany(Exception):
    """The range has ``VERSIONS_LIMIT`` versions."""


class InUse(Exception):
    """A version that was used can't be changed, and neither it nor the active one be deleted."""


class Outdated(Exception):
    """Another version was put in force since the page was made."""


@dataclass(frozen=True)
class Content:
    """What a version holds. ``max_tokens`` in tokens; None and () leave it to the model."""

    text: str
    model: ChatModel | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def of(cls, version: PromptVersion) -> "Content":
        """What ``version`` holds."""
        names = ("text", "model", "temperature", "top_p", "max_tokens", "note")
        return cls(**{name: getattr(version, name) for name in names}, stop=tuple(version.stop))

    def fields(self) -> dict[str, Any]:
        """The values of a version's fields."""
        model = self.model
        return {
            "text": self.text,
            "model": model,
            "chosen_model": f"{model.connection} · {model.label}" if model else "",
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_tokens,
            "stop": list(self.stop),
            "note": self.note,
        }


def next_codes(tenant_id: UUID, base: PromptVersion) -> dict[Step, Code]:
    """The codes that versions made from ``base`` would get now. From one that comes along, a series is begun."""
    taken = [parse(code) for code in selectors.taken_codes(tenant_id)]
    if base.is_shipped:
        return {Step.TACTIC: opening(timezone.localdate(), taken)}
    found = {}
    for step in Step:
        try:
            found[step] = following(base.parsed_code, step, taken)
        except ValueError:
            continue  # too deep for another branch
    return found


def create(actor: User, base: PromptVersion, step: Step, content: Content) -> PromptVersion:
    """Make a version from ``base``. Raises ``TooMany``, and ``KeyError`` for a step that leads nowhere from there."""
    with _locked(actor):
        _make_room(actor, base.range)
        code = next_codes(actor.tenant_id, base)[step]
        return _store(actor, base.range, str(code), content, Action.MADE)


def change(actor: User, version: PromptVersion, content: Content) -> None:
    """Change a version that was never used. Raises ``InUse``."""
    with _locked(actor):
        unused = PromptVersion.objects.filter(pk=version.pk, tenant=actor.tenant_id, used_at=None)
        if not unused.update(**content.fields()):
            raise InUse
        _note(actor, version.range, version.code, Action.CHANGED)


def delete(actor: User, version: PromptVersion) -> None:
    """Delete a version that was never used and isn't active. Raises ``InUse``."""
    with _locked(actor):
        active = ActivePrompt.objects.filter(tenant=actor.tenant_id, range=version.range).first()
        if active and active.code == version.code:
            raise InUse
        if not PromptVersion.objects.filter(pk=version.pk, tenant=actor.tenant_id, used_at=None).delete()[0]:
            raise InUse
        _note(actor, version.range, version.code, Action.DELETED)


def activate(actor: User, version: PromptVersion, *, seen: str) -> None:
    """Put ``version`` in force. ``seen`` is the code in force that the actor saw. Raises ``Outdated``."""
    with _locked(actor):
        shelf = _shelf_as_seen(actor, version.range, seen)
        if not any(each.code == version.code for each in shelf.versions):
            raise Outdated
        if version.code == shelf.active:
            return
        replaced = shelf.active or seen
        earlier = [*shelf.earlier, *([replaced] if replaced != version.code else [])][-EARLIER_LIMIT:]
        _put_in_force(actor, shelf.range, version.code, earlier, Action.ACTIVATED)


def roll_back(actor: User, range_name: str, *, seen: str) -> str:
    """Put the version in force that was before this one, and return its code. Raises ``Outdated``, also if none was."""
    with _locked(actor):
        shelf = _shelf_as_seen(actor, range_name, seen)
        if not shelf.before:
            raise Outdated
        _put_in_force(actor, shelf.range, shelf.before, shelf.earlier[:-1], Action.ROLLED_BACK)
        return shelf.before


def add_all(actor: User, found: Mapping[str, tuple[str, Content]]) -> None:
    """Store versions from a file, as codes with range and content; not in force. Raises ``TooMany``, ``InUse`` for a code
    that was taken meanwhile; then none is stored."""
    with _locked(actor):
        if {*found} & {*versions_of(actor.tenant_id)}:
            raise InUse
        for code, (range_name, content) in found.items():
            _make_room(actor, range_name)
            _store(actor, range_name, code, content, Action.IMPORTED)


def versions_of(tenant_id: UUID) -> list[str]:
    """The codes of all stored versions."""
    return list(PromptVersion.objects.filter(tenant=tenant_id).values_list("code", flat=True))


@dataclass(frozen=True)
class Figures:
    """What a test run gave: shares between 0 and 1, counts, cost in the currency of the model's prices, seconds.

    ``connection`` and ``model`` are names. None where it can't be told.
    """

    precision: float | None
    recall: float | None
    refusals: int
    seconds: float
    connection: str
    model: str
    cost: float | None = None

    @property
    def value(self) -> float:
        """The harmonic mean of precision and recall: what the best version is chosen by."""
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def keep_score(tenant_id: UUID, code: str, figures: Figures) -> None:
    """Keep what the last test of a version gave, in place of the one before (PROMPT-4)."""
    kept = {"value": figures.value, "figures": asdict(figures), "tested_at": timezone.now()}
    Score.objects.update_or_create(tenant_id=tenant_id, code=code, defaults=kept)


@contextmanager
def _locked(actor: User) -> Iterator[None]:
    with transaction.atomic():
        Tenant.objects.select_for_update().get(pk=actor.tenant_id)
        yield


def _make_room(actor: User, range_name: str) -> None:
    if PromptVersion.objects.filter(tenant=actor.tenant_id, range=range_name).count() >= VERSIONS_LIMIT:
        raise TooMany


def _store(actor: User, range_name: str, code: str, content: Content, action: PromptChange.Action) -> PromptVersion:
    made = PromptVersion.objects.create(
        tenant_id=actor.tenant_id, range=range_name, code=code, author=actor, **content.fields()
    )
    _note(actor, range_name, code, action)
    return made


def _shelf_as_seen(actor: User, range_name: str, seen: str) -> selectors.Shelf:
    shelf = selectors.shelf(actor.tenant_id, range_name)
    in_force = shelf.in_force
    if (in_force.code if in_force else "") != seen:
        raise Outdated
    return shelf


def _put_in_force(actor: User, range_name: Range, code: str, earlier: list[str], action: PromptChange.Action) -> None:
    ActivePrompt.objects.update_or_create(
        tenant_id=actor.tenant_id, range=range_name, defaults={"code": code, "earlier": earlier}
    )
    _note(actor, range_name, code, action)


def _note(actor: User, range_name: str, code: str, action: PromptChange.Action) -> None:
    PromptChange.objects.create(tenant_id=actor.tenant_id, range=range_name, code=code, action=action, actor=actor)
