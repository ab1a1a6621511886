"""Books: all entries of one user in one tenant."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import Tenant


class Tier(models.TextChoices):
    """How an entry gets into a turn (ENTRY-15)."""

    CORE = "core", _("Core")
    TOPIC = "topic", _("Topic")
    ARCHIVE = "archive", _("Archive")


class Kind(models.TextChoices):
    """What sort of fact an entry is."""

    PREFERENCE = "preference", _("Preference")
    PROJECT = "project", _("Project")
    DECISION = "decision", _("Decision")
    REFERENCE = "reference", _("Reference")


class Source(models.TextChoices):
    """Who wrote an entry."""

    USER = "user", _("Written by you")
    LEARNED = "learned", _("Learned")
    MARKDOWN = "markdown", _("Markdown")
    IMPORT = "import", _("Imported")


class Book(models.Model):
    """The entries of one user. ``revision`` counts the writes; a write locks the book's row first.

    ``ask_first`` is its owner's wish to be asked before anything is learned (LEARN-23).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="books", verbose_name=_("tenant"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="books", verbose_name=_("user")
    )
    revision = models.PositiveIntegerField(_("revision"), default=0)
    ask_first = models.BooleanField(_("ask before learning"), default=False, db_default=False)

    class Meta:
        verbose_name = _("book of entries")
        verbose_name_plural = _("books of entries")
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_book_per_user")]

    def __str__(self) -> str:
        return str(self.pk)
