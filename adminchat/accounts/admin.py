"""What the site operator sees of people and tenants. People are deactivated here, not deleted (CHAT-24)."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from adminchat.accounts import people
from adminchat.accounts.models import Tenant, TenantPolicy, User, Workspace
from adminchat.accounts.tenants import tenant_created

admin.site.unregister(Group)


class GuardedUserForm(UserChangeForm[User]):
    """Keeps each tenant's last active super administrator, here too."""

    class Meta(UserChangeForm.Meta):
        model = User

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        people.lock(self.instance.tenant_id)  # the admin site's own transaction holds it until the change is stored
        stays = data.get("role") == User.Role.SUPER_ADMIN and data.get("is_active")
        if not stays and people.is_last_super_admin(User.objects.get(pk=self.instance.pk)):
            raise forms.ValidationError(people.LastSuperAdmin.sentence)
        return data


@admin.register(User)
class PersonAdmin(UserAdmin[User]):
    form = GuardedUserForm
    list_display = ("username", "tenant", "role", "is_active", "is_superuser")
    list_filter = ("tenant", "role", "is_active", "is_superuser")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("first_name", "last_name", "role")}),
        (_("Rights at this site"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "tenant", "role", "usable_password", "password1", "password2")}),)
    filter_horizontal = ()

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False


class PolicyInline(admin.StackedInline[TenantPolicy, Tenant]):
    model = TenantPolicy
    can_delete = False


@admin.register(Tenant)
class TenantAdmin(admin.ModelAdmin[Tenant]):
    list_display = ("name", "created_at")
    inlines = (PolicyInline,)

    def save_model(self, request: HttpRequest, obj: Tenant, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            transaction.on_commit(partial(tenant_created.send, Tenant, tenant=obj))

    def has_delete_permission(self, request: HttpRequest, obj: Tenant | None = None) -> bool:
        return False


@admin.register(Workspace)
class WorkspaceAdmin(admin.ModelAdmin[Workspace]):
    list_display = ("name", "tenant", "created_at")
    list_filter = ("tenant",)
    fields = ("name", "description", "tenant")
    readonly_fields = ("tenant",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Workspace | None = None) -> bool:
        return False
