from django.urls import path

from adminchat.connections.views import connections, models, probes

app_name = "connections"

urlpatterns = [
    path("", connections.connection_list, name="connection-list"),
    path("create/", connections.connection_create, name="connection-create"),
    path("<uuid:connection_id>/", connections.connection_detail, name="connection-detail"),
    path("<uuid:connection_id>/edit/", connections.connection_edit, name="connection-edit"),
    path("<uuid:connection_id>/delete/", connections.connection_delete, name="connection-delete"),
    path("<uuid:connection_id>/test/", probes.connection_test, name="connection-test"),
    path("<uuid:connection_id>/models/", models.model_add, name="model-add"),
    path("<uuid:connection_id>/models/fetch/", probes.model_fetch, name="model-fetch"),
    path("models/<uuid:model_id>/", models.model_edit, name="model-edit"),
    path("models/<uuid:model_id>/default/", models.model_default, name="model-default"),
    path("models/<uuid:model_id>/delete/", models.model_delete, name="model-delete"),
]
