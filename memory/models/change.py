"""The history of a book: what was changed, by whom, and what stood there before (LEARN-11, LEARN-20)."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.lib.encryption import EncryptedTextField, Readable
from memory.models.book import Book, Source


class Change(Readable):
    """One change of one entry. ``before`` and ``after`` are the entry as JSON, or "" where there was none.

    ``revision`` is the entry's after the change. A deletion that can be undone keeps ``before`` until ``erase_at``.
    """

    class Action(models.TextChoices):
        ADDED = "added", _("added")
        CHANGED = "changed", _("changed")
        DELETED = "deleted", _("deleted")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="changes")
    entry_id = models.UUIDField(db_index=True)
    scope = models.CharField(max_length=10)
    action = models.CharField(max_length=10, choices=Action.choices)
    source = models.CharField(max_length=10, choices=Source.choices)
    revision = models.PositiveIntegerField()
    before = EncryptedTextField(blank=True)
    after = EncryptedTextField(blank=True)
    evidence = EncryptedTextField(blank=True)
    prompt_code = models.CharField(max_length=40, blank=True, default="")
    turn_id = models.UUIDField(null=True, db_index=True)
    undone_at = models.DateTimeField(null=True)
    erase_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        indexes = [models.Index(fields=["book", "-created_at"], name="change_by_time")]

    def __str__(self) -> str:
        return str(self.pk)
