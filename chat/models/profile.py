"""Profiles: named presets that a session can be started with (CHAT-23)."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from adminchat.accounts.models import MemoryMode, Tenant
from adminchat.connections.models import ChatModel

INSTRUCTIONS_LIMIT = 4000  # characters
SHIPPED_CONTEXT = "shipped profile"
TEMPERATURE_RANGE = (MinValueValidator(0.0), MaxValueValidator(2.0))


class Profile(models.Model):
    """A preset. Without an owner it is the tenant's; with one it is that user's own."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="profiles")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="profiles",
    )
    shipped = models.CharField(max_length=20, blank=True, editable=False)
    name = models.CharField(_("name"), max_length=60)
    description = models.CharField(_("description"), max_length=200, blank=True)
    model = models.ForeignKey(
        ChatModel,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("model"),
    )
    instructions = models.TextField(_("instructions"), max_length=INSTRUCTIONS_LIMIT, blank=True)
    temperature = models.FloatField(_("temperature"), null=True, blank=True, validators=TEMPERATURE_RANGE)
    memory_default = models.CharField(
        _("memory mode at the start"),
        max_length=10,
        choices=MemoryMode.choices,
        default=MemoryMode.OFF,
    )
    memory_cap = models.CharField(
        _("highest memory mode"),
        max_length=10,
        choices=MemoryMode.choices,
        default=MemoryMode.LEARN,
    )
    notes = models.BooleanField(_("the assistant may keep notes"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "name"],
                condition=Q(owner__isnull=True),
                name="tenant_profile_name",
            ),
            models.UniqueConstraint(fields=["owner", "name"], name="own_profile_name"),
        ]

    def __str__(self) -> str:
        return self._shown(self.name)

    @property
    def shown_description(self) -> str:
        return self._shown(self.description)

    def _shown(self, words: str) -> str:
        """The words of a shipped profile, as long as they are the shipped ones, in the reader's language."""
        return pgettext(SHIPPED_CONTEXT, words) if self.shipped and words else words


class ChatPreferences(models.Model):
    """What the launcher remembers of a user: the last model and profile (CHAT-1)."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="chat_preferences",
    )
    last_model = models.ForeignKey(ChatModel, on_delete=models.SET_NULL, null=True, related_name="+")
    last_profile = models.ForeignKey(Profile, on_delete=models.SET_NULL, null=True, related_name="+")
    seen_global_message = models.PositiveIntegerField(default=0, db_default=0)
