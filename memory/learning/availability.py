"""Whether there is anything to learn with (ENTRY-4)."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import User, Workspace
from adminchat.accounts.policies import policy_for
from adminchat.connections.models import ChatModel
from memory.learning import learner

NO_LANGUAGE = _("Learn can’t be chosen: your organisation has switched off every learning language.")
NOTHING = _("Learn can’t be chosen: there is no usable model or prompt for it.")


def hindrance(user: User, model: ChatModel | None, workspace: Workspace | None = None) -> str | Promise:
    """Why Learn can't be chosen in a chat with ``model``, or ""."""
    if not policy_for(user).learning_languages:
        return NO_LANGUAGE
    try:
        learner.prompt_for(user, model, workspace)
    except learner.Ended:
        return NOTHING
    return ""
