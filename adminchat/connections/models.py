"""Model endpoints, their keys, and the models they offer (CHAT-16)."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from adminchat.accounts.models import Tenant, Workspace
from adminchat.lib.encryption import DecryptionError, EncryptedTextField

ASSUMED_CONTEXT_TOKENS = 32_768
PRESET_NAME = "Preset"
BUILT_IN_NAME = "Built-in model"
BUILT_IN_LABEL = "SmolLM2 (English demo)"
_OURS = {
    PRESET_NAME: pgettext_lazy("connection", "Preset"),
    BUILT_IN_NAME: pgettext_lazy("connection", "Built-in model"),
    BUILT_IN_LABEL: pgettext_lazy("model", "SmolLM2 (English demo)"),
}


def shown_name(stored: str) -> str:
    """A name that AdminChat gave, in the reader's language; any other one as it is."""
    return str(_OURS.get(stored, stored))


class Connection(models.Model):
    """One endpoint with its key, which pages and lists ``defer``: it is read where it is used."""

    class Kind(models.TextChoices):
        OPENAI = "openai", _("OpenAI-compatible")
        ANTHROPIC = "anthropic", _("Anthropic")
        LOCAL = "local", _("Built-in local model")

    class Origin(models.TextChoices):
        """Who made it; what the operator made is trusted and cannot be edited in the browser (CHAT-20)."""

        BROWSER = "browser", _("added here")
        PRESET = "preset", _("preset by the operator")
        BUILT_IN = "built_in", _("built in")

    class Audience(models.TextChoices):
        EVERYONE = "everyone", _("Everyone")
        SUPER_ADMINS = "super_admins", _("Super administrators only")
        WORKSPACES = "workspaces", _("Members of chosen workspaces")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="connections", verbose_name=_("tenant"))
    name = models.CharField(_("name"), max_length=80)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    origin = models.CharField(
        _("origin"), max_length=10, choices=Origin.choices, default=Origin.BROWSER, editable=False
    )
    base_url = models.CharField(_("base URL"), max_length=500, blank=True)
    api_key: "models.TextField[str, str]" = EncryptedTextField(_("key"), blank=True, default="")
    enabled = models.BooleanField(_("enabled"), default=True)
    audience = models.CharField(_("available to"), max_length=12, choices=Audience.choices, default=Audience.EVERYONE)
    allows_memory = models.BooleanField(
        _("may be sent memory"),
        default=True,
        db_default=True,
        help_text=_("Without it, neither entries nor notes of anybody ever go to this connection."),
    )
    workspaces = models.ManyToManyField(Workspace, blank=True, related_name="connections", verbose_name=_("workspaces"))
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("connection")
        verbose_name_plural = _("connections")
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="connection_name_per_tenant")]

    def __str__(self) -> str:
        return self.name if self.origin == self.Origin.BROWSER else shown_name(self.name)

    @property
    def key_state(self) -> str:
        """``none``, ``stored``, or ``unreadable`` with the keys of this installation; decrypts the key to know."""
        try:
            return "stored" if self.api_key else "none"
        except DecryptionError:
            return "unreadable"


class ChatModel(models.Model):
    """A model that a connection offers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="models")
    name = models.CharField(_("model name"), max_length=200)
    display_name = models.CharField(_("shown as"), max_length=80, blank=True)
    enabled = models.BooleanField(_("enabled"), default=True)
    is_default = models.BooleanField(_("default"), default=False)
    context_tokens = models.PositiveIntegerField(
        _("context size (tokens)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(512), MaxValueValidator(10_000_000)],
    )
    takes_images = models.BooleanField(_("understands images"), default=False)
    takes_tools = models.BooleanField(_("can use tools"), default=True)
    input_price = models.DecimalField(
        _("price per million input tokens"), max_digits=10, decimal_places=4, null=True, blank=True
    )
    output_price = models.DecimalField(
        _("price per million output tokens"), max_digits=10, decimal_places=4, null=True, blank=True
    )

    class Meta:
        verbose_name = _("model")
        verbose_name_plural = _("models")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["connection", "name"], name="model_name_per_connection")]

    def __str__(self) -> str:
        return self.label

    @property
    def stored_label(self) -> str:
        return self.display_name or self.name

    @property
    def label(self) -> str:
        return shown_name(self.stored_label)

    @property
    def context_size(self) -> int:
        """How many tokens the model can read at once; assumed where neither its endpoint nor anybody here said it."""
        return self.context_tokens or ASSUMED_CONTEXT_TOKENS
