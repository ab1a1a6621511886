"""What the site operator sees of connections: never a key, and nothing to edit; that is done in the product."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from adminchat.connections.models import ChatModel, Connection


class ChatModelInline(admin.TabularInline[ChatModel, Connection]):
    model = ChatModel
    fields = ("name", "display_name", "enabled", "is_default", "context_tokens")
    readonly_fields = fields
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Connection | None = None) -> bool:
        return False


@admin.register(Connection)
class ConnectionAdmin(admin.ModelAdmin[Connection]):
    list_display = ("name", "tenant", "kind", "origin", "enabled")
    list_filter = ("tenant", "kind", "origin", "enabled")
    fields = ("name", "tenant", "kind", "origin", "base_url", "enabled", "audience", "created_at", "updated_at")
    readonly_fields = fields
    inlines = (ChatModelInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Connection]:
        return super().get_queryset(request).defer("api_key")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Connection | None = None) -> bool:
        return False
