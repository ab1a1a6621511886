"""Why a whole turn loads nothing (ENTRY-23)."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class MemoryRule(TextChoices):
    """The rule by which a turn uses no memory; a turn that may use it has none."""

    OFF = "off", _("Memory is off for this chat.")
    POLICY = "policy", _("The rules of your organisation or of the profile switch memory off here.")
    TEMPORARY = "temporary", _("This chat is temporary: it uses no memory.")
    NO_MEMORY_CONNECTION = "no_memory_connection", _("This model’s connection may not be sent memory.")
