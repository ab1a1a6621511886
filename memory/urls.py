from django.urls import path

from memory.views import activity, bulk, entries, loaded, preview, receipts, settings, suggestions

app_name = "memory"

urlpatterns = [
    path("", entries.panel, name="panel"),
    path("entries/", entries.entry_list, name="entry-list"),
    path("entries/filter/", entries.entry_filter, name="entry-filter"),
    path("entries/bulk/", bulk.entries_bulk, name="entries-bulk"),
    path("entries/<uuid:entry_id>/", entries.entry_detail, name="entry-detail"),
    path("entries/<uuid:entry_id>/edit/", entries.entry_edit, name="entry-edit"),
    path("entries/<uuid:entry_id>/override/", entries.entry_override, name="entry-override"),
    path("entries/<uuid:entry_id>/pin/", entries.entry_pin, name="entry-pin"),
    path("entries/<uuid:entry_id>/archive/", entries.entry_archive, name="entry-archive"),
    path("entries/<uuid:entry_id>/restore/", entries.entry_restore, name="entry-restore"),
    path("entries/<uuid:entry_id>/renew/", entries.entry_renew, name="entry-renew"),
    path("entries/<uuid:entry_id>/delete/", entries.entry_delete, name="entry-delete"),
    path("receipts/<uuid:turn_id>/", receipts.receipt, name="receipt"),
    path("receipts/<uuid:turn_id>/act/", receipts.receipt_act, name="receipt-act"),
    path("suggestions/", suggestions.suggestion_list, name="suggestion-list"),
    path("suggestions/<uuid:suggestion_id>/accept/", suggestions.suggestion_accept, name="suggestion-accept"),
    path("suggestions/<uuid:suggestion_id>/edit/", suggestions.suggestion_edit, name="suggestion-edit"),
    path("suggestions/<uuid:suggestion_id>/reject/", suggestions.suggestion_reject, name="suggestion-reject"),
    path("settings/", settings.learning_settings, name="settings"),
    path("settings/try/", settings.trigger_try, name="trigger-try"),
    path("loaded/", loaded.loaded, name="loaded"),
    path("preview/", preview.preview, name="preview"),
    path("activity/", activity.activity_list, name="activity-list"),
    path("activity/<uuid:turn_id>/", activity.activity_detail, name="activity-detail"),
    path("activity/<uuid:turn_id>/skipped/", activity.skipped, name="skipped"),
]
