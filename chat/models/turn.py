"""Turns: one user message and all that it causes."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import MemoryMode
from adminchat.connections.models import ChatModel, shown_name
from chat.models.message import Message
from chat.models.session import Session
from memory.rules import MemoryRule


class Turn(models.Model):
    """One call for a reply. A regenerated reply is another turn of the same message."""

    class State(models.TextChoices):
        PENDING = "pending", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")
        INTERRUPTED = "interrupted", _("interrupted")

    OPEN = (State.PENDING, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="turns")
    reply = models.OneToOneField(Message, on_delete=models.CASCADE, related_name="turn_of_reply")
    request_id = models.UUIDField(default=uuid.uuid4, editable=False)
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.PENDING)
    memory_mode = models.CharField(max_length=10, choices=MemoryMode.choices, default=MemoryMode.OFF)
    memory_rule = models.CharField(max_length=30, choices=MemoryRule.choices, blank=True, default="", db_default="")
    model = models.ForeignKey(ChatModel, on_delete=models.SET_NULL, null=True, related_name="+")
    model_label = models.CharField(_("model"), max_length=200, blank=True)
    owner = models.UUIDField(null=True, editable=False)
    heartbeat_at = models.DateTimeField(default=timezone.now)
    stop_requested = models.BooleanField(default=False)
    error_code = models.CharField(_("error code"), max_length=30, blank=True)
    cut_short = models.BooleanField(default=False)
    omitted_messages = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveIntegerField(_("tokens read"), null=True)
    output_tokens = models.PositiveIntegerField(_("tokens written"), null=True)
    created_at = models.DateTimeField(_("made at"), default=timezone.now)
    started_at = models.DateTimeField(_("started at"), null=True)
    first_token_at = models.DateTimeField(_("first token at"), null=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        indexes = [
            models.Index(fields=["heartbeat_at"], condition=Q(state__in=("pending", "running")), name="open_turns"),
            models.Index(fields=["created_at"], name="turn_by_time"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=Q(state__in=("pending", "running")), name="one_open_turn_per_session"
            ),
            models.UniqueConstraint(fields=["session", "request_id"], name="turn_started_once"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def shown_model(self) -> str:
        """What the model was called when it answered."""
        return shown_name(self.model_label)

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    @property
    def seconds(self) -> float | None:
        """How long the model took, in seconds, once the turn has ended."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()
