"""What the page says of learning after a turn: the one receipt (LEARN-18 to LEARN-22).

It is rendered from the content-free record and the entries of now, and never stored.
"""

import json
from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, ngettext_lazy, pgettext
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import MemoryMode, User
from memory import selectors
from memory.learning import jobs, rules
from memory.learning.eligibility import Verdict
from memory.learning.outcomes import Outcome
from memory.models import Change, Entry, Learning

SENTENCES: dict[str, str | Promise] = {
    Outcome.UPDATED: _("Memory updated."),
    Outcome.OFF: _("Nothing was learned: memory is off."),
    Outcome.READ_ONLY: _("Nothing was learned: this chat only reads memory."),
    Outcome.POLICY: _("Nothing was learned: the rules of your organisation or of the profile don’t allow it here."),
    Outcome.NOT_TRIGGERED: _("Nothing to remember: the message doesn’t ask for it."),
    Outcome.OPT_OUT: _("Nothing was learned, as you asked."),
    Outcome.TOO_LONG: _("Nothing was learned: the message is too long to learn from. Say it again in a short one."),
    Outcome.LEARN_UNAVAILABLE: _("Nothing was learned: there is no usable model or prompt for it."),
    Outcome.NO_CANDIDATES: _("Nothing was learned: no lasting fact was found in the message."),
    Outcome.NO_DIFFERENCE: _("Nothing was changed: memory says this already."),
    Outcome.PINNED: _("Nothing was changed: the entry is pinned, and learning leaves pinned entries alone."),
    Outcome.CAPACITY: _("Nothing was learned: your memory is full. Delete an entry, then say it again."),
    Outcome.REVISION_CONFLICT: _("Nothing was changed: the entry was changed meanwhile, and that version stays."),
    Outcome.INVALID_OUTPUT: _("Nothing was learned: the model’s proposal could not be used."),
    Outcome.INVALID_EVIDENCE: _("Nothing was learned: the proposal says something that your message doesn’t."),
    Outcome.UNSAFE: _("Nothing was learned: it could be a secret, sensitive data or an instruction."),
    Outcome.TIMEOUT: _("Nothing was learned: it took too long."),
    Outcome.FAILED: _("Nothing was learned: something went wrong on the way."),
    Outcome.CANCELLED: _("Nothing was learned: the chat was deleted or closed before."),
}

LEFT_OUT: dict[str, str | Promise] = {
    Outcome.NO_CANDIDATES: _("Left out: no lasting fact."),
    Outcome.NO_DIFFERENCE: _("Left out: memory says it already."),
    Outcome.PINNED: _("Left out: the entry is pinned."),
    Outcome.CAPACITY: _("Left out: your memory is full."),
    Outcome.REVISION_CONFLICT: _("Left out: the entry was changed meanwhile."),
    Outcome.INVALID_OUTPUT: _("Left out: the proposal could not be used."),
    Outcome.INVALID_EVIDENCE: _("Left out: your message doesn’t say it."),
    Outcome.UNSAFE: _("Left out: it could be a secret, sensitive data or an instruction."),
}
"""Why single operations were refused beside others that were written."""

DETAILS: dict[tuple[str, str], str | Promise] = {
    (Outcome.NOT_TRIGGERED, jobs.REPEATED): _("Nothing new was learned: a message is learned from once."),
    (Outcome.NOT_TRIGGERED, jobs.EVERYTHING): _(
        "Nothing was deleted. Learning never forgets everything: choose yourself what is to go."
    ),
    (Outcome.NOT_TRIGGERED, jobs.ASKED): _("Nothing was learned, but this may be worth remembering."),
    (Outcome.LEARN_UNAVAILABLE, jobs.SHUT_CONNECTION): _(
        "Nothing was learned: the model’s connection may not be sent memory."
    ),
    (Outcome.LEARN_UNAVAILABLE, "model"): _("Nothing was learned: the model for learning can’t be used by you here."),
    (Outcome.LEARN_UNAVAILABLE, "endpoint"): _(
        "Nothing was learned: the model for learning refuses its key, or isn’t there."
    ),
    (Outcome.LEARN_UNAVAILABLE, "unreadable"): _("Nothing was learned: an entry of your memory can’t be decrypted."),
}

BY_HAND = (Outcome.NO_CANDIDATES, Outcome.INVALID_OUTPUT, Outcome.INVALID_EVIDENCE, Outcome.TIMEOUT, Outcome.FAILED)
"""Where nothing was written although the message asked for it, so that the page offers to add it by hand (LEARN-19)."""


@dataclass(frozen=True)
class Item:
    """One thing that was written: its change, and the entry as it is now, if it is there."""

    change: Change
    entry: Entry | None

    @property
    def before_text(self) -> str:
        """What the entry said before, as long as it is kept."""
        text: str = json.loads(self.change.before)["text"] if self.change.is_readable and self.change.before else ""
        return text

    @property
    def can_undo(self) -> bool:
        if self.change.undone_at or not self.change.is_readable:
            return False
        if self.change.action == Change.Action.DELETED:
            return bool(self.change.before) and self.entry is None
        return self.entry is not None and self.entry.revision == self.change.revision


@dataclass(frozen=True)
class Receipt:
    """A receipt, or with ``is_waiting`` what stands in its place until there is one.

    ``counts`` are ``(scope, action, how many)``; ``refused`` why the rest was not written, as ``(sentence, how many)``.
    """

    turn_id: UUID | str
    session_id: UUID | None
    reason: str
    sentence: str | Promise = ""
    counts: tuple[tuple[str, str, int], ...] = ()
    items: tuple[Item, ...] = ()
    refused: tuple[tuple[str | Promise, int], ...] = ()
    suggested: int = 0
    message_id: UUID | None = None
    offers_form: bool = False
    forgets_all: bool = False
    learning: Learning | None = None
    is_waiting: bool = False
    is_late: bool = False

    @property
    def summary(self) -> list[str]:
        """The counts in words, a line per scope."""
        lines = []
        for scope in ("global", "workspace"):
            done = [_counted(action, count) for where, action, count in self.counts if where == scope]
            if done:
                said = pgettext("in a list of counts", ", ").join(done)
                lines.append((_here if scope == "workspace" else _everywhere)(said))
        return lines

    @property
    def by_rules(self) -> bool:
        return self.learning is not None and self.learning.prompt_code == rules.CODE


@dataclass(frozen=True)
class Tried:
    """What the trigger stage says of a sentence (LEARN-7)."""

    eligible: bool
    sentence: str | Promise


ELIGIBLE: dict[str, str | Promise] = {
    "remember": _("In Learn mode this is looked at: it asks to remember something."),
    "prefer": _("In Learn mode this is looked at: it states a preference."),
    "correction": _("In Learn mode this is looked at: it corrects something."),
    "forget": _("In Learn mode this is looked at: it asks to forget something."),
}


def tried(verdict: Verdict) -> Tried:
    """A verdict in words."""
    if verdict.eligible:
        return Tried(True, ELIGIBLE[verdict.family])
    detail = jobs.detail_of(verdict)
    reason = verdict.reason or Outcome.NOT_TRIGGERED
    return Tried(False, DETAILS.get((reason, detail)) or SENTENCES[reason])


def _everywhere(changes: str) -> str:
    return gettext("My global: %(changes)s.") % {"changes": changes}


def _here(changes: str) -> str:
    return gettext("This workspace: %(changes)s.") % {"changes": changes}


def _counted(action: str, count: int) -> str:
    if action == Change.Action.ADDED:
        return ngettext("%(count)d added", "%(count)d added", count) % {"count": count}
    if action == Change.Action.CHANGED:
        return ngettext("%(count)d changed", "%(count)d changed", count) % {"count": count}
    return ngettext("%(count)d removed", "%(count)d removed", count) % {"count": count}


def of_mode(turn_id: UUID | str, mode: str, rule: str) -> Receipt:
    """The receipt of a turn that was not in Learn mode, which needs no record (ENTRY-2, ENTRY-3)."""
    if mode == MemoryMode.OFF:
        reason = Outcome.POLICY if rule == "policy" else Outcome.OFF
    else:
        reason = Outcome.READ_ONLY
    return Receipt(turn_id, None, reason, SENTENCES[reason])


def of_learning(user: User, learning: Learning, *, is_late: bool = False) -> Receipt:
    """The receipt of a turn of ``user`` in Learn mode."""
    if learning.is_waiting:
        return Receipt(learning.turn_id, learning.session_id, "", is_waiting=True, is_late=is_late, learning=learning)
    items = _items(user, learning)
    counted = Counter((str(item["scope"]), str(item["op"])) for item in learning.written)
    refused = Counter(str(item["outcome"]) for item in learning.refused)
    wrote = bool(learning.written or learning.suggested)
    return Receipt(
        turn_id=learning.turn_id,
        session_id=learning.session_id,
        reason=learning.outcome,
        sentence=sentence(learning),
        counts=tuple((scope, action, count) for (scope, action), count in sorted(counted.items())),
        items=items,
        refused=tuple((LEFT_OUT.get(code) or SENTENCES[code], count) for code, count in refused.items())
        if wrote
        else (),
        suggested=learning.suggested,
        message_id=learning.message_id,
        offers_form=learning.outcome in BY_HAND or learning.detail == jobs.ASKED,
        forgets_all=learning.detail == jobs.EVERYTHING,
        learning=learning,
    )


def sentence(learning: Learning) -> str | Promise:
    """The outcome in words."""
    if learning.suggested and not learning.written:
        return ngettext_lazy(
            "%(count)d suggestion waits for your answer.",
            "%(count)d suggestions wait for your answer.",
            learning.suggested,
        ) % {"count": learning.suggested}
    return DETAILS.get((learning.outcome, learning.detail)) or SENTENCES[learning.outcome]


def _items(user: User, learning: Learning) -> tuple[Item, ...]:
    keys = [UUID(item["change"]) for item in learning.written]
    if not keys:
        return ()
    found = {change.pk: change for change in selectors.changes(user, keys)}
    entries = {entry.pk: entry for entry in selectors.entries_by_id(user, [c.entry_id for c in found.values()])}
    return tuple(Item(found[key], entries.get(found[key].entry_id)) for key in keys if key in found)
