"""Learning in one turn, in a worker: from its id to its outcome (LEARN-8 to LEARN-17).

1. Look whether it may still be: the turn is there, its user may see it, the session is still in Learn mode.
2. Ask a model, or the rules, for operations; secrets are masked before anything leaves this process.
3. Lock the turn's record; look again, since Off wins; validate and write in one transaction.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from adminchat.accounts.models import Extractor, MemoryMode, User, Workspace
from adminchat.accounts.policies import policy_for
from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.models import ChatModel, Connection
from adminchat.connections.selectors import may_use
from adminchat.lib.encryption import DecryptionError
from adminchat.prompts.resolution import NoPrompt, Prompt, resolve
from adminchat.providers.errors import ErrorCode, ProviderError
from memory import places, selectors, wishes
from memory.changes import Origin
from memory.learning import jobs, rules
from memory.learning.apply import Applied, Proposal, apply
from memory.learning.extraction import Call, extract, question
from memory.learning.masking import mask
from memory.learning.operations import InvalidOutput
from memory.learning.outcomes import Outcome
from memory.learning.related import related
from memory.loading import Candidate
from memory.models import Learning, Source
from memory.places import NoPlace, Subject

logger = logging.getLogger(__name__)

RANGE = "memory-extraction"


class Ended(Exception):
    """Learning ends here with this outcome, and perhaps a detail."""

    def __init__(self, outcome: Outcome, detail: str = "") -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.detail = detail


def learn(turn_id: UUID) -> None:
    """Bring a turn that waits to its receipt; one that has it is left alone."""
    work = jobs.started(turn_id)
    if work is None:
        return
    call = Call()
    try:
        if work.attempts > jobs.ATTEMPTS:
            raise Ended(Outcome.FAILED)
        if jobs.is_old(work):
            raise Ended(Outcome.TIMEOUT)
        subject = _subject(work)
        with in_time_zone(subject.user):
            proposal = propose(subject, turn_id, call)
            jobs.settle(turn_id, lambda learning: _decide(learning, proposal, call))
    except Ended as ended:
        _settle_ended(turn_id, ended, call)
    except (OperationalError, InterfaceError):
        raise  # the database is away: the sweep sends it again
    except Exception as error:  # noqa: BLE001 (whatever it is, the turn gets its receipt, and no further call is paid for)
        logger.error("Learning failed", extra={"turn": str(turn_id), "error_type": type(error).__name__})
        _settle_ended(turn_id, Ended(Outcome.FAILED), call)


def _settle_ended(turn_id: UUID, ended: Ended, call: Call) -> None:
    jobs.settle(turn_id, lambda learning: _end(learning, ended, call))


def _subject(work: Learning) -> Subject:
    """The turn as things are now. Raises ``Ended`` when nothing may be learned from it."""
    try:
        subject = places.subject(work.user_id, work.turn_id)
    except NoPlace:
        raise Ended(Outcome.CANCELLED) from None
    if subject.is_capped:
        raise Ended(Outcome.POLICY)
    if subject.mode != MemoryMode.LEARN:
        raise Ended(Outcome.OFF if subject.mode == MemoryMode.OFF else Outcome.READ_ONLY)
    return subject


@contextmanager
def in_time_zone(user: User) -> Iterator[None]:
    """Days begin and end where the account is (ENTRY-7)."""
    try:
        zone: ZoneInfo | None = ZoneInfo(user.time_zone) if user.time_zone else None
    except (ZoneInfoNotFoundError, ValueError):
        zone = None
    with timezone.override(zone):
        yield


def propose(subject: Subject, turn_id: UUID | None, call: Call) -> Proposal:
    """Extract from the subject's message; ``call`` is filled in. Raises ``Ended``."""
    user, workspace = subject.user, subject.workspace
    today = timezone.localdate(subject.asked_at)
    try:
        candidates = selectors.candidates(user, workspace.pk if workspace else None)
    except DecryptionError:
        raise Ended(Outcome.LEARN_UNAVAILABLE, "unreadable") from None
    shown = related(candidates, subject.text, str(workspace.pk) if workspace else None)
    prompt = prompt_for(user, subject.model, workspace)
    masked = mask(subject.text)
    if prompt is None:
        code = rules.CODE
        call.operations = rules.extract(masked.text, shown, has_workspace=workspace is not None)
    else:
        code = prompt.code
        _ask(prompt, subject.model, masked.text, shown, workspace, today, call)
    return Proposal(
        message=subject.text,
        operations=call.operations,
        shown={entry.id: entry.revision for entry in shown},
        workspace=workspace,
        today=today,
        origin=Origin(Source.LEARNED, turn_id, subject.message_id, code),
        masked=tuple(masked.dangers),
    )


def prompt_for(user: User, model: ChatModel | None, workspace: Workspace | None) -> Prompt | None:
    """The prompt to extract with, its model included; None for the rules. Raises ``Ended`` when neither can be used."""
    if policy_for(user).extractor == Extractor.RULES:
        return None
    try:
        prompt = resolve(user.tenant_id, RANGE)
    except NoPrompt:
        raise Ended(Outcome.LEARN_UNAVAILABLE, "prompt") from None
    chosen = prompt.model or model
    if prompt.model is None and model and model.connection.kind == Connection.Kind.LOCAL:
        return None
    if chosen is None or not may_use(user, chosen, workspace):
        raise Ended(Outcome.LEARN_UNAVAILABLE, "model")
    if not chosen.connection.allows_memory:
        raise Ended(Outcome.LEARN_UNAVAILABLE, jobs.SHUT_CONNECTION)
    return prompt


def _ask(
    prompt: Prompt,
    own: ChatModel | None,
    message: str,
    shown: list[Candidate],
    workspace: Workspace | None,
    today: date,
    call: Call,
) -> None:
    model = prompt.model or own
    assert model is not None
    asked = question(message, shown, workspace=workspace.name if workspace else None, today=today)
    try:
        extract(endpoint_of(model.connection), model.name, prompt, asked, call)
    except TimeoutError:
        raise Ended(Outcome.TIMEOUT) from None
    except InvalidOutput:
        raise Ended(Outcome.INVALID_OUTPUT) from None
    except ProviderError as error:
        logger.info("Extraction failed", extra={"error_type": error.code.value})
        if error.code == ErrorCode.TIMEOUT:
            raise Ended(Outcome.TIMEOUT) from None
        if error.code == ErrorCode.REFUSED:
            raise Ended(Outcome.NO_CANDIDATES) from None
        if error.code in (ErrorCode.UNKNOWN_MODEL, ErrorCode.REFUSED_KEY, ErrorCode.KEY_UNREADABLE):
            raise Ended(Outcome.LEARN_UNAVAILABLE, "endpoint") from None
        raise Ended(Outcome.FAILED) from None


def _decide(learning: Learning, proposal: Proposal, call: Call) -> Outcome:
    """Write, unless memory was switched off or the turn taken away meanwhile."""
    learning.prompt_code = proposal.origin.prompt_code
    _cost(learning, call)
    try:
        subject = _subject(learning)
    except Ended as ended:
        learning.detail = ended.detail
        return ended.outcome
    applied = apply(subject.user, proposal, ask_first=wishes.must_ask(subject.user))
    note(learning, applied)
    return applied.outcome


def note(learning: Learning, applied: Applied) -> None:
    """Keep on the record what was written and what was not, without content."""
    learning.written = [
        {
            "change": str(change.pk),
            "entry": str(change.entry_id),
            "op": change.action,
            "scope": change.scope,
        }
        for change in applied.written
    ]
    learning.refused = [
        {"op": one.operation.op, "outcome": str(one.outcome)} | ({"category": one.category} if one.category else {})
        for one in applied.refused
    ]
    learning.suggested = len(applied.suggested)


def _end(learning: Learning, ended: Ended, call: Call) -> Outcome:
    learning.detail = ended.detail
    _cost(learning, call)
    return ended.outcome


def _cost(learning: Learning, call: Call) -> None:
    learning.input_tokens, learning.output_tokens = call.input_tokens, call.output_tokens
    learning.seconds = round(call.seconds, 3) if call.seconds else None
