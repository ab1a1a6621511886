"""Messages: a tree per session. A second reply, or an edited question, is a sibling of the first (CHAT-8)."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.session import Session


class Message(models.Model):
    """What one side said. ``text`` is what was written, ``html`` what a page shows of it, made once."""

    class Role(models.TextChoices):
        USER = "user", _("You")
        ASSISTANT = "assistant", _("Assistant")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="messages")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="children")
    role = models.CharField(max_length=10, choices=Role.choices)
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["created_at"]

    def __str__(self) -> str:
        return str(self.pk)
