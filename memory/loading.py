"""Choosing what a turn loads of a book (ENTRY-14 to ENTRY-17): the same for a turn, a preview and the commands.

Everything here is a function of its arguments: no database, no clock, no model.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.block import block, line
from memory.budget import Budget, Limits
from memory.reasons import Reason
from memory.relevance import Document, rank

CORE, TOPIC, ARCHIVE = "core", "topic", "archive"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry as far as the choice goes. Without a workspace it is global; an empty fact key is no key."""

    id: str
    text: str
    topic: str
    tier: str
    workspace: str | None
    pinned: bool
    fact_key: str
    expires_at: datetime | None
    updated_at: datetime
    revision: int = 1

    @property
    def scope(self) -> str:
        return "workspace" if self.workspace else "global"


@dataclass(frozen=True, slots=True)
class Loaded:
    """An entry that is loaded: why, by which words of the question, and the tokens that it takes."""

    entry: Candidate
    why: Reason
    words: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """An entry that is not loaded, and why."""

    entry: Candidate
    why: Reason


@dataclass(frozen=True, slots=True)
class Selection:
    """What is loaded, in this order, and what is not; tokens of the whole block, and of the core entries in it."""

    loaded: tuple[Loaded, ...]
    not_loaded: tuple[NotLoaded, ...]
    tokens: int
    core_tokens: int


def select(
    entries: Sequence[Candidate],
    question: str,
    *,
    workspace: str | None,
    now: datetime,
    limits: Limits,
    count_tokens: Callable[[str], int],
    short: bool = False,
) -> Selection:
    """Choose among all entries of a user for a message in a session of ``workspace``.

    ``count_tokens`` counts by the tokenizer of the session's model; ``short`` says that the block has the short boundary
    text.
    """
    refused = _refused(entries, workspace, now)
    wanted = [entry for entry in entries if entry.id not in refused]
    budget = Budget(limits, boundary_tokens=count_tokens(block([""], short=short)))
    loaded = []
    for entry, why, words in (*_core(wanted), *_relevant(wanted, question)):
        tokens = count_tokens(line(entry.text, entry.topic) + "\n")
        refusal = budget.take(tokens, core=entry.tier == CORE)
        if refusal:
            refused[entry.id] = refusal
        else:
            loaded.append(Loaded(entry, why, words, tokens))
    ids = {one.entry.id for one in loaded}
    not_loaded = [
        NotLoaded(entry, refused.get(entry.id, Reason.NOT_RELEVANT)) for entry in entries if entry.id not in ids
    ]
    return Selection(tuple(loaded), tuple(not_loaded), budget.tokens, budget.core_tokens)


def standing_core(entries: Sequence[Candidate], *, workspace: str | None, now: datetime) -> list[Candidate]:
    """The core entries that every turn in a session of ``workspace`` would load if there were room (ENTRY-15)."""
    refused = _refused(entries, workspace, now)
    return [entry for entry in entries if entry.tier == CORE and entry.id not in refused]


def _refused(entries: Sequence[Candidate], workspace: str | None, now: datetime) -> dict[str, Reason]:
    """Those that are no candidates in this session. Only what could load itself overrides another (ENTRY-16)."""
    refused = {}
    for entry in entries:
        if entry.tier == ARCHIVE:
            refused[entry.id] = Reason.ARCHIVED
        elif entry.expires_at is not None and entry.expires_at <= now:
            refused[entry.id] = Reason.EXPIRED
        elif entry.workspace not in (None, workspace):
            refused[entry.id] = Reason.OTHER_WORKSPACE
    of_workspace = {entry.fact_key for entry in entries if entry.workspace and entry.id not in refused} - {""}
    for entry in entries:
        if not entry.workspace and entry.fact_key in of_workspace:
            refused.setdefault(entry.id, Reason.OVERRIDDEN_BY_WORKSPACE)
    return refused


def _core(entries: Sequence[Candidate]) -> Iterator[tuple[Candidate, Reason, tuple[str, ...]]]:
    """Core entries: pinned ones first, then those of the workspace, then the most recently changed."""
    core = (entry for entry in entries if entry.tier == CORE)
    for entry in sorted(
        core, key=lambda entry: (entry.pinned, entry.workspace is not None, entry.updated_at), reverse=True
    ):
        yield entry, Reason.PINNED_CORE if entry.pinned else Reason.CORE, ()


def _relevant(entries: Sequence[Candidate], question: str) -> Iterator[tuple[Candidate, Reason, tuple[str, ...]]]:
    topics = {entry.id: entry for entry in entries if entry.tier == TOPIC}
    for match in rank(question, [Document(entry.id, entry.text, entry.topic) for entry in topics.values()]):
        yield topics[match.id], Reason.TOPIC, match.words
