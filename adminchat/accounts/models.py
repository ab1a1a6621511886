"""Who uses AdminChat and where: tenants, users, workspaces, and the rules of a tenant."""

import re
import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class MemoryMode(models.TextChoices):
    """What a session may do with its owner's memory, from least to most (chapter 02)."""

    OFF = "off", _("Off")
    READ_ONLY = "read_only", _("Read only")
    LEARN = "learn", _("Learn")

    @classmethod
    def capped(cls, mode: str, *caps: str) -> "MemoryMode":
        """Return ``mode``, lowered to the lowest of ``caps`` (ENTRY-5)."""
        order = cls.values
        return cls(min([mode, *caps], key=order.index))


class Tenant(models.Model):
    """The outermost isolation boundary. Single-tenant mode has exactly one, never shown."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=100, unique=True)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("tenant")
        verbose_name_plural = _("tenants")

    def __str__(self) -> str:
        return self.name


def all_learning_languages() -> list[str]:
    return ["en", "zh"]


class Extractor(models.TextChoices):
    """What finds in a message what is to be remembered (OPS-4)."""

    MODEL = "model", _("a model: one more call, which may cost money")
    RULES = "rules", _("rules: no model call, explicit sentences only")


class TenantPolicy(models.Model):
    """What a tenant allows its users (CHAT-25)."""

    tenant = models.OneToOneField(Tenant, on_delete=models.CASCADE, related_name="policy", primary_key=True)
    mode_cap = models.CharField(
        _("highest memory mode"), max_length=10, choices=MemoryMode.choices, default=MemoryMode.LEARN
    )
    notes_allowed = models.BooleanField(_("the assistant may keep notes"), default=True)
    learning_languages = models.JSONField(_("learning languages"), default=all_learning_languages)
    ask_first = models.BooleanField(_("ask before learning"), default=False)
    extractor = models.CharField(
        _("learning is done by"),
        max_length=10,
        choices=Extractor.choices,
        default=Extractor.MODEL,
        db_default=Extractor.MODEL,
    )
    show_global_message = models.BooleanField(
        _("everybody may read the Global SystemMessage"), default=True, db_default=True
    )
    activity_days = models.PositiveIntegerField(
        _("keep activity for (days)"), default=90, validators=[MinValueValidator(1), MaxValueValidator(3650)]
    )
    temporary_hours = models.PositiveIntegerField(
        _("delete temporary chats after (hours)"),
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(24 * 30)],
    )
    archived_days = models.PositiveIntegerField(
        _("delete archived chats after (days; empty keeps them)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
    )

    class Meta:
        verbose_name = _("tenant policy")
        verbose_name_plural = _("tenant policies")

    def __str__(self) -> str:
        return str(self.tenant)


class UserManager(DjangoUserManager["User"]):
    """Gives users made on the command line the tenant they need."""

    def create_user(
        self, username: str, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "User":
        if "tenant" not in fields and "tenant_id" not in fields:
            from adminchat.accounts.tenants import default_tenant

            fields["tenant"] = default_tenant()
        return super().create_user(username, email, password, **fields)

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "User":
        if "tenant" not in fields and "tenant_id" not in fields:
            from adminchat.accounts.tenants import default_tenant

            fields["tenant"] = default_tenant()
        fields.setdefault("role", User.Role.SUPER_ADMIN)
        return super().create_superuser(username, email, password, **fields)


class User(AbstractUser):
    """A person. ``role`` says what they may do in the product, ``is_superuser`` marks the site operator."""

    class Role(models.TextChoices):
        ADMIN = "admin", _("Administrator")
        SUPER_ADMIN = "super_admin", _("Super administrator")

    class Theme(models.TextChoices):
        SYSTEM = "system", _("Same as the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class SendKey(models.TextChoices):
        ENTER = "enter", _("Enter sends, Shift+Enter breaks the line")
        MOD_ENTER = "mod_enter", _("Ctrl+Enter or ⌘+Enter sends")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="users", verbose_name=_("tenant"))
    role = models.CharField(_("role"), max_length=20, choices=Role.choices, default=Role.ADMIN)
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    theme = models.CharField(_("theme"), max_length=10, choices=Theme.choices, default=Theme.SYSTEM)
    send_key = models.CharField(_("send with"), max_length=10, choices=SendKey.choices, default=SendKey.ENTER)

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    @property
    def is_super_admin(self) -> bool:
        return self.role == self.Role.SUPER_ADMIN

    @property
    def shown_name(self) -> str:
        """The full name where there is one, else the user name; Chinese names family name first."""
        if re.search(r"[\u3400-\u9fff]", self.first_name + self.last_name):
            return self.last_name + self.first_name
        return self.get_full_name() or self.username


class Workspace(models.Model):
    """A named place inside a tenant with members; a session may belong to one (CHAT-21)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="workspaces", verbose_name=_("tenant"))
    name = models.CharField(_("name"), max_length=80)
    description = models.CharField(_("description"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)
    members: "models.ManyToManyField[User, Membership]" = models.ManyToManyField(
        User, through="Membership", related_name="workspaces"
    )

    class Meta:
        verbose_name = _("workspace")
        verbose_name_plural = _("workspaces")
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="workspace_name_per_tenant")]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """That a user belongs to a workspace."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_per_workspace")]


class KeyCheck(models.Model):
    """A known text, encrypted once, that proves at start that the keys are the right ones (OPS-8)."""

    token = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
