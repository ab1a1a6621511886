"""From a message to an entry: "Remember this…" (ENTRY-28)."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from chat import selectors
from chat.views.access import found
from memory import places
from memory.forms import EntryForm
from memory.views.entries import entries_page


@require_GET
@login_required
def message_remember(request: UserRequest, message_id: UUID) -> HttpResponse:
    """The form for a new entry, with the words of one's own message to be edited."""
    message = found(selectors.user_message, request.user, message_id)
    place = places.place(request.user, message.session_id)
    form = EntryForm(place=place, initial={"text": " ".join(message.text.split()), "message": message.pk})
    return entries_page(request, place, form=form)
