from django.urls import path

from adminchat.prompts.views import portability, ranges, versions

app_name = "prompts"

urlpatterns = [
    path("", ranges.range_list, name="range-list"),
    path("export/", portability.prompt_export, name="prompt-export"),
    path("import/", portability.prompt_import, name="prompt-import"),
    path("versions/<str:code>/", versions.version_detail, name="version-detail"),
    path("versions/<str:code>/create/", versions.version_create, name="version-create"),
    path("versions/<str:code>/edit/", versions.version_edit, name="version-edit"),
    path("versions/<str:code>/delete/", versions.version_delete, name="version-delete"),
    path("versions/<str:code>/activate/", versions.version_activate, name="version-activate"),
    path("<str:range_name>/", ranges.range_detail, name="range-detail"),
    path("<str:range_name>/compare/", versions.version_compare, name="version-compare"),
    path("<str:range_name>/roll-back/", ranges.range_roll_back, name="range-roll-back"),
]
