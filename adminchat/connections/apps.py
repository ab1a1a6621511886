from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConnectionsConfig(AppConfig):
    name = "adminchat.connections"
    label = "connections"
    verbose_name = _("Model connections")
