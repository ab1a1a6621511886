"""Why an entry was loaded, or was not (ENTRY-22, ENTRY-23): the closed list, in the order in which a report names them."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Reason(TextChoices):
    CORE = "core", _("core entry")
    PINNED_CORE = "pinned_core", _("pinned core entry")
    TOPIC = "topic", _("matches your message")
    NOT_RELEVANT = "not_relevant", _("too little in your message points there")
    OVERRIDDEN_BY_WORKSPACE = "overridden_by_workspace", _("the workspace has its own version")
    OVER_CORE_BUDGET = "over_core_budget", _("no room among the core entries")
    OVER_BUDGET = "over_budget", _("no room in the budget")
    OTHER_WORKSPACE = "other_workspace", _("belong to another workspace")
    EXPIRED = "expired", _("expired")
    ARCHIVED = "archived", _("archived")


NO_CANDIDATE = (Reason.OTHER_WORKSPACE, Reason.EXPIRED, Reason.ARCHIVED, Reason.OVERRIDDEN_BY_WORKSPACE)
"""The reasons of entries that could not have been loaded, and so override no other."""

RANKED = (Reason.TOPIC, Reason.NOT_RELEVANT, Reason.OVER_BUDGET)
"""The reasons of entries that were compared with the question: others would change which of them stand out."""
