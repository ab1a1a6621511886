"""For the site operator: what there is and how it went, never a title or a text (SEC-2)."""

from django.contrib import admin
from django.http import HttpRequest

from chat.models import Session, Turn


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Looking and deleting, no adding or changing."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    fields = ("id", "tenant", "user", "workspace", "memory_mode", "notes", "temporary", "created_at", "active_at")
    list_display = ("id", "user", "workspace", "temporary", "created_at", "active_at")
    list_filter = ("temporary",)
    list_select_related = ("user", "workspace")
    date_hierarchy = "active_at"


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    fields = (
        "id",
        "state",
        "error_code",
        "model_label",
        "input_tokens",
        "output_tokens",
        "created_at",
        "started_at",
        "first_token_at",
        "finished_at",
    )
    list_display = ("id", "state", "error_code", "model_label", "input_tokens", "output_tokens", "created_at")
    list_filter = ("state", "error_code")
