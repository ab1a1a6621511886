from django.urls import path

from adminchat.accounts.views import people, policy, preferences, workspaces

app_name = "accounts"

urlpatterns = [
    path("settings/", preferences.own_settings, name="settings"),
    path("settings/theme/", preferences.theme, name="theme"),
    path("settings/language/", preferences.language, name="language"),
    path("people/", people.person_list, name="person-list"),
    path("people/create/", people.person_create, name="person-create"),
    path("people/<uuid:person_id>/", people.person_detail, name="person-detail"),
    path("people/<uuid:person_id>/password/", people.person_password, name="person-password"),
    path("people/<uuid:person_id>/deactivate/", people.person_deactivate, name="person-deactivate"),
    path("people/<uuid:person_id>/reactivate/", people.person_reactivate, name="person-reactivate"),
    path("workspaces/", workspaces.workspace_list, name="workspace-list"),
    path("workspaces/create/", workspaces.workspace_create, name="workspace-create"),
    path("workspaces/<uuid:workspace_id>/", workspaces.workspace_detail, name="workspace-detail"),
    path("workspaces/<uuid:workspace_id>/delete/", workspaces.workspace_delete, name="workspace-delete"),
    path("workspaces/<uuid:workspace_id>/members/", workspaces.member_add, name="member-add"),
    path(
        "workspaces/<uuid:workspace_id>/members/<uuid:person_id>/remove/",
        workspaces.member_remove,
        name="member-remove",
    ),
    path("policy/", policy.policy, name="policy"),
]
