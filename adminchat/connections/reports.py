"""What came of a test, in sentences for people; never a word of what the endpoint said (CHAT-9, CHAT-16)."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from adminchat.providers.errors import ErrorCode
from adminchat.providers.probe import Probe, Result, State

SENTENCES: dict[ErrorCode, StrOrPromise] = {
    ErrorCode.REFUSED_KEY: _("The service refused the key. Type it again, or make a new one there."),
    ErrorCode.KEY_UNREADABLE: _("The stored key can’t be read; type it again."),
    ErrorCode.UNKNOWN_MODEL: _("The service does not know this model. Compare its name with the service’s list."),
    ErrorCode.RATE_LIMITED: _("The service is receiving too many requests, or the account has no credit left."),
    ErrorCode.CONTEXT_OVERFLOW: _("The model’s context is too small even for a short question."),
    ErrorCode.TIMEOUT: _("The service did not answer in time."),
    ErrorCode.BROKEN_STREAM: _("The answer broke off before its end."),
    ErrorCode.UNREACHABLE: _("Nothing answers at this address. Check the address, and whether the service runs."),
    ErrorCode.ADDRESS_REFUSED: _(
        "This address leads into a private network. The operator can allow it with ADMINCHAT_ALLOWED_PRIVATE_HOSTS."
    ),
    ErrorCode.SERVER_ERROR: _("The service reported an error of its own. Try again later."),
    ErrorCode.LOADING: _("The service is still loading its model. Try again in a moment."),
    ErrorCode.BAD_REQUEST: _("The service did not accept the request. Check kind and address."),
    ErrorCode.MALFORMED: _("The answer is not what this kind of service sends. Check kind and address."),
    ErrorCode.REFUSED: _("The model declined to answer."),
}

WORKS: dict[str, tuple[StrOrPromise, StrOrPromise]] = {
    "reach": (_("Reach"), _("The service answers.")),
    "key": (_("Key"), _("The key is accepted.")),
    "model": (_("Model"), _("The model is there.")),
    "streaming": (_("Streaming"), _("Replies appear as they are written.")),
    "tools": (_("Tools"), _("The model can use tools.")),
    "json": (_("JSON"), _("The model can answer in a given form.")),
}

LACKS: dict[str, StrOrPromise] = {
    "tools": _("This model does not use tools. Chatting works without them."),
    "json": _("This model does not keep to a given form. Chatting works without it."),
}


@dataclass(frozen=True)
class Check:
    """One line of the result. ``state`` is ok, failed or skipped."""

    name: str
    label: StrOrPromise
    state: str
    sentence: StrOrPromise


def checks_of(probe: Probe) -> list[Check]:
    """Return the lines of a test in the order in which they build on each other."""
    return [_check(name, getattr(probe, name)) for name in WORKS]


def sentence_for(code: ErrorCode) -> StrOrPromise:
    """Return what to say about a failed call."""
    return SENTENCES[code]


def _check(name: str, result: Result) -> Check:
    label, worked = WORKS[name]
    if result.state is State.OK:
        return Check(name, label, result.state, worked)
    if result.state is State.SKIPPED or result.code is None:
        return Check(name, label, State.SKIPPED, _("Not tried."))
    capability = result.code in (ErrorCode.BAD_REQUEST, ErrorCode.MALFORMED)
    return Check(name, label, result.state, LACKS[name] if capability and name in LACKS else sentence_for(result.code))
