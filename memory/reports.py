"""What a report says of a turn: its content-free record, with the entries as they are now (ENTRY-22 to ENTRY-25).

The page, the pages that attach later, other web processes and the Activity page all read the same record, so that
entry texts are never stored a second time. An entry that was deleted since is named so; one that was changed, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from adminchat.accounts.models import User
from memory import selectors
from memory.loads import Load
from memory.models import Activity, Entry, Tier
from memory.reasons import NO_CANDIDATE, RANKED, Reason
from memory.relevance import Document, rank


@dataclass(frozen=True)
class Row:
    """One entry of a report. Without an ``entry`` it has been deleted; ``overrider`` is the workspace's version of it."""

    reason: Reason
    entry: Entry | None
    tokens: int = 0
    words: tuple[str, ...] = ()
    is_changed: bool = False
    overrider: Entry | None = None


@dataclass(frozen=True)
class Group:
    """The entries that were not loaded for one reason."""

    reason: Reason
    rows: list[Row]


@dataclass(frozen=True)
class Report:
    """What was loaded, in this order, and what was not, by reason; all tokens by one tokenizer."""

    loaded: list[Row]
    groups: list[Group]
    tokens: int
    budget: int
    core_tokens: int
    core_budget: int
    tokenizer: str
    exact: bool
    is_preview: bool = False
    skipped: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "skipped", sum(len(group.rows) for group in self.groups))

    @property
    def frame(self) -> int:
        """Tokens of the text around the entries, which says what they are."""
        return max(self.tokens - sum(row.tokens for row in self.loaded), 0)


def of_activity(user: User, activity: Activity, question: str | None = None) -> Report:
    """The report of a turn of ``user``. With its ``question`` it names the words that linked an entry to it."""
    entries = _by_id(user)
    ranked = [item["id"] for item in (*activity.loaded, *activity.skipped) if item["reason"] in RANKED]
    words = _words(question, [entries[key] for key in ranked if key in entries]) if question else {}
    loaded = [
        Row(
            Reason(item["reason"]),
            entries.get(item["id"]),
            tokens=item["tokens"],
            words=words.get(item["id"], ()) if item["reason"] == Reason.TOPIC else (),
            is_changed=_is_changed(item, entries),
        )
        for item in activity.loaded
    ]
    skipped = [
        Row(Reason(item["reason"]), entries.get(item["id"]), is_changed=_is_changed(item, entries))
        for item in activity.skipped
    ]
    return _report(loaded, skipped, activity)


def of_preview(user: User, made: Load) -> Report:
    """The report of a question of ``user`` that was only tried (ENTRY-26)."""
    entries, selection = _by_id(user), made.selection
    loaded = [Row(one.why, entries.get(one.entry.id), tokens=one.tokens, words=one.words) for one in selection.loaded]
    skipped = [Row(one.why, entries.get(one.entry.id)) for one in selection.not_loaded]
    shape = Activity(
        workspace_id=made.target.workspace_id,
        tokens=selection.tokens,
        core_tokens=selection.core_tokens,
        budget=made.target.limits.total,
        core_budget=made.target.limits.core,
        tokenizer=made.tokenizer,
        exact=made.exact,
    )
    return _report(loaded, skipped, shape, is_preview=True)


def _by_id(user: User) -> dict[str, Entry]:
    return {str(entry.pk): entry for entry in selectors.entries_for_report(user)}


def _report(loaded: list[Row], skipped: list[Row], activity: Activity, *, is_preview: bool = False) -> Report:
    own = {
        row.entry.fact_key: row.entry
        for row in (*loaded, *skipped)
        if row.reason not in NO_CANDIDATE
        and row.entry
        and row.entry.is_readable
        and row.entry.workspace_id == activity.workspace_id
    }
    groups = []
    for reason in Reason:
        rows = [row for row in skipped if row.reason == reason]
        if reason == Reason.OVERRIDDEN_BY_WORKSPACE:
            rows = [Row(row.reason, row.entry, overrider=_overrider(row.entry, own)) for row in rows]
        if rows:
            groups.append(Group(reason, rows))
    return Report(
        loaded=loaded,
        groups=groups,
        tokens=activity.tokens,
        budget=activity.budget,
        core_tokens=activity.core_tokens,
        core_budget=activity.core_budget,
        tokenizer=activity.tokenizer,
        exact=activity.exact,
        is_preview=is_preview,
    )


def _overrider(entry: Entry | None, own: dict[str, Entry]) -> Entry | None:
    return own.get(entry.fact_key) if entry and entry.is_readable else None


def _words(question: str, entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    documents = [
        Document(str(entry.pk), entry.text, entry.topic)
        for entry in entries
        if entry.is_readable and entry.tier == Tier.TOPIC
    ]
    return {match.id: match.words for match in rank(question, documents)}


def _is_changed(item: dict[str, object], entries: dict[str, Entry]) -> bool:
    entry = entries.get(str(item["id"]))
    return entry is not None and entry.revision != item["revision"]
