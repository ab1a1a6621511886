"""The tabs of the Memory panel (ENTRY-27). Each is a page of its own, and a fragment in the panel beside a conversation."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Tab:
    """``name`` is the last part of its address and what ``?memory=`` of other pages says."""

    name: str
    view: str
    label: str | Promise

    @property
    def address(self) -> str:
        return reverse(self.view)


TABS = (
    Tab("entries", "memory:entry-list", _("Entries")),
    Tab("loaded", "memory:loaded", _("Loaded this turn")),
    Tab("preview", "memory:preview", _("Preview")),
    Tab("system-messages", "chat:system-message-list", _("SystemMessage")),
    Tab("settings", "memory:settings", _("Settings")),
    Tab("activity", "memory:activity-list", _("Activity")),
)
