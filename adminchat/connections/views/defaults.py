"""Telling whoever changes connections or models that new chats start with another model than before (CHAT-16)."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.utils.translation import gettext as _

from adminchat.accounts.access import UserRequest
from adminchat.connections.selectors import default_model


@contextmanager
def change_of_default_told(request: UserRequest) -> Iterator[None]:
    """Add a notice when what is done within leaves another default model, or none."""
    before = default_model(request.user)
    yield
    after = default_model(request.user)
    if after == before:
        return
    if after:
        text = _("New chats now start with %(model)s unless another model is chosen.") % {"model": after.label}
        messages.info(request, text)
    else:
        messages.warning(request, _("No model is left that new chats could start with."))
