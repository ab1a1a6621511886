"""From a reference to the prompt that a call is made with (PROMPT-2)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from adminchat.connections.models import ChatModel
from adminchat.prompts import selectors
from adminchat.prompts.codes import Reference, parse_reference
from adminchat.prompts.models import PromptVersion, Range
from adminchat.providers.base import ChatMessage, ChatRequest

UNKNOWN = _("There is no prompt “%(reference)s”.")
NO_MODEL = _("The model of the prompt %(code)s isn’t available any more.")
NONE_USABLE = _("No version of the prompt “%(reference)s” can be used: their models aren’t available.")


class NoPrompt(Exception):
    """Nothing usable is meant by a reference; ``sentence`` says why, for people."""

    def __init__(self, sentence: StrOrPromise) -> None:
        super().__init__()
        self.sentence = sentence

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True)
class Prompt:
    """A version as it is used. ``max_tokens`` in tokens; ``model`` None is the session's own, ``version_id`` None a prompt
    that comes with AdminChat."""

    code: str
    range: str
    text: str
    model: ChatModel | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    version_id: UUID | None = None

    def request(self, model: str, content: str, *, json_schema: dict[str, Any] | None = None) -> ChatRequest:
        """What to ask the model of this name about ``content``."""
        return ChatRequest(
            model=model,
            messages=(ChatMessage("system", self.text), ChatMessage("user", content)),
            temperature=self.temperature,
            top_p=self.top_p,
            stop=self.stop,
            max_tokens=self.max_tokens,
            json_schema=json_schema,
        )


def resolve(tenant_id: UUID, reference: str) -> Prompt:
    """The prompt for ``reference``: a full code, or a range, series or tactic, whose active version it is, else the best
    scored, else what comes with AdminChat. From now on it counts as used. Raises ``NoPrompt``."""
    try:
        parsed = parse_reference(reference)
        ranges = [Range(parsed.range)] if parsed.range else []
    except ValueError:
        raise NoPrompt(UNKNOWN % {"reference": reference}) from None
    version = _chosen(selectors.shelves(tenant_id, *ranges), parsed, reference)
    version = version if version.is_shipped else mark_used(version)
    return Prompt(
        code=version.code,
        range=version.range,
        text=version.text,
        model=version.model,
        temperature=version.temperature,
        top_p=version.top_p,
        max_tokens=version.max_tokens,
        stop=tuple(version.stop),
        version_id=None if version.is_shipped else version.pk,
    )


def mark_used(version: PromptVersion) -> PromptVersion:
    """Let nothing of a stored ``version`` change any more, and return it as it is then: it may have been edited meanwhile.

    Raises ``NoPrompt`` for one that was deleted meanwhile.
    """
    if version.used_at is None:
        PromptVersion.objects.filter(pk=version.pk, used_at=None).update(used_at=timezone.now())
    try:
        return selectors.versions(version.tenant_id).get(pk=version.pk)
    except PromptVersion.DoesNotExist:
        raise NoPrompt(UNKNOWN % {"reference": version.code}) from None


def _chosen(shelves: list[selectors.Shelf], parsed: Reference, reference: str) -> PromptVersion:
    found = [version for shelf in shelves if (version := shelf.best(parsed))]
    if not found:
        known = any(parsed.fits(version.parsed_code) for shelf in shelves for version in shelf.versions)
        raise NoPrompt((NONE_USABLE if known else UNKNOWN) % {"reference": reference})
    if not found[0].is_usable:
        raise NoPrompt(NO_MODEL % {"code": found[0].code})
    return found[0]
