"""Sessions: one conversation, owned by one user."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import MemoryMode, Tenant, Workspace
from adminchat.connections.models import ChatModel
from chat.models.profile import TEMPERATURE_RANGE, Profile

TITLE_LIMIT = 120  # characters


class Session(models.Model):
    """One conversation. ``head`` is the last message of the branch that is shown."""

    class TitleSource(models.TextChoices):
        """Where the title came from; one that the user set is never overwritten (CHAT-14)."""

        FIRST_WORDS = "first_words"
        GENERATED = "generated"
        USER = "user"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="sessions", verbose_name=_("tenant"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sessions", verbose_name=_("user")
    )
    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, null=True, blank=True, related_name="sessions", verbose_name=_("workspace")
    )
    profile = models.ForeignKey(Profile, on_delete=models.SET_NULL, null=True, blank=True, related_name="sessions")
    request_id = models.UUIDField(default=uuid.uuid4, editable=False)
    title = models.CharField(_("title"), max_length=TITLE_LIMIT)
    title_source = models.CharField(max_length=12, choices=TitleSource.choices, default=TitleSource.FIRST_WORDS)
    memory_mode = models.CharField(_("memory mode"), max_length=10, choices=MemoryMode.choices, default=MemoryMode.OFF)
    notes = models.BooleanField(_("the assistant may keep notes"), default=True)
    model = models.ForeignKey(
        ChatModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("model")
    )
    temperature = models.FloatField(_("temperature"), null=True, blank=True, validators=TEMPERATURE_RANGE)
    max_tokens = models.PositiveIntegerField(
        _("longest reply (tokens)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(200_000)],
    )
    flush_before_compaction = models.BooleanField(_("save notes before older messages are summarised"), default=True)
    temporary = models.BooleanField(_("temporary"), default=False)
    pinned_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)
    active_at = models.DateTimeField(_("active at"), default=timezone.now)
    head = models.ForeignKey("Message", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("chat")
        verbose_name_plural = _("chats")
        indexes = [models.Index(fields=["user", "-active_at"], name="session_by_activity")]
        constraints = [models.UniqueConstraint(fields=["user", "request_id"], name="session_started_once")]

    def __str__(self) -> str:
        return str(self.pk)  # an operator sees no titles (SEC-2)
