"""What turns loaded, without content (ENTRY-25)."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import MemoryMode, Tenant


class Activity(models.Model):
    """The record of one turn: ids, codes and counts. Turns with memory off have none: nothing was looked at.

    ``failed`` says that memory could not be read, and the turn went on without.
    ``loaded`` and ``skipped`` are lists in their order: ``{"id": entry, "revision": n, "reason": code, "tokens": n}``.
    """

    turn_id = models.UUIDField(primary_key=True)
    session_id = models.UUIDField()
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    workspace_id = models.UUIDField(null=True)
    mode = models.CharField(max_length=10, choices=MemoryMode.choices)
    failed = models.BooleanField(default=False)
    loaded = models.JSONField(default=list)
    skipped = models.JSONField(default=list)
    tokens = models.PositiveIntegerField(default=0)
    core_tokens = models.PositiveIntegerField(default=0)
    budget = models.PositiveIntegerField(default=0)
    core_budget = models.PositiveIntegerField(default=0)
    tokenizer = models.CharField(max_length=40, blank=True)
    exact = models.BooleanField(default=False)
    milliseconds = models.FloatField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("activity")
        verbose_name_plural = _("activities")
        indexes = [
            models.Index(fields=["user", "-created_at"], name="activity_by_time"),
            models.Index(fields=["tenant", "created_at"], name="activity_by_age"),
        ]

    def __str__(self) -> str:
        return str(self.turn_id)
