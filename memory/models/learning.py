"""What became of learning in a turn, without content (LEARN-8, LEARN-18, LEARN-21)."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import Tenant
from memory.learning.outcomes import Outcome


class Learning(models.Model):
    """Learning in one turn: while it waits, the work that is to be done; afterwards the record of its receipt.

    It waits as long as it has no ``outcome``; ``waited`` says that it did. ``queued_at`` says when a task was last sent for it,
    ``started_at`` when a worker last began. ``written`` lists ``{"change": id, "entry": id, "op": …, "scope": …}``, ``refused``
    ``{"op": …, "outcome": code}`` with the category of what was unsafe; ``detail`` narrows the outcome (see
    ``memory.learning.receipts``).
    """

    turn_id = models.UUIDField(primary_key=True)
    session_id = models.UUIDField()
    message_id = models.UUIDField()
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    outcome = models.CharField(max_length=20, choices=[(code, code) for code in Outcome.values], blank=True, default="")
    detail = models.CharField(max_length=20, blank=True, default="")
    written = models.JSONField(default=list)
    refused = models.JSONField(default=list)
    suggested = models.PositiveSmallIntegerField(default=0)
    prompt_code = models.CharField(max_length=40, blank=True, default="")
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    seconds = models.FloatField(null=True)
    waited = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    queued_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("learning")
        verbose_name_plural = _("learnings")
        indexes = [
            models.Index(fields=["user", "finished_at"], name="learning_by_end"),
            models.Index(fields=["tenant", "created_at"], condition=models.Q(outcome=""), name="learning_waiting"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_waiting(self) -> bool:
        return not self.outcome
