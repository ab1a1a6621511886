"""What a person reads when a turn fails: a plain sentence and what to do next, never an exception (CHAT-9)."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Failure:
    title: str | Promise
    hint: str | Promise


FAILURES = {
    "refused_key": Failure(
        _("The model service refused the key."), _("A super administrator can enter a new one under Connections.")
    ),
    "key_unreadable": Failure(
        _("The key of this connection can’t be read."), _("A super administrator can type it again under Connections.")
    ),
    "unknown_model": Failure(
        _("The model service doesn’t know this model."), _("Choose another model, or ask a super administrator.")
    ),
    "rate_limited": Failure(_("The model service is receiving too many requests."), _("Wait a little, then retry.")),
    "context_overflow": Failure(
        _("The conversation is too long for this model."),
        _("Shorten your message, choose a model with a larger context, or start a new chat."),
    ),
    "timeout": Failure(_("The model didn’t answer in time."), _("Retry, or choose another model.")),
    "broken_stream": Failure(
        _("The connection to the model broke off."), _("What had arrived is kept. You can retry.")
    ),
    "unreachable": Failure(
        _("The model service can’t be reached."), _("Retry later, or ask a super administrator to test the connection.")
    ),
    "address_refused": Failure(
        _("The address of this connection isn’t allowed."),
        _("A super administrator can correct it under Connections."),
    ),
    "server_error": Failure(_("The model service reported an error of its own."), _("Retry in a moment.")),
    "loading": Failure(_("The model is still being loaded."), _("Retry in a moment.")),
    "bad_request": Failure(
        _("The model service didn’t accept the request."), _("Check the model’s settings, or choose another model.")
    ),
    "malformed": Failure(
        _("The model service sent something that can’t be read."),
        _("A super administrator can check the connection’s address and kind."),
    ),
    "refused": Failure(_("The model declined to answer."), _("Rephrase your message, or choose another model.")),
    "empty": Failure(_("The model sent an empty reply."), _("Retry, or choose another model.")),
    "no_model": Failure(
        _("There is no model to answer."), _("Choose one in the conversation settings, or ask a super administrator.")
    ),
    "instructions_unreadable": Failure(
        _("A SystemMessage can’t be read with the keys of this installation."),
        _("Save yours anew under Memory, or tell whoever runs this site."),
    ),
    "internal": Failure(_("Something went wrong on our side."), _("Your message is kept. You can retry.")),
}


def failure(code: str) -> Failure:
    """The texts for an error code of a turn; an unknown code gives the general one."""
    return FAILURES.get(code, FAILURES["internal"])
