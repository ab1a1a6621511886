"""Versioned prompts of a tenant ("PromptRange", PROMPT-1, PROMPT-2). What comes with AdminChat has no rows: ``defaults``."""

import uuid
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from adminchat.accounts.models import Tenant
from adminchat.connections.models import ChatModel
from adminchat.prompts import codes

TEXT_LIMIT = 20_000  # characters
NOTE_LIMIT = 300  # characters
STOP_LIMIT = 4  # sequences; more are taken by no vendor
STOP_LENGTH = 60  # characters


class Range(models.TextChoices):
    """The purposes that prompts are for."""

    MEMORY_EXTRACTION = "memory-extraction", _("Memory extraction")
    SESSION_TITLE = "session-title", _("Chat titles")
    COMPACTION_SUMMARY = "compaction-summary", _("Summaries of long chats")

    @property
    def purpose(self) -> str:
        return str(_PURPOSES[self])


_PURPOSES = {
    Range.MEMORY_EXTRACTION: _(
        "In the mode Learn, takes out of a message what is to be remembered, changed or forgotten."
    ),
    Range.SESSION_TITLE: _("Names a chat after its first reply."),
    Range.COMPACTION_SUMMARY: _("Sums up the earlier part of a chat that has become too long for its model."),
}


class Score(models.Model):
    """How well a version did when it was last tested (PROMPT-4), one that comes with AdminChat as well.

    ``value`` is between 0 and 1 and what the best is chosen by. ``figures`` holds numbers and names, no texts.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    code = models.CharField(max_length=codes.MAX_LENGTH)
    value = models.FloatField()
    figures: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    tested_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("score of a prompt")
        verbose_name_plural = _("scores of prompts")
        constraints = [models.UniqueConstraint(fields=["tenant", "code"], name="one_score_per_prompt")]

    def __str__(self) -> str:
        return self.code


class PromptVersion(models.Model):
    """One version. Once ``used_at`` is set nothing of it changes.

    ``chosen_model`` is what the model was called when it was chosen, so that one that is gone isn't taken for none. An
    instance that was never stored is one that comes with AdminChat. ``score`` is there after ``selectors`` read it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="prompts", verbose_name=_("tenant"))
    range = models.CharField(_("range"), max_length=30, choices=Range.choices)
    code = models.CharField(_("prompt code"), max_length=codes.MAX_LENGTH)
    text = models.TextField(_("text"), max_length=TEXT_LIMIT)
    model = models.ForeignKey(
        ChatModel, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("model")
    )
    chosen_model = models.CharField(max_length=300, blank=True)
    temperature = models.FloatField(
        _("temperature"), null=True, blank=True, validators=[MinValueValidator(0.0), MaxValueValidator(2.0)]
    )
    top_p = models.FloatField(
        _("top-p"), null=True, blank=True, validators=[MinValueValidator(0.01), MaxValueValidator(1.0)]
    )
    max_tokens = models.PositiveIntegerField(
        _("longest answer (tokens)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100_000)],
    )
    stop: "models.JSONField[list[str], list[str]]" = models.JSONField(_("stop sequences"), default=list, blank=True)
    note = models.CharField(_("note"), max_length=NOTE_LIMIT, blank=True)
    used_at = models.DateTimeField(_("used since"), null=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    created_at = models.DateTimeField(_("made at"), default=timezone.now)

    score: Score | None = None

    class Meta:
        verbose_name = _("prompt")
        verbose_name_plural = _("prompts")
        constraints = [models.UniqueConstraint(fields=["tenant", "code"], name="prompt_code_per_tenant")]

    def __str__(self) -> str:
        return self.code

    @property
    def is_shipped(self) -> bool:
        return self._state.adding

    @property
    def may_change(self) -> bool:
        return not self.is_shipped and self.used_at is None

    @property
    def is_usable(self) -> bool:
        """Whether the model that it wants can be asked; one that wants none asks the session's."""
        if not self.chosen_model:
            return True
        return self.model is not None and self.model.enabled and self.model.connection.enabled

    @property
    def parsed_code(self) -> codes.Code:
        return codes.parse(self.code)


class ActivePrompt(models.Model):
    """The version of a range that was put in force, and those that were before it, the latest last."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    range = models.CharField(max_length=30, choices=Range.choices)
    code = models.CharField(max_length=codes.MAX_LENGTH)
    earlier: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)

    class Meta:
        verbose_name = _("active prompt")
        verbose_name_plural = _("active prompts")
        constraints = [models.UniqueConstraint(fields=["tenant", "range"], name="one_active_prompt_per_range")]

    def __str__(self) -> str:
        return self.code


class PromptChange(models.Model):
    """Who did what to which prompt, and when (PROMPT-5). Rows are only ever added, and hold no texts."""

    class Action(models.TextChoices):
        MADE = "made", pgettext_lazy("change of a prompt", "Made")
        CHANGED = "changed", pgettext_lazy("change of a prompt", "Changed")
        DELETED = "deleted", pgettext_lazy("change of a prompt", "Deleted")
        IMPORTED = "imported", pgettext_lazy("change of a prompt", "Imported")
        ACTIVATED = "activated", pgettext_lazy("change of a prompt", "Activated")
        ROLLED_BACK = "rolled_back", pgettext_lazy("change of a prompt", "Rolled back to")

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    range = models.CharField(max_length=30, choices=Range.choices)
    code = models.CharField(max_length=codes.MAX_LENGTH)
    action = models.CharField(max_length=12, choices=Action.choices)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("change of prompts")
        verbose_name_plural = _("changes of prompts")
        indexes = [models.Index(fields=["tenant", "range"], name="prompt_changes_of_range")]

    def __str__(self) -> str:
        return f"{self.action} {self.code}"
