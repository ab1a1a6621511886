from django.urls import path

from memory.views import activity, preview

app_name = "memory"

urlpatterns = [
    path("activity/", activity.activity_list, name="activity-list"),
    path("activity/<uuid:turn_id>/", activity.activity_detail, name="activity-detail"),
    path("activity/<uuid:turn_id>/skipped/", activity.skipped, name="skipped"),
    path("preview/", preview.preview, name="preview"),
]
