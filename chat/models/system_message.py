"""SystemMessages: standing instructions for all sessions (chapter 05)."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import Tenant
from adminchat.lib.encryption import EncryptedTextField, Readable


class MySystemMessage(models.Model):
    """What one user tells the model in all of their sessions (SYS-1). An empty text is none."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+", verbose_name=_("tenant"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("user")
    )
    text = EncryptedTextField(blank=True)
    revision = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(_("changed at"), default=timezone.now)

    class Meta:
        verbose_name = _("My SystemMessage")
        verbose_name_plural = _("My SystemMessages")
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_system_message_per_user")]

    def __str__(self) -> str:
        return str(self.pk)


class GlobalSystemMessage(Readable):
    """One version of what a tenant tells the model in everybody's sessions (SYS-2, SYS-8); the newest is in force.

    ``announced`` tells whether people were to be told of it, ``restored`` which version it brings back.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+", verbose_name=_("tenant"))
    number = models.PositiveIntegerField(_("version"))
    text = EncryptedTextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    announced = models.BooleanField(default=False)
    restored = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(_("made at"), default=timezone.now)

    class Meta:
        verbose_name = _("Global SystemMessage")
        verbose_name_plural = _("versions of the Global SystemMessage")
        constraints = [models.UniqueConstraint(fields=["tenant", "number"], name="global_system_message_version")]

    def __str__(self) -> str:
        return str(self.pk)
