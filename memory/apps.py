from typing import Any

from django.apps import AppConfig
from django.db.models.signals import pre_delete
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self) -> None:
        pre_delete.connect(_keep_entries, sender="accounts.Workspace")


def _keep_entries(instance: Any, **_signal: Any) -> None:
    from memory.entries import archive_of_deleted_workspace

    archive_of_deleted_workspace(instance)
