from django.urls import path

from chat.views import channel, exports, launcher, memory, profiles, sessions, settings, streams, system_messages, turns

app_name = "chat"

urlpatterns = [
    path("", launcher.launcher, name="launcher"),
    path("sessions/", sessions.session_collection, name="session-list"),
    path("sessions/", sessions.session_collection, name="session-create"),
    path("sessions/recent/", sessions.session_recent, name="session-recent"),
    path("sessions/<uuid:session_id>/", sessions.session_detail, name="session-detail"),
    path("sessions/<uuid:session_id>/messages/", sessions.message_page, name="message-page"),
    path("sessions/<uuid:session_id>/changes/", sessions.session_changes, name="session-changes"),
    path("sessions/<uuid:session_id>/rename/", sessions.session_rename, name="session-rename"),
    path("sessions/<uuid:session_id>/pin/", sessions.session_pin, name="session-pin"),
    path("sessions/<uuid:session_id>/archive/", sessions.session_archive, name="session-archive"),
    path("sessions/<uuid:session_id>/delete/", sessions.session_delete, name="session-delete"),
    path("sessions/<uuid:session_id>/settings/", settings.session_settings, name="session-settings"),
    path("sessions/<uuid:session_id>/export/", exports.session_export, name="session-export"),
    path("sessions/<uuid:session_id>/turns/", turns.turn_create, name="turn-create"),
    path("turns/<uuid:turn_id>/stream/", streams.turn_stream, name="turn-stream"),
    path("turns/<uuid:turn_id>/stop/", turns.turn_stop, name="turn-stop"),
    path("turns/<uuid:turn_id>/regenerate/", turns.turn_regenerate, name="turn-regenerate"),
    path("turns/<uuid:turn_id>/select/", turns.turn_select, name="turn-select"),
    path("messages/<uuid:message_id>/edit/", turns.message_edit, name="message-edit"),
    path("messages/<uuid:message_id>/remember/", memory.message_remember, name="message-remember"),
    path("events/", channel.events, name="events"),
    path("memory/system-messages/", system_messages.system_message_list, name="system-message-list"),
    path("memory/system-messages/my/", system_messages.system_message_my, name="system-message-my"),
    path("memory/system-messages/global/", system_messages.system_message_global, name="system-message-global"),
    path("memory/system-messages/seen/", system_messages.system_message_seen, name="system-message-seen"),
    path("memory/system-messages/versions/", system_messages.system_message_versions, name="system-message-versions"),
    path(
        "memory/system-messages/versions/<int:number>/restore/",
        system_messages.system_message_restore,
        name="system-message-restore",
    ),
    path("profiles/", profiles.profile_list, name="profile-list"),
    path("profiles/new/", profiles.profile_create, name="profile-create"),
    path("profiles/<uuid:profile_id>/", profiles.profile_edit, name="profile-edit"),
    path("profiles/<uuid:profile_id>/delete/", profiles.profile_delete, name="profile-delete"),
]
