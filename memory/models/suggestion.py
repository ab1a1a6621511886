"""What learning would write, and waits for its owner to accept (LEARN-23)."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import Workspace
from adminchat.lib.encryption import EncryptedTextField, Readable
from memory.models.book import Book


class Suggestion(Readable):
    """One operation that passed validation, as JSON; nothing of it is active."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="suggestions")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, null=True, related_name="+")
    turn_id = models.UUIDField()
    message_id = models.UUIDField()
    operation = EncryptedTextField()
    target_revision = models.PositiveIntegerField(null=True)
    prompt_code = models.CharField(max_length=40, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("suggestion")
        verbose_name_plural = _("suggestions")

    def __str__(self) -> str:
        return str(self.pk)
