"""Entries: one durable fact each (ENTRY-7)."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import Workspace
from adminchat.lib.encryption import EncryptedTextField, Readable
from memory.models.book import Book, Kind, Source, Tier


class Entry(Readable):
    """One fact of one user; without a workspace it is global.

    ``fact_key`` names what the fact is about, so that a newer value replaces the older one (ENTRY-16).
    ``former_workspace`` is the name of one that was deleted, as long as the entry is archived for it.
    ``archived_topic`` is the topic to which an archived entry goes back. ``message_id`` is the message that the entry
    was taken from; it may be gone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="entries")
    workspace = models.ForeignKey(
        Workspace, on_delete=models.SET_NULL, null=True, blank=True, related_name="entries", verbose_name=_("workspace")
    )
    former_workspace = models.CharField(_("former workspace"), max_length=80, blank=True, default="", db_default="")
    tier = models.CharField(_("tier"), max_length=10, choices=Tier.choices)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices, default=Kind.PREFERENCE)
    text = EncryptedTextField(_("text"))
    topic = EncryptedTextField(_("topic"), blank=True)
    archived_topic = EncryptedTextField(blank=True)
    pinned = models.BooleanField(_("pinned"), default=False)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    fact_key = EncryptedTextField()
    source = models.CharField(_("source"), max_length=10, choices=Source.choices, default=Source.USER)
    evidence = EncryptedTextField(blank=True)
    message_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(_("made at"), default=timezone.now)
    updated_at = models.DateTimeField(_("changed at"), default=timezone.now)
    last_loaded_at = models.DateTimeField(_("last loaded at"), null=True, blank=True)
    revision = models.PositiveIntegerField(_("revision"), default=1)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")

    def __str__(self) -> str:
        return str(self.pk)  # no text of an entry gets into logs or the operator's pages (SEC-2)

    @property
    def scope(self) -> str:
        return "workspace" if self.workspace_id else "global"

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()
