"""The entries that the panel lists (ENTRY-28)."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator

from adminchat.accounts.models import User
from adminchat.lib.encryption import read
from memory import selectors
from memory.models import Entry, Tier
from memory.places import Place, message_addresses
from memory.texts import folded

NAME_CHARACTERS = 60
TIER_ORDER = (Tier.CORE, Tier.TOPIC, Tier.ARCHIVE)


@dataclass(frozen=True)
class Listed:
    """An entry on the page. ``can_edit`` from this place; seeing and deleting is always possible (ENTRY-10)."""

    entry: Entry
    can_edit: bool
    is_unused: bool = False
    message_address: str = ""

    @property
    def name(self) -> str:
        """What tells the entry's buttons from those of others."""
        if self.entry.is_readable:
            return Truncator(self.entry.text).chars(NAME_CHARACTERS)
        return date_format(timezone.localtime(self.entry.created_at), "SHORT_DATETIME_FORMAT")


def listed(user: User, place: Place | None, chosen: Mapping[str, str]) -> list[Listed]:
    """The entries of ``user`` that ``chosen`` asks for, see ``memory.forms.FilterForm``."""
    workspace = place.workspace if place else None
    everything = chosen["scope"] == "all"
    rows = selectors.entries(user) if everything else selectors.manageable(user, workspace)
    if chosen["scope"] == "global":
        rows = rows.filter(workspace=None)
    elif chosen["scope"] == "workspace":
        rows = rows.filter(workspace=workspace)
    if chosen["tier"]:
        rows = rows.filter(tier=chosen["tier"])
    if chosen["kind"]:
        rows = rows.filter(kind=chosen["kind"])
    if chosen["show"] == "pinned":
        rows = rows.filter(pinned=True)
    unused = set(selectors.unused(rows).values_list("pk", flat=True))
    if chosen["show"] == "stale":
        rows = rows.filter(pk__in=[*unused, *selectors.expired(rows).values_list("pk", flat=True)])
    wanted = folded(chosen["q"])
    entries = [entry for entry in read(rows) if wanted in " ".join(_folded(entry))]
    return _with_facts(user, place, _sorted(entries, chosen["sort"]), unused)


def one_listed(user: User, place: Place | None, entry: Entry) -> Listed:
    """The same for an entry whose row is shown by itself."""
    unused = set(selectors.unused(selectors.entries(user).filter(pk=entry.pk)).values_list("pk", flat=True))
    return _with_facts(user, place, [entry], unused)[0]


def elsewhere_count(user: User, place: Place | None) -> int:
    """How many entries count toward the limit and cannot be managed from ``place`` (ENTRY-10)."""
    here = selectors.manageable(user, place.workspace if place else None)
    return selectors.entries(user).exclude(pk__in=here.values("pk")).count()


def stale_count(user: User, place: Place | None) -> int:
    """How many entries that can be managed from ``place`` have expired or go unused (ENTRY-12)."""
    rows = selectors.manageable(user, place.workspace if place else None)
    return (selectors.expired(rows) | selectors.unused(rows)).count()


def _with_facts(user: User, place: Place | None, entries: list[Entry], unused: set[UUID]) -> list[Listed]:
    workspace = place.workspace if place else None
    addresses = message_addresses(user, {entry.message_id for entry in entries if entry.message_id})
    return [
        Listed(
            entry,
            can_edit=entry.is_readable and entry.workspace_id in (None, workspace.pk if workspace else None),
            is_unused=entry.pk in unused,
            message_address=addresses.get(entry.message_id, "") if entry.message_id else "",
        )
        for entry in entries
    ]


def _folded(entry: Entry) -> tuple[str, str]:
    """Topic and text, to be compared; nothing of an entry that no key can read."""
    return (folded(entry.topic), folded(entry.text)) if entry.is_readable else ("", "")


def _sorted(entries: list[Entry], order: str) -> list[Entry]:
    if order == "oldest":
        return sorted(entries, key=lambda entry: entry.created_at)
    if order == "text":
        return sorted(entries, key=lambda entry: _folded(entry)[1])
    if order == "topic":
        return sorted(entries, key=lambda entry: (TIER_ORDER.index(Tier(entry.tier)), *_folded(entry)))
    latest = sorted(entries, key=lambda entry: entry.updated_at, reverse=True)
    return sorted(latest, key=lambda entry: entry.tier == Tier.ARCHIVE)
